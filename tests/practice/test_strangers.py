#!/usr/bin/python3
"""Scripts of strangers, read and written again: the text is the author's, and what it starts is recorded by stand-ins in a real bash
(standins.py): the same programs with the same words, ranks, images and environment. One script of tests/data/strangers for each cause for which a
reading once started something else.

RANKWRIGHT_CLI names the program that reads and writes.
"""
import glob
import json
import os
import re
import subprocess
import sys
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import standins  # noqa: E402
import test_scripts as trials  # noqa: E402

SCRIPTS = sorted(glob.glob(trials.ROOT + "/tests/data/strangers/*.sh"))
# Ours may be added; and each run has a job id, a folder and processes of its own.
OWN = re.compile(r"^(TRIAL|SLURM|BASH_|_$|PATH$|SHLVL$|PWD$|OLDPWD$|MASTER_PORT$|MASTER_ADDR$|SIF$|HOME$)")
# What the scripts start beside Python, or read.
FILES = [(name, standins.PROBE) for name in ("run.sh", "prog.py", "venv/bin/python3", "src/run.sh")] + [
    ("ranks.sh", "export MY_RANK=$SLURM_PROCID\n"), ("env.sh", "export FROM_ENV_FILE=$ENV_NAME\n"), ("image.sif", ""),
    ("venv/bin/activate", "export VIRTUAL_ENV=venv\n"), ("src/train.py", "import torch\n"), ("prepare.py", ""), ("predict.py", "")]


def cluster_of(script):
    return re.search(r"^# for: (\S+)$", script, re.M).group(1)


def read_again(script):
    done = subprocess.run([trials.CLI, "read", "--cluster", cluster_of(script), "--json", "-"], input=script, capture_output=True, text=True,
                          timeout=900)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout), trials.written(json.loads(done.stdout))


def gpus_of(script):
    count = re.search(r"^#SBATCH --(?:gpus-per-node|gres|gpus-per-task)=\D*?(?:\w+:)*(\d+)$", script, re.M)
    return int(count.group(1)) if count else 4


def run(script, gpus):
    return trials.Trial(None, script=script, gpus=gpus, files=FILES, all_cores="0-3",
                        more={"TRIAL_VISIBLE": "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH": "/lib"}, words=("predict.py", "a b"))


def starts(trial):
    """One line for each process of a program: where, who, which words, in which folder."""
    found = []
    for rank in trial.ranks:
        words = [word for word in rank.words if word != "-u"]
        found.append((rank.env.get("SLURM_NODEID"), rank.env.get("RANK") or rank.env.get("SLURM_PROCID"),
                      rank.env.get("WORLD_SIZE") if rank.env.get("RANK") else rank.env.get("SLURM_NTASKS"), os.path.basename(rank.program), words,
                      rank.folder.replace(trial.job, "JOB")))
    return sorted(found, key=str)


class Strangers(unittest.TestCase):
    maxDiff = None

    def check(self, path):
        script = trials.text_of(path)
        design, again = read_again(script)
        asked, now = trials.directives(script), trials.directives(again)
        for name in ("nodes", "ntasks-per-node", "gpus-per-task", "account", "partition", "time", "cpus-per-task"):
            self.assertEqual(asked.get(name), now.get(name), name)
        if "mem" not in asked:
            self.assertNotIn("mem", now)
        if ":" in asked.get("gpus-per-node", ""):
            self.assertEqual(asked["gpus-per-node"], now.get("gpus-per-node"))
        gpus = gpus_of(script)
        one, other = run(script, gpus), run(again, gpus)
        self.assertTrue(one.ranks, "the trial starts nothing: " + one.output)
        self.assertEqual(starts(other), starts(one), "%s\n%s" % (again, other.output))
        self.assertEqual(other.code, one.code, other.output)
        for log in ("containers", "binds", "agents"):
            self.assertEqual(sorted(set(other.logs[log].replace(other.job, "JOB").splitlines())),
                             sorted(set(one.logs[log].replace(one.job, "JOB").splitlines())), log)
        before, after = one.ranks[0].env, other.ranks[0].env
        for name, value in before.items():
            if not OWN.match(name) and not name.startswith(("RANK", "LOCAL_RANK", "MY_RANK")):
                self.assertEqual(after.get(name, "").replace(other.job, "JOB"), value.replace(one.job, "JOB"), name)
        return design, again

    def test_set_up_lines_are_a_field(self):
        design, again = self.check(trials.ROOT + "/tests/data/strangers/environment-of-its-own.sh")
        self.assertEqual(design["environment"]["setup"], ["export ENV_NAME=torch", "source ./env.sh", "source venv/bin/activate", "cd src"])
        self.assertEqual(again, trials.text_of(trials.ROOT + "/tests/data/strangers/environment-of-its-own.sh"))

    def test_what_cannot_be_read_stays(self):
        for name in ("loop", "wrapper-file", "words-of-sbatch", "one-driver", "piped-into-a-log"):
            script = trials.text_of(trials.ROOT + "/tests/data/strangers/%s.sh" % name)
            design, again = read_again(script)
            self.assertTrue(design["commandsKept"], name)
            self.assertEqual(again, script, name)

    def test_a_field_is_changed_in_its_place(self):
        """Another number of nodes in the design: the directive follows, and all else is as before."""
        script = trials.text_of(trials.ROOT + "/tests/data/strangers/sourced-in-task.sh")
        design, _ = read_again(script)
        design["resources"]["nodes"] = 2
        self.assertEqual(trials.written(design), script.replace("#SBATCH --nodes=1", "#SBATCH --nodes=2"))

    def test_a_pipe_that_pauses_is_read_to_its_end(self):
        script = trials.text_of(trials.ROOT + "/tests/data/strangers/agent-plain.sh") + "# %s\n" % ("x" * 100000)
        process = subprocess.Popen([trials.CLI, "read", "--cluster", "generic", "--json", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True)

        def slowly():
            for at in range(0, len(script), 30000):
                process.stdin.write(script[at:at + 30000])
                process.stdin.flush()
                time.sleep(0.1)
            process.stdin.close()

        threading.Thread(target=slowly).start()
        self.assertEqual(json.loads(process.stdout.read())["command"], "train.py --lr 0.1")
        self.assertEqual(process.wait(900), 0)


def trial_of(path):
    return lambda self: self.check(path)


for one_script in SCRIPTS:
    setattr(Strangers, "test_" + os.path.basename(one_script)[:-3].replace("-", "_"), trial_of(one_script))


if __name__ == "__main__":
    unittest.main(verbosity=1)
