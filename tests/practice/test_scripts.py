#!/usr/bin/python3
"""Script trials: generated scripts run in a real bash among stand-ins that read their words as the real programs do
(standins.py). Every site of the catalogue with every launcher, and for each rank: who it is, on which cores, which device,
which words its program gets.

RANKWRIGHT_CLI names the program that writes the scripts.
"""
import glob
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import standins  # noqa: E402

ROOT = os.path.realpath(HERE + "/../..")
CLI = os.environ.get("RANKWRIGHT_CLI", ROOT + "/build/dev/bin/rankwright-cli")
# What a program must get as it was typed: torchrun reads templates, srun cuts at colons, shells expand.
WORDS = ["--name", "a b", "a$$b", "${local_rank}", "$local_rank", "$X", "{}", "100$"]
# A strategy that each launcher starts, and those of which one is tried at each site in turn.
WAYS = {"srun": ("ddp", "fsdp", "zero3", "tensor"), "torchrun": ("ddp", "hsdp", "zero2", "3d"), "accelerate": ("ddp", "fsdp", "zero3"),
        "deepspeed": ("zero2", "ddp"), "lightning": ("ddp", "fsdp"), "horovod": ("horovod",)}


def text_of(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def sites():
    return [json.loads(text_of(path)) for path in sorted(glob.glob(ROOT + "/resources/catalogue/*.json"))]


def written(entry):
    done = subprocess.run([CLI, "script", "-"], input=json.dumps(entry), capture_output=True, text=True, timeout=900)
    if "#!/bin/bash" not in done.stdout:
        raise AssertionError("%s: %s" % (entry, done.stderr))
    return done.stdout


def directives(script):
    found = {}
    for line in script.splitlines():
        if line.startswith("#SBATCH --"):
            for word in shlex.split(line[8:]):
                name, _, value = word[2:].partition("=")
                found[name] = value
    return found


class Rank:
    """What one process of the program saw."""

    def __init__(self, path):
        parts = text_of(path).split("\0")
        end = parts.index("")
        self.words, (self.folder, self.status, self.program), rest = parts[:end], parts[end + 1:end + 4], parts[end + 4:]
        self.env = dict(part.split("=", 1) for part in rest if "=" in part)

    @property
    def cores(self):
        return text_of(self.status).split("Cpus_allowed_list:\t")[1].strip() if self.status else ""


class Trial:
    """One script, run once."""

    def __init__(self, entry, given=None, all_cores="0-127", places=(), gpus=None, more=None, files=(), script=None, before=None, words=()):
        self.words = list(words)
        self.script = script or written(entry)
        self.folder = tempfile.mkdtemp(prefix="rw-trial-")
        try:
            self.run(entry, given, all_cores, places, gpus, more or {}, files, before)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, entry, given, all_cores, places, gpus, more, files, before):
        tools, job, home = (self.folder + name for name in ("/bin", "/job", "/home"))
        for path in (tools, job, home):
            os.mkdir(path)
        standins.place(tools)
        for name in ("modules", "containers", "hosts", "scontrol", "binds", "agents"):
            open(self.folder + "/" + name, "w").close()
        for name, text in (("train.py", "import torch\n"), *files):
            os.makedirs(os.path.dirname(job + "/" + name), exist_ok=True)
            with open(job + "/" + name, "w") as stream:
                stream.write(text)
            os.chmod(job + "/" + name, 0o755)
        with open(home + "/.bash_profile", "w") as stream:
            stream.write("cd /\nPATH=%s:$PATH\n" % tools)  # a start-up file that changes folder
        asked = directives(self.script)
        nodes, tasks = int(asked["nodes"]), int(asked.get("ntasks-per-node", 1))
        if gpus is None:
            gpus = entry["resources"]["gpusPerNode"]
        env = {"PATH": tools + ":/usr/bin:/bin", "HOME": home, "USER": "ada", "LC_ALL": "C.UTF-8", "TRIAL": self.folder,
               "SLURM_JOB_ID": "40937", "SLURM_NNODES": str(nodes), "SLURM_JOB_NUM_NODES": str(nodes), "SLURM_SUBMIT_DIR": job,
               "SLURM_JOB_NODELIST": "n[1-%d]" % nodes, "SLURM_NTASKS": str(nodes * tasks), "SLURM_PROCID": "0", "SLURM_LOCALID": "0",
               "SLURM_NODEID": "0", "SLURM_JOB_ACCOUNT": "project_1", "TRIAL_TASKS": str(tasks), "TRIAL_GPUS": str(gpus),
               "TRIAL_VISIBLE": "CUDA_VISIBLE_DEVICES", "TRIAL_ALL_CORES": all_cores, "TRIAL_PLACES": " ".join(places)}
        if "gpus-per-node" in asked or "gres" in asked or "exclusive" in asked:
            env["SLURM_GPUS_ON_NODE"] = str(gpus)
        if "cpus-per-task" in asked:
            env["SLURM_CPUS_PER_TASK"] = asked["cpus-per-task"]
        if "ntasks-per-node" in asked:
            env["SLURM_NTASKS_PER_NODE"] = asked["ntasks-per-node"]
        if "gpus-per-node" in asked:
            env["SLURM_GPUS_PER_NODE"] = asked["gpus-per-node"]
        if "gpus-per-task" in asked:
            env["TRIAL_GPUS_PER_TASK"] = asked["gpus-per-task"]
        env.update(given or {})
        env.update(more)
        env = {name: value for name, value in env.items() if value is not None}
        # A rank's cores are those of the stand-ins, and so are the CPUs of its node.
        text = self.script.replace("/proc/self/status", "$TRIAL_STATUS").replace("/sys/devices/system/cpu/present", "$TRIAL/present")
        with open(self.folder + "/present", "w") as stream:
            stream.write("0-%d\n" % 4095)
        with open(self.folder + "/script", "w") as stream:
            stream.write((before or (lambda same: same))(text))
        shell = ["bash", "-l"] if text.startswith("#!/bin/bash -l") else ["bash"]
        done = subprocess.run(shell + [self.folder + "/script"] + self.words, cwd=job, env=env, capture_output=True, text=True, timeout=900)
        self.code, self.output, self.job = done.returncode, done.stdout + done.stderr, job
        self.ranks = [Rank(path) for path in glob.glob(self.folder + "/rank-*")]
        for rank in self.ranks:
            rank.cores_seen = rank.cores
        self.logs = {name: text_of(self.folder + "/" + name) for name in ("modules", "containers", "hosts", "scontrol", "binds", "agents")}

    @property
    def reports(self):
        return [line for line in self.output.splitlines() if line.startswith("rankwright: rank ")]


