#!/usr/bin/python3
"""One submission, one job, on real Slurm behind real sshd: several shells at one moment, connections that are cut, left half open or
deliver late what they held, and sites that rewrite the comment of jobs that wait. RANKWRIGHT_CLI names the program; --long takes
the full numbers."""
import concurrent.futures
import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base  # noqa: E402
from test_killed import jobs_called  # noqa: E402

LONG = "--long" in sys.argv
ROUNDS = 10 if LONG else 3
CUTS = int(os.environ.get("RANKWRIGHT_CUTS", "60" if LONG else "8"))
REWRITTEN = 10 if LONG else 3
SEED = os.environ.get("RANKWRIGHT_SEED", "7")
AT_ONCE = 8
LIMIT = 400
WAYS = ("half-open", "late", "killed", "reset")
# A script of many packets, so that most cuts fall into it.
LARGE = "true " + " ".join("shard-%05d.tar" % number for number in range(2600))


def tearDownModule():
    base.Cluster.stop()


class Proxy:
    """Carries one connection to the login node until so many bytes of the client have passed; then does what `way` says."""

    def __init__(self, way, most):
        self.way, self.most, self.passed = way, most, 0
        self.cut, self.over, self.held = threading.Event(), threading.Event(), b""
        self.listener = socket.create_server((base.Cluster.info["host"], 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            self.client, _ = self.listener.accept()
            # One connection and no more: who comes back goes past the proxy, as over another network.
            self.listener.close()
            self.server = socket.create_connection((base.Cluster.info["host"], base.Cluster.info["port"]))
            threading.Thread(target=self.answers, daemon=True).start()
            while piece := self.client.recv(512):
                if self.cut.is_set():
                    self.held += piece      # of a line that has frozen: sent, and not arrived
                    continue
                now = piece[:max(0, self.most - self.passed)]
                self.server.sendall(now)
                self.passed += len(now)
                if self.passed >= self.most and self.way != "none":
                    self.held = piece[len(now):]
                    self.cut.set()
                    if self.way == "reset":
                        for each in (self.client, self.server):
                            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                            each.shutdown(socket.SHUT_RD)
                            each.close()
                        return
            if not self.cut.is_set():
                self.server.shutdown(socket.SHUT_WR)

    def answers(self):
        with contextlib.suppress(OSError):
            while piece := self.server.recv(4096):
                if not self.cut.is_set():
                    self.client.sendall(piece)
            if not self.cut.is_set():
                self.client.shutdown(socket.SHUT_WR)

    def release(self):
        """The line is there again: what the client sent before it ended arrives now."""
        with contextlib.suppress(OSError):
            self.server.sendall(self.held)

    def close(self):
        for each in (self.listener, getattr(self, "client", None), getattr(self, "server", None)):
            with contextlib.suppress(OSError, AttributeError):
                each.close()


class OnceCase(base.ClusterCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, *words):
        return subprocess.Popen([os.environ["RANKWRIGHT_CLI"], *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                stdin=subprocess.DEVNULL,
                                env=dict(os.environ, XDG_DATA_HOME=self.folder, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state))

    def run_cli(self, *words):
        out, err = (process := self.start(*words)).communicate(timeout=LIMIT)
        return process.returncode, out.strip(), err.strip()

    def design(self, name, command="true"):
        path = "%s/%s.json" % (self.folder, name)
        with open(path, "w") as stream:
            json.dump({"version": 1, "name": name, "cluster": "practice", "partition": "small-g",
                       "account": base.Cluster.info["account"], "time": "00:02:00", "launcher": "srun",
                       "resources": {"nodes": 1, "gpusPerNode": 1}, "parallel": {"strategy": "single"}, "command": command,
                       "workdir": base.Cluster.info["workdir"]}, stream)
        return path


class AtOnce(OnceCase):
    def shells(self, count):
        for number in range(ROUNDS):
            name = "once-%d-%d-%d" % (os.getpid(), count, number)
            design = self.design(name)
            shells = [self.start("submit", design) for _ in range(count)]
            answers = [shell.communicate(timeout=LIMIT) for shell in shells]
            codes = [shell.returncode for shell in shells]
            self.assertEqual(codes, [0] * count, answers)
            ids = sorted({out.strip() for out, _ in answers})
            self.assertEqual(jobs_called(name), ids, answers)
            self.assertEqual(len(ids), 1, answers)
            sent = [err for _, err in answers if "Submitted as job" in err]
            self.assertEqual(len(sent), 1, answers)
            # Asked for again, now that everybody knows: a second job, as ever.
            if number == 0:
                code, other, err = self.run_cli("submit", design)
                self.assertEqual(code, 0, err)
                self.assertEqual(jobs_called(name), sorted(ids + [other]))
                self.assertNotIn(other, ids, err)

    def test_two_shells(self):
        self.shells(2)

    def test_five_shells(self):
        self.shells(5)

    def test_one_of_two_killed(self):
        """Killed at any moment, the other one ends with the job all the same."""
        chance = random.Random("killed " + SEED)
        for number in range(ROUNDS):
            name = "once-k-%d-%d" % (os.getpid(), number)
            design = self.design(name)
            first, second = self.start("submit", design), self.start("submit", design)
            time.sleep(chance.uniform(0.3, 2.5))
            first.kill()
            first.communicate()
            out, err = second.communicate(timeout=LIMIT)
            self.assertEqual(second.returncode, 0, err)
            self.assertEqual(jobs_called(name), [out.strip()], err)


class Cut(OnceCase):
    def words(self, proxy):
        info = base.Cluster.info
        known = "%s/known-%d" % (self.folder, proxy.port)
        with open(info["knownHosts"]) as stream:
            text = stream.read().replace(":%d" % info["port"], ":%d" % proxy.port)
        with open(known, "w") as stream:
            stream.write(text)
        return ("--host", info["host"], "--port", str(proxy.port), "--user", info["user"], "--identity", info["identity"],
                "--known-hosts", known)

    def trial(self, number, most):
        chance = random.Random("%s %d" % (SEED, number))
        way = WAYS[number % len(WAYS)]
        name = "cut-%d-%d" % (os.getpid(), number)
        design = self.design(name, LARGE)
        # Rehearsal and submission carry the script once each; what is held and comes late is a part of the second one.
        at = int(chance.uniform(0.58 if way == "late" else 0.45, 1.0) * most)
        proxy = Proxy("none" if way == "killed" else way, at)
        story = ["%s after %d of %d bytes" % (way, at, most)]
        try:
            process = self.start("submit", design, *self.words(proxy))
            end = time.monotonic() + 120
            while process.poll() is None and not proxy.cut.is_set() and proxy.passed < at and time.monotonic() < end:
                time.sleep(0.002)
            if way != "reset":
                time.sleep(chance.uniform(0.0, 0.3))
                process.send_signal(signal.SIGKILL)
            if way == "late":
                timer = threading.Timer(chance.uniform(5, 45), proxy.release)
                timer.start()
            out, err = process.communicate(timeout=LIMIT)
            story.append((process.returncode, out.strip(), err.strip()))
            code = 0
            if not out.strip():
                code, out, err = self.run_cli("submit", design)
                story.append((code, out, err))
            if way == "late":
                timer.join()
                time.sleep(8)       # a second job would be there by now
            return name, code, out.strip(), story
        finally:
            proxy.close()

    def test_cut_anywhere(self):
        probe = Proxy("none", 1 << 30)
        code, out, err = self.run_cli("submit", self.design("cut-probe", LARGE), *self.words(probe))
        probe.close()
        self.assertEqual(code, 0, err)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            trials = list(pool.map(lambda number: self.trial(number, probe.passed), range(CUTS)))
        time.sleep(3)
        wrong = []
        for name, code, job, story in trials:
            jobs = jobs_called(name)
            if code != 0 or jobs != [job]:
                wrong.append((name, jobs, story))
        self.assertEqual(wrong, [], json.dumps(wrong, indent=1, ensure_ascii=False))
        for _ in range(60):
            waiting = base.on_cluster("ps -u \"$(id -un)\" -ww -o args= | grep -c -e '[s]batch --parsable --comment=rw-' || true").strip()
            if waiting == "0":
                break
            time.sleep(1)
        self.assertEqual(waiting, "0", "shells that still wait for their script")


# What a site's submit plug-in does: the comment is its own. The job waits in a way that keeps it out of the accounting.
SITE = """#!/bin/bash
case "$*" in *--test-only*) exec /usr/bin/sbatch "$@";; esac
s=$(cat; echo x)
case $s in
    *rewritten-hold*) how=--hold ;;
    *rewritten-begin*) how=--begin=now+1hour ;;
    *) how=--dependency=afterany:$(cat ~/bin/first) ;;
esac
id=$(printf %s "${s%x}" | /usr/bin/sbatch "$how" "$@") || exit
scontrol update jobid="$id" comment='checked by the site'
sleep 5
echo "$id"
"""


class Rewritten(OnceCase):
    def trial(self, number):
        kind = ("hold", "begin", "after")[number % 3]
        name = "rewritten-%s-%d-%d" % (kind, os.getpid(), number)
        design = self.design(name)
        process = self.start("submit", design)
        end = time.monotonic() + 120
        while not (jobs := base.ssh("squeue -h -t all -n %s -o %%i" % name).stdout.split()) and time.monotonic() < end:
            time.sleep(0.2)
        process.kill()
        process.communicate()
        return name, jobs, self.run_cli("submit", design)

    def test_found_by_its_script(self):
        first = base.on_cluster("sbatch --parsable --hold -A %s -p small-g -t 1 -o /dev/null" % base.Cluster.info["account"],
                                "#!/bin/bash\ntrue\n").strip()
        self.addCleanup(base.ssh, "rm -rf ~/bin ~/.bashrc; scancel -u $(id -un) -t PENDING")
        base.on_cluster("mkdir -p ~/bin && cat >~/bin/sbatch && chmod +x ~/bin/sbatch && echo %s >~/bin/first && "
                        "echo 'export PATH=$HOME/bin:$PATH' >~/.bashrc" % first, SITE)
        with concurrent.futures.ThreadPoolExecutor(5) as pool:
            trials = list(pool.map(self.trial, range(REWRITTEN)))
        for name, jobs, (code, out, err) in trials:
            self.assertEqual(len(jobs), 1, name)
            self.assertEqual(base.on_cluster("squeue -h -j %s -o %%k" % jobs[0]).strip(), "checked by the site")
            self.assertEqual((code, out), (0, jobs[0]), "%s: %s" % (name, err))
            self.assertIn("Nothing was sent again", err)
            self.assertEqual(jobs_called(name), jobs, err)


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--long"])
