#!/usr/bin/python3
"""Five torchrun jobs of two nodes on the practice cluster, each joined by `rankwright-cli watch` at its start, in the middle and
after its end: class, rank, node and since of the one cause, nothing of a healthy job, and no other rank blamed at any moment.
Then the report on each. RANKWRIGHT_CLI names the program; RANKWRIGHT_PRACTICE_DIR a running cluster, else one is started.
"""
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base   # noqa: E402  the same cluster and the same way to it
from watching import CLI, Watch, submit  # noqa: E402

IMPORTS = 25    # seconds

# A site's own start program: it imports for long, in a process of PyTorch's size, and only then becomes torchrun's agent. Its
# name says nothing, and it has a task's number as ranks of srun have.
SLOW_START = """import subprocess, sys, threading
held = bytearray(64 << 20)
threading.Event().wait(%d)
sys.exit(subprocess.call(["torchrun"] + sys.argv[1:]))
""" % IMPORTS


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


@unittest.skipUnless(CLI, "RANKWRIGHT_CLI is not set")
class Causes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        base.Cluster.start()
        cls.data = tempfile.mkdtemp(prefix="rankwright-causes-")
        cls.addClassCleanup(shutil.rmtree, cls.data, ignore_errors=True)
        cls.environment = dict(os.environ, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state, RANKWRIGHT_DATA_DIR=cls.data)
        base.on_cluster("cat > %s/start.py" % base.Cluster.info["workdir"], SLOW_START)

    def tearDown(self):
        base.on_cluster("scancel --user=$USER")
        base.wait_until(lambda: not base.on_cluster("squeue -h -u $USER"))

    def at_once(self, *trials):
        wrong = []

        def guard(trial):
            try:
                trial()
            except Exception:    # raised below, in the test's own thread
                wrong.append(traceback.format_exc())
        threads = [threading.Thread(target=guard, args=(trial,)) for trial in trials]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [], "\n".join(wrong))

    def joined(self, job, middle, record=True):
        """The job's three watches, each until its end; `middle(watch)` of the first begins the second."""
        start = Watch(job, self.environment, record=record)
        second = None
        try:
            start.run(base.LONG, lambda w: middle(w) or w.has_ended())
            second = Watch(job, self.environment)
            start.run(base.LONG, lambda w: w.has_ended())
            second.run(base.LONG, lambda w: w.has_ended())
        finally:
            start.close()
            if second:
                second.close()
        base.wait_for(job)
        end = Watch(job, self.environment)
        try:
            end.run(base.LONG, lambda w: w.is_over())
        finally:
            end.close()
        return {"start": start, "middle": second, "end": end}

    def span_of(self, job):
        """When the job started and ended, by Slurm."""
        text = base.on_cluster("TZ=UTC sacct -X -n -P -j %s -o start,end" % job).strip().split("|")
        return tuple(datetime.datetime.fromisoformat(one + "+00:00").timestamp() for one in text)

    def ask(self, *words):
        done = subprocess.run([CLI, *words], capture_output=True, text=True, timeout=900, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def report(self, job):
        return self.ask("report", "practice", job, "--json")["jobs"][0]

    def explain(self, watch):
        return "\n".join(json.dumps(event) for _, event in watch.events if event.get("event") in ("alert", "diagnosis", "phase", "end"))

    def failing(self, name, options, kind, rank):
        """One rank of four fails, on the second node."""
        job = submit(options, nodes=2, gpus=2, launcher="torchrun", partition="small-g")
        watches = self.joined(job, lambda w: w.last_step)
        node = base.on_cluster("scontrol show hostnames $(sacct -X -n -P -j %s -o nodelist)" % job).split()[rank // 2]
        began, ended = self.span_of(job)
        log = base.log_of(job)
        for when, watch in watches.items():
            case = "%s, joined at the %s\n%s\n%s" % (name, when, self.explain(watch), log[-6000:])
            found = [event for _, event in watch.events if event.get("event") == "diagnosis" and event["class"]]
            self.assertTrue(found, case)
            self.assertEqual((found[-1]["class"], found[-1]["rank"], found[-1]["node"]), (kind, rank, node), case)
            # At no moment another rank: the peers that lost theirs report first.
            blamed = {event.get("rank") for event in found} | {event.get("rank") for _, event in watch.alerts(loud=False)}
            self.assertLessEqual(blamed, {rank, None}, case)
            last = [event for _, event in watch.events if event.get("event") == "alert" and event["change"] != "cleared"
                    and event["level"] == "failure"]
            if when != "end":
                self.assertTrue(last, case)
            if last:
                self.assertEqual((last[-1]["kind"], last[-1]["rank"], last[-1]["nodes"]), (kind, rank, [node]), case)
                self.assertTrue(began + 1 < moment(last[-1]["since"]) < ended + 2, "%s..%s %s" % (began, ended, case))
            print("| %s | joined at the %s | %s | rank %s | %s |" % (name, when, found[-1]["class"], found[-1]["rank"], found[-1]["node"]),
                  flush=True)
        listed = self.ask("jobs", "practice", "--past", "1", "--json")
        cause = next(one["cause"] for one in listed if one["jobId"] == job)
        self.assertTrue(cause and cause.startswith("Rank %d: " % rank), cause)    # in the words of the Live page
        report = self.report(job)
        self.assertEqual([(one["class"], one["rank"], one["node"]) for one in report["diagnoses"]], [(kind, rank, node)], report)
        self.assertIn("rank %d" % rank, report["verdict"].lower() + " ".join(report["findings"]).lower(), report)

    def healthy(self, name, options, middle, launcher="torchrun", start_up=0):
        job = submit(options, nodes=2, gpus=2, launcher=launcher, partition="small-g")
        watches = self.joined(job, middle)
        for when, watch in watches.items():
            case = "%s, joined at the %s\n%s" % (name, when, self.explain(watch))
            self.assertEqual([event["state"] for _, event in watch.events if event.get("event") == "end"], ["COMPLETED"],
                             case + base.log_of(job)[-3000:])
            self.assertEqual([event["title"] for _, event in watch.alerts()], [], case)
            self.assertIsNone(watch.cause(), case)
            print("| %s | joined at the %s | nothing raised |" % (name, when), flush=True)
        report = self.report(job)
        self.assertEqual([one for one in report["findings"] if "it is normal" not in one], [], report)
        self.assertNotIn("waited", report["verdict"])
        self.assertIsNotNone(report["startUpSeconds"], report)
        self.assertGreaterEqual(report["startUpSeconds"], start_up, report)
        self.assertIn(report["grade"], ("good", "fair"), report["verdict"])
        return watches["start"]

    def killed(self):
        self.failing("rank 3 killed", "--steps 2000 --device-time 0.3 --kill-at 60 --fault-rank 3", "process_killed", 3)

    def out_of_memory(self):
        self.failing("GPU out of memory on rank 3", "--steps 2000 --device-time 0.3 --oom-at 60 --label-errors", "oom_gpu", 3)

    def slow_imports(self):
        watch = self.healthy("imports of %d s" % IMPORTS, "--steps 60 --device-time 0.4", lambda w: w.first_sample, launcher="python3 start.py",
                             start_up=IMPORTS)
        phases = [event["text"] for _, event in watch.events if event.get("event") == "phase"]
        self.assertIn("starting: 2 agents, workers not yet", phases)
        self.assertTrue(phases[-1].startswith("training, after a start-up of "), phases)

    def healthy_run(self):
        self.healthy("healthy", "--steps 80 --device-time 0.4", lambda w: w.last_step)

    def straggler(self):
        """Rank 2 takes three times as long; the job is ended when it was named twice."""
        job = submit("--steps 2000 --straggler 2 --device-time 0.3", nodes=2, gpus=2, launcher="torchrun", partition="gpumedium")
        start = Watch(job, self.environment)
        second = None
        try:
            start.run(base.LONG, lambda w: w.alerts())
            second = Watch(job, self.environment)
            second.run(base.LONG, lambda w: w.alerts())
            node = base.on_cluster("scontrol show hostnames $(squeue -h -j %s -o %%N)" % job).split()[1]
            for when, watch in (("start", start), ("middle", second)):
                case = "straggler, joined at the %s\n%s" % (when, self.explain(watch))
                alerts = [event for _, event in watch.alerts()]
                self.assertEqual([(one["kind"], one["rank"], one["nodes"]) for one in alerts], [("straggler", 2, [node])], case)
                self.assertIsNone(watch.cause(), case)
                print("| straggler | joined at the %s | %s |" % (when, alerts[0]["title"]), flush=True)
        finally:
            start.close()
            if second:
                second.close()
            base.on_cluster("scancel %s" % job)

    def test_failures(self):
        self.at_once(self.killed, self.out_of_memory)

    def test_no_failures(self):
        self.at_once(self.slow_imports, self.healthy_run, self.straggler)


def tearDownModule():
    base.Cluster.stop()


if __name__ == "__main__":
    unittest.main()