def gpu_variable(kind):
    return "ROCR_VISIBLE_DEVICES" if (kind.get("gpu") or {}).get("vendor") == "amd" else "CUDA_VISIBLE_DEVICES"


def numbers(text):
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def ranges(values):
    parts = []
    for value in values:
        if parts and parts[-1][1] == value - 1:
            parts[-1][1] = value
        else:
            parts.append([value, value])
    return ",".join(str(a) if a == b else "%d-%d" % (a, b) for a, b in parts)


def contiguous(kind, gpus, count):
    """Where Slurm puts tasks one after the other; of CPUs that are threads, the siblings of a task's cores are its own."""
    threads = kind.get("threadsPerCore", 1) if kind.get("cpusAreThreads") else 1
    each, total = count // threads, kind["usableCores"] // threads
    return [ranges(sum(([first + total * thread for first in range(task * each, (task + 1) * each)] for thread in range(threads)), []))
            for task in range(gpus)]


def judge(test, site, kind, entry, script=None, given=None):
    """One design of a site, tried: every rank there, itself, on its cores, with its device, its words, in its folder.

    given: the GPUs that Slurm shows, where they are more than the design's.
    """
    nodes, gpus = entry["resources"]["nodes"], entry["resources"]["gpusPerNode"]
    launcher, strategy = entry["launcher"], entry["parallel"]["strategy"]
    launch = site.get("launch") or {}
    count = kind.get("coresPerGpu") or 1
    beside = [ranges(numbers(one["cores"])[:count]) for one in kind.get("places", [])]
    bound = launch.get("cpuBindMasks") and len(beside) == gpus and launcher != "deepspeed"
    binding = launch.get("binding") or {}
    order = [int(one) for one in (binding.get("gpuOrder") or "").split(",") if one]
    slurm = [beside[gpu] for gpu in order] if order and len(beside) == gpus else beside if binding.get("bySlurm") else ()
    if not slurm and binding.get("bySlurm"):
        slurm = contiguous(kind, gpus, count)
    trial = Trial(entry, gpus=given, more={"TRIAL_VISIBLE": gpu_variable(kind)}, places=slurm, script=script)
    test.assertEqual(trial.code, 0, trial.output)
    for word in ("unbound variable", "command not found", "taskset:", "invalid"):
        test.assertNotIn(word, trial.output)
    world = nodes * gpus
    test.assertEqual(len(trial.ranks), world, trial.output)
    agent = launcher in ("torchrun", "accelerate", "deepspeed")
    own = launcher in ("lightning", "horovod") or strategy == "horovod"  # they read Slurm's or MPI's variables
    seen = set()
    if world == 1 and (launcher == "accelerate" or strategy == "single"):
        words = trial.ranks[0].words
        test.assertEqual([word for word in words[words.index("train.py") + 1:] if word != "--local_rank=0"], WORDS)
        return trial  # one process without an agent, and without a rank
    for rank in trial.ranks:
        number = int(rank.env["SLURM_PROCID" if own else "RANK"])
        local = int(rank.env["SLURM_LOCALID" if own else "LOCAL_RANK"])
        seen.add(number)
        test.assertEqual(local, number % gpus)
        if not own:
            test.assertEqual(rank.env["WORLD_SIZE"], str(world))
            test.assertEqual(rank.env["MASTER_ADDR"], "agent" if agent else "n1" + (launch.get("masterAddressSuffix") or ""))
        start = rank.words.index("train.py")
        if strategy not in ("tensor", "3d", "pipeline"):  # Megatron's own options follow
            test.assertEqual([word for word in rank.words[start + 1:] if not word.startswith("--local_rank=")], WORDS)
        test.assertEqual(rank.words[start + 1:start + 1 + len(WORDS)] if not rank.words[start + 1].startswith("--local_rank=")
                         else rank.words[start + 2:start + 2 + len(WORDS)], WORDS)
        test.assertEqual(rank.folder, trial.job)
        if bound:
            test.assertEqual(rank.cores_seen, beside[local])
        visible = rank.env[gpu_variable(kind)].split(",")
        test.assertGreater(len(visible), local)
        if order and not agent and len(order) == gpus:
            test.assertEqual(visible, [str(one) for one in order])
    test.assertEqual(seen, set(range(world)))
    if agent and nodes > 1 and launcher != "accelerate":
        test.assertEqual(trial.logs["hosts"].split(), ["0"], "not one node opens the meeting point")
    if not agent or bound:
        test.assertEqual(len(trial.reports), 1, trial.output)
        test.assertRegex(trial.reports[0], r"rank 0 of %d on node n1: cores \S+.*, device \d+; other ranks" % world)
        placed = len(slurm) == gpus and gpus == (kind.get("gpus") or gpus)  # where a part of a node lies, nobody knows before
        test.assertEqual("as planned" in trial.reports[0], bool(bound or placed), trial.reports)
    return trial


