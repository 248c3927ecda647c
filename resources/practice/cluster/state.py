"""The state folder: what is kept between runs, which processes are ours, one writer at a time."""
import fcntl
import hashlib
import json
import os
import random
import signal
import socket
import stat
import time

from .errors import Cannot, say


def default_dir():
    named = os.environ.get("RANKWRIGHT_PRACTICE_DIR")
    if named:
        return named
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(base, "rankwright", "practice")


def write_file(path, text, mode=0o644):
    """Replaces a file in one step, so that a crash leaves the old one or the new one."""
    temporary = path + ".new"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "w") as stream:
        os.fchmod(stream.fileno(), mode)
        stream.write(text)
    os.replace(temporary, path)


def start_time(pid):
    """Start of a process in clock ticks since boot, or None if it is gone or only a zombie."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as stream:
            fields = stream.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in (b"Z", b"X") else int(fields[19])


def is_stopped(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as stream:
            return stream.read().rpartition(b")")[2].split()[0] in (b"T", b"t")
    except OSError:
        return False


def boot_id():
    with open("/proc/sys/kernel/random/boot_id") as stream:
        return stream.read().strip()


def is_ours(facts):
    """Whether nobody else can have written a file or folder: what it names would be started or ended."""
    others = facts.st_mode & stat.S_IWOTH or (facts.st_mode & stat.S_IWGRP and facts.st_gid != os.getegid())
    return facts.st_uid == os.geteuid() and not others


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class State:
    """One state folder."""

    def __init__(self, path):
        self.dir = os.path.realpath(path)
        self.id = hashlib.sha256(self.dir.encode()).hexdigest()[:8]
        self.lock_file = None
        self.data = {}
        self.processes = {}
        self.load()

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def check_owner(self):
        """Before anything of it is read: processes that it names are ended, and its files are run."""
        try:
            facts = os.lstat(self.dir)
        except FileNotFoundError:
            return
        except OSError as error:
            raise Cannot("cannot use the state folder %s (%s); name another one with --state" % (self.dir, error.strerror))
        if not stat.S_ISDIR(facts.st_mode):
            raise Cannot("%s is not a folder; name another one with --state" % self.dir)
        if facts.st_uid != os.geteuid():
            raise Cannot("the state folder %s belongs to another user; name another one with --state" % self.dir)
        if not is_ours(facts):
            raise Cannot("other users may write to the state folder %s; take that right away with chmod go-w, "
                         "or name another one with --state" % self.dir)

    def load(self):
        self.check_owner()
        self.data = self._read("cluster.json")
        recorded = self._read("processes.json")
        self.processes = recorded.get("processes", {}) if recorded.get("boot") == boot_id() else {}

    def _read(self, name):
        try:
            descriptor = os.open(self.path(name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return {}
        with os.fdopen(descriptor) as stream:
            facts = os.fstat(stream.fileno())
            if not stat.S_ISREG(facts.st_mode) or not is_ours(facts):
                raise Cannot("%s was not written by this user; remove it, or name another folder with --state" % self.path(name))
            try:
                value = json.load(stream)
            except (OSError, ValueError):
                return {}
        return value if isinstance(value, dict) else {}

    def save(self):
        write_file(self.path("cluster.json"), json.dumps(self.data, indent=1) + "\n", 0o600)

    def prepare(self):
        """Creates the folder with what is chosen once and kept."""
        for name in ("log", "etc", "etc/slurm", "keys", "run", "run/root", "run/munge", "spool", "shared"):
            os.makedirs(self.path(name), mode=0o700, exist_ok=True)
        self.check_owner()
        self.data.setdefault("port", free_port())
        # Slurm's cgroup folders carry only node name and job number: numbers of their own keep two clusters apart.
        self.data.setdefault("firstJobId", random.randrange(1000, 6000) * 10000 + 1)
        self.save()

    def acquire(self, create=True):
        """Waits for other commands on the same folder."""
        if not create and not os.path.isdir(self.dir):
            return
        try:
            os.makedirs(self.dir, mode=0o700, exist_ok=True)
            self.lock_file = open(self.path("lock"), "a")
        except OSError as error:
            raise Cannot("cannot use the state folder %s (%s); name another one with --state" % (self.dir, error.strerror))
        for attempt in range(1200):
            try:
                fcntl.flock(self.lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.load()
                return
            except BlockingIOError:
                if attempt == 0:
                    say("another command works on %s, waiting for it" % self.dir)
                time.sleep(0.1)
        raise Cannot("another practice command has held %s for two minutes; end it and try again" % self.path("lock"))

    # processes that belong to this cluster

    def record(self, name, pid):
        self.processes[name] = {"pid": pid, "start": start_time(pid)}
        self._save_processes()

    def forget(self, *names):
        for name in names:
            self.processes.pop(name, None)
        self._save_processes()

    def forget_all(self):
        self.processes = {}
        if os.path.isdir(self.dir):
            self._save_processes()

    def _save_processes(self):
        text = json.dumps({"boot": boot_id(), "processes": self.processes}, indent=1) + "\n"
        write_file(self.path("processes.json"), text, 0o600)

    def pid(self, name):
        """The process of that name if it still is the one that was started, else None."""
        entry = self.processes.get(name)
        if not entry or entry["start"] is None or start_time(entry["pid"]) != entry["start"]:
            return None
        return entry["pid"]

    def send(self, name, number):
        """Sends a signal through a handle, so that a recycled process number is never hit."""
        entry = self.processes.get(name)
        if not entry:
            return False
        return signal_exact(entry["pid"], entry["start"], number)

    def stop(self, name, number=signal.SIGTERM, patience=3.0):
        """Ends one of our processes and waits until it is gone; kills it after patience seconds."""
        if self.send(name, number):
            if not wait_until(lambda: self.pid(name) is None, patience):
                self.send(name, signal.SIGKILL)
                wait_until(lambda: self.pid(name) is None, 2.0)
        self.forget(name)


def signal_exact(pid, start, number):
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if start is None or start_time(pid) != start:
            return False
        signal.pidfd_send_signal(handle, number)
        return True
    except OSError:
        return False
    finally:
        os.close(handle)


def wait_until(condition, seconds, pause=0.03):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            return None
        time.sleep(pause)
