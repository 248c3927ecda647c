"""Linux namespaces, mounts and capabilities through the C library."""
import ctypes
import errno
import os

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (0x00020000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = (1, 2, 4, 32, 4096, 16384, 1 << 18)
MNT_DETACH = 2
FLAGS = {"user": NEWUSER, "pid": NEWPID, "ipc": NEWIPC, "uts": NEWUTS, "net": NEWNET, "mnt": NEWNS}

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))


def unshare(flags):
    _check(_libc.unshare(flags), "unshare")


def setns(descriptor, flag):
    _check(_libc.setns(descriptor, flag), "setns")


def mount(source, target, kind=None, flags=0, options=None):
    text = [None if value is None else os.fsencode(value) for value in (source, target, kind, options)]
    _check(_libc.mount(text[0], text[1], text[2], ctypes.c_ulong(flags), text[3]), "mount %s on %s" % (source, target))


def bind(source, target, readonly=False, recursive=False):
    mount(source, target, None, MS_BIND | (MS_REC if recursive else 0))
    if readonly:
        try:
            mount(None, target, None, MS_REMOUNT | MS_BIND | MS_RDONLY)
        except OSError:
            pass   # flags of the outer mount are locked for an ordinary user: the permissions still hold


def make_mounts_own():
    """In a fresh mount namespace: what we mount from here on is seen by nobody else.

    In a chroot "/" is not a mount point: its propagation cannot be changed and pivot_root cannot leave it; the tree is
    bound over /proc, which is one, and becomes our root there.
    """
    try:
        mount("none", "/", None, MS_REC | MS_PRIVATE)
        return
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    mount("none", "/proc", None, MS_REC | MS_PRIVATE)
    mount("/", "/proc", None, MS_BIND | MS_REC)
    mount("none", "/proc", None, MS_REC | MS_PRIVATE)
    os.chroot("/proc")
    os.chdir("/")


def pivot_root(new_root):
    os.chdir(new_root)
    _check(_libc.pivot_root(b".", b"."), "pivot_root")
    _check(_libc.umount2(b".", MNT_DETACH), "umount2")
    os.chdir("/")


def sethostname(name):
    text = name.encode()
    _check(_libc.sethostname(text, len(text)), "sethostname")


def map_own_user(uid, gid):
    """Inside a new user namespace: keep the own user and group number."""
    for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (uid, uid)), ("gid_map", "%d %d 1" % (gid, gid))):
        with open("/proc/self/" + name, "w") as stream:
            stream.write(text)


def keep_capabilities():
    """Lets programs started by an ordinary user in its own user namespace keep that namespace's rights."""
    if os.geteuid() == 0:
        return

    class Header(ctypes.Structure):
        _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]

    class Data(ctypes.Structure):
        _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]

    header, data = Header(0x20080522, 0), (Data * 2)()
    _check(_libc.capget(ctypes.byref(header), data), "capget")
    for part in data:
        part.inheritable = part.permitted
    _check(_libc.capset(ctypes.byref(header), data), "capset")
    for number in range(41):
        _libc.prctl(47, 2, ctypes.c_ulong(number), ctypes.c_ulong(0), ctypes.c_ulong(0))


def open_namespaces(pid, kinds):
    """Open handles of a process' namespaces, in the order in which they are to be entered."""
    return [(os.open("/proc/%d/ns/%s" % (pid, kind), os.O_RDONLY | os.O_CLOEXEC), FLAGS[kind])
            for kind in FLAGS if kind in kinds]


def enter(pid, kinds):
    """Puts the calling process into namespaces of the process pid, and with its mounts under its root too."""
    root = os.open("/proc/%d/root" % pid, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) if "mnt" in kinds else None
    for descriptor, flag in open_namespaces(pid, kinds):
        setns(descriptor, flag)
    if root is not None:
        os.chdir(root)
        os.chroot(".")


def spawn(argv, holder, kinds, log=None, env=None, pass_fds=(), capable=False):
    """Starts a program in the namespaces of the process holder, detached from us; returns its process number here."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setsid()
            if holder:
                enter(holder, kinds)
            if capable:
                keep_capabilities()
            grandchild = os.fork()
            if grandchild == 0:
                _exec(argv, log, env, pass_fds)
            os.write(write_end, b"%d" % grandchild)
            status = 0
        except OSError as error:
            os.write(write_end, ("!" + str(error)).encode())
        finally:
            os._exit(status)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as stream:
        answer = stream.read().decode()
    os.waitpid(child, 0)
    if not answer or answer.startswith("!"):
        raise OSError(0, "cannot start %s: %s" % (argv[0], answer[1:]))
    return int(answer)


def _exec(argv, log, env, pass_fds):
    try:
        null = os.open("/dev/null", os.O_RDWR)
        # opened before the working folder changes; in a node the path is one of that node
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if log else null
        os.dup2(null, 0)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.chdir("/")
        os.umask(0o022)
        for descriptor in pass_fds:
            os.set_inheritable(descriptor, True)
        os.execve(argv[0], argv, env if env is not None else {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"})
    except OSError as error:
        os.write(2, ("cannot start %s: %s\n" % (argv[0], error)).encode())
    os._exit(127)
