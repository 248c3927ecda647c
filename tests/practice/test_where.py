#!/usr/bin/python3
"""Where jobs hang: planted hangs of real PyTorch ranks (gloo) under a real Slurm, found by `rankwright-cli where`. RANKWRIGHT_CLI names
the program."""
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import test_practice as base  # noqa: E402
from test_foreign import Site  # noqa: E402

with open(HERE + "/hangs.py") as stream:
    PROGRAM = stream.read()
BARE = "\n".join("" if line.startswith("faulthandler.") else line for line in PROGRAM.split("\n"))  # has not opted in
STACKS = "export RANKWRIGHT_STACKS=57"
SHAPE = (2, 2)  # nodes, ranks of each

SCRIPT = """#!/bin/bash
#SBATCH --account={account} --partition=small-g --nodes={shape[0]} --ntasks-per-node={shape[1]} --cpus-per-task=2 --time=20
#SBATCH --output={folder}/out
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000)) WORLD_SIZE=$SLURM_NTASKS OMP_NUM_THREADS=1
{settings}
{launch}
"""
SRUN = "srun --kill-on-bad-exit=0 --wait=0 bash -c 'export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID; exec python3 {program}'"
TORCHRUN = ("srun --ntasks-per-node=1 --ntasks={shape[0]} torchrun --nnodes={shape[0]} --nproc_per_node={shape[1]} --rdzv_backend=c10d "
            "--rdzv_id=$SLURM_JOB_ID --rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT {program}")


def tearDownModule():
    base.Cluster.stop()


def line_of(kind):
    """The line of hangs.py that is marked with the kind."""
    for number, line in enumerate(PROGRAM.split("\n"), 1):
        if kind in line.partition("  # ")[2].split():
            return number
    raise AssertionError(kind)


# All kinds of hangs take ten minutes: by the label long. In every run a part of them.
WHOLE = os.environ.get("RANKWRIGHT_HANGS") == "whole"
whole = unittest.skipUnless(WHOLE, "by the label long")


