"""A stranger's batch script in a real bash among stand-ins that record: which steps with how many nodes and tasks, which
agents with how many processes, which images, and the words and variables of the first rank of each program.

Everything that a script could reach beside these is a stand-in that does nothing; directives are read here once more,
after sbatch(1), so that what the reader of the product makes of them is not taken for granted.
"""
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

TOOLS = ("cat tr cut sed awk grep egrep head tail sort uniq wc basename dirname seq env printenv tee paste expr realpath readlink "
         "uname xargs nproc id true false sh bash rev od find ls test stat cmp").split()
QUIET = ("sleep rm cp mv mkdir ln chmod touch rsync tar unzip wget curl git pip pip3 nvidia-smi rocm-smi rocminfo scancel sbatch squeue "
         "sacct free df du lscpu kill pkill ray redis-server ssh scp clear nvcc gcc ulimit lfs conda mamba spack ps top getent ibstat ip ifconfig jq md5sum yes lsof ping shuf comm ss ompi_info strings").split()

RECORD = r'''
import json, os, sys
def record(kind, **what):
    what["kind"] = kind
    with open(os.environ["FT"] + "/records", "a") as stream:
        stream.write(json.dumps(what) + "\n")
def own():
    return {name: value for name, value in os.environ.items() if not name.startswith(("BASH_FUNC", "FT"))}
def program(words):
    """Starts what a launcher is given; what is not there is the program of the job."""
    import shutil
    name = words[0]
    if os.path.basename(name) in ("bash", "sh"):
        os.execv("/bin/bash", words)
    found = shutil.which(name)
    inside = found and os.path.dirname(os.path.abspath(found)) == os.environ["FT"] + "/bin"
    if inside:
        os.execv(found, words)
    while words and "=" in words[0] and not words[0].startswith(("-", "/")):
        name, _, value = words.pop(0).partition("=")
        os.environ[name] = value
    record("program", words=words, env=own(), folder=os.getcwd())
    sys.exit(0)
def split(words, flags, short):
    """Options as getopt_long reads them, up to the first word that is none."""
    found, at = {}, 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-", "--"):
        word = words[at]
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            name = name.replace("_", "-")
            if not equals and name not in flags:
                at += 1
                value = words[at] if at < len(words) else ""
            found[name] = value
        else:
            letter = word[1]
            name = short.get(letter, letter)
            if name in flags:
                for one in word[1:]:
                    found[short.get(one, one)] = ""
            elif len(word) > 2:
                found[name] = word[2:]
            else:
                at += 1
                found[name] = words[at] if at < len(words) else ""
        at += 1
    if at < len(words) and words[at] == "--":
        at += 1
    return found, words[at:]
'''

SRUN = r'''
FLAGS = set("label unbuffered no-kill exclusive overlap exact overcommit quiet verbose disable-status preserve-env wait-all-nodes pty multi-prog l u v O Q K k kill-on-bad-exit no-container-mount-home container-mount-home container-writable help no-container-entrypoint contiguous".split())
SHORT = {"N": "nodes", "n": "ntasks", "c": "cpus-per-task", "G": "gpus", "p": "partition", "A": "account", "t": "time", "l": "label", "u": "unbuffered", "J": "job-name", "o": "output", "e": "error", "w": "nodelist", "m": "distribution", "W": "wait", "C": "constraint"}
given, command = split(sys.argv[1:], FLAGS, SHORT)
def number(text, otherwise):
    text = (text or "").split(":")[-1]
    return int(text) if text.isdigit() else otherwise
nodes = number(given.get("nodes", "").split("-")[-1], int(os.environ["SLURM_NNODES"]))
each = number(given.get("ntasks-per-node"), None)
total = number(given.get("ntasks"), None)
if total is None:
    total = nodes * each if each else (int(os.environ["FT_TASKS"]) if "nodes" not in given else nodes * max(1, int(os.environ["FT_TASKS"]) // int(os.environ["SLURM_NNODES"])))
for name in ("container-image", "image", "environment"):
    if name in given:
        record("image", runtime="srun", image=given[name])
if "uenv" in given:
    record("environment", runtime="srun", image=given["uenv"])
record("step", nodes=nodes, tasks=total, options=given, command=command)
if not command or os.path.basename(command[0]) in ("hostname", "nvidia-smi", "rm", "mkdir", "echo", "rocm-smi"):
    sys.exit(0)
more = {"SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_NODEID": "0", "SLURM_NTASKS": str(total), "SLURM_NPROCS": str(total),
        "SLURM_STEP_NUM_NODES": str(nodes), "SLURM_STEP_NUM_TASKS": str(total), "SLURMD_NODENAME": "n1"}
os.environ.update(more)
program(command)
'''

