"""Starting, healing and ending the cluster."""
import getpass
import os
import shutil
import signal

from . import accounts, configs, layout, machine, nodes, services, shape
from .errors import Cannot, Progress, say
from .state import is_stopped, wait_until

STAGES = 9
SERVICES = ("munged", "mariadbd", "slurmdbd", "slurmctld", "sshd", "relay")


def practice_user():
    return layout.USER if os.geteuid() == 0 else getpass.getuser()


def remember_shape(state, chosen):
    """Gives the folder the shape of a site, or takes the one it has; a folder keeps one cluster only."""
    kept = state.data.get("shape")
    if chosen is None:
        if kept:
            layout.take(shape.Shape(kept))
        return
    if not kept and state.data.get("phase"):
        raise Cannot("%s keeps the ordinary practice cluster; name another folder with --state" % state.dir)
    if kept and kept != chosen.entry:
        say("the shape has changed, the cluster is made anew")
        layout.take(shape.Shape(kept))
        down(state)
        for member in ("accounts", "limits"):
            state.data.pop(member, None)
        for name in ("database", "spool"):
            shutil.rmtree(state.path(name), ignore_errors=True)
    state.data["shape"] = chosen.entry
    layout.take(chosen)


def expected():
    return (["keeper"] + ["node:" + node["name"] for node in layout.ALL_NODES] + list(SERVICES)
            + ["slurmd:" + node["name"] for node in layout.NODES])


def missing(state):
    """What should run and does not; a frozen link counts as missing."""
    names = [name for name in expected() if state.pid(name) is None]
    relay = state.pid("relay")
    if relay and is_stopped(relay):
        names.append("relay")
    return names


def up(state):
    """Starts the cluster or repairs a running one; returns whether anything had to be done."""
    complete = state.data.get("phase") == "ready"
    if complete and state.processes and not missing(state):
        accounts.resume_drained(state)
        return False
    machine.check_packages()
    alive = complete and state.pid("keeper") and state.pid("node:" + layout.LOGIN)
    if not alive:
        nodes.kill_all(state)
    state.prepare()
    if not machine.can_use_namespaces():
        raise Cannot("this system does not let an ordinary user make namespaces; start the practice cluster as root, or allow "
                     "it with: sysctl kernel.unprivileged_userns_clone=1 (Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0)")
    if alive:
        try:
            _bring_up(state)
            return True
        except (Cannot, OSError) as error:
            say("the cluster is too broken to be mended (%s), starting it anew" % error)
            nodes.kill_all(state)
    try:
        _bring_up(state)
    except BaseException:
        say("cleaning up")
        nodes.kill_all(state)
        raise
    return True


def _bring_up(state):
    progress = Progress(STAGES)
    state.data["phase"] = "starting"
    state.save()
    user = practice_user()
    progress("writing configuration in " + state.dir)
    configs.write_keys(state)
    configs.write_etc(state, user, machine.has_cgroups())
    configs.write_tools(state)
    configs.write_homes(state, user)
    progress("starting %d nodes" % len(layout.ALL_NODES))
    _start_nodes(state)
    progress("starting munged")
    services.start_munge(state)
    progress("starting the accounting database" + ("" if state.data.get("accounts") else " (first time: takes some seconds)"))
    services.start_database(state)
    progress("starting slurmdbd")
    services.start_slurmdbd(state)
    accounts.prepare(state, user)
    progress("starting slurmctld")
    services.start_slurmctld(state)
    progress("starting slurmd on %d nodes" % len(layout.NODES) if layout.NODES else "declaring the site's nodes")
    for node in layout.NODES:
        services.start_slurmd(state, node["name"])
    progress("starting sshd and the link on 127.0.0.1:%d" % state.data["port"])
    services.start_sshd(state)
    services.start_relay(state)
    progress("waiting for the nodes")
    accounts.finish(state)
    accounts.wait_for_nodes(state, 60)
    accounts.resume_drained(state)
    accounts.reserve(state)
    state.data["phase"] = "ready"
    state.save()


def _start_nodes(state):
    """Makes the nodes that are missing; a dead node takes its daemons along."""
    if state.pid("keeper") is None:
        nodes.begin(state, "keeper")
        nodes.finish(state, "keeper")
    absent = [node["name"] for node in layout.ALL_NODES if state.pid("node:" + node["name"]) is None]
    for name in absent:
        nodes.begin(state, name)
    for name in absent:
        nodes.finish(state, name)


def down(state, purge=False):
    """Ends what up started; returns whether anything ran."""
    ran = bool(nodes.find(state)) or state.pid("keeper") is not None
    if ran:
        _end_jobs(state)
        for name in ("relay", "sshd"):
            state.stop(name, patience=1)
        for node in layout.NODES:
            state.send("slurmd:" + node["name"], signal.SIGTERM)
        wait_until(lambda: not any(state.pid("slurmd:" + node["name"]) for node in layout.NODES), 2)
        for name, patience in (("slurmctld", 4), ("slurmdbd", 3), ("mariadbd", 4), ("munged", 1)):
            state.stop(name, patience=patience)
    nodes.kill_all(state)
    if os.path.isdir(state.dir):
        state.data["phase"] = "down"
        if purge:
            _purge(state)
        elif state.data.get("port"):
            state.save()
    return ran


