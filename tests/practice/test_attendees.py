#!/usr/bin/python3
"""A class of simulated attendees on real Slurm, some of whom make the usual slips: the program names each slip with what to do, the
teacher's table says who is where, and nobody reads or changes what is another's. RANKWRIGHT_CLI names the program;
RANKWRIGHT_ATTENDEES=40 is a whole class with ten slips, else eight attendees with four."""
import concurrent.futures
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base  # noqa: E402

CLI = os.environ.get("RANKWRIGHT_CLI", "")
ATTENDEES = int(os.environ.get("RANKWRIGHT_ATTENDEES", "8"))
REMOTE = os.path.realpath(os.path.dirname(os.path.abspath(__file__)) + "/../../resources/remote")
AT_ONCE = 6
FIRST_UID = 22000    # of users that this machine has not got
SHORT = ("program not there", "batch changed", "too many GPUs", "wrong account")


def tearDownModule():
    base.Cluster.stop()


def design(**changes):
    return dict({"version": 1, "name": "first", "cluster": "practice", "partition": "small-g", "account": base.PROJECT,
                 "time": "00:10:00", "resources": {"nodes": 1, "gpusPerNode": 1}, "training": {"globalBatch": 64, "microBatch": 32},
                 "launcher": "srun", "parallel": {"strategy": "single"}, "monitor": {"sampler": True},
                 "command": "train_ddp.py --alone --global-batch 64 --micro-batch 32 --steps 8 --device-time 0.05"}, **changes)


def without(document, *members):
    return {name: value for name, value in document.items() if name not in members}


def class_file(folder, **members):
    start = without(design(), "version", "account")
    node = dict(start, name="node", resources={"nodes": 1, "gpusPerNode": 8}, parallel={"strategy": "ddp"}, launcher="torchrun")
    checks = [{"check": "global-batch", "count": 64}, {"check": "no-errors"}, {"check": "completed"}]
    return dict({"format": "rankwright-class", "version": 1, "title": "Forty attendees", "author": "Ada, Institute",
                 "cluster": "practice", "limits": {"maxNodes": 2, "maxGpus": 8}, "progressFolder": folder,
                 "exercises": [{"id": "first", "title": "First", "task": "Train.", "design": start, "checks": checks},
                               {"id": "node", "title": "A node", "task": "Use all eight.", "design": node,
                                "checks": [{"check": "completed"}, {"check": "gpus-busy", "value": 20}]}]}, **members)


