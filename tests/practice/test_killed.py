#!/usr/bin/python3
"""Submissions killed at any moment (INT, TERM, HUP, KILL), on real Slurm; then what the program printed is followed to the letter:
never stuck, and exactly one job. RANKWRIGHT_CLI names the program, RANKWRIGHT_KILLS how many are killed (40)."""
import concurrent.futures
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base  # noqa: E402

KILLS = int(os.environ.get("RANKWRIGHT_KILLS", "40"))
AT_ONCE = 10
SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)
LIMIT = base.LONG


def tearDownModule():
    base.Cluster.stop()


def jobs_called(name):
    """The ids of all jobs of this name; waited for, since the accounting is some seconds late."""
    for _ in range(base.LONG):
        listed = base.on_cluster("sacct -X -n -P -S now-1hour --name=%s -o jobid; squeue -h -t all -n %s -o %%i" % (name, name)).split()
        if listed:
            break
        time.sleep(1)
    return sorted(set(listed))


class Trial:
    """One design, killed once while it is submitted; then submitted, or looked for by jobs, until it is settled."""

    def __init__(self, folder, number, longest):
        self.number, self.folder = number, folder
        self.name = "killed-%d-%d" % (os.getpid(), number)
        self.design = "%s/%s.json" % (folder, self.name)
        with open(self.design, "w") as stream:
            json.dump({"version": 1, "name": self.name, "cluster": "practice", "partition": "small-g",
                       "account": base.Cluster.info["account"], "time": "00:02:00", "launcher": "srun",
                       "resources": {"nodes": 1, "gpusPerNode": 1}, "parallel": {"strategy": "single"}, "command": "true",
                       "workdir": base.Cluster.info["workdir"]}, stream)
        self.signal = SIGNALS[number % len(SIGNALS)]
        self.delay = random.Random(number).uniform(0.0, longest)
        self.story = []

    def start(self, *words):
        return subprocess.Popen([os.environ["RANKWRIGHT_CLI"], *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                stdin=subprocess.DEVNULL,
                                env=dict(os.environ, XDG_DATA_HOME=self.folder, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state))

    def run(self, *words):
        out, err = (process := self.start(*words)).communicate(timeout=LIMIT)
        self.story.append((words[0], process.returncode, out.strip(), err.strip()))
        return process.returncode, out, err

    def kill(self):
        process = self.start("submit", self.design)
        time.sleep(self.delay)
        process.send_signal(self.signal)
        out, err = process.communicate(timeout=LIMIT)
        self.story.append(("killed by %d after %.2f s" % (self.signal, self.delay), process.returncode, out.strip(), err.strip()))
        return process.returncode, out, err

    def settle(self):
        """Follows what was printed; returns the ids that it was given."""
        _, out, err = self.kill()
        told = re.search(r"job (\d+) goes on", err)
        # whoever has the id on standard output knows it, however the program ended after that
        if told or out.strip():
            return [told.group(1) if told else out.strip()]
        if self.number % 3 == 0:
            code, out, err = self.run("jobs", "practice")
            mine = [line for line in err.splitlines() if "“%s”" % self.name in line]
            found = [re.search(r"it is job (\d+)", line) for line in mine]
            if any(found):
                return [match.group(1) for match in found if match]
        code, out, err = self.run("submit", self.design)
        return [out.strip()] if code == 0 else ["exit %d" % code]


def told_by_jobs(trials):
    """The ids that `jobs` told of submissions that nobody had been told of, by the job's name."""
    told = {}
    for trial in trials:
        for words, _, _, err in trial.story:
            for name, job in re.findall(r"“([^”]*)”.*it is job (\d+)", err if words == "jobs" else ""):
                told.setdefault(name, []).append(job)
    return told


class Killed(base.ClusterCase):
    def test_exactly_one_job(self):
        with tempfile.TemporaryDirectory() as folder:
            probe = Trial(folder, 10000, 0)
            began = time.monotonic()
            self.assertEqual(probe.run("submit", probe.design)[0], 0, probe.story)
            usual = time.monotonic() - began
            trials = [Trial(folder, number, 1.2 * usual) for number in range(KILLS)]
            # together, since one that never reached Slurm is looked for for 20 s; beside others each is slower as well
            for trial in trials:
                trial.delay *= 1 + AT_ONCE / 4
            with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                ids = list(pool.map(Trial.settle, trials))
            time.sleep(3)     # the accounting is late, and so would be a second job
            elsewhere = told_by_jobs(trials)
            for trial, told in zip(trials, ids):
                jobs = jobs_called(trial.name)
                # the trials share a folder: `jobs` of another may have told of this one's, and a submission after that is a new one
                self.assertIn(jobs, (told, sorted(set(told + elsewhere.get(trial.name, [])))), "%s: %s" % (trial.name, json.dumps(trial.story, indent=1, ensure_ascii=False)))

    def test_what_was_not_told_is_told_once(self):
        """Killed after Slurm had answered and before anybody was told: the next submit names that job, the one after is a new one."""
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(folder, 20000, 0)
            process = trial.start("submit", trial.design, "--wait")
            for line in process.stderr:
                if "Submitted as job" in line:
                    break
            process.kill()
            first = re.search(r"job (\d+)", line).group(1)
            process.communicate()
            code, again, err = trial.run("submit", trial.design)
            self.assertEqual((code, again.strip()), (0, first), err)
            self.assertIn("Nothing was sent again", err)
            code, other, err = trial.run("submit", trial.design)
            self.assertNotEqual(other.strip(), first, err)

    def test_an_sbatch_that_is_slow_is_waited_for(self):
        """The program is killed while sbatch is still at work: found when it is done, however long that takes."""
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(folder, 30000, 0)
            base.on_cluster("mkdir -p slow && cat >slow/sbatch && chmod +x slow/sbatch && touch .bashrc && "
                            "cp -p .bashrc .bashrc.kept && echo 'export PATH=$HOME/slow:$PATH' >>.bashrc",
                            "#!/bin/bash\ncase \"$*\" in *--test-only*) ;; *) sleep 26;; esac\nexec /usr/bin/sbatch \"$@\"\n")
            try:
                self.assertIn("/slow/", base.on_cluster("command -v sbatch"))
                process = trial.start("submit", trial.design)
                for line in process.stderr:
                    if "Submitting" in line:
                        break
                time.sleep(2)
                process.kill()
                process.communicate()
                code, job, err = trial.run("submit", trial.design)
                self.assertEqual(code, 0, err)
                self.assertIn("Nothing was sent again", err)
            finally:
                base.on_cluster("mv .bashrc.kept .bashrc; rm -r slow")
            self.assertEqual(jobs_called(trial.name), [job.strip()])


if __name__ == "__main__":
    unittest.main()
