#!/usr/bin/python3
"""All script trials: every site and kind of GPU node, launcher and strategy that the design's checks let pass, one node and two,
whole nodes and parts of shared ones. Each distinct script runs once in a real bash among stand-ins (standins.py), and every rank
is judged as in test_scripts.py: who it is, its cores, device, words, folder, environment.

RANKWRIGHT_TRIALS=all runs them all (label long, 15 minutes on two cores); else every launcher with every strategy and size at some
sites and every site with every launcher. `test_trials.py --table` writes the table of docs/launch_trials.md; a test holds it.
RANKWRIGHT_TRIAL_SCRIPTS and RANKWRIGHT_CLI name the programs that write the scripts.
"""
import collections
import json
import multiprocessing
import os
import re
import shlex
import subprocess
import sys
import traceback
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_scripts as bench  # noqa: E402

WRITER = os.environ.get("RANKWRIGHT_TRIAL_SCRIPTS", bench.ROOT + "/build/dev/bin/trial_scripts")
PAGE = bench.ROOT + "/docs/launch_trials.md"
LAUNCHERS = ("torchrun", "srun", "accelerate", "deepspeed", "lightning", "horovod")
STRATEGIES = ("single", "ddp", "zero1", "zero2", "zero3", "fsdp", "hsdp", "tensor", "pipeline", "3d", "horovod")
# What hinders a job and not its script: the site takes none any more, or another account is needed there.
PASSED = ("cluster-retired", "account-form", "account-suffix")
# A kind of node at a site: its entry, the partition that is used, and what Slurm gives of a node.
Place = collections.namedtuple("Place", "site kind queue")


class Case:
    """One design, and where it is tried."""

    def __init__(self, place, launcher, strategy, nodes, gpus):
        self.place, self.launcher, self.strategy, self.nodes, self.gpus = place, launcher, strategy, nodes, gpus
        full = place.kind.get("gpus") or gpus
        self.part = gpus < full
        shared = not place.queue or place.queue.get("shared")
        self.given = gpus if shared else full
        self.entry = {"version": 1, "name": "trial", "cluster": place.site["name"], "account": (place.site.get("launch") or {}).get("accountExample") or "project_1", "time": "00:10:00",
                      "resources": {"nodes": nodes, "gpusPerNode": gpus}, "parallel": {"strategy": strategy}, "launcher": launcher,
                      "environment": {"container": "none"}, "options": {"config": "none"},
                      "command": "train.py " + " ".join(shlex.quote(word) for word in bench.WORDS)}
        if place.queue:
            self.entry["partition"] = place.queue["name"]
        if strategy in ("tensor", "3d"):
            self.entry["parallel"].update(tensor=2 if gpus % 2 == 0 else 1, pipeline=1)
        if strategy == "pipeline":
            self.entry["parallel"].update(pipeline=2 if nodes * gpus % 2 == 0 else 1)
        self.script = None

    def __str__(self):
        return "%s/%s %s %s, %d x %d" % (self.place.site["name"], self.place.kind.get("name", "any"), self.launcher, self.strategy, self.nodes,
                                         self.gpus)

    @property
    def key(self):
        """What bash makes of it: the text without remarks."""
        kept = [line for line in self.script.splitlines() if not re.match(r"\s*#(?!SBATCH|!)", line)]
        return (self.place.site["name"], self.given, self.strategy in ("tensor", "3d", "pipeline"), "\n".join(kept))


def places():
    for site in bench.sites():
        kinds = [kind for kind in site.get("nodes", []) if kind.get("gpus")]
        found = False
        for kind in kinds:
            queues = [one for one in site.get("partitions", []) if one["node"] == kind["name"] and one.get("offered") != "never"
                      and (one.get("minNodes") or 1) <= 2]
            queues.sort(key=lambda one: (not one.get("shared"), one.get("offered", "") != "", -(one.get("maxNodes") or 1000)))
            for queue in [one for one in queues if one.get("shared")][:1] + [one for one in queues if not one.get("shared")][:1]:
                found = True
                yield Place(site, kind, queue)
        if not found:
            yield Place(site, kinds[0] if kinds else {}, None)


