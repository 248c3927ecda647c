#!/usr/bin/python3
"""Scripts of sites, judged by a real Slurm in the shape of the site: sbatch --test-only takes every size and launcher that
the catalogue allows, and refuses what is beyond a limit.

RANKWRIGHT_CLI names the program that writes the scripts.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.realpath(HERE + "/../..")
PROGRAM = ROOT + "/resources/practice/practice.py"
CLI = os.environ.get("RANKWRIGHT_CLI", "")
SITES = os.environ.get("RANKWRIGHT_SHAPES", "lumi puhti mahti raven").split()
# Launcher and strategy, as a design names them.
WAYS = (("srun", "ddp"), ("torchrun", "ddp"), ("torchrun", "fsdp"), ("torchrun", "hsdp"), ("accelerate", "fsdp"), ("deepspeed", "zero3"),
        ("lightning", "ddp"), ("horovod", "horovod"), ("torchrun", "tensor"), ("torchrun", "3d"))


def practice(*words, state):
    done = subprocess.run([PROGRAM, *words, "--state", state], capture_output=True, text=True, timeout=900)
    if done.returncode != 0:
        raise AssertionError("practice.py %s gave %d: %s" % (" ".join(words), done.returncode, done.stderr))
    return done.stdout


def design(site, queue, nodes, gpus, time=None, way=("srun", "ddp")):
    strategy = "single" if nodes * gpus == 1 else way[1]
    parallel = {"strategy": strategy}
    if strategy in ("tensor", "3d"):
        parallel["tensor"] = 2 if gpus % 2 == 0 else 1
    entry = {"version": 1, "name": "shape-%s" % queue["name"], "cluster": site["name"], "partition": queue["name"],
             "account": (site.get("launch") or {}).get("accountExample"), "time": time or queue.get("maxTime") or "01:00:00",
             "resources": {"nodes": nodes, "gpusPerNode": gpus}, "parallel": parallel,
             "launcher": "srun" if strategy == "single" else way[0], "command": "train.py --epochs 3"}
    return entry


def script_of(entry):
    done = subprocess.run([CLI, "script", "-"], input=json.dumps(entry), capture_output=True, text=True, timeout=900)
    if done.returncode not in (0, 1):     # 1: the program itself says that the site will refuse it
        raise AssertionError("%s: %s" % (entry, done.stderr))
    return done.stdout


def sizes(queue, node):
    """Part of a node, a node, two nodes, the most nodes: as far as the queue allows them. (nodes, GPUs on each)"""
    gpus = node["gpus"]
    most = queue.get("maxNodes") or 2
    found = [(1, gpus), (2, gpus), (most, gpus)]
    if queue.get("shared"):
        found += [(1, 1), (1, max(1, gpus // 2))]
    limit, least = queue.get("maxGpusPerJob"), queue.get("minGpusPerJob") or 1
    found = [(n, g if not limit or n * g <= limit else limit // n) for n, g in found if n <= most]
    return sorted({(n, g) for n, g in found if g >= 1 and n * g >= least and n >= (queue.get("minNodes") or 1)})


class Site:
    """One running shape."""

    def __init__(self, name):
        path = "%s/resources/catalogue/%s.json" % (ROOT, name)
        with open(path, encoding="utf-8") as stream:
            self.entry = json.load(stream)
        self.state = tempfile.mkdtemp(prefix="practice-shape-")
        self.info = json.loads(practice("up", "--shape", path, state=self.state))
        self.kinds = {node["name"]: node for node in self.entry["nodes"]}
        self.queues = [one for one in self.entry["partitions"] if self.kinds[one["node"]].get("gpus")]

    def stop(self):
        practice("down", "--purge", state=self.state)
        shutil.rmtree(self.state, ignore_errors=True)

    def judge(self, scripts):
        """Slurm's answer to each script: [(taken, text)]. One ssh session for all."""
        end = "=====end-of-script====="
        loop = ("umask 077; n=0; d=$(mktemp -d); while IFS= read -r line; do if [ \"$line\" = %s ]; then "
                "sbatch --test-only \"$d/s\" 2>&1 | tail -n 1; echo \"${PIPESTATUS[0]}\"; rm -f \"$d/s\"; "
                "else printf '%%s\\n' \"$line\" >>\"$d/s\"; fi; done; rm -rf \"$d\"" % end)
        text = "".join(script.rstrip("\n") + "\n" + end + "\n" for script in scripts)
        info = self.info
        done = subprocess.run(
            ["ssh", "-F", "none", "-i", info["identity"], "-o", "UserKnownHostsFile=" + info["knownHosts"], "-o", "IdentitiesOnly=yes",
             "-o", "BatchMode=yes", "-p", str(info["port"]), info["user"] + "@" + info["host"], "exec bash -c " + quote(loop)],
            input=text, capture_output=True, text=True, timeout=900)
        lines = done.stdout.splitlines()
        if len(lines) != 2 * len(scripts):
            raise AssertionError("%d scripts, %d lines of answers: %s" % (len(scripts), len(lines), done.stderr))
        return [(lines[i + 1] == "0", lines[i]) for i in range(0, len(lines), 2)]


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


