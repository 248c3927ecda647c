#!/usr/bin/python3
"""A small real training with PyTorch DDP (gloo, processors only) for the practice cluster.

Start it with torchrun, or with srun with one task per rank; it reads RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and
MASTER_PORT.  It learns to tell apart classes of synthetic points.  Since there is no GPU, every micro-batch also waits
for the time that a GPU would compute (--device-time), and every rank tells the node's GPU tools what it is doing.
"""
import argparse
import math
import os
import random
import signal
import socket
import sys
import time
import traceback

GIB = 1 << 30
SPAN = 1.2    # seconds over which the GPU tools average


class Activity:
    """The file that tells the node's GPU tools what this rank does: gpu pid state time shares memory job."""

    def __init__(self, local_rank):
        self.gpu, self.total = physical_gpu(local_rank)     # on real machines: the device that the program chose
        self.state, self.at, self.memory = "idle", time.time(), 0
        self.shares = {"loading": 0.0, "computing": 0.0, "waiting": 0.0}
        self.file = None
        node = os.environ.get("SLURMD_NODENAME") or socket.gethostname()
        folder = "/tmp/rankwright-gpu/%d/%s" % (os.getuid(), node)
        try:
            os.makedirs(folder, exist_ok=True)
            top = "/tmp/rankwright-gpu"
            if os.stat(top).st_uid == os.getuid():
                os.chmod(top, 0o1777)
            for name in os.listdir(folder):    # left by ranks that died
                if not os.path.exists("/proc/" + name.rpartition("-")[2]):
                    os.unlink(os.path.join(folder, name))
            self.path = "%s/%d-%d" % (folder, self.gpu, os.getpid())
            self.file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        except OSError:
            pass

    def __call__(self, state, memory=None):
        if memory is not None:
            self.memory = min(int(memory), int(self.total * 0.98))
        if self.file is None:
            return
        now = time.time()
        keep = math.exp(-max(0.0, now - self.at) / SPAN)
        for name in self.shares:
            self.shares[name] = self.shares[name] * keep + (1 - keep if name == self.state else 0)
        self.state, self.at = state, now
        text = "%d %d %s %.3f %.4f %.4f %.4f %d %s" % (
            self.gpu, os.getpid(), state, now, self.shares["loading"], self.shares["computing"], self.shares["waiting"],
            self.memory, os.environ.get("SLURM_JOB_ID", "-"))
        os.pwrite(self.file, text.ljust(119).encode() + b"\n", 0)

    def close(self):
        if self.file is not None:
            os.close(self.file)
            self.file = None
            try:
                os.unlink(self.path)
            except OSError:
                pass


def physical_gpu(local_rank):
    """Index on the node of the GPU this rank would use, and its memory."""
    try:
        sys.path.append("/usr/local/bin")
        import gpumodel
        kind = "mi250" if os.path.exists("/dev/dri/renderD128") else "a100"
        owned = gpumodel.visible(kind)
        return (owned[local_rank % len(owned)] if owned else local_rank), gpumodel.KINDS[kind]["total"]
    except ImportError:
        return local_rank, 64 * GIB
    finally:
        sys.path.remove("/usr/local/bin")