def cases():
    """All, with their scripts: (those that the checks let pass, what they said of the others)."""
    wanted = []
    for place in places():
        gpus = place.kind.get("gpus") or 4
        shared = not place.queue or place.queue.get("shared")
        sizes = {(1, gpus), (2, gpus)} | ({(1, max(1, gpus // 2)), (2, max(1, gpus // 2))} if shared else set())
        for launcher in LAUNCHERS:
            for strategy in STRATEGIES:
                for nodes, each in [(1, 1)] if strategy == "single" else sorted(sizes):
                    wanted.append(Case(place, launcher, strategy, nodes, each))
    text = "".join(json.dumps(one.entry) + "\n" for one in wanted)
    done = subprocess.run([WRITER], input=text, capture_output=True, text=True, timeout=900, check=True)
    good, refused = [], collections.Counter()
    for case, line in zip(wanted, done.stdout.splitlines()):
        answer = json.loads(line)
        errors = [slug for slug in answer["errors"] if slug not in PASSED]
        if errors:
            refused[(case.place.site["name"], case.launcher, errors[0])] += 1
            continue
        case.script = answer["script"]
        good.append(case)
    return good, refused


def distinct(all_cases):
    seen = {}
    for case in all_cases:
        seen.setdefault(case.key, case)
    return list(seen.values())


def part_of(all_cases):
    """Every launcher, strategy and size at a few sites, every site with every launcher."""
    chosen, ways, corners = [], collections.Counter(), set()
    for turn, case in enumerate(sorted(all_cases, key=lambda one: hash_of(one.key))):
        way = (case.launcher, case.strategy, case.nodes, case.part)
        corner = (case.place.site["name"], case.launcher)
        if ways[way] < 4 or corner not in corners:
            ways[way] += 1
            corners.add(corner)
            chosen.append(case)
    return chosen


def hash_of(key):
    """The same in every process, unlike hash()."""
    value = 0
    for char in repr(key):
        value = (value * 31 + ord(char)) % 1000003
    return value


class Tried(unittest.TestCase):
    """What judge() asserts by."""

    def runTest(self):
        pass


def exported(test, case, trial):
    """What the script exports as plain text arrives at every rank."""
    wanted = {}
    for line in case.script.splitlines():
        match = re.fullmatch(r"export (\w+)=([\w./:,@+-]*)", line)
        if match:
            wanted[match.group(1)] = match.group(2)
    test.assertTrue(wanted)
    for rank in trial.ranks:
        test.assertEqual({name: rank.env.get(name) for name in wanted}, wanted)


def run(case):
    """Empty, or what went wrong."""
    test = Tried()
    test.maxDiff = None
    try:
        trial = bench.judge(test, case.place.site, case.place.kind, case.entry, case.script, case.given)
        exported(test, case, trial)
    except Exception:  # an assertion, or a stand-in that could not read its words
        return "%s\n%s" % (case, traceback.format_exc(limit=-2)[-2500:])
    return ""


def table(good):
    """Rows of sites, columns of launchers: designs, and how many distinct scripts they make."""
    names = sorted({case.place.site["name"] for case in good})
    lines = ["| site | " + " | ".join(LAUNCHERS) + " |", "|---" * (len(LAUNCHERS) + 1) + "|"]

    for name in names:
        cells = []
        for launcher in LAUNCHERS:
            keys = [case.key for case in good if case.place.site["name"] == name and case.launcher == launcher]
            cells.append("%d (%d)" % (len(keys), len(set(keys))) if keys else "–")
        lines.append("| %s | %s |" % (name, " | ".join(cells)))
    return "\n".join(lines) + "\n"


BEGIN, END = "<!-- written by test_trials.py --table -->\n", "<!-- end of table -->\n"


@unittest.skipUnless(os.path.exists(WRITER), "trial_scripts is not built")
class Trials(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.good, cls.refused = cases()
        cls.unique = distinct(cls.good)

    def test_all_start(self):
        chosen = self.unique if os.environ.get("RANKWRIGHT_TRIALS") == "all" else part_of(self.unique)
        with multiprocessing.Pool(max(2, os.cpu_count() or 2)) as pool:
            failures = [text for text in pool.imap_unordered(run, chosen, chunksize=4) if text]
        print("%d of %d distinct scripts of %d designs tried, %d failed" % (len(chosen), len(self.unique), len(self.good), len(failures)),
              file=sys.stderr)
        self.assertEqual(failures[:20], [], "%d failures; the first:\n%s" % (len(failures), "\n".join(failures[:3])))

    def test_nothing_is_left_out(self):
        """Each launcher starts something at each site, but where its checks say why not."""
        tried = {(case.place.site["name"], case.launcher) for case in self.good}
        for site in bench.sites():
            for launcher in LAUNCHERS:
                said = [key for key in self.refused if key[:2] == (site["name"], launcher)]
                self.assertTrue((site["name"], launcher) in tried or said, (site["name"], launcher))
        self.assertGreater(len(self.good), 3000)

    def test_the_table_is_this(self):
        with open(PAGE, encoding="utf-8") as stream:
            text = stream.read()
        self.assertEqual(text.partition(BEGIN)[2].partition(END)[0], table(self.good), "test_trials.py --table writes it")


def write_table():
    good, _ = cases()
    with open(PAGE, encoding="utf-8") as stream:
        text = stream.read()
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    with open(PAGE, "w", encoding="utf-8") as stream:
        stream.write(before + BEGIN + table(good) + END + after)


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        write_table()
    else:
        unittest.main()
