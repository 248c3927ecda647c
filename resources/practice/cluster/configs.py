"""The files of the practice cluster: Slurm, accounting, sshd, users."""
import crypt
import hashlib
import os
import secrets
import shutil
import subprocess

from . import layout
from .errors import Cannot
from .state import write_file

LIBRARY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

SLURM_CONF = """# written by practice.py; changes are lost
ClusterName={cluster}
SlurmctldHost={host}
SlurmUser={admin}
SlurmdUser={admin}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=/run/munge/munge.socket.2
StateSaveLocation={inside}/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldDebug=info
SlurmdDebug=info
ProctrackType={proctrack}
TaskPlugin={task}
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
JobRequeue=0
PropagateResourceLimits=NONE
SlurmdParameters=config_overrides
GresTypes={gres}
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=2048
EnforcePartLimits=ALL
FirstJobId={first_job}
MinJobAge=120
KillWait=5
UnkillableStepTimeout=180
SlurmdTimeout=40
SlurmctldTimeout=30
MessageTimeout=10
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=5,sched_min_interval=0,bf_interval=5,bf_resolution=60
PriorityType=priority/multifactor
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=5
JobCompType=jobcomp/none
{accounting}
"""

# Declared nodes count as asleep: Slurm plans jobs on them, and would start them by these programs.
SHAPE_CONF = """SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=86400
PrivateData=cloud
"""

ACCOUNTING = """AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=%s
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos
AccountingStoreFlags=job_comment""" % layout.LOGIN

SLURMDBD_CONF = """AuthType=auth/munge
AuthInfo=/run/munge/munge.socket.2
DbdHost={host}
SlurmUser={admin}
PidFile=/run/slurmdbd.pid
DebugLevel=info
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StorageLoc=slurm_acct_db
CommitDelay=1
"""

MYSQL_CONF = """[client]
socket=/run/mysqld/mysqld.sock
[mysqld]
datadir={inside}/database
socket=/run/mysqld/mysqld.sock
pid-file=/run/mysqld/mysqld.pid
skip-networking
skip-grant-tables
skip-log-bin
tmpdir=/var/tmp
plugin-dir=/usr/lib/mysql/plugin
performance_schema=OFF
innodb_buffer_pool_size=32M
innodb_log_file_size=16M
innodb_flush_log_at_trx_commit=0
innodb_flush_method=nosync
innodb_lock_wait_timeout=900
"""

SSHD_CONF = """Port {port}
ListenAddress 0.0.0.0
HostKey {inside}/keys/ssh_host_ed25519_key
PidFile none
UsePAM no
UseDNS no
PasswordAuthentication {password}
KbdInteractiveAuthentication no
PermitRootLogin no
PrintMotd no
PrintLastLog no
MaxStartups 60
LogLevel VERBOSE
AcceptEnv LANG LC_*
Subsystem sftp /usr/lib/openssh/sftp-server
"""


def slurm_conf(state, user, cgroups):
    admin = "root" if os.geteuid() == 0 else user
    text = SLURM_CONF.format(cluster=layout.CLUSTER, host=layout.LOGIN, admin=admin, inside=layout.INSIDE,
                             proctrack="proctrack/cgroup" if cgroups else "proctrack/linuxproc",
                             task="task/cgroup" if cgroups else "task/none",
                             gres=",".join(layout.SHAPE.gres_types()) if layout.SHAPE else "gpu",
                             first_job=state.data["firstJobId"], accounting=ACCOUNTING)
    if layout.SHAPE:
        return text + SHAPE_CONF + layout.SHAPE.node_lines() + layout.SHAPE.partition_lines()
    for node in layout.NODES:
        feature = "gpu,mi250,lumi-g" if node["kind"] == "lumi-g" else "gpu,gpu-bw,a100"
        reserved = node["coresTotal"] - node["cores"]
        text += ("NodeName=%s Sockets=%d CoresPerSocket=%d ThreadsPerCore=1%s RealMemory=%d Gres=gpu:%s:%d "
                 "Feature=%s State=UNKNOWN\n") % (
                     node["name"], node["sockets"], node["coresTotal"] // node["sockets"],
                     " CoreSpecCount=%d" % reserved if reserved else "", node["memoryMiB"], node["gpuType"],
                     node["gpus"], feature)
    accounts = ",".join((layout.ACCOUNT, layout.SPENT_ACCOUNT, layout.FOREIGN_ACCOUNT))
    for part in layout.PARTITIONS:
        text += "PartitionName=%s Nodes=%s MaxTime=%s DefaultTime=00:15:00 MaxNodes=%d OverSubscribe=%s%s AllowAccounts=%s State=UP\n" % (
            part["name"], part["nodes"], part["maxTime"], part["maxNodes"], "EXCLUSIVE" if part["exclusive"] else "NO",
            " QOS=" + part["qos"] if part["qos"] else "", accounts)
    return text


