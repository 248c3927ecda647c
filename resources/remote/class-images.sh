# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Prints for each of its words, paths of container images ("~/..." is the home folder's), a line: "readable" when whoever
# runs it can read what is there, else "closed".
#
# Any POSIX shell, and no other program. Nothing is substituted.

for image; do
    case $image in
        [~]/*) image=$HOME/${image#??} ;;
    esac
    if [ -r "$image" ]; then echo readable; else echo closed; fi
done
