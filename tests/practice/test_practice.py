#!/usr/bin/python3
"""Tests of the practice cluster: on a cluster of their own, or on a running one named by RANKWRIGHT_PRACTICE_DIR.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.realpath(HERE + "/../../resources/practice/practice.py")
ROOT = os.geteuid() == 0
PROJECT = "project_465000001"
ROUND = 10    # seconds of LONG that one look at what is waited for costs at most
LONG = 900    # seconds that a test waits for what comes anyhow: a busy machine may be slow, and nothing is waited for to its end

TRAIN = """#!/bin/bash
#SBATCH --account={account} --partition=small-g --nodes=2 --gpus-per-node=4 --time=10 --output=test-%j.out
#SBATCH --ntasks-per-node={tasks} --cpus-per-task={cores}
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000)) WORLD_SIZE=$SLURM_NTASKS
{command}
"""
TORCHRUN = ("srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=4 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID "
            "--rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT train_ddp.py")
PER_RANK = "srun bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python3 train_ddp.py {options}'"
MONITOR = ("srun --overlap --jobid={job} --nodes=2 --ntasks=2 --ntasks-per-node=1 bash -c "
           "'rocm-smi --showuse --showmeminfo vram --showpower --csv | sed \"s/^/$SLURMD_NODENAME,/\"' </dev/null")


def wait_until(condition, pause=0.5):
    """What the condition gives once that is true; false when it never is. A round counts ROUND at most: while the machine stands still
    (suspended, or without a turn) nothing could come, and it is asked as often as on one that does not."""
    left, before = LONG, time.monotonic()
    while not (found := condition()) and left > 0:
        time.sleep(pause)
        now = time.monotonic()
        left -= min(now - before, ROUND)
        before = now
    return found


def practice(*words, state, check=True):
    done = subprocess.run([PROGRAM, *words, "--state", state], capture_output=True, text=True, timeout=900)
    if check and done.returncode != 0:
        raise AssertionError("practice.py %s gave %d: %s" % (" ".join(words), done.returncode, done.stderr))
    return done


class Cluster:
    """The cluster under test; started once."""
    state, own, info = None, False, None

    @classmethod
    def start(cls):
        if cls.info:
            return
        named = os.environ.get("RANKWRIGHT_PRACTICE_DIR")
        if named:
            shown = json.loads(practice("status", state=named).stdout)
            if shown["running"]:
                cls.state, cls.info = named, shown
                return
        cls.state, cls.own = tempfile.mkdtemp(prefix="practice-test-"), True
        cls.info = json.loads(practice("up", state=cls.state).stdout)

    @classmethod
    def refresh(cls):
        cls.info = json.loads(practice("status", state=cls.state).stdout)
        return cls.info

    @classmethod
    def stop(cls):
        if cls.own and cls.state and os.path.isdir(cls.state):
            practice("down", "--purge", state=cls.state, check=False)
            shutil.rmtree(cls.state, ignore_errors=True)


def tearDownModule():
    Cluster.stop()


def ssh(command, text=None, timeout=900):
    info = Cluster.info
    return subprocess.run(
        ["ssh", "-F", "none", "-i", info["identity"], "-o", "UserKnownHostsFile=" + info["knownHosts"], "-o", "IdentitiesOnly=yes",
         "-o", "BatchMode=yes", "-o", "ConnectTimeout=60", "-p", str(info["port"]), info["user"] + "@" + info["host"], command],
        input=text if text is not None else "", capture_output=True, text=True, timeout=timeout)


def on_cluster(command, text=None, timeout=900):
    done = ssh(command, text, timeout)
    if done.returncode != 0:
        raise AssertionError("%s gave %d: %s%s" % (command, done.returncode, done.stdout, done.stderr))
    return done.stdout


def submit(command, tasks):
    script = TRAIN.format(account=Cluster.info["account"], tasks=tasks, cores=28 // tasks, command=command)
    return on_cluster("cd %s && sbatch --parsable" % Cluster.info["workdir"], script).strip()


def wait_for(job, seconds=LONG):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state = on_cluster("sacct -X -n -P -j %s -o state" % job).strip()
        if state and state not in ("PENDING", "RUNNING", "COMPLETING"):
            return state
        time.sleep(1)
    return "still there after %d s" % seconds


def log_of(job):
    """Empty until the job has begun to write."""
    return on_cluster("cat %s/test-%s.out 2>/dev/null | tr '\\r' '\\n'" % (Cluster.info["workdir"], job))


class ClusterCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        Cluster.start()


class Basics(ClusterCase):
    def test_up_again_changes_nothing(self):
        again = json.loads(practice("up", state=Cluster.state).stdout)
        self.assertEqual(again["pids"], Cluster.info["pids"])
        self.assertTrue(again["healthy"], again["missing"])

    def test_login(self):
        self.assertEqual(on_cluster("hostname; id -un").split(), ["uan01", Cluster.info["user"]])
        tools = on_cluster("command -v rocm-smi amd-smi nvidia-smi || true").strip()
        self.assertEqual(tools, "", "the login node has no GPU tools")

    def test_host_key_is_the_announced_one(self):
        done = subprocess.run(["ssh-keygen", "-l", "-f", Cluster.info["knownHosts"]], capture_output=True, text=True)
        self.assertIn(Cluster.info["hostKeyFingerprints"][0], done.stdout)

    def test_two_nodes_have_two_names(self):
        names = on_cluster("srun -A %s -p small-g -N2 --ntasks-per-node=1 -t 2 hostname </dev/null" % PROJECT)
        self.assertEqual(sorted(names.split()), ["nid005001", "nid005002"])

    def test_a100_nodes(self):
        text = on_cluster("srun -A %s -p gpumedium -N2 --ntasks-per-node=1 --gpus-per-node=a100:2 -t 2 "
                          "bash -c 'nvidia-smi -L; echo dev=$CUDA_VISIBLE_DEVICES' </dev/null" % PROJECT)
        self.assertEqual(text.count("NVIDIA A100-SXM4-40GB"), 4, text)
        self.assertEqual(text.count("dev=0,1"), 2, text)

    def test_reservation(self):
        text = on_cluster("srun -A %s -p small-g --reservation=workshop -t 2 hostname </dev/null" % PROJECT)
        self.assertEqual(text.strip(), "nid005003")

    def test_password_login(self):
        if not ROOT:
            self.skipTest("no password login in user mode")
        info = Cluster.info
        with open(info["passwordFile"]) as stream:
            secret = stream.read().strip()
        self.assertEqual(os.stat(info["passwordFile"]).st_mode & 0o777, 0o600)
        with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as helper:
            helper.write("#!/bin/sh\necho '%s'\n" % secret)
        os.chmod(helper.name, 0o700)
        try:
            done = subprocess.run(
                ["setsid", "ssh", "-F", "none", "-o", "UserKnownHostsFile=" + info["knownHosts"], "-o", "PubkeyAuthentication=no", "-p",
                 str(info["port"]), info["user"] + "@127.0.0.1", "id -un"], capture_output=True, text=True, timeout=900,
                stdin=subprocess.DEVNULL, env=dict(os.environ, SSH_ASKPASS=helper.name, SSH_ASKPASS_REQUIRE="force", DISPLAY=":0"))
        finally:
            os.unlink(helper.name)
        self.assertEqual(done.stdout.strip(), info["user"], done.stderr)


class Refusals(ClusterCase):
    def refused(self, options, text):
        done = ssh("sbatch -t 5 %s --wrap hostname" % options)
        self.assertNotEqual(done.returncode, 0, "accepted: " + options)
        self.assertIn(text, done.stderr)

    def test_refusals(self):
        good = "-A %s -p small-g " % PROJECT
        for options, text in (
                ("-A project_465000009 -p small-g", "Invalid account or account/partition combination specified"),
                ("-A project_465000077 -p small-g", "Invalid account or account/partition combination specified"),
                ("-p small-g", "Invalid account or account/partition combination specified"),
                (good + "--gpus-per-node=9", "Requested node configuration is not available"),
                (good + "--gpus-per-node=a100:1", "Requested node configuration is not available"),
                (good + "-c 57", "Requested node configuration is not available"),
                (good + "--mem=500G", "Requested node configuration is not available"),
                (good + "-N 5", "Node count specification invalid"),
                (good + "-t 3-01", "Requested time limit is invalid"),
                ("-A %s -p dev-g -t 4:00:00" % PROJECT, "Requested time limit is invalid"),
                ("-A %s -p nope" % PROJECT, "invalid partition specified: nope"),
                (good + "--reservation=nope", "Requested reservation is invalid"),
                ("-A project_465000002 -p small-g --reservation=workshop", "Access denied to requested reservation"),
                (good + "--qos=nope", "Invalid qos specification")):
            with self.subTest(options=options):
                self.refused(options, text)

    def test_56_cores_and_8_gpus_are_accepted(self):
        on_cluster("sbatch --test-only -A %s -p small-g -t 5 -c 56 --gpus-per-node=8 --mem=480G --wrap hostname" % PROJECT)

    def test_dev_partition_takes_two_and_runs_one(self):
        options = "-A %s -p dev-g -t 30 -o /dev/null --wrap 'sleep 1500'" % PROJECT
        jobs = [on_cluster("sbatch --parsable " + options).strip() for _ in range(2)]
        try:
            done = ssh("sbatch " + options)
            self.assertIn("QOSMaxSubmitJobPerUserLimit", done.stderr)
            reason = "squeue -h -j %s -o %%r" % jobs[1]
            self.assertTrue(wait_until(lambda: "QOSMaxJobsPerUserLimit" in on_cluster(reason)), on_cluster(reason))
        finally:
            on_cluster("scancel " + " ".join(jobs))

    def test_used_up_project_waits(self):
        job = on_cluster("sbatch --parsable -A project_465000002 -p small-g -t 5 --gpus-per-node=1 --wrap hostname").strip()
        try:
            reason = "squeue -h -j %s -o %%r" % job
            self.assertTrue(wait_until(lambda: "AssocGrpGRESMinutes" in on_cluster(reason)), on_cluster(reason))
        finally:
            on_cluster("scancel " + job)


def parse_csv(text):
    """Monitor lines -> {node: [row as dictionary]}."""
    found, heads = {}, {}
    for line in text.splitlines():
        node, _, rest = line.partition(",")
        cells = rest.split(",")
        if cells[0] == "device":
            heads[node] = cells
        elif cells[0].startswith("card"):
            found.setdefault(node, []).append(dict(zip(heads[node], cells)))
    return found


class Training(ClusterCase):
    def sample(self, job, ready, seconds=LONG):
        """Monitor lines of all nodes once ready(rows) holds."""
        end, rows = time.monotonic() + seconds, {}
        while time.monotonic() < end:
            done = ssh(MONITOR.format(job=job))
            rows = parse_csv(done.stdout)
            if done.returncode == 0 and len(rows) == 2 and ready([row for node in rows.values() for row in node]):
                return rows
            time.sleep(1)
        self.fail("job %s never showed the expected use; last: %s\n%s" % (job, rows, log_of(job)))

    def test_torchrun(self):
        job = submit(TORCHRUN + " --steps 70 --unknown-option", 1)
        rows = self.sample(job, lambda all_rows: all(int(row["GPU use (%)"]) > 60 for row in all_rows))
        for node, lines in rows.items():
            self.assertEqual([row["device"] for row in lines], ["card0", "card1", "card2", "card3"], node)
            for number, row in enumerate(lines):
                power = row["Average Graphics Package Power (W)"]
                if number % 2:
                    self.assertEqual(power, "N/A (Secondary die)")
                else:
                    self.assertGreater(float(power), 200)
                self.assertEqual(row["VRAM Total Memory (B)"], "68702699520")
                self.assertGreater(int(row["VRAM Total Used Memory (B)"]), 1 << 33)
        self.assertEqual(wait_for(job), "COMPLETED", log_of(job))
        text = log_of(job)
        for rank in range(8):
            self.assertIn("[rank %d/8] host nid00500" % rank, text)
        self.assertIn("ignoring unknown arguments: --unknown-option", text)
        losses = [float(line.split()[3]) for line in text.splitlines() if line.startswith("step ")]
        self.assertLess(losses[-1], losses[0] / 2, "the loss falls")
        self.assertRegex(text, r"epoch 1/3: +\d+%\|[# ]{10}\| \d+/\d+ \[\d\d:\d\d<\d\d:\d\d, +[\d.]+(it/s|s/it), loss=[\d.]+\]")

    def test_srun_per_rank_with_straggler_and_checkpoint(self):
        # Long enough to be looked at on a busy machine; it is ended when it has been seen and has saved.
        job = submit(PER_RANK.format(options="--steps 600 --straggler 1 --checkpoint test.pt --checkpoint-every 0"), 4)
        rows = self.sample(job, lambda all_rows: all(int(row["GPU use (%)"]) > 80 for row in all_rows))
        key = "Average Graphics Package Power (W)"
        slow, other = float(rows["nid005001"][0][key]), float(rows["nid005002"][0][key])
        self.assertGreater(slow, other + 30, "the straggler works while the others wait at low power")
        on_cluster("scancel --signal=USR1 %s" % job)  # every step: what looks at the GPUs may have been the first
        saved = wait_until(lambda: re.search(r"saved checkpoint test\.pt at step (\d+) after SIGUSR1", log_of(job)))
        self.assertTrue(saved, log_of(job))
        on_cluster("scancel %s" % job)
        self.assertRegex(wait_for(job), "^CANCELLED", log_of(job))
        step = int(saved.group(1))
        job = submit(PER_RANK.format(options="--steps %d --resume --checkpoint test.pt" % (step + 5)), 4)
        self.assertEqual(wait_for(job), "COMPLETED", log_of(job))
        self.assertIn("resumed from test.pt at step %d" % step, log_of(job))
        self.assertIn("saved checkpoint test.pt at step %d" % (step + 5), log_of(job))

    def test_missing_environment_is_one_sentence(self):
        done = ssh("srun -A %s -p small-g -t 2 python3 %s" % (PROJECT, Cluster.info["trainScript"]))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT are not set", done.stderr)

    def test_two_jobs_on_one_node_see_their_own_gpus(self):
        # Each waits for the other: one that had ended would leave its GPUs to the next.
        meeting = "two-jobs-%d" % os.getpid()
        command = ("srun -A %s -p small-g -w nid005001 --gpus-per-node=%d -t 3 bash -c 'touch ~/" + meeting + "/$SLURM_JOB_ID; "
                   "for try in {1..200}; do [ $(ls ~/" + meeting + " | wc -l) -ge 2 ] && break; sleep 0.5; done; "
                   "rocm-smi --showuse --csv; echo gpus=$SLURM_STEP_GPUS; sleep 2' </dev/null")
        text = on_cluster("mkdir ~/%s; %s & %s & wait; rm -r ~/%s" % (meeting, command % (PROJECT, 3), command % (PROJECT, 2), meeting),
                          timeout=900)
        self.assertEqual(text.count("card0,"), 2, text)
        self.assertEqual(text.count("card2,"), 1, text)
        self.assertNotIn("card3,", text)
        owned = [set(line[5:].split(",")) for line in text.splitlines() if line.startswith("gpus=")]
        self.assertEqual(len(owned), 2, text)
        self.assertFalse(owned[0] & owned[1], "two jobs share a GPU")


class Faults(ClusterCase):
    def setUp(self):
        if not Cluster.own:
            self.skipTest("would disturb the users of the running cluster")
        # What a test before may have left is not this one's fault.
        on_cluster("scancel -u \"$(id -un)\"")
        self.assertTrue(wait_until(lambda: not on_cluster("squeue -h")), "jobs stay")

    def heal(self):
        practice("up", state=Cluster.state)
        info = Cluster.refresh()
        self.assertTrue(info["healthy"], info["missing"])
        # The controller may hear only now of a job that ended while it was away: it is asked until it says so.
        self.assertTrue(wait_until(lambda: not on_cluster("squeue -h -t R -o %i")), "jobs run on")

    def test_frozen_link(self):
        practice("fault", "link-freeze", state=Cluster.state)
        with self.assertRaises(subprocess.TimeoutExpired):
            ssh("true", timeout=2)
        practice("fault", "link-thaw", state=Cluster.state)
        self.assertEqual(ssh("true").returncode, 0)

    def test_killed_link_and_sshd(self):
        practice("fault", "link-kill", state=Cluster.state)
        self.assertEqual(ssh("true").returncode, 255)
        self.heal()
        practice("fault", "sshd-kill", state=Cluster.state)
        self.assertEqual(ssh("true").returncode, 255)
        self.heal()

    def test_killed_controller_and_relay_by_hand(self):
        os.kill(Cluster.info["pids"]["slurmctld"], signal.SIGKILL)
        os.kill(Cluster.info["pids"]["relay"], signal.SIGKILL)
        self.assertTrue(wait_until(lambda: not Cluster.refresh()["healthy"], 0.1))
        self.heal()

    def test_dead_node(self):
        practice("fault", "node-kill", "nid005002", state=Cluster.state)
        self.assertIn("node:nid005002", Cluster.refresh()["missing"])
        practice("fault", "node-start", "nid005002", state=Cluster.state)
        self.heal()
        self.assertEqual(on_cluster("srun -A %s -p small-g -w nid005002 -t 2 hostname </dev/null" % PROJECT).strip(), "nid005002")

    def test_nodes_that_slurm_took_out_of_service(self):
        # As Slurm does where a task could not be killed in time: nobody who uses the cluster could take it back.
        holder = str(Cluster.info["pids"]["node:" + Cluster.info["loginNode"]])
        inside = ["nsenter", "--target", holder] + ([] if os.geteuid() == 0 else ["--user", "--preserve-credentials"])
        inside += ["--mount", "--root", "--uts", "--ipc", "--net", "--pid", "--", "/usr/bin/scontrol", "update"]
        drain = [("nid005001", "Kill task failed"), ("g1101", "a person's own reason")]
        for name, reason in drain:
            subprocess.run(inside + ["NodeName=" + name, "State=DRAIN", "Reason=" + reason], check=True, timeout=900)
        self.assertIn("not available", on_cluster("sbatch --test-only -A %s -p small-g -N 2 -t 2 --wrap true 2>&1; true" % PROJECT))
        self.heal()
        self.assertIn("to start at", on_cluster("sbatch --test-only -A %s -p small-g -N 2 -t 2 --wrap true 2>&1" % PROJECT))
        self.assertIn("drained", on_cluster("sinfo -h -N -n g1101 -o %T"))
        subprocess.run(inside + ["NodeName=g1101", "State=RESUME"], check=True, timeout=900)

    def test_everything_killed_at_once(self):
        os.kill(Cluster.info["pids"]["keeper"], signal.SIGKILL)
        self.heal()

    def test_usage_errors(self):
        self.assertEqual(practice("fault", "node-kill", state=Cluster.state, check=False).returncode, 2)
        self.assertEqual(practice("fault", "nonsense", state=Cluster.state, check=False).returncode, 2)


KINDS = ("net", "pid", "mnt", "uts")


def is_zombie(pid):
    """Ended, and only not yet fetched by the system's first process."""
    try:
        with open("/proc/%s/stat" % pid) as stream:
            return stream.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def namespaces_of(pid):
    found = set()
    for kind in KINDS:
        try:
            status = os.stat("/proc/%s/ns/%s" % (pid, kind))
            found.add((status.st_dev, status.st_ino))
        except OSError:
            pass
    return found


