#!/usr/bin/python3
"""Twenty healthy training runs on the practice cluster, by every launcher that PyTorch alone can run, on parts of nodes, whole
nodes and two nodes, from scripts that the program wrote: nothing may be said against them, and every figure must be the
training's own. RANKWRIGHT_CLI names the program; RANKWRIGHT_PRACTICE_DIR a running cluster, else one is started.

    test_healthy.py                 all twenty, three at a time; a row for each goes to standard output
    RANKWRIGHT_HEALTHY=4            only so many of them

What is compared: the state with sacct; the time of a step in `watch` and `report` with the trainer's own last line ("done: 40
steps in 16.3 s"; where it evaluated, between that with and without these pauses, since its rates hold them); what the ranks reported of their places with what `bind` draws.
"""
import concurrent.futures
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base   # noqa: E402  the same cluster and the same way to it
from watching import CLI, TwoCores, Watch   # noqa: E402

AT_ONCE = 3
STANDALONE = threading.Lock()    # torchrun --standalone of old PyTorch has one port per node, and all nodes are this machine
STEPS, NEAR = 40, 0.05
# As Lightning's SLURMEnvironment does: ranks by Slurm's variables, nothing by the script.
LIKE_LIGHTNING = """import os, runpy, subprocess, sys
hosts = subprocess.run(["scontrol", "show", "hostnames", os.environ["SLURM_JOB_NODELIST"]], capture_output=True, text=True).stdout.split()
os.environ.update(RANK=os.environ["SLURM_PROCID"], LOCAL_RANK=os.environ["SLURM_LOCALID"], WORLD_SIZE=os.environ["SLURM_NTASKS"])
os.environ.setdefault("MASTER_ADDR", hosts[0])
os.environ.setdefault("MASTER_PORT", str(15000 + int(os.environ["SLURM_JOB_ID"]) % 5000))
sys.argv = ["train_ddp.py"] + sys.argv[1:]
runpy.run_path("train_ddp.py", run_name="__main__")
"""
# launcher, nodes, GPUs per node, partition, cores as this machine has them (a whole node of two), options
CASES = [
    ("torchrun", 1, 2, "small-g", False, ""), ("torchrun", 1, 4, "small-g", False, "--accumulate 2"),
    ("torchrun", 2, 2, "small-g", False, ""), ("torchrun", 2, 1, "gpumedium", False, ""),
    ("torchrun", 1, 4, "gpumedium", False, ""), ("torchrun", 1, 8, "standard-g", False, ""),
    ("torchrun", 1, 2, "small-g", True, ""), ("torchrun", 1, 2, "small-g", True, "--accumulate 2"),
    ("srun", 1, 2, "small-g", False, ""), ("srun", 1, 4, "small-g", False, "--evaluate-every 20 --evaluate-seconds 2"),
    ("srun", 2, 2, "small-g", False, "--accumulate 2"), ("srun", 2, 1, "gpumedium", False, ""),
    ("srun", 1, 3, "gpumedium", False, ""), ("srun", 1, 8, "standard-g", False, ""),
    ("lightning", 1, 2, "small-g", False, ""), ("lightning", 2, 2, "small-g", False, ""),
    ("lightning", 1, 4, "gpumedium", False, ""), ("torchrun", 1, 1, "small-g", False, ""),
    ("srun", 1, 1, "small-g", False, "--accumulate 2"), ("torchrun", 1, 2, "small-g", True, ""),
][:int(os.environ.get("RANKWRIGHT_HEALTHY", "20"))]