AGENT = r'''
name = os.path.basename(sys.argv[0])
words = sys.argv[1:]
FLAGS = set("standalone no-python m module multi-gpu use-deepspeed use-fsdp q quiet debug force-multi no-local-rank no-ssh same-network cpu h use-env".split())
if name == "accelerate":
    words = words[1:]
given, rest = split(words, FLAGS, {})
record("agent", name=name, options=given)
os.environ.update({"RANK": "0", "LOCAL_RANK": "0"})
if "no-python" in given:
    program(rest)
record("program", words=(["-m"] if "m" in given or "module" in given else []) + rest, env=own(), folder=os.getcwd())
'''

MPIRUN = r'''
words, at, given = sys.argv[1:], 0, {}
VALUED = "np n N c npernode ppn perhost H host hosts hostfile machinefile f bind-to map-by rank-by x genv env wdir rankfile launcher".split()
while at < len(words) and words[at].startswith("-"):
    name, equals, value = words[at].lstrip("-").partition("=")
    if name == "mca":
        at += 2
    elif not equals and name in VALUED:
        at += 1
        value = words[at]
    given[name] = value
    at += 1
record("agent", name="mpirun", options=given)
program(words[at:])
'''

CONTAINER = r'''
name = os.path.basename(sys.argv[0])
words = sys.argv[1:]
VALUED = "B bind mount H home env env-file overlay W workdir pwd S scratch app V volume image module".split()
if name == "nvidia-docker":
    name = "docker"
if name in ("podman-hpc", "podman", "docker"):  # podman-run(1), docker-run(1)
    VALUED += "e v w name u user shm-size net network ipc gpus entrypoint device security-opt cap-add cap-drop group-add ulimit add-host hostname p publish".split()
elif name == "sarus":  # sarus run
    VALUED += "e w name entrypoint device".split()
elif name == "ch-run":  # ch-run(1)
    VALUED += "b c cd g gid u uid m s storage unset-env".split()
elif name == "uenv":
    VALUED = "v view".split()
FLAGS = set()
def take(words):
    found, at = [], 0
    while at < len(words) and words[at].startswith("-"):
        option, equals, value = words[at].lstrip("-").partition("=")
        if not equals and option in VALUED:
            at += 1
            value = words[at]
        found.append((option, value))
        at += 1
    return found, words[at:]
given, rest = take(words)
if name == "shifter":
    image = dict(given).get("image") or os.environ.get("FT_IMAGE", "")
elif name == "ch-run":
    image, rest = rest[0], rest[1:]
    rest = rest[1:] if rest[:1] == ["--"] else rest
elif not rest or rest[0] not in ("exec", "run", "shell", "start"):
    sys.exit(0)
else:
    verb, rest = rest[0], rest[1:]
    more, rest = take(rest)
    given += more
    if name.endswith("_wrapper"):
        image = os.environ.get("SIF", "")
    else:
        image, rest = (rest[0], rest[1:]) if rest else ("", [])
        rest = rest[1:] if name == "uenv" and rest[:1] == ["--"] else rest
    if name in ("podman-hpc", "podman", "docker") and verb == "exec":  # a container that runs already
        program(rest)
kind = "environment" if name == "uenv" else "image"
record(kind, runtime=name, image=image, binds=[value for option, value in given if option in ("B", "bind", "V", "v", "b", "volume", "mount")])
if name in ("podman-hpc", "podman", "docker") and {"d", "detach"} & set(dict(given)):  # it goes on beside the script
    sys.exit(0)
if rest:
    program(rest)
'''

PREFIX = r'''
words = sys.argv[1:]
if os.path.basename(sys.argv[0]) == "nsys" and words[:1] == ["profile"]:
    words = words[1:]
while words and (words[0].startswith("-") or words[0].isdigit()):
    valued = words[0] in ("-s", "-o", "-t", "-c", "--output") and os.path.basename(sys.argv[0]) in ("nsys", "taskset")
    words = words[2:] if valued else words[1:]
if words:
    program(words)
'''

