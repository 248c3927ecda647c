#!/usr/bin/python3
"""One training on 1, 2 and 4 GPUs of the practice cluster, a real Slurm with its accounting: what `rankwright-cli report` says
of them against what sacct and the jobs' logs say, and the speed-up over them; then the same without the cluster.

RANKWRIGHT_CLI names the program.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
CLI = os.environ.get("RANKWRIGHT_CLI", "")
GPUS = (1, 2, 4)
GLOBAL_BATCH, STEPS = 64, 20


def cli(*words, data, check=True, text=None):
    done = subprocess.run([CLI, *words], capture_output=True, text=True, timeout=900, input=text,
                          env=dict(os.environ, RANKWRIGHT_DATA_DIR=data, RANKWRIGHT_PRACTICE_DIR=data + "/practice"))
    if check and done.returncode != 0:
        raise AssertionError("%s gave %d: %s" % (" ".join(words), done.returncode, done.stderr))
    return done


@unittest.skipUnless(CLI, "RANKWRIGHT_CLI is not set")
class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="rankwright-report-")
        cls.data = cls.folder.name
        cls.addClassCleanup(cls.folder.cleanup)    # also when a job fails
        cls.addClassCleanup(lambda: cli("practice", "down", data=cls.data, check=False))
        up = cli("practice", "up", "--json", data=cls.data, check=False)
        if up.returncode != 0:
            raise unittest.SkipTest("no practice cluster: " + up.stderr)
        cls.status = json.loads(up.stdout)
        # Side by side: they wait most of the time. One by torchrun only: --standalone of old PyTorch has one port per node.
        with concurrent.futures.ThreadPoolExecutor() as pool:
            cls.jobs = dict(zip(GPUS, pool.map(cls.run_job, GPUS)))
        for job in cls.jobs.values():
            cls.wait_for_accounting(job)

    @classmethod
    def run_job(cls, gpus, **more):
        design = {"version": 1, "name": "speed", "cluster": "practice", "account": cls.status["account"], "time": "00:10:00",
                  "workdir": cls.status["workdir"], "resources": {"nodes": 1, "gpusPerNode": gpus},
                  "training": {"globalBatch": GLOBAL_BATCH, "microBatch": 8}, "launcher": "srun" if gpus > 1 else "torchrun",
                  "parallel": {"strategy": "ddp" if gpus > 1 else "single"},
                  "command": "train_ddp.py --steps %d --device-time 0.2 --micro-batch 8 --global-batch %d" % (STEPS, GLOBAL_BATCH), **more}
        reported = cli("submit", "-", "--wait", "--json", data=cls.data, text=json.dumps(design))
        return json.loads(reported.stdout)["jobId"]

    @classmethod
    def wait_for_accounting(cls, job):
        """sacct is some seconds behind: until it knows the end of the job and of all its steps."""
        for _ in range(900):
            states = cls.ask("sacct -n -P -j %s -o State" % job).split()
            if states and not {"PENDING", "RUNNING", "COMPLETING"} & set(states):
                return
            time.sleep(1)

    def sacct(self, job):
        return self.ask("sacct -X -n -P -j %s -o ElapsedRaw,State,AllocTRES" % job).strip().split("|")

    @classmethod
    def ask(cls, line):
        """Past our own code: OpenSSH's client and Slurm's command."""
        status = cls.status
        done = subprocess.run(["ssh", "-F", "none", "-i", status["identity"], "-p", str(status["port"]), "-o", "UserKnownHostsFile=" +
                               status["knownHosts"], "-o", "BatchMode=yes", "%s@%s" % (status["user"], status["host"]), line],
                              capture_output=True, text=True, timeout=900)
        return done.stdout

    def test_record_of_a_job_that_nobody_watched(self):
        """What the sampler inside the job wrote is fetched after the end: by report, and by watch into a recording."""
        job = self.run_job(1, monitor={"sampler": True, "interval": 2})
        self.wait_for_accounting(job)
        one = json.loads(cli("report", "practice", job, "--json", data=self.data).stdout)["jobs"][0]
        self.assertGreater(one["recordedPercent"], 50)
        self.assertIsNotNone(one["gpuUsePercent"])
        watched = cli("watch", "practice", job, data=self.data, check=False)
        lines = [json.loads(line) for line in watched.stdout.splitlines()]
        self.assertEqual(lines[-1]["state"], "COMPLETED")
        shown = [line["stepSeconds"] for line in lines if line.get("stepSeconds")][-1]
        self.assertAlmostEqual(shown, one["stepSeconds"], delta=0.05 * shown)    # one figure, wherever it is shown

    def test_report_and_speed_up(self):
        ids = [self.jobs[gpus] for gpus in GPUS]
        reported = json.loads(cli("report", "practice", *ids, "--json", data=self.data).stdout)
        self.assertEqual([job["jobId"] for job in reported["jobs"]], ids)
        seconds = {}
        for gpus, job in zip(GPUS, reported["jobs"]):
            elapsed, state, resources = self.sacct(job["jobId"])
            self.assertEqual((job["state"], job["elapsedSeconds"]), (state, int(elapsed)))
            self.assertEqual(job["gpus"], int(re.search(r"gres/gpu=(\d+)", resources).group(1)))
            self.assertEqual(job["gpus"], gpus)
            self.assertIsNone(job["gpuUsePercent"])    # nobody watched: not known, and not 0
            self.assertGreater(job["cpusBusy"], 0)
            self.assertGreater(job["hostMemoryPeakBytes"], 50e6)    # PyTorch alone takes more
            steps = [figure for figure in job["figures"] if figure["figure"] == "steps"]
            self.assertEqual(steps[0]["value"], STEPS)    # from the end of its log
            self.assertGreater(job["samplesPerSecond"], 0)
            self.assertGreater(job["cost"]["amount"], 0)
            seconds[gpus] = int(elapsed)
        table = {row["gpus"]: row for row in reported["speedup"]}
        self.assertEqual(sorted(table), list(GPUS))
        self.assertEqual((reported["speedupOf"], reported["scaling"]), ("job", "strong"))
        for gpus in GPUS:
            self.assertEqual(table[gpus]["seconds"], seconds[gpus])
            self.assertAlmostEqual(table[gpus]["speedup"], seconds[1] / seconds[gpus], places=9)
            self.assertAlmostEqual(table[gpus]["efficiency"], seconds[1] / seconds[gpus] / gpus, places=9)
        self.assertLess(table[4]["stepSeconds"], table[1]["stepSeconds"])
        time_advice = [advice for advice in reported["jobs"][2]["advice"] if advice["kind"] == "time"]
        self.assertTrue(time_advice and time_advice[0]["option"].startswith("--time="))

        again = cli("report", "practice", *ids, "--json", "--offline", data=self.data)
        kept = json.loads(again.stdout)
        self.assertIn("kept on this machine", again.stderr)
        self.assertEqual(kept["speedup"], reported["speedup"])
        self.assertEqual(kept["jobs"], reported["jobs"])

        path = self.data + "/report.md"
        cli("report", "practice", *ids, "--markdown", path, data=self.data)
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        self.assertIn("## Speed-up", text)
        self.assertNotIn(self.data, text)

    def test_unknown_job(self):
        done = cli("report", "practice", "1", "--json", data=self.data, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))


if __name__ == "__main__":
    unittest.main()
