# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# sbatch --test-only for the script on stdin, in a way that harms no controller (docs/slurm.md, "Asking without harm"):
# one partition a question, none without nodes, none where this release of slurmctld may end for it. sbatch's own words
# and status stay. Before them sections, each begun by a line that is substituted: @ASKED@ with the partition of a list
# that is asked and how many others could be, @SKIPPED@ with the reason for not asking (preemption, empty).
# @PARTITIONS@ are the script's, between commas, @COMMENT@ and @CHDIR@ options of sbatch; empty: none.
#
# Any POSIX shell, awk, cat, sed, sort, tr, Slurm's commands.

partitions=@PARTITIONS@ comment=@COMMENT@ chdir=@CHDIR@ asked='' others=0 named=0
script=$(cat; echo x)
skip() { printf '%s\n%s\n' @SKIPPED@ "$1"; exit 0; }
value() { printf '%s\n' "$config" | sed -n "s/^$1 *= *//p"; }
# How many nodes a partition has, and its state; nothing: sinfo does not list it.
nodes() { printf '%s\n' "$listed" | awk -v partition="$1" \
  '$1 == partition { count += $2; state = $3 } END { if (state != "") print count, state }'; }

config=$(scontrol show config 2>&1)
case $config in *'Unable to contact slurm controller'*) printf '%s\n' "$config" >&2; exit 1 ;; esac
version=$(value SLURM_VERSION)
[ -n "$version" ] || version=$(sbatch -V 2>/dev/null)
case ${version##* } in
  24.11.0 | 24.11.0-* | 24.11.1 | 24.11.1-*)
    case $(value PreemptType) in preempt/none | none | '(null)') ;; *) skip preemption ;; esac ;;
esac

listed=$(sinfo -a -h -o '%R %D %a' 2>/dev/null)
[ -n "$partitions" ] || partitions=$SBATCH_PARTITION
if [ -z "$partitions" ]; then
  # A plug-in that puts a job without a partition into all of them makes a list, too.
  case $(value JobSubmitPlugins) in
    *all_partitions*) partitions=$(printf '%s\n' "$listed" | awk '{ print $1 }' | sort -u | tr '\n' ',') ;;
  esac
fi
set -f
IFS=,
# shellcheck disable=SC2086 # parted at commas
set -- $partitions
unset IFS
for partition; do
  named=$((named + 1))
  case $(nodes "$partition") in
    '0 '*) [ $# -gt 1 ] || skip empty ;;
    *' up') if [ -n "$asked" ]; then others=$((others + 1)); else asked=$partition; fi ;;
  esac
done
if [ "$named" -gt 1 ]; then
  [ -n "$asked" ] || skip empty
  printf '%s\n%s\n%s\n' @ASKED@ "$asked" "$others"
else
  asked=''
fi
printf %s "${script%x}" | sbatch --test-only ${comment:+"$comment"} ${chdir:+"$chdir"} ${asked:+"--partition=$asked"}