class Covering(unittest.TestCase):
    """Every site with every launcher."""

    def size_of(self, site, turn):
        """Whole nodes, and where they are shared a part of one, in turn. (partition, node kind, nodes, GPUs of each)"""
        kinds = {kind["name"]: kind for kind in site.get("nodes", [])}
        queues = [one for one in site.get("partitions", []) if kinds.get(one["node"], {}).get("gpus") and one.get("offered") != "never"]
        queue = queues[turn % len(queues)] if queues else None
        kind = kinds[queue["node"]] if queue else next(iter(kinds.values()), {})
        gpus = kind.get("gpus") or 4
        nodes = max(queue.get("minNodes") or 1, 1) if queue else 1
        if nodes == 1 and turn % 2 and (not queue or (queue.get("maxNodes") or 2) > 1):
            nodes = 2
        if nodes > 4:  # a queue for large jobs: its first neighbour does as well
            queue, nodes = None, 2
        return queue, kind, nodes, gpus

    def check(self, site, launcher, strategy, turn):
        queue, kind, nodes, gpus = self.size_of(site, turn)
        entry = {"version": 1, "name": "trial", "cluster": site["name"], "account": "project_1", "time": "00:10:00",
                 "resources": {"nodes": nodes, "gpusPerNode": gpus}, "parallel": {"strategy": strategy}, "launcher": launcher,
                 "environment": {"container": "none"}, "options": {"config": "none"},
                 "command": "train.py " + " ".join(shlex.quote(word) for word in WORDS)}
        if queue:
            entry["partition"] = queue["name"]
        if strategy in ("tensor", "3d"):
            entry["parallel"].update(tensor=2 if gpus % 2 == 0 else 1, pipeline=1)
        judge(self, site, kind, entry)


