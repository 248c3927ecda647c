#!/usr/bin/python3
"""Scripts of strangers, edited in the places of their fields (rankwright-cli set): the script before and the script after both run
in a real bash among stand-ins (fieldtrial.py), and what was asked for has reached the job while all else is as before.

RANKWRIGHT_CLI names the program. FIELD_SCRIPTS adds folders of further scripts, separated by ':'; FIELD_TABLE prints the table.
"""
import collections
import concurrent.futures
import difflib
import glob
import json
import os
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fieldtrial  # noqa: E402

CLI = os.environ["RANKWRIGHT_CLI"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = [ROOT + "/tests/data/strangers", ROOT + "/tests/data/containers"] + [one for one in os.environ.get("FIELD_SCRIPTS", "").split(":") if one]
LIMIT = int(os.environ.get("FIELD_LIMIT", "300"))
# Of modules and sites, which a stranger's script takes for granted.
GIVEN = {"SIF": "/site/image.sif", "CONTAINER": "/site/image.sif", "CONTAINER_PATH": "/site/image.sif", "PROJECT_SPACE": "/project"}


def given_to(script):
    """Images and mounts that the script takes from the environment: empty ones would shift the words behind them."""
    names = re.findall(r"\$\{?(\w*(?:IMAGE|CONTAINER|SIF|SQSH|MOUNTS?)\w*)\}?", script)
    found = {name: "/site/" + name.lower() for name in names if not re.search(r"\b%s=" % name, script)}
    if re.search(r"(?m)^\s*(?:source|\.) ", script):  # lower-case names are not of the environment: the file sets them
        for name in re.findall(r"\$\{?([a-z]\w*)\}?(?=[\s\"'])", script):
            if not re.search(r"\b%s(?:=|\+=|\s*\(|\[)|\b(?:for|read|local|declare|readonly)\b[^\n]*\b%s\b" % (name, name), script):
                found[name] = "/site/" + name
    return {**found, **GIVEN}


def run(script, words=("one", "two"), given=None):
    return fieldtrial.Run(script, words, limit=LIMIT, more=given_to(script) if given is None else given)


def first_run(script):
    """The run, and the words that the script was started with: without any where it starts nothing with some."""
    for words in (("one", "two"), ()):
        one = run(script, words)
        if one.programs:
            break
    return one, words


def fields_of(path):
    done = subprocess.run([CLI, "read", "--cluster", "generic", "--json", path], capture_output=True, timeout=900)
    return json.loads(done.stdout)["fields"]


def edited(path, *words):
    done = subprocess.run([CLI, "set", path, *words], capture_output=True, timeout=900)
    return done.returncode, done.stdout, done.stderr.decode()


def number(fields, name):
    value = (fields.get(name) or {}).get("value")
    return value if isinstance(value, int) else None


def stands(fields, name):
    return bool((fields.get(name) or {}).get("places"))


def mask(text, numbers=False):
    """What differs from run to run by itself."""
    text = re.sub(r"\b1[67]\d{8}\b|\b\d\d:\d\d:\d\d\b|\d{4}-\d\d-\d\d\S*|/tmp/\S+|\b\d{5,}\b", "#", text)
    return re.sub(r"(?<![A-Za-z])n#(?:[_,-]n#)+(?=\W)", "n#", re.sub(r"\d+", "#", text)) if numbers else text  # a list of nodes


def started(one, numbers=False):
    """The words of all programs, the steps' commands and images, for comparing."""
    found = [json.dumps(words) for words in one.programs] + [json.dumps(["image", record["image"], record.get("binds", [])]) for record in one.of("image")]
    return sorted(mask(text, numbers) for text in found)


def size_of(record):
    """Nodes and processes of a step or an agent; None where not said."""
    if record["kind"] == "step":
        return record["nodes"], record["tasks"]
    given = record["options"]
    first = lambda *names: next((given[name] for name in names if str(given.get(name, "")).isdigit()), None)
    return (first("nnodes", "num-machines", "num-nodes"), first("nproc-per-node", "num-processes", "num-gpus", "np", "n"))


def sizes_of(one):
    """The sizes of steps and agents by what they start, whichever of them in the background came first."""
    found = collections.defaultdict(list)
    for record in one.of("step") + one.of("agent"):
        found[record["kind"], mask(json.dumps(record.get("command", record.get("name"))), True)].append(size_of(record))
    return {key: sorted(sizes, key=str) for key, sizes in found.items()}


def environment_fault(before, after, token):
    """A variable of a program that is another without holding what was set; empty: none."""
    def of(one):
        return sorted(([words_key(record["words"]), record["env"]] for record in one.of("program")), key=lambda pair: pair[0])
    first, second = of(before), of(after)
    if [pair[0] for pair in first] != [pair[0] for pair in second]:
        return ""  # programs that are told apart by what was set
    known = collections.defaultdict(list)
    for key, env in first:
        known[key].append({name: mask(value) for name, value in env.items()})
    for key, env in second:
        wrong = [[name for name, value in env.items() if name not in ("_", "SHLVL") and mask(value) != was.get(name) and token not in value]
                 + [name for name in was if name not in env] for was in known[key]]
        if all(wrong):
            return "the variable %s of a program is another" % wrong[0][0]
    return ""


def words_key(words):
    return mask(json.dumps(words))


def lost_and_new(before, after):
    """Programs that only one of the runs starts, by their words."""
    first, second = collections.Counter(), collections.Counter()
    by = {}
    for counter, one in ((first, before), (second, after)):
        for words in one.programs:
            key = words_key(words)
            by[key] = words
            counter[key] += 1
    return [by[key] for key in (first - second).elements()], [by[key] for key in (second - first).elements()]


class Edit:
    """One kind of edit: its words for a script, and what is wrong with the run after it."""

    def nodes(self, fields, run):
        before = number(fields, "resources.nodes") or run.nodes
        if stands(fields, "resources.nodes") or "nodes" in run.asked:
            yield "resources.nodes=%d" % (2 * before)

    def check_nodes(self, fields, before, after, word):
        if after.nodes != 2 * before.nodes:
            return "the job has %d nodes" % after.nodes
        more = len(after.programs) - len(before.programs)
        if not set(started(before, True)) <= set(started(after, True)) or more < 0 or more % before.nodes:  # a loop over the nodes starts more
            return "other programs: %s, %s" % (started(before), started(after))
        for key, sizes in sizes_of(before).items():
            later = sizes_of(after).get(key, [])
            if not later:
                return "%s is not started" % (key,)
            for now in later:
                faults = [self.node_fault(key[0], was, now, before, after) for was in sizes]
                if all(faults):
                    return faults[0]
        if before.tasks % before.nodes == 0 and before.tasks > 1 and after.tasks != 2 * before.tasks:
            return "the job has %d tasks" % after.tasks
        return ""

    @staticmethod
    def node_fault(kind, was, now, before, after):
        for one, other in zip(was, now):
            one, other, nodes = int(one or 0), int(other or 0), before.nodes
            each = one // (nodes - 1) if nodes > 1 and one % (nodes - 1) == 0 else 0  # on all nodes but one
            if other not in (one, 2 * one) and not (each and other == each * (2 * nodes - 1)):
                return "%d became %d" % (one, other)
        if kind == "step" and was[0] == before.nodes > 1 and now[0] != after.nodes:
            return "a step has %s nodes" % now[0]
        if kind == "agent" and was[0] and int(was[0]) == before.nodes and int(now[0] or 0) != after.nodes:
            return "the launcher goes over %s nodes" % now[0]
        return ""

    def gpus(self, fields, run):
        before = number(fields, "resources.gpusPerNode") or run.gpus
        if before and before % 2 == 0:
            yield "resources.gpusPerNode=%d" % (before // 2)

    def check_gpus(self, fields, before, after, word):
        directive = "gres" in before.asked or any(name.startswith("gpus") for name in before.asked)
        if directive and before.gpus and after.gpus != before.gpus // 2:
            return "a node has %s GPUs" % after.gpus
        if after.nodes != before.nodes:
            return "other nodes"
        for was, now in zip(before.of("agent"), after.of("agent")):
            each, other = size_of(was)[1], size_of(now)[1]
            total = was["name"] in ("accelerate", "mpirun", "horovodrun")
            full = (before.gpus or 0) * (before.nodes if total else 1)
            if each and int(each) == full and int(other) * 2 != full:
                return "the launcher starts %s processes" % other
        agents = before.of("agent")
        for was, now in zip(before.of("step"), after.of("step")):
            one_each = before.gpus and was["tasks"] == before.gpus * before.nodes and before.gpus > 1 and not agents
            if one_each and now["tasks"] * 2 != was["tasks"]:
                return "a step has %d tasks" % now["tasks"]
        if started(before, True) != started(after, True):
            return "other programs: %s, %s" % (started(before), started(after))
        return ""

    @staticmethod
    def directive(option, value):
        def check(self, fields, before, after, word):
            if after.asked.get(option) != value and not (option == "time" and seconds(after.asked.get("time")) == seconds(value)):
                return "%s is %s" % (option, after.asked.get(option))
            others = {name: one for name, one in before.asked.items() if name != option}
            if others != {name: one for name, one in after.asked.items() if name != option}:
                return "other directives"
            if started(before) != started(after):
                return "other programs: %s, %s" % (started(before), started(after))
            return ""
        return check

    def append(self, fields, run):
        if run.programs or stands(fields, "command"):
            yield "command+= --added 7"

    def check_append(self, fields, before, after, word):
        if before.programs and not any("--added" in " ".join(words) for words in after.programs):
            return "no program has it: %s" % after.programs
        def without(words):
            text = json.dumps(words)
            return mask(text.replace('"--added", "7", ', "").replace(', "--added", "7"', "").replace(" --added 7", ""))
        if sorted(map(words_key, before.programs)) != sorted(map(without, after.programs)):
            return "other words: %s, %s" % (before.programs, after.programs)
        return ""

    def argument(self, fields, run):
        for name, field in fields.items():
            if name.startswith("arguments.") and field["places"] and not any("switch" in note for note in field["notes"]):
                yield name + "=42"
                return
        for name, field in fields.items():
            if name.startswith("arguments.") and not any("switch" in note for note in field["notes"]):
                yield name + "=42"
                return

    def check_argument(self, fields, before, after, word):
        name = word[len("arguments."):-len("=42")]
        lost, new = lost_and_new(before, after)
        if not new:
            return "no program has it" if self.has(name, before) else ""
        if len(lost) != len(new):
            return "other programs: %s, %s" % (lost, new)
        for words in new:
            if not any("42" in one for one in words):
                return "a program changed: %s" % words
            at = next((at for at, was in enumerate(lost) if self.differs_by(was, words, name)), None)
            if at is None:
                return "other words: %s, %s" % (lost, words)
            del lost[at]
        return ""

    @staticmethod
    def has(name, run):
        return any(name in " ".join(words) for words in run.programs)

    @staticmethod
    def differs_by(was, now, name):
        """Only in words that hold the new value; where the script itself decides by it what else the program gets, in more."""
        if len(was) != len(now):
            return name in " ".join(was) and re.search(re.escape(name) + r"[ =]42\b", " ".join(now)) is not None
        return all("42" in other for one, other in zip(was, now) if mask(one) != mask(other))

    def image(self, fields, run):
        if "environment.container" in fields or [image for image in run.images if image and not image.startswith("/site/")]:
            yield "environment.container=/new/image.sif"

    def check_image(self, fields, before, after, word):
        if before.programs and before.images and "/new/image.sif" not in after.images:
            return "the images are %s" % after.images
        if not before.images and after.images and set(after.images) == {"/new/image.sif"}:  # the script asks whether one is set
            return "" if sorted(map(words_key, before.programs)) == sorted(map(words_key, after.programs)) else "other programs"
        if set(after.images) - set(before.images) - {"/new/image.sif"} or len(after.images) != len(before.images):
            return "other images: %s, %s" % (before.images, after.images)
        lost, new = lost_and_new(before, after)
        def takes(words, later):  # a program may be given the whole command
            return len(words) == len(later) and all(one == other or "/new/image.sif" in other for one, other in zip(words, later))
        for words in new:
            was = next((one for one in lost if takes(one, words)), None)
            if was is None:
                return "other programs"
            lost.remove(was)
        return "other programs" if lost else ""

    def uenv(self, fields, run):
        if "environment.uenv" in fields or "uenv" in run.asked or run.of("environment"):
            yield "environment.uenv=new/1.0:v1"

    def check_uenv(self, fields, before, after, word):
        was, now = ([record["image"] for record in one.of("environment")] + [one.asked.get("uenv")] for one in (before, after))
        if len(was) != len(now) or not set(now) <= {None, "new/1.0:v1"}:
            return "the user environments are %s" % now
        return "other programs" if any(lost_and_new(before, after)) else ""


def seconds(text):
    text = text or ""
    days, _, clock = text.rpartition("-")
    parts = [int(one) for one in clock.split(":") if one.isdigit()]
    if days:
        parts += [0] * (3 - len(parts))
    elif len(parts) == 1:
        parts = [0, parts[0], 0]
    elif len(parts) == 2:
        parts = [0] + parts
    return (int(days or 0) * 24 + parts[0]) * 3600 + parts[1] * 60 + parts[2] if len(parts) == 3 else None


VALUES = {"time": ("time", "03:20:00"), "partition": ("partition", "other"), "account": ("account", "acc_99"), "name": ("job-name", "new-name")}
KINDS = ["nodes", "gpus", "time", "partition", "account", "name", "append", "argument", "image", "uenv"]


def words_for(kind, fields, run):
    """The edit where the script has the fact, whether a field has a place for it or not."""
    if kind in VALUES:
        return [kind + "=" + VALUES[kind][1]] if stands(fields, kind) or VALUES[kind][0] in run.asked else []
    return list(getattr(Edit(), kind)(fields, run))


TOKENS = {"append": "--added 7", "argument": "42", "image": "/new/image.sif", "uenv": "new/1.0:v1"}


def fault_of(kind, fields, before, after, word):
    if before.ended and not after.ended:
        return "it does not end within %d s" % LIMIT
    if kind not in ("nodes", "gpus"):
        if before.nodes != after.nodes or before.gpus != after.gpus or (kind != "argument" and sizes_of(before).keys() == sizes_of(after).keys() and
                                                                         sizes_of(before) != sizes_of(after)):
            return "steps of other sizes: %s, %s" % (sizes_of(before), sizes_of(after))
        if wrong := environment_fault(before, after, TOKENS.get(kind, "\0")):
            return wrong
    if before.code == 0 and after.code != 0 and after.code != before.code:
        return "it ends with %d: %s" % (after.code, after.output[-300:])
    if kind in VALUES:
        return Edit.directive(*VALUES[kind])(None, fields, before, after, word)
    return getattr(Edit(), "check_" + kind)(fields, before, after, word)


def text_fault(kind, before, after):
    """Lines are changed where they stand, and one at most is added: what has no line as yet."""
    first, second = before.split(b"\n"), after.split(b"\n")
    if kind == "argument" or len(second) - len(first) in (0, 1):
        return "" if kind not in VALUES else directive_fault(kind, first, second)
    return "it has %d lines, not %d" % (len(second), len(first))


def directive_fault(kind, first, second):
    for tag, begin, end, start, stop in difflib.SequenceMatcher(None, first, second, False).get_opcodes():
        if tag != "equal" and not all(line.lstrip(b"\xef\xbb\xbf").startswith(b"#SBATCH") for line in first[begin:end] + second[start:stop]):
            return "a line that is not a directive changed: %s" % second[start:stop]
    return ""


def trial(path):
    """kind -> (outcome, sentence) of one script."""
    with open(path, "rb") as stream:
        bytes_before = stream.read()
    fields = fields_of(path)
    outcomes = {}
    text_before = bytes_before.decode("utf-8", "replace")
    given = given_to(text_before)  # the edited script is submitted from the same environment
    before, started_with = first_run(text_before)
    for kind in KINDS:
        for word in words_for(kind, fields, before):
            code, out, said = edited(path, word)
            if code:
                outcomes[kind] = ("refused", said.strip())
                continue
            if fault := text_fault(kind, bytes_before, out):
                outcomes[kind] = ("wrong", word + ": " + fault)
                continue
            if out == bytes_before:
                outcomes[kind] = ("wrong", word + " changed nothing")
                continue
            after = run(out.decode("utf-8", "replace"), started_with, given)
            fault = fault_of(kind, fields, before, after, word)
            ran = Edit.has(word[len("arguments."):-len("=42")], before) if kind == "argument" else bool(before.records)
            outcomes[kind] = ("wrong", word + ": " + fault) if fault else ("reached", "started" if ran else "nothing ran")
    # what is set to what it is stays byte for byte
    same = [name + "=" + str(field["value"]) for name, field in fields.items()
            if field["places"] and field["value"] not in (None, "") and name.split(".")[0] in ("resources", "time", "partition", "account", "name")]
    code, out, said = edited(path, *same) if same else (0, bytes_before, "")
    outcomes["same"] = ("reached", "") if code == 0 and out == bytes_before else ("wrong", said or "bytes differ")
    return outcomes


class Fields(unittest.TestCase):
    maxDiff = None


def check(path):
    def one(self):
        for kind, (outcome, sentence) in trial(path).items():
            self.assertNotEqual(outcome, "wrong", "%s: %s" % (kind, sentence))
            if outcome == "refused":
                self.assertRegex(sentence, "cannot be set: [A-Za-z$]")
    return one


for folder in FOLDERS:
    for script in sorted(glob.glob(folder + "/*.sh")):
        setattr(Fields, "test_" + re.sub(r"\W", "_", os.path.basename(script)[:-3]), check(script))


def table():
    paths = [path for folder in FOLDERS for path in sorted(glob.glob(folder + "/*.sh"))]
    counts = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("FIELD_JOBS", "1"))) as pool:
        for path, outcomes in zip(paths, pool.map(trial, paths)):
            for kind, (outcome, sentence) in outcomes.items():
                counts[kind][outcome] += 1
                if outcome == "reached" and sentence == "nothing ran":
                    counts[kind]["of these nothing ran"] += 1
                if outcome != "reached":
                    print("%-8s %-8s %s: %s" % (kind, outcome, os.path.basename(path), sentence[:400]), flush=True)
    print("%-10s %8s %8s %8s %8s %s" % ("edit", "scripts", "reached", "refused", "wrong", "reached, but nothing ran"))
    for kind in KINDS + ["same"]:
        count = counts[kind]
        print("%-10s %8d %8d %8d %8d %d" % (kind, count["reached"] + count["refused"] + count["wrong"], count["reached"], count["refused"],
                                           count["wrong"], count["of these nothing ran"]))


if __name__ == "__main__":
    if os.environ.get("FIELD_TABLE"):
        table()
    else:
        unittest.main(verbosity=1)
