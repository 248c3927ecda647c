"""The daemons of the practice cluster."""
import os
import signal
import socket

from . import layout, namespaces, nodes
from .configs import ssh_port, write_known_hosts
from .errors import Cannot, say
from .state import free_port, is_stopped, wait_until

LOG = layout.INSIDE + "/log/"
RELAY = os.path.join(nodes.HERE, "relay.py")


def daemon(state, name, node, argv, env=None):
    """Starts a daemon in a node unless it runs; its output goes to a file of the state folder."""
    if state.pid(name):
        return False
    pid = namespaces.spawn(argv, state.pid("node:" + node), nodes.kinds(), log=LOG + name.replace(":", "-") + ".log", env=env)
    state.record(name, pid)
    return True


def await_daemon(state, name, condition, seconds=40):
    """Waits until a daemon answers; a dead one is an error with its last words."""
    def answered():
        return condition() or ("dead" if state.pid(name) is None else None)
    result = wait_until(answered, seconds, 0.05)
    if result is None or result == "dead":
        raise Cannot("%s %s; its last words: %s (%s)" % (
            name, "ended at once" if result == "dead" else "does not answer after %d s" % seconds,
            nodes.log_tail(state, name.replace(":", "-")) or "none", state.path("log", name.replace(":", "-") + ".log")))


def start_munge(state):
    os.makedirs(state.path("run", "munge"), exist_ok=True)
    os.chmod(state.path("run", "munge"), 0o755)
    if daemon(state, "munged", layout.LOGIN, [
            "/usr/sbin/munged", "-F", "--force", "--num-threads=4", "--key-file=" + layout.INSIDE + "/keys/munge.key",
            "--socket=/run/munge/munge.socket.2", "--pid-file=/run/munged.pid", "--seed-file=" + layout.INSIDE + "/run/munge.seed",
            "--log-file=" + LOG + "munge.log"]):
        await_daemon(state, "munged", lambda: os.path.exists(state.path("run", "munge", "munge.socket.2")))


def install_database(state):
    """Writes an empty database once; a half-written one is thrown away."""
    import shutil
    done = state.path("database", "practice-complete")
    if os.path.exists(done):
        return
    shutil.rmtree(state.path("database"), ignore_errors=True)
    os.makedirs(state.path("database"), mode=0o700)
    result = nodes.run(state, layout.LOGIN, [
        "/usr/bin/mariadb-install-db", "--no-defaults", "--datadir=" + layout.INSIDE + "/database", "--skip-test-db", "--force",
        "--auth-root-authentication-method=normal", "--skip-name-resolve", "--innodb-log-file-size=16M",
        "--innodb-buffer-pool-size=32M", "--innodb-flush-method=nosync"] + (["--user=root"] if os.geteuid() == 0 else []),
        timeout=180)
    if result.returncode != 0:
        raise Cannot("mariadb-install-db failed: %s" % (result.stdout + result.stderr).strip()[-400:])
    open(done, "w").close()


def start_database(state):
    install_database(state)
    argv = ["/usr/sbin/mariadbd", "--defaults-file=" + layout.INSIDE + "/etc/my.cnf"]
    if daemon(state, "mariadbd", layout.LOGIN, argv + (["--user=root"] if os.geteuid() == 0 else [])):
        await_daemon(state, "mariadbd", lambda: os.path.exists(
            "/proc/%d/root/run/mysqld/mysqld.sock" % (state.pid("node:" + layout.LOGIN) or 0)), 60)


def start_slurmdbd(state):
    if daemon(state, "slurmdbd", layout.LOGIN, ["/usr/sbin/slurmdbd", "-D"]):
        await_daemon(state, "slurmdbd", lambda: nodes.connects(state, login_address(), 6819), 60)


def start_slurmctld(state):
    os.makedirs(state.path("spool", "slurmctld"), exist_ok=True)
    if daemon(state, "slurmctld", layout.LOGIN, ["/usr/sbin/slurmctld", "-D"]):
        await_daemon(state, "slurmctld", lambda: nodes.connects(state, login_address(), 6817), 60)
        return True
    return False


def start_slurmd(state, name):
    return daemon(state, "slurmd:" + name, name, ["/usr/sbin/slurmd", "-D", "-N", name],
                  {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"})


def start_sshd(state):
    if daemon(state, "sshd", layout.LOGIN, ["/usr/sbin/sshd", "-D", "-e", "-f", layout.INSIDE + "/etc/sshd_config"]):
        await_daemon(state, "sshd", lambda: nodes.connects(state, login_address(), ssh_port()))


def login_address():
    return layout.LOGIN_NODE["address"]


def port_is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def start_relay(state):
    pid = state.pid("relay")
    if pid:
        if is_stopped(pid):
            state.send("relay", signal.SIGCONT)
        return
    if not port_is_free(state.data["port"]):
        old = state.data["port"]
        state.data["port"] = free_port()
        say("port %d is taken by another program, the cluster is now on %d" % (old, state.data["port"]))
        state.save()
        write_known_hosts(state)
    keeper = state.pid("keeper")
    handle = os.open("/proc/%d/ns/net" % keeper, os.O_RDONLY)
    argv = [nodes.PYTHON, "-E", "-S", RELAY, "--practice-state", state.dir, "--port", str(state.data["port"]),
            "--to", "%s:%d" % (login_address(), ssh_port()), "--netns", str(handle)]
    pid = namespaces.spawn(argv, keeper, nodes.kinds("pid"), log=state.path("log", "relay.log"), pass_fds=(handle,),
                           capable=True)
    os.close(handle)
    state.record("relay", pid)
    await_daemon(state, "relay", lambda: relay_answers(state))


def relay_answers(state):
    try:
        with socket.create_connection(("127.0.0.1", state.data["port"]), timeout=2) as link:
            link.settimeout(3)
            return link.recv(4) == b"SSH-"
    except OSError:
        return False
