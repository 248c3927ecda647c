"""Jobs with planted faults on the practice cluster, and `rankwright-cli watch` beside them: how they are submitted, what the
watch reported and when, and from which moment its samples show a fault."""
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time

import test_practice as base    # the same cluster and the same way to it

ROOT = os.path.realpath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
CLI = os.environ.get("RANKWRIGHT_CLI", "")


SCRIPT = """#!/bin/bash
#SBATCH --account={account} --partition={partition} --nodes={nodes} --gpus-per-node={gpus} --time={minutes} --output=test-%j.out
#SBATCH --ntasks-per-node={tasks} --cpus-per-task={cores}
{prefix}export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000)) WORLD_SIZE={world}
{command}
"""
PER_RANK = "srun --kill-on-bad-exit=0 --wait=0 bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python3 train_ddp.py {options}'"
TORCHRUN = ("srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node={per_node} --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID "
            "--rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT train_ddp.py {options}")


def submit(options, nodes=1, gpus=4, ranks=None, launcher="srun", partition="small-g", minutes=20, world=None, prefix=""):
    per_node = ranks or gpus
    tasks = per_node if launcher == "srun" else 1
    command = (PER_RANK if launcher == "srun" else TORCHRUN.replace("srun torchrun", "srun " + launcher)).format(options=options, per_node=per_node)
    script = SCRIPT.format(account=base.Cluster.info["account"], partition=partition, nodes=nodes, gpus=gpus, tasks=tasks,
                           minutes=minutes, cores=max(1, 24 // tasks), world=world or per_node * nodes, command=command, prefix=prefix)
    return base.on_cluster("cd %s && sbatch --parsable" % base.Cluster.info["workdir"], script).strip()


class TwoCores:
    """The practice cluster as a site whose nodes have two GPUs beside one core each: what this machine really has. Jobs are
    submitted by the program, so that their design, and with it the map, is known."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="rankwright-map-")
        with open(ROOT + "/resources/catalogue/practice.json", encoding="utf-8") as stream:
            site = json.load(stream)
        node = next(node for node in site["nodes"] if node["name"] == "lumi-g-like")
        node.update(gpus=2, cores=2, usableCores=2, coresPerGpu=1, memory="120G", links=[],
                    places=[{"gpu": gpu, "package": 0, "numa": 0, "ccd": gpu, "cores": str(gpu)} for gpu in (0, 1)])
        node["threadsPerCore"] = 1
        next(one for one in site["partitions"] if one["name"] == "small-g")["shared"] = False    # as if jobs had whole nodes
        os.makedirs(self.folder + "/rankwright/clusters")
        with open(self.folder + "/rankwright/clusters/practice.json", "w", encoding="utf-8") as stream:
            json.dump(site, stream)
        self.environment = dict(os.environ, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state, RANKWRIGHT_DATA_DIR=self.folder,
                                XDG_CONFIG_HOME=self.folder)

    def submit(self, options):
        info = base.Cluster.info
        design = {"version": 1, "name": "bound", "cluster": "practice", "partition": "small-g", "account": info["account"],
                  "time": "00:10:00", "workdir": info["workdir"], "resources": {"nodes": 1, "gpusPerNode": 2}, "launcher": "srun",
                  "parallel": {"strategy": "ddp"}, "options": {"output": "test-%j.out"}, "command": "train_ddp.py " + options}
        done = subprocess.run([CLI, "submit", "-", "--json"], input=json.dumps(design), capture_output=True, text=True, timeout=900,
                              env=self.environment)
        if done.returncode != 0:
            raise AssertionError("submit gave %d: %s" % (done.returncode, done.stderr))
        return json.loads(done.stdout)["jobId"]

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Watch:
    """One `rankwright-cli watch`: its events with the moment at which they came."""

    def __init__(self, job, environment=None, record=False):
        environment = environment or dict(os.environ, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state)
        self.job = job
        self.process = subprocess.Popen([CLI, "watch", "practice", job] + ([] if record else ["--no-record"]), stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, env=environment)
        self.events, self.lines = [], queue.Queue()
        self.first_work = self.first_sample = self.last_step = None
        self.began, self.worked = {}, {}        # by (node, index): when work was seen first and last
        self.heard, self.sampled = {}, {}
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), json.loads(line)))
        self.lines.put(None)

    def take(self, seconds):
        """The next event, None when the watch has ended or the time is over."""
        try:
            item = self.lines.get(timeout=max(0.01, seconds))
        except queue.Empty:
            return None
        if item is None:
            return None
        now, event = item
        if "event" not in event:
            self.take_sample(now, event)
        elif event["event"] == "progress":
            self.last_step = now
        self.events.append((now, event))
        return event

    def take_sample(self, now, event):
        self.first_sample = self.first_sample or now
        self.heard[event["node"]] = now
        self.sampled.setdefault((event["node"], event["index"]), []).append(now)
        if (event["utilizationPercent"] or 0) >= 60:
            self.first_work = self.first_work or now
        if (event["utilizationPercent"] or 0) >= 20:
            self.began.setdefault((event["node"], event["index"]), now)
            self.worked[event["node"], event["index"]] = now

    def run(self, seconds, until=lambda watch: False):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not until(self):
            if self.take(min(1.0, end - time.monotonic())) is None and self.is_over():
                break

    def is_over(self):
        return self.process.poll() is not None and not self.reader.is_alive() and self.lines.empty()

    def alerts(self, loud=True):
        return [(now, event) for now, event in self.events if event.get("event") == "alert" and event["change"] == "raised"
                and (not loud or event["level"] in ("warning", "failure"))]

    def samples_between(self, start, end):
        """The most that came of one GPU meanwhile: what the program had to look at, however long that took this machine."""
        return max((sum(start < now <= end for now in moments) for moments in self.sampled.values()), default=0)

    def kinds(self):
        return [event["kind"] for _, event in self.alerts()]

    def when(self, kind):
        return next((now for now, event in self.alerts() if event["kind"] == kind), None)

    def cause(self):
        """What the output is found to name: class and rank, in its newest state; None: no failure."""
        reported = [(event["class"], event.get("rank")) for _, event in self.events if event.get("event") == "diagnosis"]
        return reported[-1] if reported and reported[-1][0] else None

    def states(self):
        return [event["state"] for _, event in self.events if event.get("event") == "state"]

    def has_state(self, state, after):
        """Since the job was in state `after` for the first time."""
        seen = self.states()
        return after in seen and state in seen[seen.index(after):]

    def has_ended(self):
        return any(event.get("event") == "end" for _, event in self.events[-5:])

    def close(self):
        self.process.terminate()
        self.process.wait(900)
        self.process.stdout.close()


def first_work(watch):
    return watch.first_work


def crowded(watch):
    """When two ranks were seen on one GPU."""
    def shares(event):
        gpus = [rank["gpu"] for rank in event["ranks"] if rank["gpu"] is not None]
        return len(gpus) > len(set(gpus))
    return next((now for now, event in watch.events if event.get("event") == "ranks" and shares(event)), None)


def asleep(watch):
    """From when on all ranks that came sleep."""
    since, most = None, 0
    for now, event in watch.events:
        if event.get("event") != "ranks":
            continue
        quiet = all((rank["cpuPercent"] or 0) < 10 and rank["cpuPercent"] is not None and rank["state"] not in ("R", "D") for rank in event["ranks"])
        if not quiet or len(event["ranks"]) > most:
            since = None
        most = max(most, len(event["ranks"]))
        if quiet and since is None:
            since = now
    return since


def arrived(watch):
    """When the last of the ranks that came was seen first."""
    seen, when = set(), None
    for now, event in watch.events:
        if event.get("event") == "ranks":
            new = {rank["rank"] for rank in event["ranks"]} - seen
            seen, when = seen | new, now if new else when
    return when


def all_work(watch):
    """When the last of the GPUs began to."""
    return max(watch.began.values(), default=None)


def after_steps(count, seconds):
    """So many steps since all of them work: one pause for data is none yet."""
    return lambda watch: all_work(watch) and all_work(watch) + count * seconds


def stopped(index, node="nid005001"):
    """When the GPU of the faulty rank worked last."""
    return lambda watch: watch.worked.get((node, index))
