"""Stand-ins for what a batch script meets on a cluster, which read their words as the real programs do.

srun starts every task of every node in turn and cuts its words at a lone colon; torchrun and accelerate read the program's
words as templates, as torch.distributed.elastic does; taskset refuses a process id that is no number; shifter wants --image;
the variables are those that sbatch and srun set for the options that the script asks with, and no others.
"""
import os
import stat
import sys

COMMON = r'''
import os, string, subprocess, sys
def die(text):
    sys.stderr.write(text + "\n")
    sys.exit(2)
def options(words, flags=(), valued=()):
    """--name=value, --name value for `valued`, --name for `flags`; ends at the first word that is none."""
    found, at = {}, 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        name, equals, value = words[at].partition("=")
        name = name.replace("-", "_").lstrip("_")
        if equals:
            found[name] = value
        elif name in flags:
            found[name] = True
        elif name in valued or valued == "all":
            at += 1
            found[name] = words[at]
        else:
            die("stand-in: unknown option " + words[at])
        at += 1
    return found, words[at:]
def status(cores):
    """A file for the rank, as the kernel would show it."""
    path = "%s/status-%s-%s" % (os.environ["TRIAL"], os.getpid(), cores.replace(",", "_"))
    with open(path, "w") as stream:
        stream.write("Name:\tbash\nCpus_allowed_list:\t%s\n" % cores)
    return path
def log(name, text):
    with open(os.environ["TRIAL"] + "/" + name, "a") as stream:
        stream.write(text + "\n")
def run_all(runs):
    """Starts (words, variables) one after the other; the first failure is the result."""
    for words, more in runs:
        done = subprocess.run(words, env={**os.environ, **more})
        if done.returncode:
            sys.exit(done.returncode)
def worker_words(given, rest, substitute, rank):
    """What an agent starts for one local rank."""
    if given.get("no_python"):
        words = rest
    elif given.get("m") or given.get("module"):
        words = ["python3", "-u", "-m"] + rest
    else:
        words = ["python3", "-u"] + rest
    if substitute:  # the entry point itself is not a template
        words = words[:1] + [string.Template(one).safe_substitute(local_rank=str(rank)) for one in words[1:]]
    return words
'''

SRUN = r'''
words = sys.argv[1:]
if ":" in words:
    words = words[:words.index(":")]
given, command = options(words, flags=("overlap", "no_kill", "l", "u", "K"),
                         valued=("N", "n", "c", "nodes", "ntasks", "ntasks_per_node", "cpus_per_task", "gpus_per_task"))
if not command:
    die("srun: fatal: No command given to execute.")
job = os.environ
nodes, tasks = int(job["SLURM_NNODES"]), int(given.get("ntasks_per_node", job["TRIAL_TASKS"]))
if given.get("N") or given.get("nodes"):
    nodes = int(given.get("N") or given.get("nodes"))
if given.get("n") or given.get("ntasks"):
    tasks = int(given.get("n") or given.get("ntasks")) // nodes
gpus_each = given.get("gpus_per_task", job.get("TRIAL_GPUS_PER_TASK"))
masks = given.get("cpu_bind", "").partition("mask_cpu:")[2].split(",")
if given.get("environment"):
    name = given["environment"]
    if "/" in name and not os.path.exists(name):
        die("srun: error: cannot read the environment definition file " + name)
    log("containers", "environment " + (open(name).read().replace("\n", ";") if os.path.exists(name) else name))
if given.get("container_image"):
    log("containers", "pyxis " + given["container_image"])
def cores(mask):
    bits = [bit for bit in range(4096) if int(mask, 16) >> bit & 1]
    parts = []
    for bit in bits:
        if parts and parts[-1][1] == bit - 1:
            parts[-1][1] = bit
        else:
            parts.append([bit, bit])
    return ",".join(str(a) if a == b else "%d-%d" % (a, b) for a, b in parts)
runs = []
gpus = ",".join(str(one) for one in range(int(job["TRIAL_GPUS"])))
places = job.get("TRIAL_PLACES", "").split()  # where Slurm itself puts the tasks
for node in range(nodes):
    for local in range(tasks):
        if given.get("cpu_bind", "").startswith("mask_cpu:"):
            own = cores(masks[local % len(masks)])
        else:
            own = places[local] if tasks == len(places) else job["TRIAL_ALL_CORES"]
        more = {"SLURM_PROCID": str(node * tasks + local), "SLURM_LOCALID": str(local), "SLURM_NODEID": str(node),
                "SLURM_NTASKS": str(nodes * tasks), "SLURMD_NODENAME": "n%d" % (node + 1), "SLURM_STEP_GPUS": gpus,
                job["TRIAL_VISIBLE"]: gpus, "TRIAL_STATUS": status(own)}
        if gpus_each:  # each task is shown its own GPUs, counted from 0
            more[job["TRIAL_VISIBLE"]] = ",".join(str(one) for one in range(int(gpus_each)))
        runs.append((command, more))
run_all(runs)
'''