class ZEnding(ClusterCase):
    """Last by name: ends the cluster."""

    def test_down_leaves_nothing(self):
        if not Cluster.own:
            self.skipTest("would end the running cluster")
        info = Cluster.refresh()
        # open handles keep the numbers of the namespaces from being given to others
        handles = [os.open("/proc/%d/ns/%s" % (pid, kind), os.O_RDONLY) for pid in info["pids"].values() for kind in KINDS]
        self.addCleanup(lambda: [os.close(handle) for handle in handles])
        ours = {(os.fstat(handle).st_dev, os.fstat(handle).st_ino) for handle in handles} - namespaces_of(os.getpid())
        job = on_cluster("sbatch --parsable -A %s -p small-g -t 30 -o /dev/null --wrap 'sleep 1500'" % PROJECT).strip()
        self.assertTrue(wait_until(lambda: on_cluster("squeue -h -j %s -o %%t" % job).strip() == "R"), "the job does not start")
        practice("down", state=Cluster.state)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            self.assertFalse(not is_zombie(pid) and namespaces_of(pid) & ours, "process %s still lives in a namespace of the cluster" % pid)
        with open("/proc/mounts") as stream:
            self.assertNotIn(Cluster.state, stream.read())
        for kind in ("freezer", "devices"):
            for folder, names, _ in os.walk("/sys/fs/cgroup/%s" % kind):
                self.assertNotIn("job_" + job, names, folder)
        self.assertFalse(json.loads(practice("status", state=Cluster.state).stdout)["running"])
        practice("down", state=Cluster.state)
        practice("up", state=Cluster.state)
        Cluster.refresh()
        self.assertIn("CANCELLED", on_cluster("sacct -X -n -P -j %s -o state" % job), "accounting survives")


if __name__ == "__main__":
    unittest.main(verbosity=2)
