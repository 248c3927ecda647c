"""A practice cluster in the shape of a site: partitions, node kinds and limits of a catalogue file.

Its nodes are declared to Slurm and never started (State=CLOUD), so that requests are judged by the site's limits
(sbatch --test-only) without a machine of that size.
"""
import json
import re

from .errors import Cannot

FEATURE = re.compile(r"[A-Za-z0-9_.:-]+")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
MOST_NODES = 10000      # of one kind
FEWEST_NODES = 4        # where the file says neither how many there are nor how many a job may have
UNITS = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}


def read(path):
    """The catalogue entry in a file, checked as far as the practice cluster needs it."""
    try:
        with open(path, encoding="utf-8") as stream:
            entry = json.load(stream)
    except OSError as error:
        raise Cannot("the shape %s cannot be read: %s" % (path, error.strerror))
    except ValueError as error:
        raise Cannot("the shape %s is not a JSON file: %s" % (path, error))
    if not isinstance(entry, dict) or not NAME.fullmatch(str(entry.get("name", ""))):
        raise Cannot("the shape %s has no name; give a cluster file of the catalogue" % path)
    if not entry.get("partitions") or not entry.get("nodes"):
        raise Cannot("the shape %s lists no partitions or no nodes: there is nothing to imitate" % path)
    return Shape(entry)


def mebibytes(text):
    """'480G' -> 491520; a bare number is MiB, as everywhere in Slurm; None stays None."""
    found = re.fullmatch(r"([0-9.]+)([KMGT]?)", str(text or ""))
    return int(float(found.group(1)) * UNITS[found.group(2) or "M"]) if found else None


