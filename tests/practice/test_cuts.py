#!/usr/bin/python3
"""Cuts watching clients off from a running job at random moments: no sampler may outlive its client for long, and the job
must not notice. RANKWRIGHT_CLI names the program, RANKWRIGHT_CUTS how many cuts (8)."""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import test_practice as base  # noqa: E402

CUTS = int(os.environ.get("RANKWRIGHT_CUTS", "8"))
AT_ONCE = 10
INTERVAL = 1301    # ms, and one more for each client: no default, so that other tests' samplers on this machine are not counted
WAYS = ("killed", "closed", "frozen")


def samplers():
    """Interval (each client has one of its own) -> command lines of its remote processes, on all nodes; of our clients only."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/cmdline" % name, "rb") as stream:
                words = stream.read().split(b"\0")
        except OSError:
            continue
        if b"rankwright" in words and any(b"@rw-ranks" in word for word in words):
            for place, word in enumerate(words[:-2]):
                if word == b"rankwright" and words[place + 1] in (b"amd", b"nvidia"):
                    interval = int(words[place + 2])
                    if INTERVAL <= interval < INTERVAL + CUTS:
                        found.setdefault(interval, []).append(b" ".join(words)[:20].decode())
    return found


class Client:
    """A rankwright-cli that watches the job, and the moment at which it is cut off."""

    def __init__(self, job, number, folder, chance):
        self.way, self.number = WAYS[number % len(WAYS)], number
        self.interval = INTERVAL + number
        self.wait = chance.uniform(0.3, 7.0)
        words = ["--seconds", str(1 + round(self.wait))] if self.way == "closed" else []
        self.out = open("%s/client-%d" % (folder, number), "w+")
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [os.environ["RANKWRIGHT_CLI"], "watch", "practice", job, "--interval", str(self.interval), *words], stdout=self.out,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env=dict(os.environ, XDG_DATA_HOME=folder, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state))
        self.early = number % 4 == 3     # while it logs in or starts its samplers; the others while samples come
        self.sampled, self.cut, self.seen = None, None, None

    def step(self, now, alive):
        if self.interval in alive:
            self.seen = now
        if self.sampled is None and '"utilizationPercent"' in self.printed():
            self.sampled = now
        if self.cut is not None:
            return
        if self.way == "closed" or self.process.poll() is not None:
            self.cut = now if self.process.poll() is not None else None
        elif now - self.began >= base.LONG / 3 or (now - self.began if self.early else self.sampled and now - self.sampled or 0) >= self.wait:
            self.process.send_signal(signal.SIGKILL if self.way == "killed" else signal.SIGSTOP)
            self.cut = now

    def settled(self, now):
        """Cut off, and for some seconds without any remote process: what had just been started has come and gone."""
        return self.cut is not None and now - max(self.cut, self.seen or 0) > 6

    def printed(self):
        with open(self.out.name) as stream:
            return stream.read()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.out.close()

    def lived(self):
        """Seconds for which a remote process was seen after the cut."""
        return max(0.0, (self.seen or 0) - self.cut) if self.cut else base.LONG


class Cuts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not os.path.exists(os.environ.get("RANKWRIGHT_CLI", "")):
            raise unittest.SkipTest("RANKWRIGHT_CLI does not name the program")
        base.Cluster.start()
        cls.folder = tempfile.mkdtemp(prefix="cuts-")

    @classmethod
    def tearDownClass(cls):
        base.Cluster.stop()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def round(self, job, numbers, chance):
        clients = [Client(job, number, self.folder, chance) for number in numbers]
        end, now = time.monotonic() + base.LONG, time.monotonic()
        while not all(client.settled(now) for client in clients) and now < end:
            alive, now = samplers(), time.monotonic()
            for client in clients:
                client.step(now, alive)
            time.sleep(0.1)
        late = [(client.way, client.number) for client in clients if not client.settled(now)]
        for client in clients:
            client.end()
        self.assertEqual(late, [], "samplers that lived on")
        return clients

    def test_no_sampler_outlives_its_client(self):
        chance = random.Random(os.environ.get("RANKWRIGHT_CUTS_SEED", "5"))
        rounds = -(-CUTS // AT_ONCE)
        job = base.submit(base.TORCHRUN + " --steps %d --seconds %d" % (25 + 60 * rounds, 20 + 24 * rounds), 1)
        self.assertTrue(base.wait_until(lambda: "step " in base.log_of(job)), base.log_of(job))
        clients = []
        for first in range(0, CUTS, AT_ONCE):
            self.assertEqual(base.on_cluster("squeue -h -j %s -o %%T" % job).strip(), "RUNNING", "the job ended too early")
            clients += self.round(job, range(first, min(CUTS, first + AT_ONCE)), chance)
        for way in WAYS:
            lived = sorted(client.lived() for client in clients if client.way == way)
            if lived:
                print("%s: %d cuts, samplers gone after %.1f to %.1f s, median %.1f s" % (
                    way, len(lived), lived[0], lived[-1], lived[len(lived) // 2]), flush=True)
        sampled = sum(client.sampled is not None for client in clients)
        self.assertGreater(sampled, len(clients) // 3, "too few of the clients ever sampled")
        self.assertEqual(base.wait_for(job), "COMPLETED", base.log_of(job))
        reported = base.on_cluster("sacct -n -P -j %s.0 -o state,exitcode" % job).strip()
        self.assertEqual(reported, "COMPLETED|0:0", "the job's own step")
        self.assertEqual(samplers(), {})
        print("%d cuts; %d clients had samples; the job's own step: %s" % (
            len(clients), sampled, reported), flush=True)


if __name__ == "__main__":
    unittest.main()
