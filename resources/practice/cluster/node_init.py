#!/usr/bin/python3
"""First process of a node (or, with --node keeper, of the whole cluster): makes its namespaces, then reaps.

When it dies the kernel ends every process of its process namespace, and with the last of them the mounts and the
network of the node: nothing can be left behind.
"""
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from cluster import layout, namespaces as ns  # noqa: E402

BRIDGE = "br0"


def ip_batch(lines, prepare=None):
    def before():
        if prepare:
            prepare()
        ns.keep_capabilities()
    done = subprocess.run(["/sbin/ip", "-batch", "-"], input="\n".join(lines) + "\n", text=True, preexec_fn=before,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise OSError(0, "ip: " + done.stdout.strip().replace("\n", "; "))


def make_bridge():
    ip_batch(["link set lo up", "link add %s type bridge" % BRIDGE, "link set %s up" % BRIDGE,
              "addr add %s/24 dev %s" % (layout.BRIDGE_ADDRESS, BRIDGE)])


def join_network(entry, outer):
    """A cable from this node's network to the bridge in the keeper's."""
    name, port = entry["interface"], "p-" + entry["name"]
    ip_batch(["link add %s type veth peer name %s netns 1" % (port, name), "link set %s master %s" % (port, BRIDGE),
              "link set %s up" % port], lambda: ns.setns(outer, ns.NEWNET))
    ip_batch(["link set lo up", "addr add %s/24 dev %s" % (entry["address"], name), "link set %s up" % name])


def make_device(path, number):
    """A device file; an ordinary user cannot make one and gets the host's mounted over an empty file."""
    try:
        os.mknod(path, 0o666 | 0o020000, os.makedev(*number))
        os.chmod(path, 0o666)
    except PermissionError:
        open(path, "w").close()
        ns.mount(os.path.join("/dev", os.path.basename(path)), path, None, ns.MS_BIND)


def make_dev(root, entry):
    dev = root + "/dev"
    os.makedirs(dev)
    ns.mount("tmpfs", dev, "tmpfs", ns.MS_NOSUID, "mode=755,size=1m")
    for name, number in (("null", (1, 3)), ("zero", (1, 5)), ("full", (1, 7)), ("random", (1, 8)), ("urandom", (1, 9)),
                         ("tty", (5, 0))):
        make_device(dev + "/" + name, number)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2"),
                         ("ptmx", "pts/ptmx")):
        os.symlink(target, dev + "/" + name)
    os.makedirs(dev + "/pts")
    os.makedirs(dev + "/shm")
    options = "newinstance,ptmxmode=0666,mode=0620" + (",gid=5" if os.geteuid() == 0 else "")
    ns.mount("devpts", dev + "/pts", "devpts", 0, options)
    ns.mount("tmpfs", dev + "/shm", "tmpfs", ns.MS_NOSUID | ns.MS_NODEV, "mode=1777")
    for index, path in enumerate(layout.device_files(entry) if entry["gpus"] else []):
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        if os.geteuid() == 0:
            make_device(root + path, (layout.DEVICE_MAJOR[entry["gpuType"]], index))
        else:
            # Slurm wants character devices, which an ordinary user cannot make
            open(root + path, "w").close()
            ns.mount("/dev/null", root + path, None, ns.MS_BIND)


def make_etc(root, own):
    """The machine's /etc by links, with the files of the practice cluster in front."""
    os.makedirs(root + "/run/host-etc")
    ns.bind("/etc", root + "/run/host-etc", readonly=True, recursive=True)
    os.makedirs(root + "/run/etc")
    ns.bind(own, root + "/run/etc", readonly=True)
    os.makedirs(root + "/etc")
    for name in os.listdir(own):
        os.symlink("/run/etc/" + name, root + "/etc/" + name)
    for name in os.listdir("/etc"):
        target = root + "/etc/" + name
        if os.path.lexists(target):
            continue
        link = os.path.islink("/etc/" + name)
        os.symlink(os.readlink("/etc/" + name) if link else "/run/host-etc/" + name, target)


