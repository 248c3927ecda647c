# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Prints twice "xSECONDS SECONDS " and $1 bytes that compress badly. Both moments are of the node's own clock: the first
# travels alone, the second says when the bytes were written, so that what the node itself took can be left out.
#
# Any POSIX shell, coreutils, /proc/uptime (without it the moments are empty). Nothing is substituted.

data=$(head -c "$1" /dev/urandom | base64 | tr -d '\n' | head -c "$1")
for _ in 1 2; do
    { read -r now _ < /proc/uptime; } 2>/dev/null || now=
    printf 'x%s ' "$now"
    sleep 0.05
    { read -r now _ < /proc/uptime; } 2>/dev/null || now=
    printf '%s %s' "$now" "$data"
done
