"""Asked by its own signal, as node-hang.sh asks: prints what is then in its file of stacks, and what the next sitecustomize set."""
import os
import signal

NAMES = {number: os.readlink("/proc/self/fd/" + number) for number in os.listdir("/proc/self/fd")
         if os.path.lexists("/proc/self/fd/" + number)}
FILES = [number for number, name in NAMES.items() if name.split("/")[-1].startswith(("rankwright-stacks", "memfd:rankwright-stacks"))]


def stand_here():
    os.kill(os.getpid(), int(os.environ["RANKWRIGHT_STACKS"]))


if FILES:
    stand_here()
    with open("/proc/self/fd/" + FILES[0]) as stream:
        print(stream.read())
print("files: %d, next: %s, child: %s" % (len(FILES), os.environ.get("NEXT_RAN"), signal.SIGRTMIN <= 57 <= signal.SIGRTMAX))