def _end_jobs(state):
    """Cancels what still runs, so that accounting tells the truth after the next start."""
    if not (state.pid("slurmctld") and state.pid("node:" + layout.LOGIN)):
        return
    try:
        listed = nodes.run(state, layout.LOGIN, ["/usr/bin/squeue", "-h", "-o", "%A"], timeout=4).stdout.split()
        if listed:
            nodes.run(state, layout.LOGIN, ["/usr/bin/scancel"] + listed, timeout=4)
            wait_until(lambda: not nodes.run(state, layout.LOGIN, ["/usr/bin/squeue", "-h"], timeout=4).stdout.strip(), 3, 0.2)
    except Cannot:
        pass   # the controller hangs: the nodes' end ends the jobs


def _purge(state):
    known = ("log", "etc", "keys", "run", "spool", "shared", "public", "database")
    for name in known:
        shutil.rmtree(state.path(name), ignore_errors=True)
    for name in os.listdir(state.dir):
        if name.split(".new")[0] in ("cluster.json", "processes.json", "known_hosts", "password", "lock", "status.json"):
            os.unlink(state.path(name))
    try:
        os.rmdir(state.dir)
    except OSError:
        say("%s keeps files that are not the practice cluster's" % state.dir)


def fault(state, what, name=None):
    """Breaks something on purpose, for tests and for practice."""
    simple = {"link-freeze": ("relay", signal.SIGSTOP), "link-thaw": ("relay", signal.SIGCONT),
              "link-kill": ("relay", signal.SIGKILL), "slurmctld-kill": ("slurmctld", signal.SIGKILL)}
    if what in simple:
        target, number = simple[what]
        if not state.send(target, number):
            raise Cannot("%s is not running; practice.py up repairs it" % target)
        if number == signal.SIGKILL:
            wait_until(lambda: state.pid(target) is None, 3)
    elif what == "sshd-kill":
        _kill_sshd(state)
    elif what == "slurmctld-start":
        services.start_slurmctld(state)
    elif what == "node-kill":
        if not state.send("node:" + name, signal.SIGKILL):
            raise Cannot("node %s is not running" % name)
        wait_until(lambda: state.pid("node:" + name) is None, 3)
    elif what == "node-start":
        if state.pid("keeper") is None:
            raise Cannot("the practice cluster is not running; start it with practice.py up")
        _start_nodes_named(state, name)


def _start_nodes_named(state, name):
    if state.pid("node:" + name) is None:
        nodes.begin(state, name)
        nodes.finish(state, name)
    services.start_slurmd(state, name)


def _kill_sshd(state):
    """The listener and every session: all sshd processes in the login node."""
    holder = state.pid("node:" + layout.LOGIN)
    if holder is None:
        raise Cannot("the login node is not running; practice.py up repairs it")
    nodes.run(state, layout.LOGIN, ["/usr/bin/pkill", "-KILL", "-x", "sshd"], timeout=10)
    wait_until(lambda: state.pid("sshd") is None, 3)


def status(state):
    """What a program needs to know to use the cluster."""
    phase = state.data.get("phase")
    gone = missing(state) if state.processes else expected()
    if state.pid("keeper") is None or phase != "ready" and state.pid("relay") is None:
        return {"running": False, "stateDir": state.dir, "kept": bool(state.data.get("accounts"))}
    user = practice_user()
    listed = [{key: node[key] for key in ("name", "kind", "gpus", "gpuType", "cores", "coresTotal", "memoryMiB", "address")}
              for node in layout.NODES]
    work = layout.scratch(layout.ACCOUNT, user)
    site = layout.SHAPE
    return {
        "running": True, "healthy": not gone, "missing": gone, "mode": "root" if machine.is_root() else "user",
        "stateDir": state.dir, "host": "127.0.0.1", "port": state.data["port"], "user": user,
        "identity": state.path("keys", "id_ed25519"), "knownHosts": state.path("known_hosts"),
        "hostKeyFingerprints": configs.fingerprint(state), "passwordFile": state.path("password"),
        "shape": site.name if site else None, "account": layout.ACCOUNT,
        "accounts": [layout.ACCOUNT] if site else [layout.ACCOUNT, layout.SPENT_ACCOUNT],
        "spentAccount": None if site else layout.SPENT_ACCOUNT, "foreignAccount": None if site else layout.FOREIGN_ACCOUNT,
        "otherUser": layout.OTHER_USER if machine.is_root() else None,
        "reservation": None if site else layout.RESERVATION, "reservedNode": None if site else layout.RESERVED_NODE,
        "slurmVersion": machine.slurm_version(),
        "loginNode": layout.LOGIN, "nodes": listed, "partitions": [part["name"] for part in layout.PARTITIONS],
        "trainScript": work + "/train_ddp.py", "workdir": work, "image": work + "/practice.sif", "logDir": state.path("log"),
        "differences": differences(), "pids": {name: state.pid(name) for name in expected() if state.pid(name)}}


def differences():
    found = list(layout.SHAPE.differences) if layout.SHAPE else []
    if not machine.has_cgroups():
        found.append("No devices control group: a job's GPU tools rely on Slurm's list to hide GPUs of other jobs.")
    if not machine.is_root():
        found += ["The only user is %s; there is no second user and no password login." % getpass.getuser(),
                  "All daemons run as %s, and sshd listens on port %d of the login node." % (getpass.getuser(), configs.ssh_port())]
    return found
