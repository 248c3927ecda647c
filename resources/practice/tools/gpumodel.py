"""What the practice cluster's pretended GPUs show: which of them a step may see, and their figures.

Training ranks of train_ddp.py leave a small file per rank below /tmp/rankwright-gpu; from these (and for other
programs from the processor time of the job's ranks) use, memory, power and temperature are worked out.
"""
import math
import os
import time

TOP = "/tmp/rankwright-gpu"
MAJORS = (120, 121)   # numbers the kernel keeps for local use
SPAN = 1.2            # seconds over which use and power are averaged
WARMTH = 15.0         # seconds in which temperature follows power
KINDS = {
    "mi250": {"total": 68702699520, "idle": 11030528, "cap": 500.0, "dies": 2, "clocks": (800, 1700), "mclk": 1600},
    "a100": {"total": 42949672960, "idle": 4194304, "cap": 400.0, "dies": 1, "clocks": (210, 1410), "mclk": 1215},
}


def node_name():
    return os.environ.get("SLURMD_NODENAME") or os.uname().nodename


def files(kind):
    if kind == "mi250":
        return ["/dev/dri/renderD%d" % number for number in range(128, 136)]
    return ["/dev/nvidia%d" % number for number in range(4)]


def may_open(path):
    """Whether the devices control group lets this step use a device; no driver answers, so success is 'no such device'."""
    try:
        os.close(os.open(path, os.O_RDWR))
    except PermissionError:
        return False
    except OSError:
        pass
    return True


def numbers(text):
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.isdigit():
            found += range(int(first), int(last or first) + 1)
    return found