class Healthy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not CLI:
            raise unittest.SkipTest("RANKWRIGHT_CLI is not set")
        base.Cluster.start()
        cls.folder = tempfile.TemporaryDirectory(prefix="rankwright-healthy-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.site = TwoCores()
        cls.addClassCleanup(cls.site.close)
        base.on_cluster("cat > %s/like_lightning.py" % base.Cluster.info["workdir"], LIKE_LIGHTNING)

    def environment(self, own):
        """Data of its own for each site, since the catalogue says what is learned and how it is bound."""
        data = self.folder.name + ("/own" if own else "/usual")
        more = {"XDG_CONFIG_HOME": self.site.folder} if own else {}
        return dict(os.environ, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state, RANKWRIGHT_DATA_DIR=data, **more)

    def cli(self, environment, *words, text=None):
        done = subprocess.run([CLI, *words, "--json"], input=text, capture_output=True, text=True, timeout=900, env=environment)
        if done.returncode != 0:
            raise AssertionError("%s gave %d: %s" % (" ".join(words), done.returncode, done.stderr))
        return json.loads(done.stdout)

    @staticmethod
    def design(name, launcher, nodes, gpus, partition, options):
        program = "like_lightning.py" if launcher == "lightning" else "train_ddp.py"
        return {"version": 1, "name": name, "cluster": "practice", "partition": partition, "account": base.Cluster.info["account"],
                "time": "00:10:00", "workdir": base.Cluster.info["workdir"], "resources": {"nodes": nodes, "gpusPerNode": gpus},
                "launcher": launcher, "parallel": {"strategy": "ddp"},
                "environment": {"container": "none"}, "options": {"output": name + "-%j.out"},
                "command": "%s --steps %d --device-time 0.35 --micro-batch 8 %s" % (program, STEPS, options)}

    def expected(self, script, bind):
        """What the ranks must report, by what the program itself draws."""
        if "CHECK_RANK" not in script:
            return "not-reported"      # an agent starts them, and the script binds none
        cores = [core for rank in bind["ranks"] for core in rank["cores"] or []]
        if not bind["bound"] or not cores:
            return "unplanned"
        return "bound" if max(cores) < os.cpu_count() else "other-hardware"

    def run_one(self, number, case):
        with STANDALONE if case[0] == "torchrun" and case[1] == 1 else contextlib.nullcontext():
            return self.run_alone(number, case)

    def run_alone(self, number, case):
        launcher, nodes, gpus, partition, own, options = case
        name = "healthy-%02d" % number
        design = self.design(name, launcher, nodes, gpus, partition, options)
        environment, text = self.environment(own), json.dumps(design)
        submitted = self.cli(environment, "submit", "-", text=text)
        job = submitted["jobId"]
        wanted = self.expected(submitted["script"], self.cli(environment, "bind", "-", text=text))
        watch = Watch(job, environment, record=True)
        try:
            watch.run(400, lambda w: w.has_ended())
            log = base.on_cluster("cat %s/%s-%s.out" % (base.Cluster.info["workdir"], name, job))
            about = "%s %s\n%s" % (name, case, log[-2500:])
            self.check_watch(watch, wanted, about)
            return self.check_figures(number, case, environment, watch, wanted, log, about)
        finally:
            watch.close()
            base.on_cluster("scancel %s" % job)

    def check_watch(self, watch, wanted, about):
        end = [event["state"] for _, event in watch.events if event.get("event") == "end"]
        self.assertEqual(end, ["COMPLETED"], about)
        self.assertIsNotNone(watch.first_sample, about)
        # Eight ranks of a node that is imitated on two cores do share them.
        allowed = ("shared_cores",) if wanted == "other-hardware" else ()
        self.assertEqual([(event["level"], event["title"], event["seen"]) for _, event in watch.alerts()
                          if event["kind"] not in allowed], [], about)
        self.assertEqual([event for _, event in watch.events if event.get("event") == "diagnosis" and event["class"]], [], about)

    def check_figures(self, number, case, environment, watch, wanted, log, about):
        steps, seconds = re.search(r"done: (\d+) steps in ([\d.]+) s", log).groups()
        pause = re.search(r"--evaluate-every (\d+) --evaluate-seconds (\d+)", case[5])
        pauses = (int(steps) - 1) // int(pause.group(1)) * int(pause.group(2)) if pause else 0    # do not count as time of a step
        own = (float(seconds) - pauses) / int(steps)
        paused = float(seconds) / int(steps) / own - 1      # the trainer's own rates are means that hold its pauses
        shown = [event["stepSeconds"] for _, event in watch.events if event.get("event") == "progress" and event["stepSeconds"]]
        self.assertTrue(shown, about)
        report = self.cli(environment, "report", "practice", watch.job)["jobs"][0]
        away = {"watch": shown[-1] / own - 1, "report": report["stepSeconds"] / own - 1}
        for place, deviation in away.items():
            self.assertTrue(-NEAR <= deviation <= NEAR + paused, "%s: the trainer says %.4f s a step, %s %.1f %% more\n%s" % (
                case, own, place, 100 * deviation, about))
        self.assertEqual(report["state"], "COMPLETED", about)
        # Of a training of 20 s the start takes half: that its GPUs mostly waited is true, and no failure.
        self.assertNotRegex(report["verdict"], "(?i)fail|stood still|no way|error", about)
        self.assertEqual([finding for finding in report["findings"] if re.search("(?i)fail|error|not as planned", finding)], [], about)
        bindings = [event for _, event in watch.events if event.get("event") == "binding"]
        reported = bindings[-1] if bindings else {"state": "not-reported", "ranks": None, "bound": None}
        ended = next(event["binding"] for _, event in watch.events if event.get("event") == "end")
        self.assertEqual((reported["state"], ended, report["binding"]["state"]), (wanted, wanted, wanted), about)
        if wanted == "bound":
            ranks = case[1] * case[2]
            self.assertEqual((reported["ranks"], reported["bound"], reported["starts"]), (ranks, ranks, 1), about)
        print("| %02d | %s, %d x %d, %s%s %s | %.3f s | %.3f s, %+.1f %% | %.3f s, %+.1f %% | %s | %s |" % (
            number, case[0], case[1], case[2], case[3], ", own cores" if case[4] else "", case[5], own, shown[-1], 100 * away["watch"],
            report["stepSeconds"], 100 * away["report"], wanted, report["grade"]), flush=True)
        return max(abs(one) for one in away.values())

    def test_nothing_is_said_against_them(self):
        wrong, most = [], 0.0
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            jobs = {pool.submit(self.run_one, number, case): number for number, case in enumerate(CASES, 1)}
            for job in concurrent.futures.as_completed(jobs):
                try:
                    most = max(most, job.result())
                except Exception as error:    # the others are told, too
                    wrong.append("%02d: %s" % (jobs[job], error))
        print("%d of %d runs; largest deviation of a step's time %.2f %%" % (len(CASES) - len(wrong), len(CASES), 100 * most), flush=True)
        self.assertEqual(wrong, [], "\n".join(wrong))
        for own in (False, True):    # its GPUs are stand-ins: they teach nothing
            self.assertEqual(self.cli(self.environment(own), "learning", "list")["runs"], [])


tearDownModule = base.tearDownModule

if __name__ == "__main__":
    unittest.main()
