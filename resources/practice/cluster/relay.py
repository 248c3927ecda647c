#!/usr/bin/python3
"""The link to the practice cluster: passes TCP connections from this machine's loopback to the login node's sshd.

relay.py --practice-state DIR --port N --to ADDRESS:PORT [--netns FD]
A process of its own, so that freezing or killing it is a frozen or broken link.
"""
import os
import socket
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def pump(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    for end, how in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        try:
            end.shutdown(how)
        except OSError:
            pass


def serve(client, address):
    try:
        server = socket.create_connection(address, timeout=10)
    except OSError:
        client.close()
        return
    server.settimeout(None)
    for end in (client, server):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    back = threading.Thread(target=pump, args=(server, client), daemon=True)
    back.start()
    pump(client, server)
    back.join()
    client.close()
    server.close()


def main():
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(options["--port"])))
    if "--netns" in options:
        # the listening socket stays in this machine's network, later ones belong to the cluster's
        from cluster import namespaces
        namespaces.setns(int(options["--netns"]), namespaces.NEWNET)
    host, _, port = options["--to"].rpartition(":")
    listener.listen(64)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, (host, int(port))), daemon=True).start()


if __name__ == "__main__":
    main()
