#!/usr/bin/python3
"""Whose state folder the practice cluster believes: a neighbour's names processes to end and programs to run."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "practice", "practice.py"))


def start_time(pid):
    with open("/proc/%d/stat" % pid) as stream:
        return int(stream.read().rpartition(")")[2].split()[19])


class Neighbours(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.victim = subprocess.Popen(["/bin/sleep", "300"])
        self.addCleanup(self.end)
        with open("/proc/sys/kernel/random/boot_id") as stream:
            boot = stream.read().strip()
        mark = {"pid": self.victim.pid, "start": start_time(self.victim.pid)}
        self.write("processes.json", {"boot": boot, "processes": {"relay": mark, "keeper": mark, "sshd": mark}})
        self.write("cluster.json", {"phase": "ready", "port": 2222})

    def end(self):
        self.victim.kill()
        self.victim.wait()

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w") as stream:
            json.dump(value, stream)
        os.chmod(os.path.join(self.folder, name), 0o600)

    def refused(self, command, words):
        done = subprocess.run([sys.executable, "-B", SCRIPT, command, "--state", self.folder], capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertIsNone(self.victim.poll(), "a process that a neighbour named was ended")

    def test_a_folder_that_others_may_write(self):
        os.chmod(self.folder, 0o777)
        for command in ("down", "status"):
            self.refused(command, "other users may write")

    def test_a_file_that_others_may_write(self):
        os.chmod(os.path.join(self.folder, "processes.json"), 0o666)
        self.refused("down", "was not written by this user")

    @unittest.skipIf(os.geteuid() != 0, "only root can give a folder away")
    def test_a_folder_of_another_user(self):
        os.chown(self.folder, 65534, 65534)
        self.refused("down", "belongs to another user")
        os.chown(self.folder, 0, 0)
        os.chown(os.path.join(self.folder, "processes.json"), 65534, 65534)
        self.refused("down", "was not written by this user")

    def test_ones_own_is_read(self):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "status", "--state", self.folder], capture_output=True, text=True, timeout=900)
        self.assertNotEqual(done.returncode, 3, done.stderr)


if __name__ == "__main__":
    unittest.main()