PYTHON = r'''
words = sys.argv[1:]
while words and words[0].startswith("-") and words[0] not in ("-m", "-c", "-"):
    words = words[2:] if words[0] in ("-W", "-X") else words[1:]
if not words or words[0] in ("-c", "-"):
    sys.exit(0)
AGENTS = {"torch.distributed.run": "torchrun", "torch.distributed.launch": "torchrun", "accelerate.commands.launch": "accelerate"}
if words[0] == "-m" and words[1] in AGENTS:
    name = AGENTS[words[1]]
    os.execv(os.environ["FT"] + "/bin/" + name, [name] + (["launch"] if name == "accelerate" else []) + words[2:])
if os.path.basename(words[0]) in ("torchrun", "accelerate", "deepspeed"):
    os.execv(os.environ["FT"] + "/bin/" + os.path.basename(words[0]), [words[0]] + words[1:])
record("program", words=words, env=own(), folder=os.getcwd())
'''

# A program by a path of its own, a Python script or one of a shell: bash may start it by its name, or as its own script.
BY_PATH = '''#!/bin/sh
if [ "${BASH_SOURCE:-$0}" != "$0" ]; then return 0; fi
exec "$FT/bin/.by-path" "$0" "$@"
'''

PRELUDE = r'''
RANDOM=7
cd() { builtin cd "$@" 2>/dev/null || true; }
source() { if [ -f "$1" ]; then builtin source "$@"; fi; }
exit() { FT_EXITS=$((${FT_EXITS:-0} + 1)); if [ $FT_EXITS -gt 20 ]; then builtin exit 0; fi; return 0; }
module() { printf '%s\n' "$*" >> "$FT/modules"; }
ml() { printf '%s\n' "$*" >> "$FT/modules"; }
command_not_found_handle() { python3 "$FT/bin/.unknown" "$@"; }
'''

MKTEMP = '''#!/bin/sh
echo x >> "$FT/made"; name="$FT/made.$(wc -l < "$FT/made")"
case " $* " in *" -d "*) mkdir -p "$name" ;; *) : > "$name" ;; esac
echo "$name"
'''

SCONTROL = '''#!/bin/sh
if [ "$1" = show ]; then i=1; while [ $i -le "$SLURM_NNODES" ] && [ $i -le 4096 ]; do echo "n$i"; i=$((i+1)); done; fi
'''

SHORT = {"N": "nodes", "n": "ntasks", "c": "cpus-per-task", "G": "gpus", "p": "partition", "A": "account", "t": "time", "J": "job-name",
         "o": "output", "e": "error", "q": "qos", "C": "constraint", "a": "array", "d": "dependency", "D": "chdir", "w": "nodelist", "x": "exclude"}
FLAG_OPTIONS = {"exclusive", "requeue", "no-requeue", "contiguous", "overcommit", "hold", "H", "s", "oversubscribe", "wait"}


def directives(script):
    """What sbatch reads: long names, the last one counts; words end at an unquoted '#'."""
    asked = {}
    for number, line in enumerate(script.splitlines()):
        if line.strip() and not line.lstrip().startswith("#") and number:
            break
        if not line.startswith("#SBATCH"):
            continue
        words = [re.sub(r"[\"']", "", word) for word in re.findall(r"(?:[^\s\"'#]|\"[^\"]*\"|'[^']*')+", re.split(r"(?<![\w\"'])#|#", line[7:])[0])]
        at = 0
        while at < len(words):
            word = words[at]
            if word.startswith("--"):
                name, equals, value = word[2:].partition("=")
                if not equals and name not in FLAG_OPTIONS and at + 1 < len(words):
                    at += 1
                    value = words[at]
                asked["ntasks-per-node" if name == "tasks-per-node" else name] = value
            elif word.startswith("-") and len(word) > 1:
                name = SHORT.get(word[1], word[1])
                if len(word) > 2:
                    value = word[2:].lstrip("=")
                elif name in FLAG_OPTIONS or at + 1 >= len(words):
                    value = ""
                else:
                    at += 1
                    value = words[at]
                asked[name] = value
            at += 1
    return asked


def goes_on(script):
    """The script without `set -e` and `set -u`: what a site has and is not here would end it before it starts anything."""
    def weaker(match):
        letters = match.group(2).translate({ord("e"): None, ord("u"): None})
        return match.group(1) + ("-" + letters if letters else "+e")
    script = re.sub(r"(?m)^(\s*set (?:-[a-df-tv-z]+ )*)-([a-z]*[eu][a-z]*)\b", weaker, script)
    return re.sub(r"(?m)^(\s*set) -o (?:errexit|nounset)\b", r"\1 +e", script)


