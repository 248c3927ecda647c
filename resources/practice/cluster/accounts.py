"""Projects, users, limits and the reservation."""
import json
import os

from . import layout, nodes
from .errors import Cannot
from .state import wait_until


def sacctmgr(state, commands):
    """Runs accounting commands one after the other; 'already there' is not a failure."""
    script = "".join("/usr/bin/sacctmgr -i %s || :\n" % command for command in commands)
    done = nodes.run(state, layout.LOGIN, ["/bin/sh", "-c", script], timeout=60)
    problems = [line.strip() for line in (done.stdout + done.stderr).splitlines() if "error" in line.lower()]
    return not problems, "; ".join(problems)


def names(state, what):
    done = nodes.run(state, layout.LOGIN, ["/usr/bin/sacctmgr", "-nP", "show", what, "format=" + ("user" if what == "user" else "name")])
    return set(done.stdout.split())


def prepare(state, user):
    """Before slurmctld starts: it will not start without the QOS that a partition names."""
    if state.data.get("accounts") == user:
        return
    commands = shape_commands(user) if layout.SHAPE else practice_commands(user)
    good, text = sacctmgr(state, commands)
    if user not in names(state, "user"):
        raise Cannot("the accounting daemon did not take the users: %s (%s)" % (text, state.path("log", "slurmdbd.log")))
    state.data["accounts"] = user
    state.save()


def shape_commands(user):
    """The account and the qualities of service of a site; its limits refuse at once, as a site's do."""
    shape = layout.SHAPE
    commands = ["add cluster %s" % layout.CLUSTER]
    commands += ["add qos %s Flags=DenyOnLimit" % name for name in shape.all_qos()]
    commands.append("add account %s Description=project Organization=practice" % layout.ACCOUNT)
    if shape.account_required:
        commands += ["add account %s Description=none Organization=practice" % layout.NO_ACCOUNT,
                     "add user %s Account=%s DefaultAccount=%s" % (user, layout.NO_ACCOUNT, layout.NO_ACCOUNT)]
    commands.append("add user %s Account=%s" % (user, layout.ACCOUNT))
    if shape.named_qos():
        commands.append("modify user %s set qos+=%s" % (user, ",".join(shape.named_qos())))
    return commands


def practice_commands(user):
    return [
        "add cluster %s" % layout.CLUSTER,
        "add qos dev-g MaxJobsPerUser=1 MaxSubmitJobsPerUser=2 Description=debugging",
        "add account %s,%s Description=project Organization=practice" % (layout.ACCOUNT, layout.SPENT_ACCOUNT),
        "add account %s Description=project Organization=practice" % layout.FOREIGN_ACCOUNT,
        "add account %s Description=none Organization=practice" % layout.NO_ACCOUNT,
        "add user %s Account=%s DefaultAccount=%s" % (user, layout.NO_ACCOUNT, layout.NO_ACCOUNT),
        "add user %s Account=%s,%s" % (user, layout.ACCOUNT, layout.SPENT_ACCOUNT),
        "add user %s Account=%s" % (layout.OTHER_USER, layout.FOREIGN_ACCOUNT),
    ]


def finish(state):
    """After slurmctld has registered the GPUs as a trackable resource: limits in GPUs and GPU minutes."""
    if state.data.get("limits"):
        return
    wait_until(lambda: "gpu" in names(state, "tres"), 10, 0.2)
    commands = ["modify account %s set GrpTRESMins=gres/gpu=0" % layout.SPENT_ACCOUNT]
    if layout.SHAPE:
        commands = ["modify qos %s set %s" % (name, " ".join("%s=%s" % limit for limit in limits.items()))
                    for name, limits in layout.SHAPE.all_qos().items() if limits]
    good, text = sacctmgr(state, commands)
    if not good:
        raise Cannot("the limits could not be set: %s" % text)
    state.data["limits"] = True
    state.save()


def reserve(state):
    """The course reservation: one node that other jobs leave alone."""
    if layout.SHAPE:
        return
    shown = nodes.run(state, layout.LOGIN, ["/usr/bin/scontrol", "-o", "show", "reservation", layout.RESERVATION])
    if "ReservationName=" + layout.RESERVATION in shown.stdout:
        return
    done = nodes.run(state, layout.LOGIN, [
        "/usr/bin/scontrol", "create", "reservation", "ReservationName=" + layout.RESERVATION, "Accounts=" + layout.ACCOUNT,
        "Nodes=" + layout.RESERVED_NODE, "StartTime=now", "Duration=365-00:00:00", "Flags=IGNORE_JOBS"])
    if done.returncode != 0:
        raise Cannot("the reservation %s could not be made: %s" % (layout.RESERVATION, done.stderr.strip()))


def node_states(state):
    """Name -> Slurm's state of each node, as the controller sees it."""
    done = nodes.run(state, layout.LOGIN, ["/usr/bin/sinfo", "-h", "-N", "-o", "%N %T"])
    return dict(line.split()[:2] for line in done.stdout.splitlines() if len(line.split()) >= 2)


# Why Slurm itself takes a node out of service (slurmctld's and slurmd's own words): what was broken here is the
# machine's pace or a daemon that was killed, never the node. A person's reason is left alone.
SLURMS_REASONS = ("Duplicate jobid", "Kill task failed", "batch job complete failure", "Prolog error", "Prolog failed",
                  "Epilog error", "Node unexpectedly rebooted", "Not responding")


def out_of_service(listed):
    """Names of the nodes that Slurm itself took out of service; `listed`: lines of NODE|REASON."""
    pairs = (line.partition("|") for line in listed.splitlines())
    return sorted({name for name, _, reason in pairs if reason.startswith(SLURMS_REASONS)})


def resume_drained(state):
    """Nodes that Slurm itself drained or took for dead serve again: no user of a practice cluster could do that."""
    if layout.SHAPE:
        return
    done = nodes.run(state, layout.LOGIN, ["/usr/bin/sinfo", "-h", "-N", "-t", "drain,down", "-o", "%N|%E"])
    taken = out_of_service(done.stdout)
    for name in taken:
        nodes.run(state, layout.LOGIN, ["/usr/bin/scontrol", "update", "NodeName=" + name, "State=RESUME"])
    if taken:   # jobs are given to a node only when it has answered again
        wait_until(lambda: not any(node_states(state).get(name, "*").endswith("*") for name in taken), 20, 0.2)


def wait_for_nodes(state, seconds=20):
    def ready():
        if layout.SHAPE:   # none of its nodes is started; they may be thousands
            return nodes.run(state, layout.LOGIN, ["/usr/bin/sinfo", "-h", "-o", "%P %D"]).stdout.strip()
        states = node_states(state)
        return len(states) == len(layout.NODES) and not any(
            text.rstrip("*") in ("down", "unknown") or text.endswith("*") for text in states.values())
    if not wait_until(ready, seconds, 0.1):
        raise Cannot("some nodes did not register with Slurm: %s; see %s" % (
            json.dumps(node_states(state)), os.path.join(state.dir, "log")))
