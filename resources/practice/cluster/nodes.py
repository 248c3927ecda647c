"""Nodes as sets of namespaces: starting them, finding them, running things in them."""
import os
import signal
import subprocess
import sys

from . import layout, namespaces
from .errors import Cannot
from .state import signal_exact, start_time, wait_until

HERE = os.path.dirname(os.path.abspath(__file__))
INIT = os.path.join(HERE, "node_init.py")
KINDS = ("pid", "ipc", "uts", "net", "mnt")
PYTHON = "/usr/bin/python3"


def kinds(*wanted):
    """The namespaces to enter; an ordinary user first needs its own user namespace."""
    return (() if os.geteuid() == 0 else ("user",)) + (wanted or KINDS)


def find(state, script=INIT):
    """Processes of this state folder by their command line: [(pid, start, node)], also ones no file knows of."""
    found = []
    marker = state.dir.encode()
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open("/proc/%s/cmdline" % entry, "rb") as stream:
                words = stream.read().split(b"\0")
        except OSError:
            continue
        if os.fsencode(script) not in words[:5] or b"--practice-state" not in words:
            continue
        if words[words.index(b"--practice-state") + 1] != marker:
            continue
        start = start_time(int(entry))
        name = words[words.index(b"--node") + 1].decode() if b"--node" in words else ""
        if start is not None:
            found.append((int(entry), start, name))
    return found


def is_first(pid):
    """Whether the process is number 1 of its process namespace."""
    try:
        with open("/proc/%d/status" % pid) as stream:
            for line in stream:
                if line.startswith("NSpid:"):
                    return len(line.split()) > 2 and line.split()[-1] == "1"
    except OSError:
        pass
    return False


def begin(state, name):
    """Starts the first process of a node (or the keeper) without waiting for it."""
    ready = state.path("run", "ready-" + name)
    if os.path.exists(ready):
        os.unlink(ready)
    keeper = state.pid("keeper")
    argv = [PYTHON, "-E", "-S", INIT, "--practice-state", state.dir, "--node", name]
    log = state.path("log", "node-%s.log" % name)
    if name == "keeper":
        namespaces.spawn(argv, None, (), log=log)
    else:
        namespaces.spawn(argv + ["--keeper", str(keeper)], keeper, kinds("pid"), log=log, capable=True)


def finish(state, name, seconds=40):
    """Waits until the node is made, and records its first process."""
    ready = state.path("run", "ready-" + name)
    if not wait_until(lambda: os.path.exists(ready), seconds, 0.01):
        raise Cannot("node %s did not come up within %d s; see %s" % (name, seconds, state.path("log", "node-%s.log" % name)))
    with open(ready) as stream:
        text = stream.read()
    if text != "ok":
        raise Cannot("%s could not be made on this machine: %s (in a container, namespaces and mounts must be allowed: --privileged)" % (
            "the cluster" if name == "keeper" else "node " + name, text))
    for pid, _, found in find(state):
        if found == name and is_first(pid):
            state.record(process_name(name), pid)
            return
    raise Cannot("node %s died while it was made; see %s" % (name, state.path("log", "node-%s.log" % name)))


def process_name(name):
    return name if name == "keeper" else "node:" + name


def run(state, name, argv, text=None, timeout=30):
    """Runs a command in a node, as its administrator; returns the finished process with its output."""
    holder = state.pid(process_name(name))
    if holder is None:
        raise Cannot("node %s is not running; practice.py up repairs it" % name)
    target = ["/usr/bin/nsenter", "--target", str(holder)] + (
        [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]) + [
            "--mount", "--root", "--uts", "--ipc", "--net", "--pid", "--", "/usr/bin/env", "-C", "/"]
    env = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root"}
    try:
        return subprocess.run(target + argv, input=text, text=True, capture_output=True, timeout=timeout, env=env)
    except subprocess.TimeoutExpired:
        raise Cannot("%s on %s did not answer within %d s; see the logs in %s" % (argv[0], name, timeout, state.path("log")))


def connects(state, address, port):
    """Whether something listens on that address of the cluster's network."""
    import socket
    keeper = state.pid("keeper")
    if keeper is None:
        return False
    child = os.fork()
    if child == 0:
        code = 1
        try:
            namespaces.enter(keeper, kinds("net"))
            with socket.create_connection((address, port), timeout=1):
                code = 0
        except OSError:
            pass
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def kill_all(state):
    """Ends every process of the cluster: the keeper's death takes its whole process namespace along."""
    victims = find(state) + find(state, os.path.join(HERE, "relay.py"))
    for pid, start, _ in victims:
        signal_exact(pid, start, signal.SIGKILL)
    for entry in state.processes.values():
        if entry["start"] is not None:
            signal_exact(entry["pid"], entry["start"], signal.SIGKILL)
    everything = [(pid, start) for pid, start, _ in victims] + [(e["pid"], e["start"]) for e in state.processes.values()]
    wait_until(lambda: all(start_time(pid) != start for pid, start in everything), 5)
    remove_cgroups(state)
    state.forget_all()


def remove_cgroups(state):
    """Slurm leaves empty cgroup folders of its nodes; only empty ones can be removed, so another cluster's stay."""
    if os.geteuid() != 0:
        return
    for kind in ("freezer", "devices"):
        for node in layout.NODES:
            top = "/sys/fs/cgroup/%s/slurm_%s" % (kind, node["name"])
            for folder, _, _ in os.walk(top, topdown=False):
                try:
                    os.rmdir(folder)
                except OSError:
                    pass


def log_tail(state, name, lines=3):
    try:
        with open(state.path("log", name + ".log"), errors="replace") as stream:
            return " / ".join(line.strip() for line in stream.readlines()[-lines:])
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit("this is a part of practice.py")
