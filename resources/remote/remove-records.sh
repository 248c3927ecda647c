# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Removes records below a job's folder ($1; empty: home): those of the jobs $2 ..., which must be plain numbers. Prints
# "removed JOB" for each that is gone.
#
# Any POSIX shell, rm, rmdir. Nothing is substituted.

cd -- "${1:-$HOME}" || exit
shift
for job; do
  [ -d ".rankwright/$job" ] || continue
  rm -f -- ".rankwright/$job"/*.rws
  rmdir -- ".rankwright/$job" && echo "removed $job"
done