def number(text):
    found = re.search(r"(\d+)$", (text or "").split("(")[0].split(",")[0])
    return int(found.group(1)) if found else None


def first_task(array):
    """The number of the first task of an array job; of any other job 1, as if it were submitted as one."""
    found = re.match(r"\d+", array or "")
    return found.group(0) if found else "1"


def size(asked):
    """Nodes, tasks of the job, GPUs of a node, as Slurm gives them."""
    nodes = number(asked.get("nodes"))
    each, total = number(asked.get("ntasks-per-node")), number(asked.get("ntasks"))
    if nodes is None:
        nodes = max(1, total // each) if total and each else 1
    tasks = total or nodes * (each or 1)
    gpus = None
    gres = re.search(r"(?:^|,)(?:gres/)?gpu(?::[^:,]*[A-Za-z][^:,]*)?(?::(\d+))?(?=$|[,(])", asked.get("gres", ""))
    if "gpus-per-node" in asked:
        gpus = number(asked["gpus-per-node"])
    elif gres:
        gpus = int(gres.group(1) or 1)
    elif "gpus" in asked:
        gpus = (number(asked["gpus"]) or 0) // nodes
    elif "gpus-per-task" in asked:
        gpus = (number(asked["gpus-per-task"]) or 0) * tasks // nodes
    return nodes, tasks, gpus


class Run:
    """One script, run once: asked, nodes, tasks, gpus of the job; records of what it started."""

    def __init__(self, script, words=("one", "two"), limit=900, more=None):
        self.asked = directives(script)
        self.nodes, self.tasks, self.gpus = size(self.asked)
        folder = tempfile.mkdtemp(prefix="rw-fields-")
        try:
            made = set()
            while True:  # a program by a path of its own: a stand-in takes its place, and the script runs again
                self.run(folder, script, list(words), limit, more or {}, made)
                missing = set(re.findall(r": ((?:\.{1,2}|FOLDER)?/[\w./+-]+): No such file or directory", self.output)) - made
                if not missing or len(made) > 20:
                    break
                made |= missing
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def run(self, folder, script, words, limit, more, made):
        tools, job = folder + "/bin", folder + "/home/a/b/job"
        for one in (tools, folder + "/home"):
            shutil.rmtree(one, ignore_errors=True)
        for name in ("/records", "/made"):
            if os.path.exists(folder + name):
                os.remove(folder + name)
        os.mkdir(tools)
        os.makedirs(job)
        for name in TOOLS:
            path = shutil.which(name, path="/usr/bin:/bin")
            if path:
                os.symlink(path, tools + "/" + name)
        python = "#!%s -S\n" % os.path.realpath(sys.executable)
        texts = {name: "#!/bin/sh\nexit 0\n" for name in QUIET}
        texts["hostname"] = "#!/bin/sh\necho n1\n"
        texts["date"] = "#!/bin/sh\necho 20260101\n"  # two runs are to be alike
        texts["mktemp"] = MKTEMP
        texts["which"] = "#!/bin/sh\necho \"$1\"\n"
        texts["scontrol"] = SCONTROL
        for name in ("numactl", "stdbuf", "taskset", "nsys"):  # what runs the words behind its options
            texts[name] = python + RECORD + PREFIX
        texts[".by-path"] = python + RECORD + 'record("program", words=sys.argv[1:], env=own(), folder=os.getcwd())\n'
        texts[".unknown"] = python + RECORD + "program(sys.argv[1:])\n"
        for name, body in (("srun", SRUN), ("torchrun", AGENT), ("torchrun_jsc", AGENT), ("accelerate", AGENT), ("deepspeed", AGENT),
                           ("horovodrun", AGENT), ("mpirun", MPIRUN), ("mpiexec", MPIRUN), ("singularity", CONTAINER), ("apptainer", CONTAINER),
                           ("shifter", CONTAINER), ("podman-hpc", CONTAINER), ("podman", CONTAINER), ("docker", CONTAINER), ("nvidia-docker", CONTAINER), ("sarus", CONTAINER),
                           ("ch-run", CONTAINER), ("uenv", CONTAINER), ("singularity_wrapper", CONTAINER), ("apptainer_wrapper", CONTAINER), ("python", PYTHON),
                           ("python3", PYTHON)):
            texts[name] = python + RECORD + body
        for name, text in texts.items():
            with open(tools + "/" + name, "w") as stream:
                stream.write(text)
            os.chmod(tools + "/" + name, os.stat(tools + "/" + name).st_mode | stat.S_IXUSR)
        placed = []
        for name in sorted(made, reverse=True):
            if name.startswith("/"):  # of the site: a folder of ours stands for the whole path
                if not any(name != other and name.startswith(other) for other in made):  # else it is replaced with that one
                    script = script.replace(name, folder + "/site" + name)
                name = "FOLDER/site" + name
            path = os.path.normpath(os.path.join(job, name.replace("FOLDER", folder)))
            if any(other.startswith(path + "/") for other in placed):  # the folder of one that stands there already
                continue
            if path.startswith(folder + "/"):
                placed.append(path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                base = os.path.basename(path)
                known = name.startswith("FOLDER/site") and base in texts and base not in QUIET  # /opt/slurm/bin/srun
                with open(path, "w") as stream:
                    stream.write('#!/bin/sh\nexec "$FT/bin/%s" "$@"\n' % base if known else BY_PATH)
                os.chmod(path, 0o755)
        prelude = PRELUDE.replace('python3 "$FT/bin/.unknown"', '"$FT/bin/.unknown"')
        with open(folder + "/prelude", "w") as stream:
            stream.write(prelude)
        env = {"PATH": tools, "HOME": job, "USER": "ada", "LC_ALL": "C.UTF-8", "FT": folder, "BASH_ENV": folder + "/prelude", "SLURM_JOB_ID": "40937",
               "SLURM_JOBID": "40937", "SLURM_NNODES": str(self.nodes), "SLURM_JOB_NUM_NODES": str(self.nodes), "SLURM_SUBMIT_DIR": job,
               "SLURM_JOB_NODELIST": "n[1-%d]" % self.nodes, "SLURM_NODELIST": "n[1-%d]" % self.nodes, "SLURM_NTASKS": str(self.tasks),
               "SLURM_NPROCS": str(self.tasks), "SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_NODEID": "0", "SLURM_JOB_ACCOUNT": "a",
               "SLURM_JOB_PARTITION": "p", "SLURM_JOB_NAME": "j", "FT_TASKS": str(self.tasks), "SLURM_ARRAY_TASK_ID": first_task(self.asked.get("array")),
               "SLURM_TASKS_PER_NODE": "%d(x%d)" % (max(1, self.tasks // self.nodes), self.nodes), "SCRATCH": "/scratch", "WORK": "/work_", "TMPDIR": job}
        if "image" in self.asked:  # shifter's own option of sbatch
            env["FT_IMAGE"] = self.asked["image"]
        if self.gpus:
            env["SLURM_GPUS_ON_NODE"] = str(self.gpus)
        for option, name in (("gpus-per-node", "SLURM_GPUS_PER_NODE"), ("ntasks-per-node", "SLURM_NTASKS_PER_NODE"),
                             ("cpus-per-task", "SLURM_CPUS_PER_TASK"), ("gpus-per-task", "SLURM_GPUS_PER_TASK"), ("gpus", "SLURM_GPUS")):
            if option in self.asked:
                env[name] = str(number(self.asked[option]) if "gpus" in option else self.asked[option])
        env.update(more)
        with open(folder + "/script", "w", newline="") as stream:
            stream.write(goes_on(script.replace("/usr/bin/which", "which")))
        # A session of its own: what the script leaves behind it, a loop that watches or waits, ends with it.
        with subprocess.Popen(["/bin/bash", folder + "/script"] + words, cwd=job, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True) as run:
            try:
                output, errors = run.communicate(timeout=limit)
                self.code, self.output, self.ended = run.returncode, (output + errors).decode(errors="replace").replace(folder, "FOLDER"), True
            except subprocess.TimeoutExpired:
                self.code, self.output, self.ended = -1, "time is over", False
            try:
                os.killpg(run.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        records = folder + "/records"
        self.records = [json.loads(line.replace(folder, "FOLDER")) for line in open(records)] if os.path.exists(records) else []

    def of(self, kind):
        return [record for record in self.records if record["kind"] == kind]

    @property
    def programs(self):
        return [record["words"] for record in self.of("program") if record["words"] and record["words"][0].strip()]

    @property
    def images(self):
        return [record["image"] for record in self.of("image")]
