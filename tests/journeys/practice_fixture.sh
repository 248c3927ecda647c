#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts or ends the practice cluster of the journey tests. Exit status 77 (ctest: skipped) where its parts are missing.
script=$(dirname "$0")/../../resources/practice/practice.py
for program in slurmctld slurmd sbatch sshd munged; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
/usr/bin/python3 -c 'import torch' 2>/dev/null || { echo "skipped: PyTorch (python3-torch) is not installed"; exit 77; }
case $1 in
up)
    # A run that was cut short left its cluster's memory behind: jobs and steps that no suite of this run began.
    /usr/bin/python3 "$script" down >/dev/null 2>&1
    rm -rf "${RANKWRIGHT_PRACTICE_DIR:?}"
    exec /usr/bin/python3 "$script" up
    ;;
down) exec /usr/bin/python3 "$script" down ;;
*) echo "usage: $0 up|down" >&2; exit 2 ;;
esac
