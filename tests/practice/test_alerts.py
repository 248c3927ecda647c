#!/usr/bin/python3
"""Planted faults in real DDP jobs on the practice cluster, as `rankwright-cli watch` reports them; and healthy runs, of which
it may say nothing. RANKWRIGHT_CLI names the program; RANKWRIGHT_PRACTICE_DIR a running cluster, else one is started.

    test_alerts.py              the short set of ctest: jobs of few ranks, three at a time
    test_alerts.py --long       every fault on its own, and ten healthy runs; a table of seconds goes to standard output
    test_alerts.py --long Long.test_dead_node      one of them

A statement must come before 15 further samples (RANKWRIGHT_ALERT_SECONDS; one comes each second) of one GPU: counted from the
moment from which the samples themselves show the fault. A busy machine takes longer over each, and no more of them.
"""
import json
import os
import subprocess
import sys
import threading
import time
import traceback
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base   # noqa: E402  the same cluster and the same way to it
from watching import (CLI, TwoCores, Watch, after_steps, all_work, arrived, asleep, crowded, first_work, stopped,  # noqa: E402
                      submit)

LONG = "--long" in sys.argv
SOON = float(os.environ.get("RANKWRIGHT_ALERT_SECONDS", "15"))     # from the evidence to the statement


def note(name, kind, seconds, title):
    """A row of the table of results."""
    print("| %s | %s | %s | %s |" % (name, kind, "%.1f s" % seconds if seconds is not None else "-", title), flush=True)


class AlertCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not CLI:
            raise unittest.SkipTest("RANKWRIGHT_CLI is not set")
        base.Cluster.start()

    def tearDown(self):
        base.on_cluster("scancel --user=$USER")
        base.wait_until(lambda: not base.on_cluster("squeue -h -u $USER"))

    def diagnose(self, name, kinds, options, evidence, seconds=base.LONG, act=None, allowed=(), cause=None, site=None, **how):
        """Submits, watches until one of `kinds` is reported; `evidence(watch)` is the moment from which it could be seen. Nothing
        but `kinds` and `allowed` may be reported. `cause`: class and rank that the output must be found to name."""
        job = site.submit(options) if site else submit(options, **how)
        watch = Watch(job, site and site.environment)
        try:
            if act:
                act(watch)
            watch.run(seconds, lambda w: any(kind in w.kinds() for kind in kinds))
            found = [kind for kind in kinds if kind in watch.kinds()]
            reported = [(event["kind"], event["title"], event["seen"]) for _, event in watch.alerts()]
            self.assertTrue(found, "%s: %s\n%s" % (name, reported, base.log_of(job)[-2000:]))
            when, start = watch.when(found[0]), evidence(watch)
            self.assertIsNotNone(start, name)
            event = next(event for _, event in watch.alerts() if event["kind"] == found[0])
            note(name, found[0], when - start, event["title"])
            # A sample a second: counted, since a busy machine takes longer over each.
            self.assertLessEqual(watch.samples_between(start, when), SOON, "%s: %s" % (name, reported))
            watch.run(4)
            if cause:
                self.check_cause(name, watch, *cause)
            others = [kind for kind in watch.kinds() if kind not in kinds and kind not in allowed]
            self.assertEqual(others, [], [(event["kind"], event["title"], event["seen"]) for _, event in watch.alerts()])
            return event
        finally:
            watch.close()
            base.on_cluster("scancel %s" % job)

    def check_cause(self, name, watch, kind, rank):
        """`watch` and, afterwards, `parse log` find one cause in the output, and whose it was."""
        watch.run(base.LONG, lambda w: w.has_ended() or w.cause() == (kind, rank))
        self.assertEqual(watch.cause(), (kind, rank), name)
        log = base.on_cluster("cat %s/test-%s.out" % (base.Cluster.info["workdir"], watch.job))
        read = json.loads(subprocess.run([CLI, "parse", "log", "--json"], input=log, capture_output=True, text=True, check=True).stdout)
        self.assertEqual([(one["class"], one["rank"]) for one in read["diagnoses"]], [(kind, rank)], "%s\n%s" % (name, log[-3000:]))

    def healthy(self, name, options, seconds=base.LONG, site=None, **how):
        job = site.submit(options) if site else submit(options, **how)
        watch = Watch(job, site and site.environment)
        try:
            watch.run(seconds, lambda w: w.has_ended())
            self.assertIsNotNone(watch.first_work, name)
            end = [event["state"] for _, event in watch.events if event.get("event") == "end"]
            self.assertEqual(end, ["COMPLETED"], "%s\n%s" % (name, base.log_of(job)[-2000:]))
            reported = [(event["level"], event["title"], event["seen"]) for _, event in watch.alerts()]
            note(name, "healthy: %s" % (reported or "nothing raised"), None, "")
            self.assertEqual(reported, [], name)
            self.assertIsNone(watch.cause(), name)
        finally:
            watch.close()
            base.on_cluster("scancel %s" % job)


