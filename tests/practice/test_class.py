#!/usr/bin/python3
"""`rankwright-cli class run` on real Slurm: the shipped practice classes pass their own checks, a wrong answer does not, and nothing is
left behind. RANKWRIGHT_CLI names the program; RANKWRIGHT_CLASS=whole tries the two classes whole, else one exercise of each."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base  # noqa: E402

CLI = os.environ.get("RANKWRIGHT_CLI", "")
WHOLE = os.environ.get("RANKWRIGHT_CLASS") == "whole"
CLASSES = os.path.realpath(os.path.dirname(os.path.abspath(__file__)) + "/../../resources/classes")


def tearDownModule():
    base.Cluster.stop()


def short_class(seconds=0, **members):
    """One exercise on one GPU, of some steps, or of at least so many seconds."""
    command = "train_ddp.py --alone --global-batch 64 --micro-batch 32 --steps 8 --device-time 0.05"
    design = {"name": "short", "cluster": "practice", "partition": "gpumedium", "time": "00:10:00",
              "resources": {"nodes": 1, "gpusPerNode": 1}, "training": {"globalBatch": 64, "microBatch": 32}, "launcher": "srun",
              "parallel": {"strategy": "single"}, "monitor": {"sampler": True},
              "command": command + (" --seconds %d" % seconds if seconds else "")}
    return dict({"format": "rankwright-class", "version": 1, "title": "A short class", "author": "Ada, Institute", "cluster": "practice",
                 "account": base.PROJECT,
                 "exercises": [{"id": "first", "title": "First", "task": "Train.", "design": design, "solution": design,
                                "checks": [{"check": "global-batch", "count": 64}, {"check": "no-errors"}, {"check": "completed"}]}]},
                **members)


@unittest.skipUnless(CLI, "RANKWRIGHT_CLI is not set")
class ClassCase(base.ClusterCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = dict(os.environ, RANKWRIGHT_DATA_DIR=self.folder + "/data", RANKWRIGHT_PRACTICE_DIR=base.Cluster.state)

    def write(self, document, name="class.rwclass"):
        path = self.folder + "/" + name
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(document, stream)
        return path

    def run_class(self, *words):
        done = subprocess.run([CLI, "class", *words, "--json"], capture_output=True, text=True, timeout=3000, env=self.environment,
                              stdin=subprocess.DEVNULL)
        return done.returncode, json.loads(done.stdout) if done.stdout.strip() else None, done.stderr

    def states(self, answer):
        """By exercise, the state of each check."""
        return {one["id"]: {check["check"]: check["state"] for check in one["checks"]} for one in answer["exercises"]}

    def passes(self, name, exercises, *words):
        code, answer, said = self.run_class("run", name, *words)
        self.assertEqual(code, 0, json.dumps(answer, indent=1) + said)
        self.assertTrue(answer["passed"])
        self.assertEqual([one["id"] for one in answer["exercises"]], exercises)
        for one in answer["exercises"]:
            self.assertEqual({check["state"] for check in one["checks"]}, {"seen"}, one)
            self.assertEqual({job["state"] for job in one["jobs"]}, {"COMPLETED"}, one)
        return answer


@unittest.skipIf(WHOLE, "the whole classes alone")
class Exercises(ClassCase):
    def test_one_that_is_compared_with_another(self):
        answer = self.passes("mpcdf-scaling-practice", ["one-gpu", "four-gpus"], "--exercise", "four-gpus")
        checks = {check["check"]: check for check in answer["exercises"][1]["checks"]}
        self.assertRegex(checks["speed-up"]["where"], r"^[23]\.\d+ × of job \d+.*, in job \d+")
        self.assertEqual(answer["exercises"][1]["progress"]["checks"], ["seen"] * 8)

    def test_one_that_goes_on_from_a_checkpoint(self):
        answer = self.passes("lumi-ai-course-practice", ["resume"], "--exercise", "resume")
        jobs = answer["exercises"][0]["jobs"]
        self.assertEqual([(job["design"], job["checked"], job["resumed"]) for job in jobs], [("start", False, None), ("solution", True, True)])

    def test_a_wrong_batch_is_named(self):
        document = short_class()
        document["exercises"][0]["solution"] = dict(document["exercises"][0]["design"], training={"globalBatch": 128, "microBatch": 32})
        code, answer, said = self.run_class("run", self.write(document), "--yes")
        self.assertEqual(code, 1, said)
        self.assertFalse(answer["passed"])
        self.assertEqual(self.states(answer)["first"], {"global-batch": "not-yet", "no-errors": "seen", "completed": "seen"})
        self.assertIn("128 = 32 × 4 × 1", answer["exercises"][0]["checks"][0]["where"])

    def test_beyond_the_limits_nothing_is_submitted(self):
        document = short_class(limits={"maxGpus": 2})
        answered = dict(document["exercises"][0]["design"], version=1, resources={"nodes": 1, "gpusPerNode": 4},
                        parallel={"strategy": "ddp"}, launcher="torchrun")
        code, answer, said = self.run_class("run", self.write(document), "--yes", "--exercise", "first",
                                            "--design", self.write(answered, "answer.json"))
        self.assertEqual(code, 1, said)
        job = answer["exercises"][0]["jobs"][0]
        self.assertEqual((job["design"], job["jobId"]), ("given", None))
        self.assertIn("class-gpus", [finding["slug"] for finding in job["findings"]])
        self.assertEqual(self.states(answer)["first"]["completed"], "not-yet")
        self.assertEqual(answer["exercises"][0]["progress"]["stuckOn"], "class-gpus")

    def test_a_job_beyond_the_limit_is_cancelled(self):
        code, answer, said = self.run_class("run", self.write(short_class(seconds=500)), "--yes", "--limit", "0:05")
        self.assertEqual(code, 1, said)
        job = answer["exercises"][0]["jobs"][0]
        self.assertEqual(job["state"], "CANCELLED", said)
        self.assertTrue(job["notes"] and "had not ended" in job["notes"][-1], job)
        self.assertEqual(self.states(answer)["first"]["completed"], "not-yet")

    def test_an_interruption_cancels_its_job(self):
        process = subprocess.Popen([CLI, "class", "run", self.write(short_class(seconds=500)), "--yes", "--json"], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=self.environment)
        job = None
        for line in process.stderr:
            if " submitted job " in line:
                job = line.split()[-1]
            if "RUNNING" in line:
                break
        self.assertIsNotNone(job)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=base.LONG)
        self.assertEqual(process.returncode, -signal.SIGINT, said)
        self.assertIn("Job %s was cancelled." % job, said)
        self.assertTrue(json.loads(out)["interrupted"])
        self.assertTrue(base.wait_for(job).startswith("CANCELLED"))

    def test_what_a_cluster_says_before_the_class(self):
        image = base.Cluster.info["workdir"] + "/practice.sif"

        def verdicts(document):
            code, answer, said = self.run_class("check", self.write(document), "--cluster", "practice")
            self.assertEqual(code, 1, said)    # it is not signed
            return {one["subject"]: one for one in answer["site"]}
        document = short_class(container=image)
        site = verdicts(document)
        self.assertEqual((site["Project"]["good"], site["Container"]["good"]), (True, True), site)
        self.assertIsNone(site["Solutions"]["good"])
        self.assertIn("class run", site["Solutions"]["text"])
        closed = verdicts(dict(document, container="/users/bob/practice.sif"))
        self.assertFalse(closed["Container"]["good"])
        self.assertIn("/users/bob/practice.sif cannot be read there", closed["Container"]["text"])
        document = short_class()
        self.assertEqual(self.run_class("run", self.write(document), "--yes")[0], 0)
        self.assertTrue(verdicts(document)["Solutions"]["good"])
        document["about"] = "Changed since."
        self.assertIsNone(verdicts(document)["Solutions"]["good"])


@unittest.skipUnless(WHOLE, "RANKWRIGHT_CLASS=whole")
class Whole(ClassCase):
    def test_every_exercise(self):
        for name in ("lumi-ai-course-practice", "mpcdf-scaling-practice"):
            with self.subTest(name), open("%s/%s.rwclass" % (CLASSES, name), encoding="utf-8") as stream:
                self.passes(name, [one["id"] for one in json.load(stream)["exercises"]])
                code, answer, said = self.run_class("check", name, "--cluster", "practice")
                self.assertEqual(code, 0, said)
                self.assertTrue({one["subject"]: one for one in answer["site"]}["Solutions"]["good"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
