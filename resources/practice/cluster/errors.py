"""Errors and progress lines for people."""
import sys


class Cannot(Exception):
    """One sentence: what failed, where, what to do.  Exit code 3."""


class Usage(Exception):
    """Wrong command line.  Exit code 2."""


def say(text):
    print("practice: " + text, file=sys.stderr, flush=True)


class Progress:
    """Counts the stages of a start."""

    def __init__(self, total):
        self.total = total
        self.at = 0

    def __call__(self, text):
        self.at = min(self.at + 1, self.total)
        say("[%d/%d] %s" % (self.at, self.total, text))