def trial_of(site, launcher, turn):
    strategy = WAYS[launcher][turn % len(WAYS[launcher])]

    def test(self):
        self.check(site, launcher, strategy, turn)

    return test


for at, one_site in enumerate(sites()):
    for step, one_launcher in enumerate(WAYS):
        setattr(Covering, "test_%s_%s" % (one_site["name"].replace("-", "_"), one_launcher), trial_of(one_site, one_launcher, at + step))


def lumi(**more):
    entry = {"version": 1, "name": "trial", "cluster": "lumi", "account": "project_1", "partition": "standard-g", "time": "01:00:00",
             "resources": {"nodes": 1, "gpusPerNode": 8}, "launcher": "torchrun", "environment": {"container": "none"}, "command": "train.py"}
    entry.update(more)
    return entry


def on(cluster, launcher="srun", nodes=1, gpus=4, **more):
    entry = {"version": 1, "name": "trial", "cluster": cluster, "account": "project_1", "time": "01:00:00",
             "resources": {"nodes": nodes, "gpusPerNode": gpus}, "launcher": launcher, "parallel": {"strategy": "ddp"}, "command": "train.py"}
    entry.update(more)
    return entry


class Guards(unittest.TestCase):
    def test_part_of_a_whole_node(self):
        """Slurm gives all 8 GPUs of a node of standard-g, and of small-g with --exclusive."""
        for entry in (lumi(resources={"nodes": 1, "gpusPerNode": 4}),
                      lumi(resources={"nodes": 1, "gpusPerNode": 4}, launcher="deepspeed", parallel={"strategy": "ddp"}, options={"config": "none"}),
                      lumi(resources={"nodes": 1, "gpusPerNode": 4}, partition="small-g", options={"exclusive": True}, launcher="srun")):
            trial = Trial(entry, gpus=8, more={"TRIAL_VISIBLE": "ROCR_VISIBLE_DEVICES"})
            self.assertEqual((trial.code, len(trial.ranks)), (0, 4), trial.output)

    def test_too_few_gpus_stop(self):
        trial = Trial(lumi(), gpus=4)
        self.assertEqual((trial.code, trial.ranks), (1, []))
        self.assertIn("rankwright: expected 8 GPUs", trial.output)

    def test_without_torch(self):
        """Sites whose modules bring none say so once, and start nothing."""
        for site in ("raven", "snellius", "juwels-booster", "jupiter", "alps-clariden", "viper-gpu", "dais"):
            trial = Trial(on(site, gpus=2 if site == "viper-gpu" else 8 if site == "dais" else 4), more={"TRIAL_NO_TORCH": "1"})
            self.assertEqual((trial.code, trial.ranks), (1, []), site)
            self.assertIn("rankwright: python3 finds no PyTorch", trial.output)

    def test_without_agent(self):
        for launcher, strategy in (("torchrun", "ddp"), ("accelerate", "ddp"), ("deepspeed", "zero2")):
            trial = Trial(on("raven", launcher, parallel={"strategy": strategy}),
                          before=lambda text, name=launcher: text.replace("command -v " + name, "command -v not-there-" + name))
            self.assertEqual(trial.code, 1)
            self.assertIn("rankwright: %s is not on the path" % launcher, trial.output)

    def test_a_program_without_torch_runs(self):
        trial = Trial(on("raven"), more={"TRIAL_NO_TORCH": "1"}, files=(("train.py", "import jax\n"),))
        self.assertEqual((trial.code, len(trial.ranks)), (0, 4), trial.output)


