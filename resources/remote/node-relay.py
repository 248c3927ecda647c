# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Connections to services of one node, many over one stream: standard input and output, which a Slurm step carries to
# the login node and SSH to the user's computer. Python 3.5 and newer, standard library alone. Nothing is substituted.
# Frames in both directions: kind (1 byte), connection (4), length (4), network order, then that many bytes; those that
# go out end with a newline, since srun hands on whole lines (srun(1), --unbuffered). First of all goes a line that says
# that it is us: whatever a prologue printed before is not ours.
# From the user's computer: O open (the port in digits), D data, E no more data, C close, W this many bytes (4) may be
# sent again, P nothing: we are still there. To it: K opened, F not opened (why), D, E, C, W.
# Each connection holds at most WINDOW_BYTES each way. Ends with its input, after IDLE_SECONDS of silence, and with the
# job.

import errno
import fcntl
import os
import select
import socket
import struct
import sys
import time

# kinds of frames
OPEN = b"O"
DATA = b"D"
END = b"E"
CLOSE = b"C"
WINDOW_GROWS = b"W"
PING = b"P"
OPENED = b"K"
FAILED = b"F"

HEAD = struct.Struct("!cII")
WINDOW_BYTES = 262144
PIECE_BYTES = 32768
LARGEST_FRAME = 65536
MOST_CONNECTIONS = 512
IDLE_SECONDS = 60
OUTPUT_BYTES = 1048576


class Connection:
    def __init__(self, port):
        self.port = port
        # what listens on this node only for itself, and what listens on its name alone
        self.places = ["127.0.0.1", "::1", socket.gethostname()]
        self.socket = None
        self.open = False
        self.waiting = bytearray()
        self.window = WINDOW_BYTES
        self.owed = 0
        self.ends = False
        self.ended = False
        self.silent = False
        self.why = "nothing listens there"

    def next_place(self):
        self.shut()
        while self.places:
            place = self.places.pop(0)
            try:
                found = socket.getaddrinfo(place, self.port, 0, socket.SOCK_STREAM)[0]
                self.socket = socket.socket(found[0], found[1], found[2])
                self.socket.setblocking(False)
                code = self.socket.connect_ex(found[4])
            except OSError as trouble:
                self.why = str(trouble)
                self.shut()
                continue
            if code in (0, errno.EINPROGRESS):
                return True
            self.why = os.strerror(code)
            self.shut()
        return False

    def shut(self):
        if self.socket is not None:
            self.socket.close()
            self.socket = None