TORCHRUN = r'''
given, rest = options(sys.argv[1:], flags=("standalone", "no_python", "m", "module"), valued="all")
log("agents", "torchrun " + " ".join("%s=%s" % one for one in sorted(given.items())
    if one[0] not in ("rdzv_endpoint", "rdzv_id", "rdzv_conf") and one != ("max_restarts", "0")))
nodes, each, node = int(given["nnodes"]), int(given["nproc_per_node"]), int(os.environ["SLURM_NODEID"])
if nodes > 1:
    host = given["rdzv_endpoint"].partition(":")[0]
    conf = dict(part.split("=") for part in given.get("rdzv_conf", "").split(",") if part)
    is_host = conf["is_host"] in ("1", "true") if "is_host" in conf else host == os.environ["SLURMD_NODENAME"]
    if is_host:
        log("hosts", str(node))
elif not given.get("standalone"):
    die("stand-in: one node without --standalone")
run_all([(worker_words(given, rest, True, local), {"RANK": str(node * each + local), "LOCAL_RANK": str(local),
          "WORLD_SIZE": str(nodes * each), "LOCAL_WORLD_SIZE": str(each), "MASTER_ADDR": "agent", "MASTER_PORT": "1"})
         for local in range(each)])
'''

ACCELERATE = r'''
if sys.argv[1] != "launch":
    die("stand-in: accelerate " + sys.argv[1])
given, rest = options(sys.argv[2:], flags=("no_python", "m", "module"))
nodes, world = int(given["num_machines"]), int(given["num_processes"])
node, each = int(given.get("machine_rank", 0)), world // nodes
if nodes > 1 and not given.get("main_process_ip"):
    die("stand-in: no main_process_ip")
alone = "distributed_type: 'NO'" in open(given["config_file"]).read() if "config_file" in given else world == 1
run_all([(worker_words(given, rest, not alone, local), {} if alone else {"RANK": str(node * each + local),
          "LOCAL_RANK": str(local), "WORLD_SIZE": str(world), "MASTER_ADDR": "agent", "MASTER_PORT": "1"})
         for local in range(each)])
'''

DEEPSPEED = r'''
given, rest = options(sys.argv[1:], flags=("no_python", "module", "no_local_rank"))
visible = os.environ[os.environ["TRIAL_VISIBLE"]].split(",")
each = int(given.get("num_gpus", len(visible)))
own = [] if given.get("no_local_rank") else None
runs = []
for local in range(each):
    words = worker_words(given, rest, False, local)
    if own is None and not given.get("no_python"):
        at = 3 if not given.get("module") else 4
        words = words[:at] + ["--local_rank=%d" % local] + words[at:]
    runs.append((words, {"RANK": str(local), "LOCAL_RANK": str(local), "WORLD_SIZE": str(each), "MASTER_ADDR": "agent", "MASTER_PORT": "1"}))
run_all(runs)
'''

