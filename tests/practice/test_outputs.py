#!/usr/bin/python3
"""The output files of jobs, running and ended, listed and read by the command line. RANKWRIGHT_CLI names the program."""
import json
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base  # noqa: E402
from test_foreign import Site  # noqa: E402


def tearDownModule():
    base.Cluster.stop()


SCRIPT = """#!/bin/bash
#SBATCH --partition=small-g --account=%s --time=00:05:00 --nodes=1 --ntasks=2 --output=main-%%j.out --error=main-%%j.err
echo "loss 3"; echo "loss 2"; echo trouble >&2
srun --output=task-%%j-%%t.txt bash -c 'echo "I am $SLURM_PROCID"'
%s
"""


class Outputs(Site):
    def submitted(self, end):
        folder = base.Cluster.info["workdir"]
        base.on_cluster("cat >%s/outputs.sh" % folder, SCRIPT % (base.Cluster.info["account"], end))
        return base.on_cluster("cd %s && sbatch --parsable outputs.sh" % folder).strip()

    def asked(self, *words):
        done = self.cli("outputs", "practice", *words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def check(self, job):
        listed = self.asked(job)
        self.assertEqual(listed["jobId"], job)
        self.assertIsNone(listed["text"])
        names = {file["name"]: file for file in listed["files"]}
        self.assertEqual(sorted(names), sorted([p % job for p in ("main-%s.out", "main-%s.err", "task-%s-0.txt", "task-%s-1.txt")]))
        self.assertEqual(names["task-%s-1.txt" % job]["rank"], 1)
        self.assertEqual(names["main-%s.err" % job]["bytes"], len("trouble\n"))
        self.assertEqual(self.asked(job, "--tail", "1")["text"][0]["lines"], ["loss 2"])
        self.assertEqual(self.asked(job, "--file", "task-%s-1.txt" % job)["text"][0]["lines"], ["I am 1"])
        found = {part["path"].rsplit("/", 1)[1]: part["lines"] for part in self.asked(job, "--grep", "loss|troub")["text"]}
        self.assertEqual(found["main-%s.out" % job], ["loss 3", "loss 2"])
        self.assertEqual(found["main-%s.err" % job], ["trouble"])
        plain = self.cli("outputs", "practice", job, "--tail", "2")
        self.assertEqual(plain.stdout, "loss 3\nloss 2\n")
        none = self.cli("outputs", "practice", job, "--grep", "nowhere")
        self.assertEqual((none.returncode, none.stdout), (1, ""))
        for words in (("--file", "nowhere.txt"), ("--grep", "("), ("--tail", "0"), ("--tail", "x")):
            self.assertEqual(self.cli("outputs", "practice", job, *words).returncode, 2, words)

    def test_of_a_running_and_of_an_ended_job(self):
        job = self.submitted("sleep 240")
        self.assertTrue(base.wait_until(lambda: base.on_cluster("cat %s/task-%s-1.txt 2>/dev/null || true" % (
            base.Cluster.info["workdir"], job))))
        self.check(job)
        base.on_cluster("scancel %s" % job)
        self.assertTrue(base.wait_until(lambda: not base.on_cluster("squeue -h -j %s 2>/dev/null || true" % job)))
        listed = self.asked(job, "--tail", "5")
        self.assertIn("loss 2", listed["text"][0]["lines"])

    def test_of_jobs_that_have_none(self):
        self.assertEqual(self.cli("outputs", "practice", "999999").returncode, 1)


if __name__ == "__main__":
    unittest.main()