class Environments(unittest.TestCase):
    ACTIVATE = 'export VIRTUAL_ENV="$PWD/venv"; : "$PS1"; PATH="$VIRTUAL_ENV/bin:$PATH"\n'  # reads unset variables, as old ones do

    def test_venv(self):
        trial = Trial(on("raven", environment={"venv": "venv"}), files=(("venv/bin/activate", self.ACTIVATE),))
        self.assertEqual((trial.code, len(trial.ranks)), (0, 4), trial.output)
        self.assertEqual({rank.env["VIRTUAL_ENV"] for rank in trial.ranks}, {trial.job + "/venv"})

    def test_missing_venv_stops(self):
        trial = Trial(on("raven", environment={"venv": "venv"}))
        self.assertEqual(trial.code, 1)
        self.assertIn("rankwright: cannot read the virtual environment", trial.output)

    def test_conda(self):
        trial = Trial(on("snellius", environment={"conda": "my env"}))
        self.assertEqual((trial.code, len(trial.ranks)), (0, 4), trial.output)
        self.assertEqual({rank.env["CONDA_DEFAULT_ENV"] for rank in trial.ranks}, {"my env"})

    def test_uenv(self):
        script = written(on("alps-clariden", environment={"uenv": "pytorch/v2.6.0:v1"}, resources={"nodes": 2, "gpusPerNode": 4}))
        self.assertEqual(directives(script)["uenv"], "pytorch/v2.6.0:v1")
        self.assertEqual(directives(script)["view"], "default")
        self.assertIn("NCCL_NET='AWS Libfabric'", script)

    def test_an_interpreter_by_its_path_is_no_error(self):
        for command, wrong in (("venv/bin/python train.py", False), ("/opt/env/bin/python3.11 -m pkg", False), ("python3 train.py", True),
                               ("venv/bin/torchrun train.py", True)):
            done = subprocess.run([CLI, "check", "-", "--json"], input=json.dumps(on("raven", command=command)), capture_output=True,
                                  text=True, timeout=900)
            self.assertEqual("R114" in done.stdout, wrong, command)

    def test_interpreter_of_an_environment(self):
        """Its agent comes from the same environment: torchrun itself may not be on the path."""
        agent = "#!/bin/sh\n[ \"$1\" = -m ] && { shift 2; exec torchrun --no_python \"$@\"; }\nexec python3 \"$@\"\n"
        # as python -m torch.distributed.run does: the program runs by the same interpreter
        agent = agent.replace("exec torchrun --no_python \"$@\"", "echo module \"$M\"; exec torchrun \"$@\"").replace("shift 2", "M=$2; shift 2")
        for launcher in ("srun", "torchrun"):
            trial = Trial(on("raven", launcher, command="venv/bin/python -u train.py 'a b'"), files=(("venv/bin/python", agent),))
            self.assertEqual((trial.code, len(trial.ranks)), (0, 4), trial.output)
            self.assertEqual({tuple(rank.words[-2:]) for rank in trial.ranks}, {("train.py", "a b")})
        self.assertIn("module torch.distributed.run", trial.output)