def gres_conf():
    if layout.SHAPE:
        return layout.SHAPE.gres_conf()
    text = "AutoDetect=off\n"
    for node in layout.NODES:
        flag = "amd_gpu_env" if node["gpuType"] == "mi250" else "nvidia_gpu_env"
        for path in layout.device_files(node):
            text += "NodeName=%s Name=gpu Type=%s File=%s Flags=%s\n" % (node["name"], node["gpuType"], path, flag)
    return text


def user_files(state, user):
    """passwd, group, shadow: root, the daemons' user and the practice users."""
    if os.geteuid() == 0:
        people = [(name, layout.UIDS[name], layout.UIDS[name]) for name in (layout.USER, layout.OTHER_USER)]
    else:
        people = [(user, os.geteuid(), os.getegid())]
    passwd = "root:x:0:0:root:/root:/bin/bash\nsshd:x:110:65534::/run/sshd:/usr/sbin/nologin\n"
    group = "root:x:0:\ntty:x:5:\nshadow:x:42:\n"
    shadow = "root:*:19700:0:99999:7:::\nsshd:*:19700:0:99999:7:::\n"
    for name, uid, gid in people:
        mine = name == user
        passwd += "%s:x:%d:%d:%s:/users/%s:/bin/bash\n" % (name, uid, gid, name.capitalize(), name)
        group += "%s:x:%d:\n" % (name, gid)
        password = crypt.crypt(state.data["password"], crypt.mksalt(crypt.METHOD_SHA512)) if mine else "*"
        shadow += "%s:%s:19700:0:99999:7:::\n" % (name, password)
    passwd += "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
    group += "%s:x:465001:%s\n%s:x:465009:%s\nnogroup:x:65534:\n" % (
        layout.ACCOUNT, user, layout.FOREIGN_ACCOUNT, layout.OTHER_USER)
    return passwd, group, shadow


def write_etc(state, user, cgroups):
    """Everything that stands in the nodes' /etc instead of this machine's."""
    own = state.path("public", "etc")
    os.makedirs(own + "/slurm", mode=0o755, exist_ok=True)
    for folder in (state.path("public"), own, own + "/slurm"):
        os.chmod(folder, 0o755)
    os.makedirs(own + "/profile.d", exist_ok=True)
    passwd, group, shadow = user_files(state, user)
    admin = "root" if os.geteuid() == 0 else user
    hosts = "127.0.0.1 localhost\n" + "".join("%s %s\n" % (node["address"], node["name"]) for node in layout.ALL_NODES)
    for name, text, mode in (
            ("passwd", passwd, 0o644), ("group", group, 0o644), ("shadow", shadow, 0o600), ("gshadow", "", 0o600),
            ("hosts", hosts, 0o644), ("hostname", "", 0o644), ("resolv.conf", "", 0o644), ("environment", "", 0o644),
            ("nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\nhosts: files\n", 0o644),
            ("slurm/slurm.conf", slurm_conf(state, user, cgroups), 0o644),
            ("slurm/gres.conf", gres_conf(), 0o644),
            ("slurm/cgroup.conf", "CgroupPlugin=cgroup/v1\nConstrainDevices=yes\nConstrainCores=no\n"
                                  "ConstrainRAMSpace=no\n" if cgroups else "", 0o644),
            ("slurm/slurmdbd.conf", SLURMDBD_CONF.format(host=layout.LOGIN, admin=admin), 0o600)):
        write_file(os.path.join(own, name), text, mode)
    write_file(state.path("etc", "my.cnf"), MYSQL_CONF.format(inside=layout.INSIDE), 0o600)
    write_file(state.path("etc", "sshd_config"),
               SSHD_CONF.format(inside=layout.INSIDE, port=ssh_port(), password="yes" if os.geteuid() == 0 else "no"), 0o600)