TASKSET = r'''
words = sys.argv[1:]
if words[:1] == ["-cp"]:
    if not words[2].isdigit():
        die("taskset: invalid PID argument: '%s'" % words[2])
    sys.exit(0)
if words[:1] != ["-c"] or not words[2:]:
    die("taskset: bad usage")
os.environ["TRIAL_STATUS"] = status(words[1])
os.execvp(words[2], words[2:])
'''

CONTAINER = r'''
name = os.path.basename(sys.argv[0])
needed = os.environ.get("TRIAL_MODULE")
if needed and needed not in open(os.environ["TRIAL"] + "/modules").read().split():
    die(name + ": command not found")
if name == "shifter":
    given, rest = options(sys.argv[1:], valued=("image", "module", "volume"))
    image = given.get("image") or die("shifter: No image specified")
else:
    if sys.argv[1] not in ("exec", "run"):
        die("stand-in: " + sys.argv[1])
    if name == "podman-hpc":  # podman-run(1); --gpu, --mpi and --nccl are its own
        flags, valued = ("rm", "gpu", "mpi", "nccl", "i", "t", "it", "privileged"), ("v", "volume", "mount", "e", "env", "w", "workdir", "name", "u", "user")
    else:
        flags, valued = ("nv", "rocm"), ("B", "bind")
    given, rest = options(sys.argv[2:], flags=flags, valued=valued)
    image, rest = rest[0], rest[1:]
    log("binds", given.get("B") or given.get("bind") or given.get("v") or given.get("volume") or "none")
log("containers", name + " " + image)
os.execvp(rest[0], rest)
'''

# One file for each process of the program: its words, then its environment.
PROBE = r'''#!/bin/sh
if [ "$1" = -c ]; then exit ${TRIAL_NO_TORCH:-0}; fi
f=$(mktemp "$TRIAL/rank-XXXXXX")
{ for w in "$@"; do printf '%s\0' "$w"; done; printf '%s\0' "" "$PWD" "$TRIAL_STATUS" "$0"; } > "$f"
for n in RANK LOCAL_RANK WORLD_SIZE MASTER_ADDR MASTER_PORT SLURM_PROCID SLURM_LOCALID VIRTUAL_ENV CONDA_DEFAULT_ENV; do eval "v=\${$n-}"; printf '%s=%s\0' "$n" "$v"; done >> "$f"
env -0 >> "$f"
'''

UV = r'''
if sys.argv[1] != "run":
    die("stand-in: uv " + sys.argv[1])
given, rest = options(sys.argv[2:], valued=("extra", "with", "python"))
log("containers", "uv " + str(given))
os.execvp(rest[0], rest)
'''

SHELL = {
    "scontrol": '#!/bin/sh\nif [ "$1" = show ]; then i=1; while [ $i -le "$SLURM_NNODES" ]; do echo "n$i"; i=$((i+1)); done; else echo "$*" >> "$TRIAL/scontrol"; fi\n',
    "module": '#!/bin/sh\necho "$*" >> "$TRIAL/modules"\n',
    "conda": '#!/bin/sh\necho \'conda() { export CONDA_DEFAULT_ENV="$2"; }\'\n',
    "python3": PROBE,
    "python": PROBE,
    "fast": PROBE,
    "seff": "#!/bin/sh\n:\n",
}


def place(folder):
    """Writes all of them into a folder for PATH."""
    python = "#!%s -S\n" % os.path.realpath(sys.executable)
    texts = dict(SHELL)
    for name, body in (("srun", SRUN), ("torchrun", TORCHRUN), ("accelerate", ACCELERATE), ("deepspeed", DEEPSPEED), ("taskset", TASKSET), ("uv", UV),
                       ("singularity", CONTAINER), ("apptainer", CONTAINER), ("shifter", CONTAINER), ("podman-hpc", CONTAINER)):
        texts[name] = python + COMMON + body
    for name, text in texts.items():
        path = folder + "/" + name
        with open(path, "w") as stream:
            stream.write(text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