class Where(Site):
    def started(self, kind, odd, settings=STACKS, program="hangs.py", planted="planted", shape=SHAPE, launch=SRUN, text=PROGRAM,
                before=None):
        """A job in which the rank `odd` stands, and its folder; `before` gets the folder first."""
        folder = "%s/where-%s-%d-%d" % (base.Cluster.info["workdir"], kind, odd, time.monotonic_ns())
        base.on_cluster("mkdir -p %s && cat >%s/hangs.py" % (folder, folder), text)
        if before:
            before(folder)
        command = "%s/%s %s %d %s" % (folder, program, kind, odd, folder)
        script = SCRIPT.format(account=base.Cluster.info["account"], folder=folder, settings=settings, shape=shape,
                               launch=launch.format(program=command, shape=shape))
        job = base.on_cluster("sbatch --parsable", script).strip()
        self.addCleanup(base.on_cluster, "scancel %s; rm -rf %s" % (job, folder))
        said = base.wait_until(lambda: planted in self.output(folder))
        self.assertTrue(said, self.output(folder))
        return job, folder

    def output(self, folder):
        return base.on_cluster("cat %s/out 2>/dev/null || true" % folder)

    def asked(self, job):
        began = time.monotonic()
        done = self.cli("where", "practice", job, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        answer = json.loads(done.stdout)
        print("%.1f s (%s s): %s" % (time.monotonic() - began, answer["seconds"], answer["sentence"]), file=sys.stderr)
        for note in answer.get("notes", []):
            print("    note: " + str(note), file=sys.stderr)
        return answer

    def step_times(self, folder):
        """Seconds of each step of rank 0."""
        return [float(seconds) for seconds in re.findall(r"^rank 0: step \d+ ([\d.]+)$", self.output(folder), re.MULTILINE)]

    def processes(self, job):
        """Process and state of each rank, by rank, as the nodes see them."""
        text = base.on_cluster(
            "srun --overlap --jobid=%s --ntasks-per-node=1 bash -c 'for p in $(pgrep -f \"^python3 .*hangs.py\"); do "
            "echo $(tr \"\\0\" \"\\n\" </proc/$p/environ | sed -n s/^RANK=//p) $p $(cut -d\" \" -f3 /proc/$p/stat); done' </dev/null" % job)
        return {int(rank): (pid, state) for rank, pid, state in (line.split() for line in text.splitlines() if len(line.split()) == 3)}

    def wait_until_others_wait(self, job):
        time.sleep(3)   # from "planted" to where it then stands; nothing says when

    def check(self, kind, odd, marks=None, released=True, **how):
        job, folder = self.started(kind, odd, **how)
        shape = how.get("shape", SHAPE)
        number = shape[0] * shape[1]
        self.wait_until_others_wait(job)
        before = self.processes(job)
        answer = self.asked(job)
        self.assertEqual(answer["odd"], [odd], answer["sentence"])
        ranks = {rank["rank"]: rank for rank in answer["ranks"]}
        self.assertEqual(sorted(ranks), list(range(number)))
        if marks:
            self.assertEqual((os.path.basename(ranks[odd]["file"]), ranks[odd]["line"]), ("hangs.py", line_of(marks)), ranks[odd])
        self.assertIn("ank %d" % odd, answer["sentence"])
        self.assertEqual(self.processes(job), before, "nobody was disturbed")
        self.assertLess(answer["seconds"], 90, "it has limits of its own; the figure of a quiet machine is in docs/performance.md")
        if released:
            base.on_cluster("touch %s/release; [ ! -p %s/data.bin ] || : >%s/data.bin" % (folder, folder, folder))
            self.assertTrue(base.wait_until(lambda: self.output(folder).count("done") == number), self.output(folder))
        return answer, job

    def test_in_a_data_loader(self):
        self.check("loader", 2, "loader")

    def test_a_script_of_ours(self):
        """Nothing made by hand: what the program's own script sets lets its ranks answer."""
        folder = "%s/where-ours-%d" % (base.Cluster.info["workdir"], time.monotonic_ns())
        base.on_cluster("mkdir -p %s && cat >%s/hangs.py" % (folder, folder), BARE)
        design = {"version": 1, "name": "ours", "cluster": "practice", "account": base.Cluster.info["account"], "partition": "small-g",
                  "time": "00:20:00", "resources": {"nodes": 2, "gpusPerNode": 2, "cpusPerGpu": 2}, "parallel": {"strategy": "ddp"},
                  "launcher": "srun", "options": {"output": "out"}, "workdir": folder, "command": "hangs.py loader 2 " + folder}
        written = subprocess.run([os.environ["RANKWRIGHT_CLI"], "script", "-"], input=json.dumps(design), capture_output=True, text=True,
                                 timeout=900)
        self.assertIn("RANKWRIGHT_STACKS", written.stdout, written.stderr)
        job = base.on_cluster("sbatch --parsable", written.stdout).strip()
        self.addCleanup(base.on_cluster, "scancel %s; rm -rf %s" % (job, folder))
        self.assertTrue(base.wait_until(lambda: "planted" in self.output(folder)), self.output(folder))
        self.wait_until_others_wait(job)
        before = self.processes(job)
        answer = self.asked(job)
        self.assertEqual(answer["odd"], [2], answer["sentence"])
        rank = {rank["rank"]: rank for rank in answer["ranks"]}[2]
        self.assertEqual((os.path.basename(rank["file"]), rank["line"]), ("hangs.py", line_of("loader")), rank)
        self.assertEqual(self.processes(job), before, "nobody was disturbed")
        self.assertEqual(base.on_cluster("cd %s/rankwright-%s && test -p ask && find . -type f | grep -v pycache" % (folder, job)).strip(),
                         "./python/sitecustomize.py")
        base.on_cluster("touch %s/release" % folder)
        self.assertTrue(base.wait_until(lambda: self.output(folder).count("done") == 4), self.output(folder))

    @whole
    def test_reading_a_file(self):
        self.check("file", 3, "file")

    @whole
    def test_a_file_system_that_does_not_answer(self):
        """One of FUSE whose server has no answer to a read: the rank waits in the kernel, and no signal wakes it."""
        if not base.ROOT or not os.access("/dev/fuse", os.R_OK | os.W_OK):
            self.skipTest("needs root and FUSE")

        def mount(folder):
            base.on_cluster("mkdir %s/files" % folder)
            node = str(base.Cluster.refresh()["pids"]["node:nid005002"])
            server = subprocess.Popen([sys.executable, "-B", HERE + "/stalledfiles.py", node, folder + "/files", folder + "/release"],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.addCleanup(server.communicate, timeout=900)  # its input ends, and so does it
            self.assertEqual(server.stdout.readline(), "ready\n")

        answer, _ = self.check("disk", 3, "disk", before=mount)
        self.assertIn("waiting for the file system", answer["sentence"])
        self.assertEqual(answer["notes"], [], "another thread printed the stacks")

    def recorder(self, folder):
        with open(HERE + "/standinrecorder.py") as stream:
            base.on_cluster("mkdir %s/site-packages && cat >%s/site-packages/standinrecorder.py" % (folder, folder), stream.read())

    @whole
    def test_another_size(self):
        """By the records of Flight Recorder; they alone tell it."""
        where = "$(dirname $(scontrol show job $SLURM_JOB_ID | sed -n 's/ *StdOut=//p'))"
        for version in ("2.0", "2.5", "2.7", "2.10"):
            settings = STACKS + """ STAND_IN_RECORDER=%s FOLDER=%s
export PYTHONPATH=$FOLDER/site-packages TORCH_NCCL_DEBUG_INFO_PIPE_FILE=$FOLDER/ask_ TORCH_NCCL_DEBUG_INFO_TEMP_FILE=$FOLDER/record_""" % (
                version, where)
            with self.subTest(version=version):
                answer, _ = self.check("size", 2, "size", released=False, settings=settings, before=self.recorder)
                self.assertIn("the others with", answer["sentence"])

    @whole
    def test_another_size_without_records(self):
        job, _ = self.started("size", 2)
        self.wait_until_others_wait(job)
        answer = self.asked(job)
        self.assertEqual(answer["odd"], [], answer["sentence"])
        self.assertIn("unequal sizes", answer["sentence"])

    @whole
    def test_eight_ranks(self):
        self.check("loader", 5, "loader", shape=(2, 4))
        self.check("order", 3, "order", shape=(2, 4), released=False)
        self.check("loader", 3, "loader", shape=(1, 8))

    @whole
    def test_ranks_of_torchrun(self):
        job, folder = self.started("loader", 5, shape=(2, 4), launch=TORCHRUN)
        self.wait_until_others_wait(job)
        answer = self.asked(job)
        self.assertEqual(answer["odd"], [5], answer["sentence"])
        rank = {rank["rank"]: rank for rank in answer["ranks"]}[5]
        self.assertEqual((os.path.basename(rank["file"]), rank["line"]), ("hangs.py", line_of("loader")), rank)
        base.on_cluster("touch %s/release" % folder)
        self.assertTrue(base.wait_until(lambda: self.output(folder).count("done") == 8), self.output(folder))

    @whole
    def test_of_a_script_without_evidence(self):
        """Nothing set, nothing opted in: whom /proc tells is named, no slow rank is, and no hang is denied."""
        for kind, odd, named, words in (("loader", 2, [2], "clock_nanosleep"), ("stop", 3, [3], "is stopped"),
                                        ("dead", 2, [2], "no process"), ("lock", 1, [], "All 4 ranks stand still"),
                                        ("order", 2, [], "All 4 ranks stand still"), ("slow", 2, [], "Nothing hangs")):
            with self.subTest(kind=kind):
                planted = "rank 0: step 20 " if kind == "slow" else "planted"
                job, _ = self.started(kind, odd, settings="", text=BARE, planted=planted)
                self.wait_until_others_wait(job)
                answer = self.asked(job)
                self.assertEqual(answer["odd"], named, answer["sentence"])
                self.assertIn(words, answer["sentence"])
                self.assertIn("no Python stacks", json.dumps(answer["notes"]))

    @whole
    def test_holding_a_lock(self):
        self.check("lock", 1, "lock")

    @whole
    def test_left_behind_by_an_exception(self):
        self.check("exception", 2, "exception", released=False)

    @whole
    def test_skipped_the_collective(self):
        self.check("skipped", 3, released=False)

    @whole
    def test_another_order(self):
        self.check("order", 2, "order", released=False)

    @whole
    def test_fewer_batches(self):
        self.check("uneven", 1, "uneven", released=False)

    @whole
    def test_a_barrier_of_rank_0_alone(self):
        self.check("guarded", 0, "guarded", released=False)

    def test_stopped(self):
        answer, job = self.check("stop", 3, released=False)
        self.assertEqual({rank["rank"]: rank["state"] for rank in answer["ranks"]}[3], "T")
        base.on_cluster("srun --overlap --jobid=%s --nodes=2 --ntasks-per-node=1 pkill -CONT -f hangs.py </dev/null || true" % job)
        self.assertTrue(base.wait_until(lambda: base.on_cluster("squeue -h -j %s 2>/dev/null || true" % job) == ""))
        ended = base.wait_until(lambda: "COMPLETED" in base.on_cluster("sacct -X -n -P -j %s -o state" % job))  # accounting hears of it later
        self.assertTrue(ended, "it went on, and ended well")

    @whole
    def test_dead(self):
        job, folder = self.started("dead", 2)
        self.assertTrue(base.wait_until(lambda: self.output(folder).count("waits") == 3 and 2 not in self.processes(job)))
        answer = self.asked(job)
        self.assertEqual(answer["odd"], [2], answer["sentence"])

    def test_slow_is_no_hang(self):
        job, folder = self.started("slow", 2, planted="rank 0: step 20 ")
        counts = [len(self.step_times(folder))]
        for _ in range(3):
            answer = self.asked(job)
            self.assertEqual(answer["odd"], [], answer["sentence"])
            counts.append(len(self.step_times(folder)))
        self.assertTrue(base.wait_until(lambda: len(self.step_times(folder)) >= counts[-1] + 12))
        times = self.step_times(folder)
        before, during, after = (statistics.median(part) for part in (
            times[2:counts[0]], times[counts[0]:counts[-1]], times[counts[-1]:]))
        print("    a step before, during, after: %.3f, %.3f, %.3f s" % (before, during, after), file=sys.stderr)
        if WHOLE:  # beside other tests a step takes what it takes
            self.assertLess(during, 1.25 * max(before, after), "the job is not disturbed")
        base.on_cluster("touch %s/release" % folder)
        self.assertTrue(base.wait_until(lambda: self.output(folder).count("done") == 4), self.output(folder))

    def test_a_program_that_has_not_opted_in_gets_no_signal(self):
        """The variable alone, without a handler or a file: the signal would end it."""
        job, folder = self.started("loader", 1, planted="planted", settings="""export RANKWRIGHT_STACKS=57
cat >%s/plain.py <<'END'
import os, sys
text = open(os.path.dirname(sys.argv[0]) + "/hangs.py").read().split("\\n")
exec(compile("\\n".join("" if line.startswith("faulthandler.") else line for line in text), "hangs.py", "exec"))
END""" % "$(dirname $(scontrol show job $SLURM_JOB_ID | sed -n 's/ *StdOut=//p'))", program="plain.py")
        before = self.processes(job)
        answer = self.asked(job)
        self.assertIn("RANKWRIGHT_STACKS is set, but", json.dumps(answer))
        self.assertEqual({rank: pid for rank, (pid, _) in self.processes(job).items()}, {rank: pid for rank, (pid, _) in before.items()})
        base.on_cluster("touch %s/release" % folder)
        self.assertTrue(base.wait_until(lambda: self.output(folder).count("done") == 4), self.output(folder))

    @whole
    def test_words_for_people(self):
        job, _ = self.started("loader", 2)
        self.wait_until_others_wait(job)
        done = self.cli("where", "practice", job)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout.split("\n")[0], "^Rank 2 ")
        first = re.search(r"^ *rank .*\n-+\n(.*)$", done.stdout, re.MULTILINE)
        self.assertTrue(first and re.match(r"\W*2\b", first.group(1)), done.stdout)

    def test_interrupted(self):
        job, folder = self.started("loader", 1)
        process = subprocess.Popen([os.environ["RANKWRIGHT_CLI"], "where", "practice", job], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=dict(os.environ, XDG_DATA_HOME=self.folder, RANKWRIGHT_PRACTICE_DIR=base.Cluster.state))
        steps = "ps -u \"$(id -un)\" -o args= | grep -e '[s]run --overlap' || true"
        self.assertTrue(base.wait_until(lambda: "srun --overlap" in base.on_cluster(steps), 0.2))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=900)
        self.assertIn("interrupted", err)
        self.assertTrue(base.wait_until(lambda: "srun --overlap" not in base.on_cluster(steps)))
        base.on_cluster("touch %s/release" % folder)
        self.assertTrue(base.wait_until(lambda: self.output(folder).count("done") == 4), self.output(folder))

    def test_jobs_without_ranks(self):
        script = "#!/bin/bash\n#SBATCH --account=%s --partition=small-g --time=5 --output=/dev/null\n%s\n"
        job = base.on_cluster("sbatch --parsable", script % (base.Cluster.info["account"], "sleep 200")).strip()
        self.addCleanup(base.on_cluster, "scancel %s" % job)
        self.assertTrue(base.wait_until(lambda: base.on_cluster("squeue -h -j %s -o %%t" % job).strip() == "R"))
        done = self.cli("where", "practice", job)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stdout.strip().split("\n")), 1, done.stdout)
        base.on_cluster("scancel %s" % job)
        self.assertTrue(base.wait_until(lambda: not base.on_cluster("squeue -h -j %s 2>/dev/null || true" % job)))
        ended = self.cli("where", "practice", job)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertRegex(ended.stderr, "does not run|is not running")

    def test_what_cannot_be(self):
        self.assertEqual(self.cli("where", "practice", "999999").returncode, 1)
        self.assertEqual(self.cli("where", "practice", "12x").returncode, 2)
        self.assertEqual(self.cli("where", "practice").returncode, 2)


if __name__ == "__main__":
    unittest.main()
