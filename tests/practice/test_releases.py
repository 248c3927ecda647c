#!/usr/bin/python3
"""Newer releases of Slurm: sbatch answers as 25.05, 25.11 and 26.05 do, in front of a real cluster, and rehearsals harm no
controller. The forms are those of tests/data/slurm/releases. RANKWRIGHT_CLI names the program."""
import json
import os
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_foreign as foreign  # noqa: E402
import test_practice as base  # noqa: E402

# A dry run's answer in words of another release; RELEASE and the expression of sed are filled in.
SBATCH = """#!/bin/bash
case " $* " in
  *" -V "*) echo slurm RELEASE; exit ;;
  *" --test-only "*)
    e=$(/usr/bin/sbatch "$@" 2>&1 >/dev/null); s=$?
    [ -z "$e" ] || printf '%s\\n' "$e" | sed 'WORDS' >&2
    exit $s ;;
esac
exec /usr/bin/sbatch "$@"
"""
SCONTROL = """#!/bin/bash
/usr/bin/scontrol "$@" | sed 's/^\\(SLURM_VERSION *= \\).*/\\1RELEASE/'
exit "${PIPESTATUS[0]}"
"""
PATH = "export PATH=$HOME/bin:$PATH\n"


def tearDownModule():
    base.Cluster.stop()


class Releases(foreign.Site):
    def setUp(self):
        super().setUp()
        self.data = self.folder

    def release(self, number, words):
        return self.start_up_file(PATH, sbatch=SBATCH.replace("RELEASE", number).replace("WORDS", words),
                                  scontrol=SCONTROL.replace("RELEASE", number))

    def queued(self):
        return base.on_cluster("squeue -h -o %i").split()

    def test_submit_test_only_and_wait(self):
        for number, words in (("25.05.8", "s/ using / a using /"), ("25.11.7", "s/ using / a using /"),
                              ("26.05.3", "s/ using / on cluster practice a using /"), ("27.05.0", "s/.*/sbatch: It may start./")):
            with self.subTest(number), self.release(number, words):
                self.folder = os.path.join(self.data, number)   # each five dry runs a minute
                os.mkdir(self.folder)
                name = "r" + number.replace(".", "")
                asked = self.cli("submit", self.design(name), "--test-only", "--json")
                self.assertEqual(asked.returncode, 0, asked.stderr)
                answer = json.loads(asked.stdout)
                self.assertIsNone(answer["jobId"])
                self.assertIsNone(answer["refusal"])
                said = self.cli("submit", self.design(name), "--test-only")
                self.assertEqual(said.returncode, 0, said.stderr)
                if number == "27.05.0":
                    self.assertIsNone(answer["startEstimate"])
                    self.assertEqual(said.stdout, "Slurm would take it; it gave no estimate of the start.\n")
                else:
                    self.assertRegex(answer["startEstimate"], r"^20\d\d-\d\d-\d\dT")
                    self.assertIn(" a using ", said.stdout)
                self.assertEqual(self.queued(), [])
                done = self.cli("submit", self.design(name, command="hostname"), "--wait", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["job"]["state"], "COMPLETED")

    def test_the_sentence_of_the_site_is_the_answer(self):
        wrapper = ("#!/bin/bash\necho 'sbatch: error: Please name a project of the course.' >&2\n"
                   "echo 'allocation failure: Unspecified error' >&2\nexit 1\n")
        with self.start_up_file(PATH, sbatch=wrapper):
            done = self.cli("submit", self.design("refused"), "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(json.loads(done.stdout)["refusal"], "The site refuses it: Please name a project of the course.")
        self.assertEqual(self.queued(), [])

    def test_a_controller_that_ends_in_a_rehearsal(self):
        wrapper = ("#!/bin/bash\necho \"$*\" >>~/asked\necho 'allocation failure: Zero Bytes were transmitted or received' >&2\n"
                   "exit 1\n")
        self.addCleanup(base.ssh, "rm -f ~/asked")
        with self.start_up_file(PATH, sbatch=wrapper):
            done = self.cli("submit", self.design("broken"), "--json")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIsNone(json.loads(done.stdout)["refusal"])
        self.assertIn("controller did not answer the dry run; nothing was sent", done.stderr)
        self.assertEqual(len(base.on_cluster("cat ~/asked").splitlines()), 1)   # asked once, and nothing was sent
        listed = self.cli("jobs", "practice", "--json")
        self.assertNotIn("broken", listed.stdout)

    def test_a_list_whose_first_partition_has_no_nodes(self):
        """Asked as it stands, such a list is refused for its first partition's sake, or ends slurmctld: it divides by no CPUs."""
        self.as_root("scontrol create PartitionName=empty State=UP")
        self.addCleanup(self.as_root, "scontrol delete PartitionName=empty")
        began = base.Cluster.refresh()["pids"]["slurmctld"]
        asked = self.cli("submit", self.with_list("empty,small-g"), "--test-only", "--json")
        self.assertEqual(asked.returncode, 0, asked.stderr)
        answer = json.loads(asked.stdout)
        self.assertIn("empty,small-g", answer["script"])
        self.assertIn("small-g", answer["forecastNote"])
        done = self.cli("submit", self.with_list("small-g,standard-g"), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.cli("cancel", "practice", json.loads(done.stdout)["jobId"])
        self.assertEqual(base.Cluster.refresh()["pids"]["slurmctld"], began)    # it lives

    def with_list(self, partitions):
        path = self.design(partitions.replace(",", "-"), command="hostname")
        written = self.cli("script", path).stdout
        lines = written.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("#SBATCH --partition="))
        with open(path) as stream:
            entry = json.load(stream)
        entry["overrides"] = [{"after": lines[at - 1].split("=")[0], "below": 0, "instead": [lines[at]],
                               "lines": ["#SBATCH --partition=" + partitions]}]
        with open(path, "w") as stream:
            json.dump(entry, stream)
        return path

    def test_a_release_that_a_rehearsal_ends_is_not_asked(self):
        scontrol = SCONTROL.replace("'s/^", "'s/^\\(PreemptType *= \\).*/\\1preempt\\/partition_prio/;s/^").replace("RELEASE", "24.11.1")
        wrapper = "#!/bin/bash\necho \"$*\" >>~/asked\nexec /usr/bin/sbatch \"$@\"\n"
        self.addCleanup(base.ssh, "rm -f ~/asked")
        with self.start_up_file(PATH, sbatch=wrapper, scontrol=scontrol):
            asked = self.cli("submit", self.design("unasked"), "--test-only")
            done = self.cli("submit", self.design("unasked", command="hostname"), "--wait")
        self.assertEqual(asked.returncode, 1, asked.stderr)
        self.assertIn("No dry run was made", asked.stdout)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("No dry run was made", done.stderr)
        self.assertNotIn("--test-only", base.on_cluster("cat ~/asked"))

    def test_five_rehearsals_a_minute(self):
        began = time.monotonic()
        codes = [self.cli("submit", self.design("many"), "--test-only").returncode for _ in range(6)]
        if time.monotonic() - began < 55:
            self.assertEqual(codes, [0] * 5 + [1])
        done = self.cli("submit", self.design("many", command="hostname"), "--wait")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