def is_stand_in(path):
    """Whether a path is a device with the practice cluster's own number, which the devices control group can hide."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    return status.st_mode & 0o170000 == 0o020000 and os.major(status.st_rdev) in MAJORS


def visible(kind):
    """Indices on the node of the GPUs that the calling step owns, in order."""
    paths = files(kind)
    devices = [index for index, path in enumerate(paths) if is_stand_in(path)]
    allowed = [index for index in devices if may_open(paths[index])]
    if len(allowed) < len(devices):
        return allowed
    for name in ("SLURM_STEP_GPUS", "SLURM_JOB_GPUS"):
        if os.environ.get(name):
            return [index for index in numbers(os.environ[name]) if index < len(paths)]
    return allowed


class Rank:
    """One process on a GPU: shares of the last moments in each state, and its memory."""

    def __init__(self, gpu, pid, load, compute, wait, memory, name):
        self.gpu, self.pid, self.load, self.compute, self.wait = gpu, pid, load, compute, wait
        self.memory, self.name = memory, name


def published(now):
    """Ranks that tell what they do; files of dead ranks are passed over."""
    ranks = []
    try:
        users = os.listdir(TOP)
    except OSError:
        return ranks
    for user in users:
        folder = "%s/%s/%s" % (TOP, user, node_name())
        try:
            entries = os.listdir(folder)
        except OSError:
            continue
        for entry in entries:
            try:
                with open(folder + "/" + entry) as stream:
                    words = stream.read().split()
                gpu, pid, state = int(words[0]), int(words[1]), words[2]
                at, load, compute, wait, memory = (float(word) for word in words[3:8])
            except (OSError, ValueError, IndexError):
                continue
            if not os.path.exists("/proc/%d" % pid):
                continue
            keep = math.exp(-max(0.0, now - at) / SPAN)
            shares = {"loading": load, "computing": compute, "waiting": wait}
            for name in shares:
                shares[name] = shares[name] * keep + (1 - keep if name == state else 0)
            ranks.append(Rank(gpu, pid, shares["loading"], shares["computing"], shares["waiting"], memory, "python3"))
    return ranks


def environment(pid):
    try:
        with open("/proc/%d/environ" % pid, "rb") as stream:
            return dict(word.partition(b"=")[::2] for word in stream.read().split(b"\0"))
    except OSError:
        return {}


def observed(known, owned, memory, now):
    """Ranks of other programs: processes of this job with a local rank, by the processor time they use."""
    job = os.environ.get("SLURM_JOB_ID", "").encode()
    ranks = []
    if not job or not owned:
        return ranks
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) in known or int(name) == os.getpid():
            continue
        pid = int(name)
        try:
            if os.stat("/proc/" + name).st_uid != os.getuid():
                continue
            with open("/proc/%s/stat" % name) as stream:
                head, _, rest = stream.read().rpartition(")")
            fields = rest.split()
            used, resident = int(fields[11]) + int(fields[12]), int(fields[21]) * 4096
        except (OSError, ValueError, IndexError):
            continue
        if used < 100 or resident < 50000000:
            continue     # shells, monitors and helpers
        values = environment(pid)
        if values.get(b"SLURM_JOB_ID") != job:
            continue
        local = values.get(b"LOCAL_RANK") or (values.get(b"SLURM_LOCALID") if b"RANK" in values else None)
        if local is None or not local.isdigit():
            continue
        then, before = memory.get(pid, (now, used))
        memory[pid] = (now, used)
        share = min(1.0, (used - before) / 100.0 / (now - then)) if now - then > 0.05 else 0.5
        process = head.partition("(")[2]
        ranks.append(Rank(owned[int(local) % len(owned)], pid, 1 - share, share, 0.0, resident, process))
    return ranks


def sway(key, now, size):
    """Smooth noise, the same for the same moment."""
    phase = (key * 2654435761 % 1000) / 159.0
    return size * (0.6 * math.sin(now / 3.1 + phase) + 0.4 * math.sin(now / 0.83 + 2 * phase))


def seed():
    value = 7
    for letter in node_name():
        value = (value * 31 + ord(letter)) % 99991
    return value


def package_power(kind, key, compute, wait, held, now):
    if kind == "mi250":
        power = 88 + 15 * held + 8 * wait + 201 * compute - 7 * compute * compute
    else:
        power = 54 + 9 * held + 36 * wait + 285 * compute
    power += sway(key, now, 2.0 + 5.0 * min(1.0, compute))
    return max(40.0, min(KINDS[kind]["cap"], power))


class Memory:
    """What the tools remember between two calls: temperatures and processor times."""

    def __init__(self):
        self.path = "%s/%d/seen-%s" % (TOP, os.getuid(), node_name())
        self.warmth, self.used = {}, {}
        try:
            with open(self.path) as stream:
                for line in stream:
                    what, key, at, value = line.split()
                    (self.warmth if what == "t" else self.used)[int(key)] = (float(at), float(value))
        except (OSError, ValueError):
            pass

    def save(self, now):
        lines = ["t %d %.3f %.3f\n" % (key, at, value) for key, (at, value) in self.warmth.items()]
        lines += ["c %d %.3f %d\n" % (key, at, value) for key, (at, value) in self.used.items() if now - at < 60]
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o755, exist_ok=True)
            if os.stat(TOP).st_uid == os.getuid():
                os.chmod(TOP, 0o1777)
            temporary = "%s.%d" % (self.path, os.getpid())
            with open(temporary, "w") as stream:
                stream.write("".join(lines))
            os.rename(temporary, self.path)
        except OSError:
            pass

    def temperature(self, key, target, now):
        at, value = self.warmth.get(key, (now, None))
        if value is None:
            value = target
        value += (target - value) * (1 - math.exp(-max(0.0, now - at) / WARMTH))
        self.warmth[key] = (now, value)
        return value


class Gpu:
    """Figures of one GPU at one moment; power is None on a secondary die."""


def read(kind, only=None):
    """The GPUs of the calling step, numbered from 0, with their figures."""
    now = time.time()
    facts, owned, memory = KINDS[kind], visible(kind), Memory()
    ranks = published(now)
    ranks += observed({rank.pid for rank in ranks}, owned, memory.used, now)
    result, base = [], seed()
    for number, index in enumerate(owned):
        if only is not None and number not in only:
            continue
        gpu = Gpu()
        gpu.number, gpu.index, gpu.kind, gpu.now = number, index, kind, now
        gpu.ranks = [rank for rank in ranks if rank.gpu == index]
        package = index - index % facts["dies"]
        mates = [rank for rank in ranks if package <= rank.gpu < package + facts["dies"]]
        compute = sum(min(1.0, sum(r.compute for r in mates if r.gpu == die)) for die in range(package, package + facts["dies"]))
        wait = sum(min(1.0, sum(r.wait for r in mates if r.gpu == die)) for die in range(package, package + facts["dies"]))
        held = len({rank.gpu for rank in mates})
        power = package_power(kind, base + package, compute, wait, held, now)
        gpu.power = power if index == package else None
        busy = min(1.0, sum(rank.compute + rank.wait for rank in gpu.ranks))
        gpu.compute = min(1.0, sum(rank.compute for rank in gpu.ranks))
        load = min(1.0, sum(rank.load for rank in gpu.ranks))
        gpu.use = int(max(0.0, min(100.0, busy * 99.2 + busy * sway(base + index, now, 1.2) + load * (2 + sway(index, now, 2)))) + 0.5)
        gpu.used = min(facts["total"], facts["idle"] + int(sum(rank.memory for rank in gpu.ranks)))
        gpu.total = facts["total"]
        slope = 0.052 if kind == "mi250" else 0.085
        gpu.temperature = memory.temperature(index, 35 + index % 4 + slope * (power - 60), now)
        gpu.clock = facts["clocks"][1] if busy > 0.02 or gpu.ranks else facts["clocks"][0]
        gpu.memory_clock = facts["mclk"]
        gpu.traffic = int(gpu.compute * (38 + sway(index + 5, now, 6)) + 0.5)
        result.append(gpu)
    memory.save(now)
    return result