@unittest.skipUnless(CLI, "RANKWRIGHT_CLI is not set")
class Shapes(unittest.TestCase):
    def judged(self, site, entries, expect):
        for entry, (taken, answer) in zip(entries, site.judge([script_of(entry) for entry in entries])):
            with self.subTest(site=site.entry["name"], partition=entry["partition"], size=entry["resources"], launcher=entry["launcher"],
                              strategy=entry["parallel"]["strategy"], time=entry["time"]):
                self.assertEqual(taken, expect, answer)
                if expect:
                    self.assertIn("to start at", answer)

    def beyond(self, site):
        """Requests that the site's limits refuse, one limit each."""
        found = []
        for queue in site.queues:
            gpus = site.kinds[queue["node"]]["gpus"]
            each = min(gpus, queue.get("maxGpusPerJob") or gpus)
            if queue.get("maxNodes"):
                found.append(design(site.entry, queue, queue["maxNodes"] + 1, each))
            if queue.get("maxTime"):
                found.append(design(site.entry, queue, 1, each, time="8-00:00:00"))
            if queue.get("maxGpusPerJob") and queue["maxGpusPerJob"] < gpus:
                found.append(design(site.entry, queue, 1, queue["maxGpusPerJob"] + 1))
        return found

    def look(self, name):
        site = Site(name)
        try:
            good = [design(site.entry, queue, nodes, gpus, way=way) for queue in site.queues
                    for nodes, gpus in sizes(queue, site.kinds[queue["node"]]) for way in (WAYS if nodes * gpus > 1 else WAYS[:1])]
            self.assertGreater(len(good), 20)
            self.judged(site, good, True)
            refused = self.beyond(site)
            self.assertGreater(len(refused), 1)
            self.judged(site, refused, False)
            self.accounts(site)
            print("%s: %d scripts taken, %d refused" % (name, len(good), len(refused)), file=sys.stderr)
        finally:
            site.stop()

    def accounts(self, site):
        """A job that names a project of others, or none where one is needed, is refused."""
        if not (site.entry.get("launch") or {}).get("accountRequired", True):
            return
        queue = site.queues[0]
        script = script_of(design(site.entry, queue, 1, 1))
        bare = "\n".join(line for line in script.splitlines() if not line.startswith("#SBATCH --account"))
        foreign = "\n".join(line if not line.startswith("#SBATCH --account") else "#SBATCH --account=somebody_else"
                            for line in script.splitlines())
        for taken, answer in site.judge([bare, foreign]):
            self.assertFalse(taken, answer)


class Faults(unittest.TestCase):
    """What --shape says to a file that is not a site."""

    def test_refused(self):
        folder = tempfile.mkdtemp(prefix="practice-shape-")
        cases = {"not a JSON file": "{", "has no name": "{}", "lists no partitions": '{"name": "x"}',
                 "no partition with GPU nodes": '{"name": "x", "nodes": [{"name": "a", "gpus": 0}], "partitions": [{"name": "p", "node": "a"}]}'}
        try:
            for expected, text in cases.items():
                with open(folder + "/x.json", "w") as stream:
                    stream.write(text)
                done = subprocess.run([PROGRAM, "up", "--shape", folder + "/x.json", "--state", folder + "/state"],
                                      capture_output=True, text=True, timeout=900)
                self.assertEqual(done.returncode, 3)
                self.assertIn(expected, done.stderr)
                self.assertFalse(os.path.exists(folder + "/state"))
        finally:
            shutil.rmtree(folder)


def add_site(name):
    setattr(Shapes, "test_" + name.replace("-", "_"), lambda self: self.look(name))


for site_name in SITES:
    add_site(site_name)

if __name__ == "__main__":
    unittest.main()