def make_root(state, entry):
    root = state + "/run/root"
    ns.make_mounts_own()
    ns.mount("tmpfs", root, "tmpfs", 0, "mode=755,size=64m")
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if os.path.islink("/" + name):
            os.symlink(os.readlink("/" + name), root + "/" + name)
        elif os.path.isdir("/" + name):
            os.makedirs(root + "/" + name)
            ns.bind("/" + name, root + "/" + name, readonly=True)
    for name in ("usr", "sys", "proc", "run", "tmp", "var/tmp", "var/log", "var/spool/slurmd", "var/lib/slurm", "root",
                 "opt", "home", "users", "scratch", "mnt"):
        os.makedirs(root + "/" + name)
    os.symlink("/run", root + "/var/run")
    ns.bind("/usr", root + "/usr", readonly=True, recursive=True)
    ns.bind(state + "/public/bin-" + entry["kind"], root + "/usr/local/bin", readonly=True)
    ns.bind("/sys", root + "/sys", recursive=True)
    make_dev(root, entry)
    for name in ("tmp", "var/tmp"):
        ns.mount("tmpfs", root + "/" + name, "tmpfs", ns.MS_NOSUID | ns.MS_NODEV, "mode=1777")
    make_etc(root, state + "/public/etc")
    for name in ("practice", "munge", "sshd", "lock", "mysqld"):
        os.makedirs(root + "/run/" + name, mode=0o700 if name == "mysqld" else 0o755)
    ns.bind(state, root + layout.INSIDE)
    ns.bind(state + "/run/munge", root + "/run/munge")
    for name in ("users", "scratch"):
        ns.bind(state + "/shared/" + name, root + "/" + name)
    if entry["kind"] == "lumi-g":
        os.symlink("rocm-6.2.2", root + "/opt/rocm")
        os.makedirs(root + "/opt/rocm-6.2.2")
        os.symlink("/usr/local/bin", root + "/opt/rocm-6.2.2/bin")
    ns.mount("proc", root + "/proc", "proc", ns.MS_NOSUID | ns.MS_NODEV)
    ns.pivot_root(root)


def reap():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
    while True:
        try:
            os.wait()
        except ChildProcessError:
            if signal.sigwait({signal.SIGCHLD, signal.SIGTERM}) == signal.SIGTERM:
                return


def first_process(state, name, outer):
    os.setsid()
    if name == "keeper":
        ns.make_mounts_own()
        ns.mount("proc", "/proc", "proc", ns.MS_NOSUID | ns.MS_NODEV)
        make_bridge()
    else:
        entry = layout.node(name)
        ns.sethostname(name)
        join_network(entry, outer)
        make_root(state, entry)


def report(state, name, text):
    """Leaves 'ok' or the reason of a failure for the command that started us."""
    with open("%s/run/ready-%s.new" % (state, name), "w") as stream:
        stream.write(text)
    os.rename("%s/run/ready-%s.new" % (state, name), "%s/run/ready-%s" % (state, name))


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    state, name = options["--practice-state"], options["--node"]
    uid, gid = os.geteuid(), os.getegid()
    flags = ns.NEWPID | ns.NEWNET | ns.NEWNS | ns.NEWIPC | ns.NEWUTS
    outer = None
    try:
        if name == "keeper":
            if uid != 0:
                ns.unshare(ns.NEWUSER)
                ns.map_own_user(uid, gid)
        else:
            outer = os.open("/proc/%s/ns/net" % options["--keeper"], os.O_RDONLY)
        ns.unshare(flags)
    except OSError as error:
        report(state, name, str(error))
        return 1
    if os.fork() != 0:
        os._exit(0)
    try:
        first_process(state, name, outer)
    except OSError as error:
        text = str(error)
    else:
        text = "ok"
    try:
        report(state if name == "keeper" else (layout.INSIDE if text == "ok" else state), name, text)
    except OSError:
        text = "cannot report"
    if text != "ok":
        return 1
    reap()
    return 0


if __name__ == "__main__":
    sys.exit(main())
