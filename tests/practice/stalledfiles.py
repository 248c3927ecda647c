#!/usr/bin/python3
"""A file system that stops answering, as a server of files does that is gone: stalledfiles.py PID FOLDER RELEASE mounts it at FOLDER, as
the process PID sees its files, with one file data.bin whose first read is answered when the file RELEASE is there. Root, and a kernel that
has FUSE. It says "ready", ends with its standard input, and its mount with it."""
import errno
import os
import select
import struct
import subprocess
import sys

SIZE = 1 << 20  # of the file
ROOT, FILE = 1, 2  # numbers of the folder and of the file
FORGET, BATCH_FORGET, INTERRUPT = 2, 42, 36  # have no answer
LOOKUP, GETATTR, OPEN, READ, STATFS, RELEASE, FLUSH, INIT = 1, 3, 14, 15, 17, 18, 25, 26  # of linux/fuse.h, as the rest of this
MOUNT = """import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
options = "fd=%s,rootmode=40000,user_id=0,group_id=0,allow_other" % sys.argv[1]
if libc.mount(b"stalled", sys.argv[2].encode(), b"fuse", 6, options.encode()) != 0:
    sys.exit(os.strerror(ctypes.get_errno()))
"""


def attributes(number):
    mode, size = (0o40755, 0) if number == ROOT else (0o100644, SIZE)
    return struct.pack("<6Q10I", number, size, size // 512, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer_to(operation, number, body):
    """The answer's bytes, an error's number, or nothing: it waits."""
    if operation == INIT:
        return struct.pack("<4I2H2I2H8I", 7, 31, 65536, 0, 12, 10, 65536, 1, 0, 0, *[0] * 8)[:64]
    if operation == LOOKUP:
        if number != ROOT or body.rstrip(b"\0") != b"data.bin":
            return errno.ENOENT
        return struct.pack("<4Q2I", FILE, 0, 3600, 3600, 0, 0) + attributes(FILE)
    if operation == GETATTR:
        return struct.pack("<Q2I", 3600, 0, 0) + attributes(number)
    if operation == OPEN:
        return struct.pack("<Q2I", 1, 0, 0)
    if operation == READ:
        return None
    return b"" if operation in (RELEASE, FLUSH) else errno.ENOSYS


def serve(device, release):
    waiting = []
    while True:
        ready, _, _ = select.select([device, sys.stdin], [], [], 0.2)
        if sys.stdin in ready:
            return
        if waiting and os.path.exists(release):
            for identity, length in waiting:
                os.write(device, struct.pack("<IiQ", 16 + length, 0, identity) + bytes(length))
            waiting = []
        if device not in ready:
            continue
        message = os.read(device, 1 << 18)
        _, operation, identity, number = struct.unpack_from("<IIQQ", message)
        if operation in (FORGET, BATCH_FORGET, INTERRUPT):
            continue
        found = answer_to(operation, number, message[40:])
        if found is None:
            waiting.append((identity, struct.unpack_from("<QQI", message, 40)[2]))
        elif isinstance(found, int):
            os.write(device, struct.pack("<IiQ", 16, -found, identity))
        else:
            os.write(device, struct.pack("<IiQ", 16 + len(found), 0, identity) + found)


def main():
    pid, folder, release = sys.argv[1:]
    device = os.open("/dev/fuse", os.O_RDWR)
    subprocess.run(["nsenter", "--target", pid, "--mount", "--root", "--", "/usr/bin/python3", "-c", MOUNT, str(device), folder],
                   pass_fds=[device], check=True)
    print("ready", flush=True)
    try:
        serve(device, "/proc/%s/root%s" % (pid, release))
    except OSError as error:
        if error.errno not in (errno.ENODEV, errno.ENOENT):  # its folder was removed, who asked has ended
            raise
    finally:
        os.close(device)
        subprocess.run(["nsenter", "--target", pid, "--mount", "--root", "--", "umount", "-l", folder], stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