def binding(case):
    """The real affinities of the ranks against the map of the design; a machine with one core has no wrong one."""
    if os.cpu_count() < 2:
        case.skipTest("one core: nothing to bind")
    site = TwoCores()
    try:
        # with more than two cores the job owns more than it is given here, and is reported so
        event = case.diagnose("ranks on each other's cores", ["wrong_binding"], "--steps 2000 --cores 1:0", arrived, site=site,
                              allowed=("shared_cores",) if os.cpu_count() > 3 else ())
        case.assertIn("the map gives it 0", event["seen"])
        event = case.diagnose("ranks not bound at all", ["wrong_binding"], "--steps 2000", arrived, site=site)
        case.assertIn("No rank is bound", event["title"])
        if os.cpu_count() < 4:
            case.healthy("srun, 1 x 2, bound as the map says", "--steps 60 --cores 0:1", site=site)
    finally:
        site.close()


class Short(AlertCase):
    """What ctest runs: three jobs at a time, on GPUs of both kinds, each with one fault of a different kind."""

    def at_once(self, *checks):
        """Each of them waits most of the time."""
        wrong = []

        def guard(check):
            try:
                check()
            except Exception:    # raised below, in the test's own thread
                wrong.append(traceback.format_exc())
        threads = [threading.Thread(target=guard, args=(check,)) for check in checks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [], "\n".join(wrong))

    def straggler(self):
        event = self.diagnose("straggler", ["straggler"], "--steps 2000 --straggler 2 --device-time 0.3", all_work, partition="gpumedium")
        self.assertEqual(event["rank"], 2)

    def hang_in_a_collective(self):
        event = self.diagnose("hang in a collective", ["hang"], "--steps 2000 --hang-at 30", stopped(2), gpus=3)
        self.assertEqual(event["rank"], 2)

    def rank_never_joins(self):
        event = self.diagnose("rank never joins", ["missing_rank"], "--steps 50 --absent --fault-rank 1", asleep, gpus=3)
        self.assertEqual(event["rank"], 1)

    def device_0(self):
        self.diagnose("all on device 0", ["crowded_gpu"], "--steps 2000 --crowd", crowded, gpus=3)

    def out_of_memory(self):
        event = self.diagnose("GPU out of memory", ["oom_gpu"], "--steps 200 --oom-at 20", stopped(1), gpus=2, cause=("oom_gpu", 1))
        self.assertIn("memory", event["title"])

    def healthy_run(self):
        self.healthy("A100, srun, 1 x 4, checkpoint and evaluation", "--steps 70 --device-time 0.3 --checkpoint alerts.pt "
                     "--checkpoint-every 20 --evaluate-every 30 --evaluate-seconds 8", partition="gpumedium")

    def test_waiting_ranks(self):
        self.at_once(self.straggler, self.hang_in_a_collective, self.rank_never_joins)

    def test_binding(self):
        binding(self)

    def test_requeued_job(self):
        """Slurm takes a running job off its node and starts it again on another one: the watch goes with it, and finds nothing
        wrong with either run."""
        job = submit("--steps 60 --device-time 0.3", gpus=2, prefix="#SBATCH --requeue\n")
        watch = Watch(job)
        try:
            watch.run(base.LONG, lambda w: w.last_step)
            self.assertTrue(watch.last_step, base.log_of(job)[-2000:])
            first = {node for node, _ in watch.began}
            base.on_cluster("scontrol requeue %s" % job)
            watch.run(60, lambda w: w.has_state("PENDING", after="RUNNING"))
            # Slurm waits for two minutes before it starts a requeued job; its owner need not
            base.on_cluster("scontrol update jobid=%s starttime=now excnodelist=%s" % (job, ",".join(first)))
            watch.run(base.LONG, lambda w: w.has_ended())
            ends = [event["state"] for _, event in watch.events if event.get("event") == "end"]
            self.assertEqual(ends, ["COMPLETED"], "%s\n%s" % (watch.states(), base.log_of(job)[-2000:]))
            self.assertTrue(watch.has_state("RUNNING", after="PENDING"), watch.states())
            self.assertTrue({node for node, _ in watch.began} - first, "the second run was not seen")
            # that it was taken off is reported as long as it stands
            self.assertLessEqual(set(watch.kinds()), {"preempted"})
            cleared = [event["kind"] for _, event in watch.events if event.get("event") == "alert" and event["change"] == "cleared"]
            self.assertLessEqual(set(watch.kinds()), set(cleared)) # what only says that something is normal may be cleared, too
            log = base.on_cluster("cat %s/test-%s.out" % (base.Cluster.info["workdir"], job))
            read = json.loads(subprocess.run([CLI, "parse", "log", "--json"], input=log, capture_output=True, text=True, check=True).stdout)
            self.assertEqual(read["diagnoses"], [], log)
            self.assertIsNone(watch.cause())
        finally:
            watch.close()
            base.on_cluster("scancel %s" % job)

    def test_memory_devices_and_health(self):
        self.at_once(self.device_0, self.out_of_memory, self.healthy_run)