class Attendee:
    """One person: a data folder of their own, a design, one exercise."""

    def __init__(self, room, number, slip=None):
        self.room, self.number, self.slip = room, number, slip
        self.name, self.uid = "att%02d" % number, FIRST_UID + number
        self.folder = "%s/%s" % (room.folder, self.name)
        os.makedirs(self.folder)
        self.called = "%s-%d" % (self.name, os.getpid())    # by its own name also on a cluster that has run others
        self.exercise, self.design, self.file, self.answers, self.said = "first", design(name=self.called), room.file, [], ""
        if slip:
            getattr(self, "slip_" + re.sub(r"\W", "_", slip))()

    def slip_wrong_account(self):
        self.design["account"] = "project_465000009"

    def slip_expired_reservation(self):
        self.file = self.room.write("expired.rwclass", class_file(
            self.room.shared, reservation={"name": "last_year", "begin": "2025-11-01T08:00:00Z", "end": "2025-11-01T16:00:00Z"}))
        self.design["reservation"] = "last_year"

    def slip_too_many_GPUs(self):
        self.design.update(resources={"nodes": 2, "gpusPerNode": 8}, partition="standard-g", launcher="torchrun",
                           parallel={"strategy": "ddp"})

    def slip_cancelled(self):
        self.design["command"] += " --seconds 500"

    def slip_submitted_twice(self):
        pass

    def slip_program_not_there(self):
        self.design["command"] = self.design["command"].replace("train_ddp.py", "trian_ddp.py")

    def slip_single_process_on_8_GPUs(self):
        self.exercise = "node"
        self.design.update(resources={"nodes": 1, "gpusPerNode": 8}, partition="standard-g", launcher="srun",
                           parallel={"strategy": "single"})
        self.design["command"] += " --seconds 12"

    def slip_batch_changed(self):
        self.design["training"] = {"globalBatch": 128, "microBatch": 32}

    def slip_wrong_container(self):
        self.design["environment"] = {"container": base.Cluster.info["workdir"] + "/practise.sif"}

    def slip_quota_full(self):
        # What is written there finds no room.
        base.on_cluster("ln -sfn /dev/full %s/%s.pt.new" % (base.Cluster.info["workdir"], self.name))
        self.design["command"] += " --checkpoint %s.pt --checkpoint-every 2" % self.name

    def begin(self):
        path = self.folder + "/design.json"
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(self.design, stream)
        environment = dict(os.environ, RANKWRIGHT_DATA_DIR=self.folder + "/data", RANKWRIGHT_PRACTICE_DIR=base.Cluster.state)
        return subprocess.Popen([CLI, "class", "run", self.file, "--yes", "--exercise", self.exercise, "--design", path, "--json"],
                                text=True, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def work(self):
        started = [self.begin() for _ in range(2 if self.slip == "submitted twice" else 1)]
        if self.slip == "cancelled":
            for line in started[0].stderr:
                self.said += line
                if "RUNNING" in line:
                    base.on_cluster("scancel --name=%s" % self.called)
                    break
        for process in started:
            out, said = process.communicate(timeout=base.LONG)
            self.said += said
            self.answers.append(json.loads(out)["exercises"][0] if out.strip() else None)
        return self

    @property
    def answer(self):
        return self.answers[0]

    @property
    def job(self):
        return self.answer["jobs"][-1]

    def check(self, kind):
        return next(one for one in self.answer["checks"] if one["check"] == kind)


# What the program says of each slip, and what it says to do: both are looked for in what this attendee is shown.
NAMED = {
    "wrong account": (lambda one: one.job["refusal"], r"does not take this account", r"Compare it with the accounts"),
    "expired reservation": (lambda one: " ".join(finding["text"] for finding in one.job["findings"]) + str(one.job["refusal"]),
                            r"last_year ended at 2025-11-01.*it is over", r"Remove the reservation from the design"),
    "too many GPUs": (lambda one: " ".join(finding["text"] + str(finding["fix"]) for finding in one.job["findings"]),
                      r"class allows 8 GCDs", r"Use 4 GCDs on each node"),
    "cancelled": (lambda one: one.job["ending"] + one.check("completed")["where"], r"[Cc]ancelled", r"CANCELLED"),
    "submitted twice": (lambda one: " ".join(answer["jobs"][-1]["jobId"] for answer in one.answers), r"^(\d+) \1$", r"."),
    "program not there": (lambda one: " ".join(one_["class"] + " " + one_["advice"] for one_ in one.job["diagnoses"]),
                          r"missing_file", r"Upload it, or set"),
    "single process on 8 GPUs": (lambda one: one.check("gpus-busy")["where"] + json.dumps(one.job["findings"]),
                                 r"GCD \d was busy for 0\s%", r"trains on one GCD, but 8 are asked for"),
    "batch changed": (lambda one: one.check("global-batch")["where"] + one.check("global-batch")["text"], r"128 = 32 × 4 × 1", r"64"),
    "wrong container": (lambda one: " ".join(one_["class"] + " " + one_["advice"] for one_ in one.job["diagnoses"]),
                        r"missing_container", r"no container image at the design's path\. Check it"),
    "quota full": (lambda one: " ".join(one_["class"] + " " + one_["advice"] for one_ in one.job["diagnoses"]),
                   r"disk_quota", r"Delete old checkpoints"),
}


class Room:
    """What all of them share: the class file and the folder for progress."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="class-")
        self.shared = self.folder + "/progress"
        os.makedirs(self.shared)
        os.chmod(self.folder, 0o755)
        os.chmod(self.shared, 0o1777)
        self.file = self.write("class.rwclass", class_file(self.shared))

    def write(self, name, document):
        path = "%s/%s" % (self.folder, name)
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(document, stream)
        os.chmod(path, 0o644)
        return path

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


@unittest.skipUnless(CLI, "RANKWRIGHT_CLI is not set")
class Attendees(base.ClusterCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.room = Room()
        cls.addClassCleanup(cls.room.close)
        slips = list(NAMED) if ATTENDEES >= 40 else list(SHORT)
        slips += [None] * (ATTENDEES - len(slips))
        cls.people = [Attendee(cls.room, number, slip) for number, slip in enumerate(slips)]
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(Attendee.work, cls.people))

    def test_everybody_has_an_answer(self):
        for one in self.people:
            with self.subTest(one.name, slip=one.slip):
                self.assertIsNotNone(one.answer, one.said)
                if not one.slip:
                    self.assertTrue(one.answer["passed"], json.dumps(one.answer, indent=1) + one.said)

    def test_slips_are_named_with_what_to_do(self):
        missed = []
        for one in self.people:
            if one.slip:
                shown, name, hint = NAMED[one.slip]
                text = shown(one) or ""
                isNamed = re.search(name, text) and re.search(hint, text)
                print("| %s | %s | %s |" % (one.slip, "named" if isNamed else "MISSED", text[:160].replace("\n", " ")), flush=True)
                if not isNamed:
                    missed.append((one.slip, text, one.said))
                elif one.slip != "submitted twice":
                    self.assertFalse(one.answer["passed"], one.slip)
        self.assertLessEqual(len(missed), 1 if ATTENDEES >= 40 else 0, missed)

    def test_what_is_submitted_twice_is_one_job(self):
        for one in self.people:
            if one.slip == "submitted twice":
                self.assertEqual(base.on_cluster("sacct -X -n -P -o jobid --name=%s" % one.called).split(), [one.job["jobId"]])
                self.assertEqual(sorted(answer["jobs"][-1]["found"] for answer in one.answers), [False, True])

    def test_the_teachers_table(self):
        """Lines noted by the real programs, each as somebody else to the kernel."""
        if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode != 0:
            self.skipTest("users of its own want root and a mount namespace")
        passwd = self.room.folder + "/passwd"
        with open("/etc/passwd", encoding="utf-8") as own, open(passwd, "w", encoding="utf-8") as stream:
            stream.write(own.read())
            stream.writelines("%s:x:%d:%d::/tmp:/bin/sh\n" % (one.name, one.uid, one.uid) for one in self.people)

        def in_room(words, text="", uid=None):
            who = ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups"] if uid else []
            return subprocess.run(["unshare", "-m", "/bin/sh", "-c", 'mount --bind "$0" /etc/passwd && exec "$@"', passwd] + who + words,
                                  input=text, capture_output=True, text=True, timeout=900, check=False)
        with open(REMOTE + "/class-append.sh", encoding="utf-8") as stream:
            program = stream.read()

        def note(one):
            line = json.dumps(one.answer["progress"]) + "\n"
            return in_room(["/bin/sh", "-c", program, "_", self.room.shared, one.name], line, one.uid)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for done in pool.map(note, self.people):
                self.assertEqual(done.returncode, 0, done.stderr)
        done = in_room([CLI, "class", "progress", self.room.file, "--here", "--json"])
        self.assertEqual(done.returncode, 0, done.stderr)
        table = json.loads(done.stdout)
        self.assertEqual(table["skipped"], 0)
        rows = {row["attendee"]: row for row in table["attendees"]}
        self.assertEqual(sorted(rows), [one.name for one in self.people])
        for one in self.people:
            row, progress = rows[one.name], one.answer["progress"]
            self.assertEqual((row["exercise"], row["seen"], row["checks"], row["stuckOn"] or ""),
                             (one.exercise, progress["checks"].count("seen"), len(progress["checks"]), progress["stuckOn"]))
            self.assertEqual(row["done"], 1 if one.answer["passed"] else 0)
        stuck = {one.slip: rows[one.name]["stuckOn"] for one in self.people if one.slip}
        expected = {"wrong account": "slurm-refused", "expired reservation": "slurm-refused", "too many GPUs": "class-gpus",
                    "cancelled": "cancelled", "program not there": "missing_file", "wrong container": "missing_container",
                    "quota full": "disk_quota", "submitted twice": None, "batch changed": None}
        self.assertEqual({slip: stuck[slip] for slip in expected if slip in stuck}, {slip: expected[slip] for slip in expected if slip in stuck})
        self.nobody_changes_anothers(in_room)

    def nobody_changes_anothers(self, in_room):
        mine, other = self.people[0], self.people[1]
        path = "%s/%s.progress" % (self.room.shared, other.name)
        with open(path, encoding="utf-8") as stream:
            before = stream.read()
        self.assertEqual(sorted(json.loads(before)), ["at", "checks", "exercise", "stuckOn", "v"])    # and nothing else
        for line in ('echo x >>"$0"', 'rm -f "$0"', 'mv -f "$0" "$0.gone"', ': >"$0"'):
            self.assertNotEqual(in_room(["/bin/sh", "-c", line, path], uid=mine.uid).returncode, 0, line)
        with open(path, encoding="utf-8") as stream:
            self.assertEqual(stream.read(), before)

    def as_other(self, command):
        """As another user of the cluster."""
        info = base.Cluster.info
        return subprocess.run(
            ["ssh", "-F", "none", "-i", info["identity"], "-o", "UserKnownHostsFile=" + info["knownHosts"], "-o", "IdentitiesOnly=yes", "-o",
             "BatchMode=yes", "-p", str(info["port"]), info["otherUser"] + "@" + info["host"], command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=base.LONG, check=False)

    def test_nobody_reads_anothers(self):
        """What the program keeps here, and what jobs leave on the cluster, is open to its owner alone."""
        for one in self.people:
            data = one.folder + "/data"
            self.assertEqual(stat.S_IMODE(os.stat(data).st_mode), 0o700, data)
        if not base.ROOT:
            self.skipTest("another user of the cluster wants root")
        info = base.Cluster.info
        jobs = [one.job["jobId"] for one in self.people if one.answer and one.job["jobId"]]
        # A job of some seconds may end before its sampler has begun a record.
        written = base.on_cluster("cd %s && ls -d *.out; find .rankwright -name '*.rws'; true" % info["workdir"]).split()
        own = [name for name in written if any(job in name for job in jobs)]
        records = [name for name in own if name.endswith(".rws")]
        self.assertGreater(len(own), len(records), written)
        for name in own:
            done = self.as_other("cat %s/%s" % (info["workdir"], name))
            self.assertEqual((done.returncode, done.stdout), (1, ""), name)
        self.assertEqual(self.as_other("id -un").stdout.strip(), info["otherUser"])    # who did get in
        if records:
            modes = base.on_cluster("cd %s && stat -c %%a %s" % (info["workdir"], " ".join(records))).split()
            self.assertEqual(set(modes), {"600"})    # also where the folder is the project's


if __name__ == "__main__":
    unittest.main(verbosity=2)