def ssh_port():
    return 22 if os.geteuid() == 0 else 2222


def keygen(path, comment):
    if not os.path.exists(path):
        done = subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise Cannot("ssh-keygen could not write %s: %s" % (path, done.stderr.strip()))


def write_keys(state):
    keygen(state.path("keys", "ssh_host_ed25519_key"), "practice host key")
    keygen(state.path("keys", "id_ed25519"), "practice user key")
    if not os.path.exists(state.path("keys", "munge.key")):
        with open(os.open(state.path("keys", "munge.key"), os.O_WRONLY | os.O_CREAT, 0o400), "wb") as stream:
            stream.write(secrets.token_bytes(128))
    if "password" not in state.data:
        state.data["password"] = secrets.token_urlsafe(12)
        state.save()
    write_file(state.path("password"), state.data["password"] + "\n", 0o600)
    write_known_hosts(state)


def write_known_hosts(state):
    with open(state.path("keys", "ssh_host_ed25519_key.pub")) as stream:
        key = " ".join(stream.read().split()[:2])
    write_file(state.path("known_hosts"), "[127.0.0.1]:%d %s\n" % (state.data["port"], key))


def fingerprint(state):
    done = subprocess.run(["ssh-keygen", "-l", "-f", state.path("keys", "ssh_host_ed25519_key.pub")],
                          capture_output=True, text=True)
    return [done.stdout.split()[1]] if done.returncode == 0 else []


TOOLS = {"lumi-g": ("rocm-smi", "amd-smi", "gpumodel.py", "torchrun", "module", "singularity"),
         "a100": ("nvidia-smi", "gpumodel.py", "torchrun", "module", "singularity"),
         "login": ("module", "singularity")}


def write_tools(state):
    """The folders that are /usr/local/bin on the nodes."""
    for kind, names in TOOLS.items():
        folder = state.path("public", "bin-" + kind)
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o755)
        for name in names:
            copy_file(os.path.join(LIBRARY, "tools", name), os.path.join(folder, name), 0o755)
        if not os.path.lexists(folder + "/python"):
            os.symlink("/usr/bin/python3", folder + "/python")


def copy_file(source, target, mode):
    shutil.copyfile(source, target + ".new")
    os.chmod(target + ".new", mode)
    os.replace(target + ".new", target)


def install_program(state, target):
    """Copies the training program, but never over somebody's changes."""
    source = os.path.join(LIBRARY, "train_ddp.py")
    if os.path.exists(target) and digest(target) not in state.data.setdefault("programs", []):
        return
    copy_file(source, target, 0o755)
    state.data["programs"] = sorted(set(state.data.get("programs", [])) | {digest(source)})


def digest(path):
    with open(path, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()[:16]


def write_homes(state, user):
    """Home and scratch folders with the training program."""
    root = os.geteuid() == 0
    people = [(user, layout.ACCOUNT)] + ([(layout.OTHER_USER, layout.FOREIGN_ACCOUNT)] if root else [])
    with open(state.path("keys", "id_ed25519.pub")) as stream:
        key = stream.read()
    for base in ("shared", "shared/users", "shared/scratch"):
        os.makedirs(state.path(base), exist_ok=True)
        os.chmod(state.path(base), 0o755)
    for name, account in people:
        uid = layout.UIDS[name] if root else os.geteuid()
        home, work = state.path("shared", "users", name), state.path("shared", "scratch", account, name)
        os.makedirs(home + "/.ssh", exist_ok=True)
        os.makedirs(work, exist_ok=True)
        os.chmod(os.path.dirname(work), 0o755)
        write_file(home + "/.ssh/authorized_keys", key, 0o600)
        install_program(state, work + "/train_ddp.py")
        if not os.path.exists(work + "/practice.sif"):
            write_file(work + "/practice.sif", "an empty container image for the practice cluster\n")
        for path, mode in ((home, 0o700), (home + "/.ssh", 0o700), (home + "/.ssh/authorized_keys", 0o600), (work, 0o700),
                           (work + "/train_ddp.py", 0o755), (work + "/practice.sif", 0o644)):
            if root:
                os.chown(path, uid, uid)
            os.chmod(path, mode)