class Relay:
    def __init__(self):
        self.out = bytearray(b"\nRANKWRIGHT-RELAY 1\n")
        self.read = bytearray()
        self.all = {}
        self.heard = time.monotonic()

    def send(self, kind, number, body=b""):
        self.out += HEAD.pack(kind, number, len(body)) + body + b"\n"

    def drop(self, number, kind=None, body=b""):
        connection = self.all.pop(number, None)
        if connection is not None:
            connection.shut()
            if kind is not None:
                self.send(kind, number, body)

    def take_frames(self):
        while len(self.read) >= HEAD.size:
            kind, number, length = HEAD.unpack_from(self.read)
            if length > LARGEST_FRAME:
                sys.exit(3)
            if len(self.read) < HEAD.size + length:
                return
            body = bytes(self.read[HEAD.size : HEAD.size + length])
            del self.read[: HEAD.size + length]
            self.take(kind, number, body)

    def take(self, kind, number, body):
        if kind == PING:
            return
        if kind == OPEN:
            is_port = body.isdigit() and 0 < int(body) < 65536
            if number in self.all or len(self.all) >= MOST_CONNECTIONS or not is_port:
                self.send(FAILED, number, b"too many connections, or no port")
                return
            connection = Connection(int(body))
            if connection.next_place():
                self.all[number] = connection
            else:
                self.send(FAILED, number, connection.why.encode())
            return
        if kind not in (DATA, END, CLOSE, WINDOW_GROWS):
            sys.exit(3)
        connection = self.all.get(number)
        if connection is None:
            return
        if kind == DATA:
            if connection.ends or len(connection.waiting) + len(body) > 2 * WINDOW_BYTES:
                self.drop(number, CLOSE)
                return
            connection.waiting += body
        elif kind == END:
            connection.ends = True
        elif kind == CLOSE:
            self.drop(number)
        elif len(body) == 4:
            connection.window += struct.unpack("!I", body)[0]

    def settle(self, number, connection):
        code = connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code == 0:
            connection.open = True
            connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.send(OPENED, number)
            return
        connection.why = os.strerror(code)
        if not connection.next_place():
            self.drop(number, FAILED, connection.why.encode())

    def push(self, number, connection):
        try:
            while connection.waiting:
                count = connection.socket.send(connection.waiting[:PIECE_BYTES])
                del connection.waiting[:count]
                connection.owed += count
            if connection.ends and not connection.ended:
                connection.socket.shutdown(socket.SHUT_WR)
                connection.ended = True
        except BlockingIOError:
            pass
        except OSError:
            self.drop(number, CLOSE)
            return
        if connection.owed >= WINDOW_BYTES // 4:
            self.send(WINDOW_GROWS, number, struct.pack("!I", connection.owed))
            connection.owed = 0

    def pull(self, number, connection):
        try:
            piece = connection.socket.recv(min(PIECE_BYTES, connection.window))
        except BlockingIOError:
            return
        except OSError:
            self.drop(number, CLOSE)
            return
        if piece:
            connection.window -= len(piece)
            self.send(DATA, number, piece)
        else:
            connection.silent = True
            self.send(END, number)

    def watched(self):
        poll = select.poll()
        poll.register(0, select.POLLIN)
        if self.out:
            poll.register(1, select.POLLOUT)
        numbers = {}
        for number, connection in self.all.items():
            events = 0
            if not connection.open or connection.waiting or (connection.ends and not connection.ended):
                events |= select.POLLOUT
            if connection.open and not connection.silent and connection.window > 0 and len(self.out) < OUTPUT_BYTES:
                events |= select.POLLIN
            if events:
                numbers[connection.socket.fileno()] = number
                poll.register(connection.socket.fileno(), events)
        return poll, numbers

    def hear(self):
        try:
            piece = os.read(0, LARGEST_FRAME)
        except BlockingIOError:
            return
        if not piece:
            sys.exit(0)
        self.heard = time.monotonic()
        self.read += piece
        self.take_frames()

    def speak(self):
        try:
            del self.out[: os.write(1, self.out[:LARGEST_FRAME])]
        except BlockingIOError:
            pass

    def turn(self):
        poll, numbers = self.watched()
        for descriptor, events in poll.poll(5000):
            if descriptor == 0:
                self.hear()
            elif descriptor == 1:
                self.speak()
            else:
                number = numbers[descriptor]
                connection = self.all.get(number)
                if connection is None:
                    continue
                if not connection.open:
                    self.settle(number, connection)
                    continue
                if events & select.POLLOUT or connection.waiting:
                    self.push(number, connection)
                if number in self.all and events & (select.POLLIN | select.POLLHUP | select.POLLERR):
                    if not connection.silent and connection.window > 0:
                        self.pull(number, connection)
                    elif events & select.POLLERR:
                        self.drop(number, CLOSE)
                if number in self.all and connection.ended and connection.silent:
                    self.drop(number, CLOSE)
        if time.monotonic() - self.heard > IDLE_SECONDS:
            sys.exit(0)


for stream in (0, 1):
    fcntl.fcntl(stream, fcntl.F_SETFL, fcntl.fcntl(stream, fcntl.F_GETFL) | os.O_NONBLOCK)
relay = Relay()
try:
    while True:
        relay.turn()
except (BrokenPipeError, KeyboardInterrupt):
    sys.exit(0)