class Containers(unittest.TestCase):
    def check(self, site, container, expected, nodes=1, module=None, gpus=4, **more):
        files = (("own.toml", '[annotations]\ncom.hooks.aws_ofi_nccl.enabled = "true"\n'), ("image.sif", ""))
        trial = Trial(on(site, nodes=nodes, gpus=gpus, environment={"container": container}, **more),
                      files=files, more={"TRIAL_MODULE": module})
        self.assertEqual((trial.code, len(trial.ranks)), (0, nodes * gpus), trial.output)
        for line in trial.logs["containers"].splitlines():
            self.assertRegex(line, expected)
        self.assertTrue(trial.logs["containers"])
        return trial

    def test_modules_bring_singularity(self):
        self.check("marenostrum5", "image.sif", "^singularity image.sif$", module="singularity")
        self.check("leonardo", "image.sif", "^singularity image.sif$", module="singularity")

    def test_clariden_starts_by_file(self):
        hook = r"^environment image = \"nvcr.io#nvidia/pytorch:25.01-py3\";.*aws_ofi_nccl.enabled = \"true\""
        self.check("alps-clariden", "nvcr.io#nvidia/pytorch:25.01-py3", hook, nodes=2)
        self.check("alps-clariden", "own.toml", r"^environment \[annotations\]", nodes=2)
        self.check("alps-clariden", "pytorch", "^environment pytorch$")

    def test_a_file_without_its_hook_stops(self):
        trial = Trial(on("alps-clariden", nodes=2, environment={"container": "plain.toml"}), files=(("plain.toml", 'image = "x"\n'),))
        self.assertEqual(trial.code, 1)
        self.assertIn("aws_ofi_nccl", trial.output)

    def test_no_plugin_without_software(self):
        self.assertNotIn("NCCL_NET=", written(on("alps-clariden", nodes=2)))

    def test_shifter_gets_its_image(self):
        trial = self.check("perlmutter", "nersc/pytorch:24.08.01", "^shifter nersc/pytorch:24.08.01$")
        self.assertEqual(directives(trial.script)["image"], "nersc/pytorch:24.08.01")


class Ranks(unittest.TestCase):
    def test_one_rank_says_all_is_well(self):
        trial = Trial(lumi(), more={"TRIAL_VISIBLE": "ROCR_VISIBLE_DEVICES"})
        self.assertEqual(trial.reports, ["rankwright: rank 0 of 8 on node n1: cores 49-55 as planned, device 0; other ranks report only what differs"])

    def test_unbound_ranks_say_where_they_are(self):
        """taskset is refused: the training runs on, and each rank says so."""
        for launcher in ("torchrun", "accelerate"):
            trial = Trial(lumi(launcher=launcher), more={"TRIAL_VISIBLE": "ROCR_VISIBLE_DEVICES"},
                          before=lambda text: text.replace("(taskset -c ", "(taskset -x "))
            self.assertEqual((trial.code, len(trial.ranks), len(trial.reports)), (0, 8, 8), trial.output)
            self.assertIn("rankwright: rank 5 of 8 on node n1: cores 0-127 instead of 9-15, device 5", trial.reports)

    def test_masks_that_do_not_hold(self):
        trial = Trial(lumi(launcher="srun"), before=lambda text: text.replace("--cpu-bind", "--cpu-nothing"),
                      more={"TRIAL_VISIBLE": "ROCR_VISIBLE_DEVICES"})
        self.assertEqual(len(trial.reports), 8, trial.output)

    def test_devices_that_are_fenced_off(self):
        trial = Trial(on("generic", gpus=4), more={"TRIAL_GPUS": "1", "SLURM_GPUS_ON_NODE": "4"})
        self.assertEqual(len(trial.reports), 4, trial.output)
        self.assertTrue(any("rank 3 of 4 on node n1: cores 0-127, no device 3 (visible: 0)" in line for line in trial.reports), trial.reports)

    def test_other_hardware_is_said_once(self):
        trial = Trial(lumi(), before=lambda text: text.replace("$TRIAL/present", "$TRIAL/job/present").replace("(taskset -c ", "(taskset -x "),
                      files=(("present", "0-1\n"),), more={"TRIAL_VISIBLE": "ROCR_VISIBLE_DEVICES"}, all_cores="0-1")
        self.assertEqual(len(trial.reports), 1, trial.output)
        self.assertIn("cores 0-1 (planned 49-55, but this node has CPUs 0-1)", trial.reports[0])

    def test_sole_rank(self):
        """One GPU, strategy open: a program for several ranks is told that it is rank 0 of 1."""
        entry = on("generic", gpus=1)
        del entry["parallel"], entry["launcher"]
        trial = Trial(entry)
        self.assertEqual((trial.code, len(trial.ranks)), (0, 1), trial.output)
        self.assertEqual([trial.ranks[0].env[name] for name in ("RANK", "LOCAL_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")],
                         ["0", "0", "1", "n1", "10937"])

    def test_real_taskset_binds(self):
        """Nothing stands in here: a worker's mask as the kernel has it."""
        own = sorted(os.sched_getaffinity(0))
        core = str(own[-1])
        text = written(lumi())
        check = text[text.index("export CHECK_RANK="):text.index("# Launch")]
        bash = [line for line in text.splitlines() if "--no_python bash -c" in line][0].strip().rstrip("\\").partition("--no_python ")[2]
        program = check.replace("49-55", core) + "\nLOCAL_RANK=0 RANK=0 WORLD_SIZE=8 " + bash.replace("49-55", core) + " cat /proc/self/status\n"
        done = subprocess.run(["bash"], input=program, capture_output=True, text=True, timeout=900)
        self.assertIn("Cpus_allowed_list:\t%s\n" % core, done.stdout)
        self.assertIn("cores %s as planned, device 0" % core, done.stderr)


