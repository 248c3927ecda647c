#!/usr/bin/python3
"""Ports and shells of a running job on a real Slurm whose nodes have a network of their own: a service that listens on its node's
name, one that listens on the node's loopback alone (no way but a step), shells under a terminal. RANKWRIGHT_CLI names the program."""
import concurrent.futures
import json
import os
import pty
import select
import signal
import shutil
import struct
import fcntl
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base  # noqa: E402

# Each node serves its own name: on 7001 to everybody, on 7002 to itself.
SERVICE = """#!/bin/bash
#SBATCH --account={account} --partition=small-g --nodes=2 --ntasks-per-node=1 --time=60 --output={workdir}/reach-%j.out
srun bash -c 'd=$(mktemp -d); cd "$d"; hostname >name; head -c 20000000 /dev/zero >much
  python3 -m http.server 7001 --bind 0.0.0.0 >/dev/null 2>&1 & python3 -m http.server 7002 --bind 127.0.0.1 >/dev/null 2>&1 &
  for port in 7001 7002; do until (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null; do sleep 0.1; done; echo serving; done; wait'
"""


def tearDownModule():
    base.Cluster.stop()


class Reach(base.ClusterCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.mkdtemp()
        info = base.Cluster.info
        cls.job = base.on_cluster("sbatch --parsable", SERVICE.format(account=info["account"], workdir=info["workdir"])).strip()
        # Two services on each node, and each node has said so.
        listening = "grep -c serving %s/reach-%s.out 2>/dev/null || true" % (info["workdir"], cls.job)
        base.wait_until(lambda: base.on_cluster(listening).strip() == "4")

    @classmethod
    def tearDownClass(cls):
        base.on_cluster("scancel %s" % cls.job)
        shutil.rmtree(cls.folder)

    def environment(self):
        return dict(os.environ, XDG_DATA_HOME=self.folder, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state, TERM="xterm")

    def forward(self, *words):
        process = subprocess.Popen([os.environ["RANKWRIGHT_CLI"], "forward", "practice", self.job, *words, "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                                   env=self.environment())
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        text = ""
        for line in process.stdout:
            text += line
            if line.startswith("}"):
                break
        return process, json.loads(text)

    def read(self, port, name="name"):
        with urllib.request.urlopen("http://127.0.0.1:%d/%s" % (port, name), timeout=900) as answer:
            return answer.read()

    def test_from_the_login_node(self):
        _, said = self.forward("7001", "--node", "nid005002")
        self.assertEqual((said["way"], said["node"], said["port"]), ("login", "nid005002", 7001))
        self.assertEqual(self.read(said["localPort"]), b"nid005002\n")

    def test_by_a_step_where_it_listens_for_itself(self):
        for node in ("nid005001", "nid005002"):
            _, said = self.forward("7002", "--node", node)
            self.assertEqual((said["way"], said["node"]), ("step", node))
            self.assertEqual(self.read(said["localPort"]), (node + "\n").encode())
            with concurrent.futures.ThreadPoolExecutor(20) as many:
                answers = list(many.map(lambda _: self.read(said["localPort"]), range(40)))
            self.assertEqual(set(answers), {(node + "\n").encode()})
            self.assertEqual(self.read(said["localPort"], "much"), bytes(20000000))

    def test_without_python(self):
        """The program for bash alone, as it is sent to a node that has no Python."""
        with open(os.path.join(os.path.dirname(__file__), "../../resources/remote/node-relay.sh")) as stream:
            program = stream.read()
        request = "GET /name HTTP/1.0\r\n\r\n"
        command = ("cat >relay.sh; { printf '%s'; sleep 2; } | srun --overlap --jobid=%s --nodes=1 --ntasks=1 --nodelist=nid005002 "
                   "--unbuffered bash -c \"$(cat relay.sh)\" rankwright 7002" % (request.replace("\r\n", "\\r\\n"), self.job))
        answer = base.on_cluster(command, program)
        self.assertIn("RANKWRIGHT-RELAY open", answer)
        self.assertTrue(answer.endswith("\n\nnid005002\n"), answer)

    def test_taken_port(self):
        _, first = self.forward("7001")
        _, second = self.forward("7001")
        self.assertNotEqual(first["localPort"], second["localPort"])

    def test_ends_quietly(self):
        process, _ = self.forward("7002")
        process.send_signal(signal.SIGINT)
        process.wait(900)
        left = "ps -u \"$(id -un)\" -o args= | grep -e '[s]run --overlap' || true"
        self.assertTrue(base.wait_until(lambda: "srun --overlap" not in base.on_cluster(left)), base.on_cluster(left))

    def test_what_cannot_be(self):
        def run(*words):
            return subprocess.run([os.environ["RANKWRIGHT_CLI"], *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                  env=self.environment(), timeout=900)
        self.assertEqual(run("forward", "practice", self.job, "70000").returncode, 2)
        self.assertEqual(run("forward", "practice", "1;id", "7001").returncode, 2)
        other = run("shell", "practice", self.job, "--node", "g1101", "true")
        self.assertNotEqual(other.returncode, 0)
        self.assertIn("not one of job", other.stderr)

    def test_shell_without_a_terminal(self):
        done = subprocess.run([os.environ["RANKWRIGHT_CLI"], "shell", "practice", self.job, "--node", "nid005002"], text=True,
                              input="hostname; echo job=$SLURM_JOB_ID; exit 9\n", capture_output=True, env=self.environment(), timeout=900)
        self.assertEqual(done.returncode, 9, done.stderr)
        self.assertEqual(done.stdout.split(), ["nid005002", "job=" + self.job])
        words = subprocess.run([os.environ["RANKWRIGHT_CLI"], "shell", "practice", self.job, "--", "printf", "%s|", "it's", "$HOME"],
                               capture_output=True, text=True, stdin=subprocess.DEVNULL, env=self.environment(), timeout=900)
        self.assertEqual(words.stdout, "it's|$HOME|")

    def test_shell_under_a_terminal(self):
        pid, master = pty.fork()
        if pid == 0:
            os.execve(os.environ["RANKWRIGHT_CLI"], ["rankwright-cli", "shell", "practice", self.job, "--node", "nid005002"],
                      self.environment())
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 97, 0, 0))
        screen = ""

        def wait_for(text, asking=b""):
            nonlocal screen
            for _ in range(2 * base.LONG):
                os.write(master, asking)
                if select.select([master], [], [], 0.5)[0]:
                    screen += os.read(master, 65536).decode(errors="replace")
                if text in screen:
                    return
            self.fail(screen)

        wait_for("nid005002")
        os.write(master, b"echo here-$((6*7))-$(hostname); stty size; tty\n")
        wait_for("here-42-nid005002")
        wait_for("33 97")
        wait_for("/dev/pts/")
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 21, 64, 0, 0))
        wait_for("21 64", asking=b"stty size\n")    # until the new size has come through
        os.write(master, b"echo go-$((1+1)); sleep 3000\n")
        wait_for("go-2")
        os.write(master, b"\x03")
        os.write(master, b"exit 6\n")
        for _ in range(2 * base.LONG):
            try:
                if select.select([master], [], [], 0.5)[0] and not os.read(master, 65536):
                    break
            except OSError:
                break
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 6)


if __name__ == "__main__":
    unittest.main()
