#!/usr/bin/python3
"""Jobs that start again at their time limit, on a real Slurm: one whose program saves at the signal and goes on (srun), and
one whose agent would die of a signal (torchrun). Both are queued again by their own script, continue and complete. A third
ends by itself after a third of its limit, before its signal: it is done, and not queued again.

RANKWRIGHT_CLI names the program.
"""
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

def cli(*words, data, check=True, text=None):
    done = subprocess.run([CLI, *words], capture_output=True, text=True, timeout=900, input=text,
                          env=dict(os.environ, RANKWRIGHT_DATA_DIR=data, RANKWRIGHT_PRACTICE_DIR=data + "/practice"))
    if check and done.returncode != 0:
        raise AssertionError("%s gave %d: %s" % (" ".join(words), done.returncode, done.stderr))
    return done


@unittest.skipUnless(CLI, "RANKWRIGHT_CLI is not set")
class Requeue(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="rankwright-requeue-")
        cls.data = cls.folder.name
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(lambda: cli("practice", "down", data=cls.data, check=False))
        up = cli("practice", "up", "--json", data=cls.data, check=False)
        if up.returncode != 0:
            raise unittest.SkipTest("no practice cluster: " + up.stderr)
        cls.status = json.loads(up.stdout)

    def there(self, line):
        """Past our own code: OpenSSH's client and Slurm's commands."""
        status = self.status
        done = subprocess.run(["ssh", "-F", "none", "-i", status["identity"], "-p", str(status["port"]), "-o", "UserKnownHostsFile=" +
                               status["knownHosts"], "-o", "BatchMode=yes", "%s@%s" % (status["user"], status["host"]), line],
                              capture_output=True, text=True, timeout=900)
        return done.stdout

    def submit(self, launcher, name, seconds=150):
        design = {"version": 1, "name": name, "cluster": "practice", "account": self.status["account"], "time": "00:02:00",
                  "workdir": self.status["workdir"], "resources": {"nodes": 1, "gpusPerNode": 2}, "launcher": launcher,
                  "parallel": {"strategy": "ddp"}, "options": {"requeueAtLimit": 8, "resumeArguments": "--resume"},
                  "command": "train_ddp.py --steps %d --seconds %d --micro-batch 4 --checkpoint %s.pt --checkpoint-every 5" % (
                      seconds, seconds, name)}
        return json.loads(cli("submit", "-", "--json", data=self.data, text=json.dumps(design)).stdout)["jobId"]

    @staticmethod
    def ran_for(shown):
        """Seconds, as `scontrol show job` says."""
        hours, minutes, seconds = re.search(r"RunTime=(\d+):(\d+):(\d+)", shown).groups()
        return int(hours) * 3600 + int(minutes) * 60 + int(seconds)

    def test_jobs_continue_after_their_limit(self):
        jobs = {launcher: self.submit(launcher, "again-" + launcher) for launcher in ("srun", "torchrun")}
        jobs["done"] = self.submit("srun", "again-done", 28)    # and some seconds to start
        until = time.monotonic() + 1700
        states, ends = {}, {}
        while time.monotonic() < until and len(states) < len(jobs):
            time.sleep(5)
            for launcher, job in jobs.items():
                if launcher in states:
                    continue
                shown = self.there("scontrol show job " + job)
                state = re.search(r"JobState=(\S+)", shown)
                if state and state.group(1) in ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY"):
                    states[launcher], ends[launcher] = state.group(1), shown    # it is soon forgotten
        for launcher, job in jobs.items():
            text = ends.get(launcher, "") + self.there("cat %s/again-%s-%s.out" % (self.status["workdir"], launcher, job))
            self.assertEqual(states.get(launcher), "COMPLETED", text)
            if launcher == "done":
                self.assertIn("step 28/28", text)
                if self.ran_for(text) < 44:    # on a busy machine it may end when the signal can have come
                    self.assertEqual(re.search(r"Restarts=(\d+)", text).group(1), "0", text)
                continue
            self.assertGreaterEqual(int(re.search(r"Restarts=(\d+)", text).group(1)), 1, text)
            self.assertIn("resumed from", text)
            self.assertNotIn("DUE TO TIME LIMIT", text)
            self.assertIn("step 150/150", text)


if __name__ == "__main__":
    unittest.main()
