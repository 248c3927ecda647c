# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2170
#
# Puts the sampler's file, from standard input, into the job's folder ($1; empty: home). A link that breaks gives a shorter
# text, not an error: so it is counted. A file that is the same stays untouched; a new one comes by renaming.
#
# Any POSIX shell, mkdir, cat, wc, cmp, mv. Substituted: @FILE@ its path from the folder, @BYTES@ its length.

cd -- "${1:-$HOME}" || exit
shift
file=@FILE@
mkdir -p "${file%/*}" && cat >"$file.$$" && [ "$(wc -c <"$file.$$")" -eq @BYTES@ ] && {
  cmp -s "$file.$$" "$file" || mv -f "$file.$$" "$file"
}
status=$?
rm -f "$file.$$"
exit $status
