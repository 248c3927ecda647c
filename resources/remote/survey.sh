# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# What a cluster says about itself, in sections. Each begins with a line that is substituted, a control character and the
# section's name: @HOST@ @CONFIG@ @PARTITIONS@ @NODES@ @SINFO@ @QOS@ @ACCOUNTS@ @DEFAULTACCOUNT@ @SHARES@
# @RESERVATIONS@ @SCRATCH@ @MODULES@. @NODE_FORMAT@ are sinfo's columns, @QOS_COLUMNS@ those of sacctmgr.
#
# Any POSIX shell, Slurm's commands, hostname, grep, head, sed, tr, timeout; bash for the modules.

export LC_ALL=C TZ=UTC0
printf '%s\n' @HOST@
hostname -f 2>/dev/null || hostname
printf '%s\n' @CONFIG@
scontrol show config | grep -E '^(ClusterName|SLURM_VERSION|SelectType|SelectTypeParameters|DefMemPer[A-Z][a-z]+|GresTypes|AccountingStorageEnforce|JobSubmitPlugins|TaskPlugin) *='
printf '%s\n' @PARTITIONS@
scontrol -a -o show partition
printf '%s\n' @NODES@
scontrol -a -o show node
printf '%s\n' @SINFO@
sinfo -a -h -e -o @NODE_FORMAT@
# Not --delimiter: sacctmgr of 22.05 does not know it, and no name holds a bar.
printf '%s\n' @QOS@
sacctmgr -nP show qos format=@QOS_COLUMNS@ 2>/dev/null
printf '%s\n' @ACCOUNTS@
# One accounting serves many clusters: of the associations only those of this one.
cluster=$(scontrol show config | sed -n 's/^ClusterName *= *//p')
accounts=$(sacctmgr -nP show assoc user="$(id -un)" ${cluster:+cluster="$cluster"} format=account 2>/dev/null)
printf '%s\n' "$accounts"
printf '%s\n' @DEFAULTACCOUNT@
sacctmgr -nP show user "$(id -un)" format=defaultaccount 2>/dev/null
printf '%s\n' @SHARES@
[ -n "$accounts" ] && sshare -n -P -A "$(printf '%s' "$accounts" | tr '\n' ',')" -o Account,GrpTRESMins,GrpTRESRaw 2>/dev/null
printf '%s\n' @RESERVATIONS@
scontrol -o show reservation 2>/dev/null
printf '%s\n' @SCRATCH@
[ -n "$SCRATCH" ] && echo yes
# Last, and cut: a login shell runs whatever the account's start-up files do.
printf '%s\n' @MODULES@
timeout 20 bash -lc 'module -t avail' </dev/null 2>&1 | head -c 400000
true
