#!/usr/bin/python3
"""The practice cluster: a small real Slurm cluster on this machine, for practice and tests.

  practice.py up|down|status [--state DIR] [--json]
  practice.py up|down|status --shape FILE [--state DIR]
  practice.py down --purge
  practice.py fault link-freeze|link-thaw|link-kill|sshd-kill|slurmctld-kill|slurmctld-start
  practice.py fault node-kill|node-start NODE
"""
import argparse
import json
import signal
import sys
import time

sys.dont_write_bytecode = True

from cluster import cluster, layout, shape  # noqa: E402
from cluster.errors import Cannot, Usage, say  # noqa: E402
from cluster.state import State, default_dir  # noqa: E402

FAULTS = ("link-freeze", "link-thaw", "link-kill", "sshd-kill", "slurmctld-kill", "slurmctld-start", "node-kill", "node-start")


class Interrupted(Exception):
    """Ended by a signal."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Usage(message)


def parse(words):
    common = Parser(add_help=False)
    common.add_argument("--state", default=argparse.SUPPRESS, help="folder that keeps the cluster")
    common.add_argument("--shape", metavar="FILE", default=argparse.SUPPRESS,
                        help="a site's partitions and nodes, declared only: a file of the catalogue; in a folder of its own")
    common.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="accepted; up and status always print JSON")
    parser = Parser(prog="practice.py", parents=[common], description="A small real Slurm cluster on this machine.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    commands.add_parser("up", parents=[common], help="start it, or repair it")
    commands.add_parser("status", parents=[common], help="tell how to reach it")
    end = commands.add_parser("down", parents=[common], help="end it")
    end.add_argument("--purge", action="store_true", help="also remove everything it keeps")
    fault = commands.add_parser("fault", parents=[common], help="break something on purpose")
    fault.add_argument("what", choices=FAULTS)
    fault.add_argument("node", nargs="?", choices=[node["name"] for node in layout.NODES])
    options = parser.parse_args(words)
    if options.command == "fault" and options.what.startswith("node-") != (options.node is not None):
        raise Usage("fault %s %s" % (options.what, "needs the name of a node" if options.node is None else "takes no node"))
    return options


def interrupt(number, frame):
    signal.signal(number, signal.SIG_IGN)
    raise Interrupted(number)


def run(options):
    chosen = shape.read(options.shape) if getattr(options, "shape", None) else None
    named = getattr(options, "state", None)
    state = State(named or (default_dir() + "-" + chosen.name if chosen else default_dir()))
    if options.command != "up":
        cluster.remember_shape(state, None)
    if options.command == "status":
        print(json.dumps(cluster.status(state), indent=1))
        return
    began = time.monotonic()
    if options.command == "up":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, interrupt)
    state.acquire(create=options.command == "up")
    if options.command == "up":
        cluster.remember_shape(state, chosen)
        changed = cluster.up(state)
        if changed:
            say("the cluster is up after %.1f s" % (time.monotonic() - began))
        print(json.dumps(cluster.status(state), indent=1))
    elif options.command == "down":
        ran = cluster.down(state, options.purge)
        say("ended after %.1f s" % (time.monotonic() - began) if ran else "nothing was running")
    else:
        cluster.fault(state, options.what, options.node)


def main():
    try:
        run(parse(sys.argv[1:]))
    except Usage as error:
        print("practice: %s (practice.py --help tells more)" % error, file=sys.stderr)
        return 2
    except Cannot as error:
        print("practice: %s" % error, file=sys.stderr)
        return 3
    except OSError as error:
        print("practice: the system refused: %s" % error, file=sys.stderr)
        return 3
    except Interrupted as error:
        print("practice: interrupted, everything started so far was ended", file=sys.stderr)
        return 128 + error.args[0]
    return 0


if __name__ == "__main__":
    sys.exit(main())
