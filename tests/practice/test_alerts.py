#!/usr/bin/python3
"""Planted faults in real DDP jobs on the practice cluster, as `rankwright-cli watch` tells them; and healthy runs, of which
it may say nothing. RANKWRIGHT_CLI names the program; RANKWRIGHT_PRACTICE_DIR a running cluster, else one is started.

    test_alerts.py              the short set of ctest: several faults in few jobs
    test_alerts.py --long       every fault on its own, and ten healthy runs; a table of seconds goes to standard output
"""
import json
import os
import queue
import subprocess
import sys
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base   # noqa: E402  the same cluster and the same way to it

CLI = os.environ.get("RANKWRIGHT_CLI", "")
LONG = "--long" in sys.argv
SOON = 15.0     # seconds from the evidence to the statement
TABLE = []

SCRIPT = """#!/bin/bash
#SBATCH --account={account} --partition={partition} --nodes={nodes} --gpus-per-node={gpus} --time={minutes} --output=test-%j.out
#SBATCH --ntasks-per-node={tasks} --cpus-per-task={cores}
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000)) WORLD_SIZE={world}
{command}
"""
PER_RANK = "srun --kill-on-bad-exit=0 --wait=0 bash -c 'RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID exec python3 train_ddp.py {options}'"
TORCHRUN = ("srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node={per_node} --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID "
            "--rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT train_ddp.py {options}")