class Sizes(unittest.TestCase):
    def test_large_jobs_of_lumi(self):
        for nodes, expected in ((63, False), (64, True)):
            script = written(lumi(resources={"nodes": nodes, "gpusPerNode": 8}))
            self.assertEqual("export FI_CXI_DEFAULT_CQ_SIZE=131072" in script, expected)

    def test_names(self):
        for command, name in (("-m torchtitan.train --x", "torchtitan.train"), ("venv/bin/python -u train.py", "train"), ("runs/go.sh", "go")):
            entry = lumi(command=command)
            del entry["name"]
            self.assertEqual(directives(written(entry))["job-name"], name)

    def test_directives_of_sites(self):
        """As the sites' own scripts write them: threads at JSC, partitions of Alex, accounts and modules of Jean Zay."""
        for entry, wanted in ((on("juwels-booster", "srun"), {"partition": "booster", "ntasks-per-node": "4", "cpus-per-task": "24"}),
                              (on("juwels-booster", "torchrun"), {"ntasks-per-node": "1", "cpus-per-task": "96"}),
                              (on("alex", partition="a100-80"), {"partition": "a100", "constraint": "a100_80", "gres": "gpu:a100:4"}),
                              (on("alex", partition="a40"), {"partition": "a40", "gres": "gpu:a40:4"}),
                              (on("jean-zay", partition="gpu_p6", account="abc@h100"),
                               {"partition": "gpu_p6", "constraint": "h100", "account": "abc@h100", "cpus-per-task": "24", "hint": "nomultithread"}),
                              (on("jean-zay", partition="gpu_p6-dev", account="abc@h100"), {"qos": "qos_gpu_h100-dev"}),
                              (on("mila"), {"partition": "long", "constraint": "lovelace", "gres": "gpu:l40s:4", "cpus-per-task": "12"})):
            found = directives(written(entry))
            self.assertEqual({name: found.get(name) for name in wanted}, wanted, entry)
        h100 = written(on("jean-zay", partition="gpu_p6", account="abc@h100"))
        self.assertLess(h100.index("module load arch/h100"), h100.index("module load pytorch-gpu/"))
        self.assertNotIn("arch/", written(on("jean-zay", account="abc@v100")))

    def test_network_of_dardel(self):
        self.assertIn("export NCCL_SOCKET_IFNAME=hsn0,hsn1,hsn2,hsn3", written(on("dardel", nodes=2, gpus=8)))


if __name__ == "__main__":
    unittest.main()
