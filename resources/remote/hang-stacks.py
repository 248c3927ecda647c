# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A job's sitecustomize.py, which Python runs when it starts: batch scripts write it into a folder that is first in
# PYTHONPATH. As `where` wants it (docs/where.md, "The signal"): a handler for the signal, and a file whose name begins
# with rankwright-stacks. The sitecustomize that Python would have found without it runs, too, and may fail as it would
# have failed then. Python 3.6 and newer. Nothing is substituted.

"""Written by Rankwright: at the signal RANKWRIGHT_STACKS this process writes down where it stands, and goes on."""
import os
import sys


def answer_with_stacks(number):
    import faulthandler
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("rankwright-stacks")
    else:
        import tempfile
        file, name = tempfile.mkstemp(prefix="rankwright-stacks")
        os.unlink(name)
    faulthandler.register(number, file=open(file, "w"), all_threads=True)


def run_next():
    from importlib import machinery, util
    here = os.path.dirname(os.path.realpath(__file__))
    own = [place for place, path in enumerate(sys.path) if os.path.realpath(path) == here]
    spec = machinery.PathFinder.find_spec(__name__, sys.path[max(own, default=len(sys.path)) + 1:])
    if spec and spec.loader:
        sys.modules[__name__] = util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[__name__])


try:
    answer_with_stacks(int(os.environ["RANKWRIGHT_STACKS"]))
except Exception:
    pass
run_next()