def submit(options, nodes=1, gpus=4, ranks=None, launcher="srun", partition="small-g", minutes=8, world=None):
    per_node = ranks or gpus
    tasks = per_node if launcher == "srun" else 1
    command = (PER_RANK if launcher == "srun" else TORCHRUN).format(options=options, per_node=per_node)
    script = SCRIPT.format(account=base.Cluster.info["account"], partition=partition, nodes=nodes, gpus=gpus, tasks=tasks,
                           minutes=minutes, cores=max(1, 24 // tasks), world=world or per_node * nodes, command=command)
    return base.on_cluster("cd %s && sbatch --parsable" % base.Cluster.info["workdir"], script).strip()


class Watch:
    """One `rankwright-cli watch`: its events with the moment at which they came."""

    def __init__(self, job):
        environment = dict(os.environ, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state)
        self.process = subprocess.Popen([CLI, "watch", "practice", job], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        stdin=subprocess.DEVNULL, text=True, env=environment)
        self.events, self.lines = [], queue.Queue()
        self.first_work = self.first_sample = self.last_step = None
        threading.Thread(target=self.read, daemon=True).start()

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
            self.first_sample = self.first_sample or now
            if (event["utilizationPercent"] or 0) >= 60:
                self.first_work = self.first_work or now
        elif event["event"] == "progress":
            self.last_step = now
        self.events.append((now, event))
        return event

    def run(self, seconds, until=lambda watch: False):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.take(min(1.0, end - time.monotonic())) is None and self.process.poll() is not None and self.lines.empty():
                break
            if until(self):
                break

    def alerts(self, loud=True):
        return [(now, event) for now, event in self.events if event.get("event") == "alert" and event["change"] == "raised"
                and (not loud or event["level"] in ("warning", "failure"))]

    def kinds(self):
        return [event["kind"] for _, event in self.alerts()]

    def when(self, kind):
        return next((now for now, event in self.alerts() if event["kind"] == kind), None)

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)


class AlertCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not CLI:
            raise unittest.SkipTest("RANKWRIGHT_CLI is not set")
        base.Cluster.start()

    def tearDown(self):
        base.on_cluster("scancel --user=$USER; for i in 1 2 3 4 5 6 7 8 9; do [ -z \"$(squeue -h -u $USER)\" ] && break; sleep 1; done")

    def diagnose(self, name, kinds, options, evidence, seconds=100, act=None, only=True, **how):
        """Submits, watches until one of `kinds` is told; `evidence(watch)` is the moment from which it could be seen."""
        job = submit(options, **how)
        watch = Watch(job)
        try:
            if act:
                act(watch)
            watch.run(seconds, lambda w: any(kind in w.kinds() for kind in kinds))
            found = [kind for kind in kinds if kind in watch.kinds()]
            told = [(event["kind"], event["title"]) for _, event in watch.alerts()]
            self.assertTrue(found, "%s: %s\n%s" % (name, told, base.log_of(job)[-2000:]))
            when, start = watch.when(found[0]), evidence(watch)
            self.assertIsNotNone(start, name)
            event = next(event for _, event in watch.alerts() if event["kind"] == found[0])
            TABLE.append((name, found[0], when - start, event["title"]))
            self.assertLessEqual(when - start, SOON, "%s: %s" % (name, told))
            if only:
                self.assertEqual([kind for kind in watch.kinds() if kind not in kinds], [], told)
            return event
        finally:
            watch.close()
            base.on_cluster("scancel %s" % job)

    def healthy(self, name, options, seconds=150, **how):
        job = submit(options, **how)
        watch = Watch(job)
        try:
            watch.run(seconds, lambda w: any(event.get("event") == "end" for _, event in w.events[-3:]))
            self.assertIsNotNone(watch.first_sample, name)
            told = [(event["level"], event["title"], event["seen"]) for _, event in watch.alerts()]
            TABLE.append((name, "healthy: %s" % (told or "nothing raised"), 0.0, ""))
            self.assertEqual(told, [], name)
        finally:
            watch.close()
            base.on_cluster("scancel %s" % job)


def first_work(watch):
    return watch.first_work


def last_step(watch):
    return watch.last_step


class Short(AlertCase):
    """What ctest runs: each job shows one fault of a different kind."""

    def test_straggler(self):
        event = self.diagnose("straggler", ["straggler"], "--steps 2000 --straggler 5 --device-time 0.4", first_work, nodes=2)
        self.assertIn("5", event["title"])

    def test_hang_in_a_collective(self):
        event = self.diagnose("hang in a collective", ["hang"], "--steps 2000 --hang-at 40", last_step)
        self.assertEqual(event["rank"], 3)

    def test_rank_never_joins(self):
        event = self.diagnose("rank never joins", ["missing_rank"], "--steps 50 --absent --fault-rank 2", joined)
        self.assertEqual(event["rank"], 2)

    def test_device_0(self):
        self.diagnose("all on device 0", ["crowded_gpu"], "--steps 2000 --crowd", first_work)

    def test_out_of_memory(self):
        event = self.diagnose("GPU out of memory", ["oom_gpu"], "--steps 200 --oom-at 20", last_step)
        self.assertIn("memory", event["title"])

    def test_healthy(self):
        self.healthy("srun, 1 x 4, checkpoint and evaluation", "--steps 90 --device-time 0.3 --checkpoint alerts.pt "
                     "--checkpoint-every 30 --evaluate-every 40 --evaluate-seconds 8")


def joined(watch):
    """From when on the ranks that came sit and wait: their processors have been idle for a telling."""
    return watch.first_sample + 6 if watch.first_sample else None


class Long(AlertCase):
    """Every fault on its own and ten healthy runs; by hand."""

    def test_idle_gpus(self):
        self.diagnose("half of the GPUs without a rank", ["idle_gpus"], "--steps 2000", first_work, gpus=8, ranks=4)

    def test_slow_loader(self):
        self.diagnose("slow loader", ["data_loading"], "--steps 2000 --loader-delay 1.5 --device-time 0.3", first_work)

    def test_wrong_binding(self):
        self.diagnose("all ranks on one core", ["shared_cores"], "--steps 2000 --cores 0", lambda w: w.first_sample)

    def test_rank_never_starts(self):
        self.diagnose("rank never starts", ["missing_rank"], "--steps 50", lambda w: w.first_sample, gpus=4, ranks=3, world=4)

    def test_killed_rank(self):
        self.diagnose("killed rank", ["lost_rank", "process_killed", "nccl_error", "failed_exit", "python_exception"],
                      "--steps 2000 --kill-at 40", last_step)

    def test_time_limit(self):
        self.diagnose("time limit", ["time_limit"], "--steps 2000 --device-time 0.3", lambda w: w.first_work and w.first_work + 20, minutes=2)

    def test_loss_not_a_number(self):
        self.diagnose("loss not a number", ["loss_nan", "nan_loss"], "--steps 400 --nan-at 60", lambda w: w.first_work and w.first_work + 12)

    def test_dead_node(self):
        moment = []

        def kill(watch):
            watch.run(90, lambda w: w.last_step and w.first_work and w.last_step - w.first_work > 8)
            base.practice("fault", "node-kill", "nid005002", state=base.Cluster.state)
            moment.append(time.monotonic())
        try:
            self.diagnose("dead node", ["dead_node"], "--steps 4000", lambda w: moment[0], nodes=2, gpus=2, act=kill)
        finally:
            base.practice("up", state=base.Cluster.state)

    def test_healthy_runs(self):
        runs = [
            ("srun, 1 x 2", "--steps 60", {"gpus": 2}),
            ("srun, 1 x 8", "--steps 60 --device-time 0.4", {"gpus": 8}),
            ("srun, 2 x 4", "--steps 60 --device-time 0.4", {"nodes": 2}),
            ("torchrun, 1 x 4", "--steps 60", {"launcher": "torchrun"}),
            ("torchrun, 2 x 4", "--steps 60 --device-time 0.4", {"launcher": "torchrun", "nodes": 2}),
            ("srun, 1 x 1", "--steps 60", {"gpus": 1}),
            ("A100, srun, 1 x 4", "--steps 60", {"partition": "gpumedium"}),
            ("A100, torchrun, 2 x 2", "--steps 60 --device-time 0.4", {"partition": "gpumedium", "gpus": 2, "nodes": 2, "launcher": "torchrun"}),
            ("srun, 1 x 4, evaluation pauses", "--steps 120 --evaluate-every 40 --evaluate-seconds 12", {}),
            ("srun, 1 x 4, checkpoints, accumulation", "--steps 40 --accumulate 4 --checkpoint long.pt --checkpoint-every 10", {}),
        ]
        for name, options, how in runs:
            with self.subTest(name):
                self.healthy(name, options, **how)


def tearDownModule():
    for name, kind, seconds, title in TABLE:
        print("| %s | %s | %s | %s |" % (name, kind, "%.1f s" % seconds if seconds else "-", title))
    base.Cluster.stop()


if __name__ == "__main__":
    words = [word for word in sys.argv if word != "--long"]
    cases = unittest.TestLoader().loadTestsFromTestCase
    if len(words) > 1:
        unittest.main(argv=words, verbosity=2)
    suite = cases(Long) if LONG else cases(Short)
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)