class Bar:
    """A progress bar as tqdm draws it."""

    def __init__(self, total, enabled):
        self.total, self.enabled, self.began, self.drawn, self.width = total, enabled, time.monotonic(), 0.0, 0

    def draw(self, label, done, total, loss, force=False):
        now = time.monotonic()
        if not self.enabled or now - self.drawn < 0.4 and not force:
            return
        self.drawn = now
        spent = now - self.began
        rate = done / spent if spent > 0 and done else 0
        left = clock((total - done) / rate) if rate else "?"
        speed = "?it/s" if not rate else "%5.2fit/s" % rate if rate >= 1 else "%5.2fs/it" % (1 / rate)
        filled = 10 * done // total
        text = "%s: %3d%%|%s%s| %d/%d [%s<%s, %s, loss=%.3g]" % (
            label, 100 * done // total, "#" * filled, " " * (10 - filled), done, total, clock(spent), left, speed, loss)
        sys.stdout.write("\r" + text + " " * max(0, self.width - len(text)))
        sys.stdout.flush()
        self.width = len(text)

    def clear(self):
        if self.enabled and self.width:
            sys.stdout.write("\r" + " " * self.width + "\r")
            sys.stdout.flush()
            self.width = 0

    def end_epoch(self):
        if self.enabled and self.width:
            sys.stdout.write("\n")
            sys.stdout.flush()
        self.width, self.began = 0, time.monotonic()


def clock(seconds):
    seconds = int(seconds)
    if seconds >= 3600:
        return "%d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)
    return "%02d:%02d" % (seconds // 60, seconds % 60)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--steps", type=int, default=100, help="optimiser steps altogether")
    add("--seconds", type=float, default=0, help="take at least this long")
    add("--epochs", type=int, default=3)
    add("--micro-batch", "--micro_batch", "--batch-size", "--batch_size", type=int, default=16, help="samples per rank and pass")
    add("--accumulate", "--gradient-accumulation-steps", "--gradient_accumulation_steps", type=int, default=1)
    add("--global-batch", "--global_batch", type=int, default=0, help="sets --accumulate from the number of ranks")
    add("--learning-rate", "--lr", type=float, default=3e-3)
    add("--checkpoint", metavar="FILE", help="save here at times, at the end and on SIGUSR1")
    add("--checkpoint-every", type=int, default=40, metavar="STEPS")
    add("--resume", action="store_true", help="go on from the checkpoint if there is one")
    add("--alone", action="store_true", help="without a launcher's variables: train as one process")
    add("--straggler", type=int, default=-1, metavar="RANK", help="this rank takes three times as long")
    add("--loader-delay", type=float, default=0.004, metavar="S", help="seconds to load a batch")
    add("--device-time", type=float, default=0.2, metavar="S", help="seconds a GPU would compute per micro-batch")
    add("--gpu-memory", type=float, default=0, metavar="GIB", help="pretended memory per GPU; default follows the micro-batch")
    add("--evaluate-every", type=int, default=0, metavar="STEPS", help="rank 0 evaluates alone, the others wait for it")
    add("--evaluate-seconds", type=float, default=8, metavar="S")
    faults = parser.add_argument_group("planted faults, to practise diagnosing them")
    add = faults.add_argument
    add("--fault-rank", type=int, default=-1, metavar="RANK", help="whom the faults below meet; default the last rank")
    add("--absent", action="store_true", help="the rank sleeps before it takes its GPU and joins the others")
    add("--crowd", action="store_true", help="all ranks of a node use its first GPU")
    add("--cores", metavar="LIST", help="all ranks run on these processors only, for instance 0; one list per local rank: 0:1")
    add("--hang-at", type=int, default=0, metavar="STEP", help="the rank stops before it exchanges gradients")
    add("--kill-at", type=int, default=0, metavar="STEP", help="the rank is killed by kill -9")
    add("--nan-at", type=int, default=0, metavar="STEP", help="from here on the loss is not a number")
    add("--oom-at", type=int, default=0, metavar="STEP", help="the rank's GPU runs out of memory, with PyTorch's own words")
    add("--label-errors", action="store_true", help="begin each line of a traceback with the rank, as PyTorch 2.3 and newer do")
    add("--fail-at", type=int, default=0, metavar="STEP", help="stop with an error at this step, to practise reading logs")
    chosen, unknown = parser.parse_known_args()
    if unknown:
        print("train_ddp.py: warning: ignoring unknown arguments: " + " ".join(unknown), file=sys.stderr, flush=True)
    return chosen


def launch_environment(alone=False):
    """Rank, world size and local rank; says what is missing, and how to start."""
    names = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
    if alone and not any(os.environ.get(name) for name in names) and os.environ.get("SLURM_NTASKS", "1") == "1":
        with socket.socket() as free:     # one process of its own, as a program without a launcher is
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        os.environ.update(RANK="0", WORLD_SIZE="1", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    missing = [name for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT") if not os.environ.get(name)]
    if missing:
        print("train_ddp.py: %s not set. Start it with torchrun, or with srun and one task per rank with RANK=$SLURM_PROCID "
              "LOCAL_RANK=$SLURM_LOCALID WORLD_SIZE=$SLURM_NTASKS MASTER_ADDR and MASTER_PORT set." % (
                  missing[0] + " is" if len(missing) == 1 else ", ".join(missing) + " are"), file=sys.stderr)
        sys.exit(2)
    try:
        local = os.environ.get("LOCAL_RANK") or os.environ.get("SLURM_LOCALID") or "0"
        return int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]), int(local)
    except ValueError as error:
        print("train_ddp.py: RANK, WORLD_SIZE and LOCAL_RANK must be numbers: %s" % error, file=sys.stderr)
        sys.exit(2)


class Checkpoints:
    """Written by rank 0, at times and whenever SIGUSR1 has come."""

    def __init__(self, chosen, rank):
        self.path = chosen.checkpoint or "checkpoint-%s.pt" % os.environ.get("SLURM_JOB_ID", "local")
        self.every = chosen.checkpoint_every if chosen.checkpoint else 0
        self.rank, self.asked = rank, False
        signal.signal(signal.SIGUSR1, self.ask)

    def ask(self, number, frame):
        self.asked = True

    def save_if_due(self, torch, step, model, optimiser, last):
        due = self.asked or self.every and (step % self.every == 0 or last)
        if not due or self.rank != 0:
            self.asked = False
            return None
        why, self.asked = " after SIGUSR1" if self.asked else "", False
        torch.save({"step": step, "model": model.module.state_dict(), "optimiser": optimiser.state_dict()}, self.path + ".new")
        os.replace(self.path + ".new", self.path)
        return "saved checkpoint %s at step %d%s" % (self.path, step, why)

    def load(self, torch, model, optimiser):
        if not os.path.exists(self.path):
            return 0, "no checkpoint %s yet, starting at step 0" % self.path
        kept = torch.load(self.path)
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        return kept["step"], "resumed from %s at step %d" % (self.path, kept["step"])


def make_model(torch):
    nn = torch.nn
    return nn.Sequential(nn.Linear(32, 96), nn.GELU(), nn.Linear(96, 96), nn.GELU(), nn.Linear(96, 10))


class Data:
    """Endless synthetic points in ten classes, with the same centres on every rank."""

    def __init__(self, torch, rank):
        self.torch = torch
        shared = torch.Generator().manual_seed(1234)
        self.centres = torch.randn(10, 32, generator=shared) * 0.55
        self.own = torch.Generator().manual_seed(99 + rank)

    def batch(self, size):
        labels = self.torch.randint(0, 10, (size,), generator=self.own)
        return self.centres[labels] + self.torch.randn(size, 32, generator=self.own), labels


class Trainer:
    """One rank's part of the training."""

    def __init__(self, chosen, rank, world, activity, checkpoints):
        import torch
        import torch.distributed as distributed
        from torch.nn.parallel import DistributedDataParallel
        self.torch, self.distributed = torch, distributed
        self.chosen, self.rank, self.world, self.activity, self.checkpoints = chosen, rank, world, activity, checkpoints
        torch.set_num_threads(1)
        torch.manual_seed(5)
        distributed.init_process_group("gloo")
        model = make_model(torch)
        self.optimiser = torch.optim.AdamW(model.parameters(), lr=chosen.learning_rate)
        self.first = 0
        if chosen.resume:
            self.first, text = checkpoints.load(torch, model, self.optimiser)
            if rank == 0:
                print(text, flush=True)
        self.model = DistributedDataParallel(model)
        self.loss = torch.nn.CrossEntropyLoss()
        self.data = Data(torch, rank)
        self.accumulate = max(1, chosen.accumulate)
        if chosen.global_batch:
            self.accumulate = max(1, round(chosen.global_batch / (chosen.micro_batch * world)))
        self.pace = chosen.device_time
        if chosen.seconds:
            self.pace = max(0.0, chosen.seconds / max(1, chosen.steps) / self.accumulate - chosen.loader_delay)
        self.noise = random.Random(rank)
        self.faulty = rank == (chosen.fault_rank if chosen.fault_rank >= 0 else world - 1)

    def device_time(self):
        slow = 3.0 if self.rank == self.chosen.straggler else 1.0
        return self.pace * slow * self.noise.uniform(0.94, 1.06)

    def micro_step(self, last):
        self.activity("loading")
        inputs, labels = self.data.batch(self.chosen.micro_batch)
        time.sleep(self.chosen.loader_delay)
        self.activity("computing")
        loss = self.loss(self.model(inputs), labels) / self.accumulate
        time.sleep(self.device_time())
        if last and self.faulty:
            self.plant()
        if last:
            self.activity("waiting")    # gradients are exchanged here: the fast ranks wait for the slow ones
        loss.backward()
        return loss.item()

    def plant(self):
        """The faults that come at a step."""
        chosen = self.chosen
        if chosen.hang_at == self.at:
            self.activity("loading")
            while True:
                time.sleep(60)
        if chosen.kill_at == self.at:
            os.kill(os.getpid(), signal.SIGKILL)
        if chosen.oom_at == self.at:
            kind = getattr(self.torch.cuda, "OutOfMemoryError", RuntimeError)
            raise kind("HIP out of memory. Tried to allocate 2.00 GiB (GPU %s; 63.98 GiB total capacity; 61.03 GiB already "
                       "allocated; 1.21 GiB free; 62.40 GiB reserved in total by PyTorch) If reserved memory is >> allocated "
                       "memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management "
                       "and PYTORCH_HIP_ALLOC_CONF" % os.environ.get("LOCAL_RANK", "0"))

    def evaluate(self):
        """Rank 0 alone works on the held-out points; the others are in the barrier already."""
        if self.rank == 0:
            self.activity("computing")
            time.sleep(self.chosen.evaluate_seconds)
        self.activity("waiting")
        self.distributed.barrier()
        self.activity("computing")

    def step(self):
        total = 0.0
        for part in range(self.accumulate):
            if part + 1 < self.accumulate:
                with self.model.no_sync():
                    total += self.micro_step(False)
            else:
                total += self.micro_step(True)
        self.activity("computing")
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        return total

    def run(self):
        chosen, steps = self.chosen, self.chosen.steps
        samples = chosen.micro_batch * self.accumulate * self.world
        epochs = max(1, min(chosen.epochs, steps))
        per_epoch = -(-steps // epochs)
        bar, began, smooth = Bar(steps, self.rank == 0), time.monotonic(), None
        every = max(1, steps // 20)
        memory = (chosen.gpu_memory or 2.5 + 1.05 * chosen.micro_batch) * GIB * (1 + 0.004 * (self.rank % 5))
        if self.rank == 0:
            print("world size %d, micro-batch %d x accumulation %d x ranks %d = global batch %d, %d steps" % (
                self.world, chosen.micro_batch, self.accumulate, self.world, samples, steps), flush=True)
        for step in range(self.first + 1, steps + 1):
            self.at = step
            loss = self.step()
            if chosen.nan_at and step >= chosen.nan_at:
                loss = math.nan
            self.activity("computing", memory)
            if chosen.evaluate_every and step % chosen.evaluate_every == 0 and step < steps:
                self.evaluate()
            smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
            if chosen.fail_at == step and self.rank == self.world - 1:
                raise RuntimeError("practice failure at step %d on rank %d (--fail-at)" % (step, self.rank))
            epoch = (step - 1) // per_epoch
            size = min(per_epoch, steps - epoch * per_epoch)
            done = step - epoch * per_epoch
            bar.draw("epoch %d/%d" % (epoch + 1, epochs), done, size, smooth, done == size)
            text = self.checkpoints.save_if_due(self.torch, step, self.model, self.optimiser, step == steps)
            if done == size:
                bar.end_epoch()
            if self.rank == 0 and (step % every == 0 or step == steps):
                bar.clear()
                spent = time.monotonic() - began
                print("step %d/%d loss %.4f %.1f samples/s" % (step, steps, smooth, (step - self.first) * samples / spent), flush=True)
            if text:
                bar.clear()
                print(text, flush=True)
        if self.rank == 0:
            print("done: %d steps in %.1f s, final loss %s" % (
                steps - self.first, time.monotonic() - began, "-" if smooth is None else "%.4f" % smooth), flush=True)
        self.distributed.barrier()
        self.distributed.destroy_process_group()


def label_errors(rank):
    def report(kind, value, frames):
        text = "".join(traceback.format_exception(kind, value, frames))
        sys.stderr.write("".join("[rank%d]: %s\n" % (rank, line) for line in text.rstrip("\n").split("\n")))
        sys.stderr.flush()
    sys.excepthook = report


def main():
    chosen = options()
    rank, world, local = launch_environment(chosen.alone)
    if chosen.label_errors:
        label_errors(rank)
    checkpoints = Checkpoints(chosen, rank)     # SIGUSR1 must not end us while torch is being loaded
    print("[rank %d/%d] host %s local rank %d pid %d" % (rank, world, socket.gethostname(), local, os.getpid()), flush=True)
    if chosen.cores:
        lists = chosen.cores.split(":")
        os.sched_setaffinity(0, {int(core) for core in lists[local % len(lists)].split(",")})
    if chosen.absent and rank == (chosen.fault_rank if chosen.fault_rank >= 0 else world - 1):
        while True:
            time.sleep(60)      # a lock, a download, a file that does not come
    activity = Activity(0 if chosen.crowd else local)
    activity("loading", 0.6 * GIB)
    try:
        Trainer(chosen, rank, world, activity, checkpoints).run()
    finally:
        activity.close()


if __name__ == "__main__":
    main()