class Shape:
    """What Slurm is told about a site."""

    def __init__(self, entry):
        self.entry = entry
        self.name = entry["name"]
        launch = entry.get("launch") or {}
        self.account = launch.get("accountExample") or "project_465000001"
        self.account_required = launch.get("accountRequired", True)
        self.differences = ["The nodes are declared only: jobs are judged (sbatch --test-only), but never start."]
        self.kinds = {node["name"]: node for node in entry["nodes"] if node.get("gpus")}
        self.queues = [one for one in entry["partitions"] if one.get("node") in self.kinds]
        if not self.queues:
            raise Cannot("the shape %s has no partition with GPU nodes" % self.name)
        self.wanted = self._features(launch.get("extraDirectives") or [])
        self.counts = {name: self._count(name) for name in self.kinds}

    @staticmethod
    def _features(directives):
        found = []
        for line in directives:
            if "constraint" in line or line.startswith("-C"):
                found += FEATURE.findall(line.split("=", 1)[-1].replace("-C", " ").strip("\"'"))
        return found

    def _count(self, kind):
        """Enough nodes for the largest job of every partition on them."""
        sizes = [one.get("maxNodes") or one.get("nodes") or FEWEST_NODES for one in self.queues if one["node"] == kind]
        for one in self.queues:
            if one["node"] == kind:
                sizes += [bin_.get("maxNodes") or 1 for bin_ in one.get("sizeLimits") or []]
        return max(1, min(MOST_NODES, max(sizes, default=1)))

    def node_list(self, kind):
        label = re.sub(r"[^a-z0-9]", "", kind.lower()) or "node"
        digits = len(str(self.counts[kind]))
        return "%s-[%s-%d]" % (label, "1".rjust(digits, "0"), self.counts[kind])

    def gres(self, kind):
        node = self.kinds[kind]
        gpu = node.get("gpu") or {}
        words = ["gpu:%s%d" % (gpu["slurmName"] + ":" if gpu.get("slurmName") else "", node["gpus"])]
        disk = node.get("localDisk") or {}
        if disk.get("gres"):
            words.append("%s:%d" % (disk["gres"], (mebibytes(disk.get("size")) or 1024 * 1024) // 1024))
        return words

    def gres_types(self):
        return sorted({word.split(":")[0] for kind in self.kinds for word in self.gres(kind)})

    def features(self, kind):
        found = [kind, "gpu"] + self.wanted
        for text in [self.kinds[kind].get("constraint")] + [one.get("constraint") for one in self.queues if one["node"] == kind]:
            found += FEATURE.findall(text or "")
        slurm_name = (self.kinds[kind].get("gpu") or {}).get("slurmName")
        return list(dict.fromkeys(found + ([slurm_name] if slurm_name else [])))

    def node_lines(self):
        text = ""
        for kind, node in self.kinds.items():
            usable = node.get("usableCores") or node.get("cores") or (node.get("coresPerGpu") or 1) * node["gpus"]
            threads = node.get("threadsPerCore") or 1 if node.get("cpusAreThreads") else 1
            # Only what jobs may use: cores kept for the system count on nodes that have registered.
            text += "NodeName=%s Sockets=1 CoresPerSocket=%d ThreadsPerCore=%d RealMemory=%d Gres=%s Feature=%s State=CLOUD\n" % (
                self.node_list(kind), -(-usable // threads), threads, self._memory(node), ",".join(self.gres(kind)),
                ",".join(self.features(kind)))
        return text

    @staticmethod
    def _memory(node):
        share = mebibytes(node.get("memoryPerGpu"))
        return mebibytes(node.get("memory")) or (share * node["gpus"] if share else 1024 * 1024)

    def gres_conf(self):
        text = "AutoDetect=off\n"
        for kind, node in self.kinds.items():
            for word in self.gres(kind):
                name, _, rest = word.partition(":")
                type_, _, count = rest.rpartition(":")
                text += "NodeName=%s Name=%s%s Count=%s\n" % (self.node_list(kind), name, " Type=" + type_ if type_ else "", count)
        return text

    def partitions(self):
        """Slurm's partitions: several queues of the file may stand in one. Name -> queues.

        Queues that a job does not name, because a filter of the site picks them by constraint, share one.
        """
        found = {}
        unnamed = None
        for one in self.queues:
            name = one.get("slurmPartition") or one["name"]
            if one.get("partitionWritten") is False:
                unnamed = name = unnamed or name
            found.setdefault(name, []).append(one)
        return found

    def default_partition(self):
        """Where a site's filter puts jobs that name no partition; None: a partition must be named."""
        free = [name for name, queues in self.partitions().items() if any(q.get("partitionWritten") is False for q in queues)]
        if not free and (self.entry.get("launch") or {}).get("partitionRequired") is False:
            free = list(self.partitions())
        return free[0] if free else None

    def partition_lines(self):
        text = ""
        default = self.default_partition()
        for name, queues in self.partitions().items():
            kinds = list(dict.fromkeys(one["node"] for one in queues))
            options = ["PartitionName=" + name, "Nodes=" + ",".join(self.node_list(kind) for kind in kinds)]
            options.append("MaxTime=" + self._longest(queues))
            sizes = [one.get("maxNodes") for one in queues]
            if all(sizes):
                options.append("MaxNodes=%d" % max(sizes))
            least = [one.get("minNodes") for one in queues]
            if all(least):
                options.append("MinNodes=%d" % min(least))
            if len(queues) == 1 and queues[0].get("defaultTime"):
                options.append("DefaultTime=" + queues[0]["defaultTime"])
            if not any(one.get("shared") for one in queues):
                options.append("OverSubscribe=EXCLUSIVE")
            options += self._default_memory(kinds)
            if self.limits(queues):
                options.append("QOS=" + self.qos_name(name))
            if name == default:
                options.append("Default=YES")
            if self.account_required:
                options.append("AllowAccounts=" + self.account)
            text += " ".join(options) + " State=UP\n"
        return text

    @staticmethod
    def _longest(queues):
        times = [one.get("maxTime") for one in queues]
        return max(times, key=seconds) if all(times) else "UNLIMITED"

    def _default_memory(self, kinds):
        shares = [mebibytes(self.kinds[kind].get("memoryPerGpu")) for kind in kinds]
        if all(shares) and all(self.kinds[kind].get("memoryFollowsGpus") for kind in kinds):
            return ["DefMemPerGPU=%d" % min(shares)]
        return []

    @staticmethod
    def qos_name(partition):
        return "part-" + partition.lower()

    @staticmethod
    def limits(queues):
        """The limits of queues that only a quality of service can hold, as sacctmgr takes them: the widest of them. None for
        queues that have one of their own."""
        found = {}
        if len(queues) > 1 and any(queue.get("qos") for queue in queues):
            return found
        for member, option, form in (("maxGpusPerJob", "MaxTRESPerJob", "gres/gpu=%d"), ("minGpusPerJob", "MinTRESPerJob", "gres/gpu=%d"),
                                     ("maxGpusPerUser", "MaxTRESPerUser", "gres/gpu=%d"), ("maxRunningJobs", "MaxJobsPerUser", "%d"),
                                     ("maxSubmittedJobs", "MaxSubmitJobsPerUser", "%d")):
            values = [queue.get(member) for queue in queues]
            if all(values):
                found[option] = form % (min(values) if member.startswith("min") else max(values))
        return found

    def all_qos(self):
        """Qualities of service: those that a site's jobs name, and those that carry a partition's limits. Name -> limits."""
        found = {}
        for name, queues in self.partitions().items():
            if self.limits(queues):
                found[self.qos_name(name)] = self.limits(queues)
        for queue in self.queues:
            if queue.get("qos"):
                limits = self.limits([queue])
                if queue.get("maxTime"):
                    limits["MaxWall"] = queue["maxTime"]
                if queue.get("maxNodes"):
                    more = "node=%d" % queue["maxNodes"]
                    limits["MaxTRESPerJob"] = ",".join(filter(None, (limits.get("MaxTRESPerJob"), more)))
                found[queue["qos"]] = limits
        return found

    def named_qos(self):
        return sorted({queue["qos"] for queue in self.queues if queue.get("qos")})


def seconds(text):
    """Slurm's spelling of a time -> seconds."""
    days, _, rest = str(text).rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    if days:
        parts += [0] * (3 - len(parts))
    elif len(parts) < 3:
        parts = [0] + parts + [0] * (2 - len(parts)) if len(parts) == 1 else [0] + parts
    return int(days or 0) * 86400 + parts[0] * 3600 + parts[1] * 60 + parts[2]
