#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the build folder $1 into a folder of its own and looks whether what a packager gets is whole and runs.
set -eu
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix" >/dev/null
for file in bin/rankwright bin/rankwright-cli share/rankwright/practice/practice.py \
    share/applications/rankwright.desktop share/metainfo/rankwright.metainfo.xml \
    share/icons/hicolor/scalable/apps/rankwright.svg share/doc/rankwright/README.md; do
    [ -f "$prefix/$file" ] || { echo "missing: $file"; exit 1; }
done
"$prefix/bin/rankwright-cli" --version
# The practice cluster's files are found beside the program, and no source or build folder is compiled in.
RANKWRIGHT_PRACTICE_DIR="$prefix/practice" "$prefix/bin/rankwright-cli" practice status --json >"$prefix/status" || true
grep -q '"running": false' "$prefix/status" || { cat "$prefix/status"; exit 1; }
for program in rankwright rankwright-cli; do
    if strings -a "$prefix/bin/$program" | grep -F "$2/resources"; then
        echo "$program: a path of the source folder is compiled in"
        exit 1
    fi
done