class Long(AlertCase):
    """Every fault on its own and ten healthy runs; by hand."""

    def test_straggler(self):
        event = self.diagnose("straggler", ["straggler"], "--steps 2000 --straggler 5 --device-time 0.4", all_work, nodes=2)
        self.assertIn("5", event["title"])

    def test_straggler_a100(self):
        event = self.diagnose("straggler, A100", ["straggler"], "--steps 2000 --straggler 3", all_work, nodes=2, gpus=2,
                              partition="gpumedium", launcher="torchrun")
        self.assertEqual(event["rank"], 3)

    def test_hang_in_a_collective(self):
        event = self.diagnose("hang in a collective", ["hang"], "--steps 2000 --hang-at 40", stopped(3))
        self.assertEqual(event["rank"], 3)

    def test_late_hang_in_a_collective(self):
        event = self.diagnose("hang after a while", ["hang"], "--steps 2000 --hang-at 150 --fault-rank 1", stopped(1), gpus=8)
        self.assertEqual(event["rank"], 1)

    def test_rank_never_joins(self):
        event = self.diagnose("rank never joins", ["missing_rank"], "--steps 50 --absent --fault-rank 2", asleep)
        self.assertEqual(event["rank"], 2)

    def test_rank_never_starts(self):
        event = self.diagnose("rank never starts", ["missing_rank"], "--steps 50", arrived, gpus=4, ranks=3, world=4)
        self.assertEqual(event["rank"], 3)

    def test_device_0(self):
        self.diagnose("all on device 0", ["crowded_gpu"], "--steps 2000 --crowd", crowded)

    def test_idle_gpus(self):
        self.diagnose("half of the GPUs without a rank", ["idle_gpus"], "--steps 2000", first_work, gpus=8, ranks=4)

    def test_slow_loader(self):
        self.diagnose("slow loader, waves", ["data_loading"], "--steps 2000 --loader-delay 2.2 --device-time 1.8", after_steps(3, 4.0))

    def test_starving_gpus(self):
        self.diagnose("slow loader, low use", ["data_loading"], "--steps 2000 --loader-delay 1.0 --device-time 0.5", after_steps(5, 1.5))

    def test_binding(self):
        binding(self)

    def test_shared_cores(self):
        self.diagnose("all ranks on one core", ["shared_cores"], "--steps 2000 --cores 0", arrived)

    def test_out_of_memory(self):
        self.diagnose("GPU out of memory", ["oom_gpu"], "--steps 200 --oom-at 20", stopped(3), cause=("oom_gpu", 3))

    def test_killed_rank(self):
        self.diagnose("killed rank", ["lost_rank", "process_killed"], "--steps 2000 --kill-at 40 --fault-rank 2", stopped(2),
                      allowed=("lost_rank", "process_killed"), cause=("process_killed", 2))

    def test_time_limit_foreseen(self):
        self.diagnose("time limit foreseen", ["time_limit"], "--steps 2000 --device-time 0.3", lambda w: w.first_work and w.first_work + 20,
                      minutes=2)

    def test_time_limit_reached(self):
        """Foreseen, and then reported as the cause of the end."""
        job = submit("--steps 2000 --device-time 0.3", minutes=1)
        watch = Watch(job)
        try:
            watch.run(base.LONG, lambda w: w.has_ended())
            ended = next(now for now, event in watch.events if event.get("event") == "state" and event["state"] == "TIMEOUT")
            reported = [(now, event) for now, event in watch.alerts() if event["rule"] == "A01"]
            self.assertEqual([event["kind"] for _, event in reported], ["time_limit"])
            note("time limit reached", "time_limit", max(0.0, reported[0][0] - ended), reported[0][1]["title"])
            self.assertEqual({event["kind"] for _, event in watch.alerts()}, {"time_limit"})
            self.check_cause("time limit reached", watch, "time_limit", None)
        finally:
            watch.close()

    def test_loss_not_a_number(self):
        self.diagnose("loss not a number", ["loss_nan", "nan_loss"], "--steps 400 --nan-at 60", lambda w: w.first_work and w.first_work + 12)

    def test_dead_node(self):
        moment = []

        def kill(watch):
            watch.run(base.LONG, lambda w: w.last_step and w.first_work and w.last_step - w.first_work > 8)
            base.practice("fault", "node-kill", "nid005002", state=base.Cluster.state)
            moment.append(time.monotonic())
        try:
            event = self.diagnose("dead node", ["dead_node", "node_failure"], "--steps 4000", lambda w: moment[0],
                                  nodes=2, gpus=2, act=kill, allowed=("nccl_error",))
            self.assertEqual(event["nodes"], ["nid005002"])
        finally:
            base.practice("up", state=base.Cluster.state)

    def test_healthy_runs(self):
        runs = [
            ("srun, 1 x 2", "--steps 150", {"gpus": 2}),
            ("srun, 1 x 8", "--steps 80 --device-time 0.4", {"gpus": 8}),
            ("srun, 2 x 4", "--steps 80 --device-time 0.4", {"nodes": 2}),
            ("torchrun, 1 x 4", "--steps 150", {"launcher": "torchrun"}),
            ("torchrun, 2 x 4", "--steps 80 --device-time 0.4", {"launcher": "torchrun", "nodes": 2}),
            ("srun, 1 x 1", "--steps 150", {"gpus": 1}),
            ("A100, srun, 1 x 4", "--steps 150", {"partition": "gpumedium"}),
            ("A100, torchrun, 2 x 2", "--steps 80 --device-time 0.4", {"partition": "gpumedium", "gpus": 2, "nodes": 2, "launcher": "torchrun"}),
            ("srun, 1 x 4, evaluation pauses", "--steps 150 --evaluate-every 50 --evaluate-seconds 12", {}),
            ("srun, 1 x 4, checkpoints, accumulation", "--steps 40 --accumulate 4 --checkpoint long.pt --checkpoint-every 10", {}),
        ]
        for name, options, how in runs:
            with self.subTest(name):
                self.healthy(name, options, **how)


def tearDownModule():
    base.Cluster.stop()


if __name__ == "__main__":
    words = [word for word in sys.argv if word != "--long"]
    cases = unittest.TestLoader().loadTestsFromTestCase
    if len(words) > 1:
        unittest.main(argv=words, verbosity=2)
    suite = cases(Long) if LONG else cases(Short)
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)
