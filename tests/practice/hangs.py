"""A training that hangs in a way of one's choice, for test_where.py: hangs.py KIND ODD_RANK FOLDER. Real PyTorch over gloo. Lines that
end in "# KIND" are those in which the odd rank then stands. A file FOLDER/release lets it go on; then all end well."""
import faulthandler
import os
import signal
import sys
import threading
import time

# What lets `rankwright-cli where` ask for stacks: a handler for the signal, and a file in memory that it prints to.
faulthandler.register(int(os.environ["RANKWRIGHT_STACKS"]), file=open(os.memfd_create("rankwright-stacks"), "w"), all_threads=True)

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

if "STAND_IN_RECORDER" in os.environ:
    import standinrecorder
    standinrecorder.install(os.environ["STAND_IN_RECORDER"])

KIND, ODD, FOLDER = sys.argv[1], int(sys.argv[2]), sys.argv[3]
RANK = int(os.environ["RANK"])
STEPS = 12


def say(words):
    print("rank %d: %s" % (RANK, words), flush=True)


def is_released():
    return os.path.exists(FOLDER + "/release")


def load_batch(step):
    if KIND == "loader" and step == 3 and RANK == ODD:
        say("planted")
        while not is_released():
            time.sleep(0.5)  # loader
    if KIND == "file" and step == 3 and RANK == ODD:
        os.mkfifo(FOLDER + "/data.bin")
        say("planted")
        with open(FOLDER + "/data.bin", "rb") as stream:  # file
            stream.read()
    if KIND == "disk" and step == 3 and RANK == ODD:
        say("planted")
        with open(FOLDER + "/files/data.bin", "rb") as stream:
            stream.read(4096)  # disk
    if KIND == "size" and step >= 3:
        if RANK == ODD and step == 3:
            say("planted")
        # Gloo sends so much in equal pieces: another number of them is no error, and each side waits for the other.
        return torch.zeros((12 if RANK == ODD else 8) << 20)
    if KIND == "slow":
        time.sleep(0.8 if RANK == ODD else 0.01)
    return torch.full((1000,), float(RANK))


def close_logger():
    say("planted")
    while not is_released():
        time.sleep(0.5)  # exception


def keep_lock(lock, taken):
    with lock:
        taken.set()
        while not is_released():
            time.sleep(0.5)


def take_lock():
    lock, taken = threading.Lock(), threading.Event()
    threading.Thread(target=keep_lock, args=(lock, taken), daemon=True).start()
    taken.wait()
    say("planted")
    with lock:  # lock
        say("has the lock")


def stop():
    say("planted")
    os.kill(os.getpid(), signal.SIGSTOP)


def train_step(step):
    batch = load_batch(step)
    if step == 3 and RANK == ODD:
        if KIND == "skipped":
            say("planted")
            return
        if KIND == "stop":
            stop()
        if KIND == "lock":
            take_lock()
        if KIND == "exception":
            raise ValueError("a batch with no labels")
        if KIND == "order":
            say("planted")
            dist.broadcast(batch, 0)  # order
    if KIND == "guarded" and step == 3 and RANK == 0:
        say("planted")
        dist.barrier()  # guarded
    dist.all_reduce(batch)  # others size


def wait_for_dead(store):
    say("waits")
    store.wait(["from rank %d" % ODD])


def main():
    dist.init_process_group("gloo")
    if KIND == "dead":
        store = dist.distributed_c10d._get_default_store()
        if RANK == ODD:
            say("planted")
            os.kill(os.getpid(), signal.SIGKILL)
        wait_for_dead(store)  # dead
    steps = 10 ** 9 if KIND == "slow" else STEPS
    for step in range(4 if KIND == "uneven" and RANK == ODD else steps):
        if KIND == "slow" and is_released():
            break
        began = time.monotonic()
        train_step(step)
        say("step %d %.3f" % (step, time.monotonic() - began))
    if KIND == "uneven" and RANK == ODD:
        say("planted")
    dist.barrier()  # skipped uneven


try:
    main()
except ValueError as error:
    say("ValueError: %s" % error)
    close_logger()
say("done")
