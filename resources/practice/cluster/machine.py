"""What this machine offers: packages, rights, control groups."""
import os
import shutil
import subprocess

from .errors import Cannot

NEEDED = (
    ("slurmctld", "/usr/sbin/slurmctld", "slurm-wlm"), ("slurmd", "/usr/sbin/slurmd", "slurm-wlm"),
    ("sacctmgr", "/usr/bin/sacctmgr", "slurm-wlm"), ("slurmdbd", "/usr/sbin/slurmdbd", "slurmdbd"),
    ("mariadbd", "/usr/sbin/mariadbd", "mariadb-server"), ("munged", "/usr/sbin/munged", "munge"),
    ("sshd", "/usr/sbin/sshd", "openssh-server"), ("ssh-keygen", "/usr/bin/ssh-keygen", "openssh-client"),
    ("ip", "/sbin/ip", "iproute2"), ("nsenter", "/usr/bin/nsenter", "util-linux"),
    ("torch for python3", "/usr/lib/python3/dist-packages/torch/__init__.py", "python3-torch"),
)


def check_packages():
    missing = [(what, package) for what, path, package in NEEDED if not os.path.exists(path)]
    if missing:
        packages = " ".join(sorted({package for _, package in missing}))
        raise Cannot("the practice cluster needs %s on this machine; install with: apt-get install --no-install-recommends %s"
                     % (", ".join(what for what, _ in missing), packages))


def is_root():
    return os.geteuid() == 0


def has_cgroups():
    """Whether Slurm's cgroup v1 plugins can be used: they want the roots of the freezer and devices hierarchies."""
    return is_root() and all(os.access("/sys/fs/cgroup/%s/release_agent" % name, os.W_OK) for name in ("freezer", "devices"))


def can_use_namespaces():
    if is_root():
        return True
    if not shutil.which("unshare"):
        return False
    done = subprocess.run(["unshare", "--user", "--map-current-user", "--net", "--pid", "--fork", "--mount", "true"],
                          capture_output=True)
    return done.returncode == 0


def slurm_version():
    done = subprocess.run(["/usr/sbin/slurmctld", "-V"], capture_output=True, text=True)
    words = done.stdout.split()
    return words[1] if len(words) > 1 else ""
