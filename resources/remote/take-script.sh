# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Reads a batch script of @SIZE@ bytes into $script (behind it an x, since $( ) cuts newlines off the end), prints @READY@
# and waits for the word "go". The script has to come within @SCRIPT_SECONDS@ s, the word within @WORD_SECONDS@ s more. Else
# it ends with status 75 (EX_TEMPFAIL), and what stands behind this program, sbatch, never runs: not with a part of a script,
# not for a client that is gone, not with what a broken line delivers late.
#
# Any POSIX shell, head -c. `timeout` is not needed, so that its absence changes nothing.

exec 3<&0
size=@SIZE@

# $1 bytes of the input, or those that came within $2 s.
taken() {
    head -c "$1" <&3 &
    reader=$!
    (sleep "$2"; kill "$reader") 3<&- </dev/null >/dev/null 2>&1 &
    watch=$!
    { wait "$reader"; kill "$watch"; } 2>/dev/null
}

script=$(taken "$size" @SCRIPT_SECONDS@; echo x)
if [ "$(printf %s "$script" | wc -c)" -ne $((size + 1)) ]; then
    echo 'The batch script did not arrive whole, so nothing was submitted.' >&2
    exit 75
fi
echo @READY@
if [ "$(taken 2 @WORD_SECONDS@)" != go ]; then
    echo 'The word to submit the batch script did not arrive, so nothing was submitted.' >&2
    exit 75
fi
exec 3<&- </dev/null
