// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/lint/lintreasons.h"

#include <QHash>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace rankwright::lint {

namespace {

// slug: why the rule has its severity, and when a finding has another. An error is refused, dies, hangs or computes
// something else than meant, for certain; a warning is very likely waste or a mistake; the rest are hints.
constexpr auto reasons = uR"(
gpus-variable: the number becomes empty or “a100:4”: the command that uses it stops
agent-tasks: several agents on a node start too many workers or separate trainings
rank-tasks: ranks are missing or doubled; a warning where nothing in the script says that the program is distributed
standalone-nodes: each node trains for itself and nobody says so
early-rank-variable: every task gets 0; a hint where the value is not read (c10d) or no training gets it
literal-variable: the program gets the letters of the name; an error where it is a rank
task-value-in-batch: every task gets 0; a hint where an agent sets it anyway or nobody reads it
gpus-total: Slurm may split the GPUs unevenly where nodes have more of them; a hint on whole nodes, where it cannot
gpus-per-task: an error where the site's entry says that it breaks and the local rank is handed on as the device; a warning with one of the two; else a hint, since the program may ask how many devices it sees
gpu-options: Slurm reconciles them, and which one counts is not plain
duplicate-directive: one of the two is certainly not meant, and the job runs all the same
tasks-total: tasks may be spread unevenly; a hint with as many tasks as nodes, where each node gets one
world-size-unset: the ranks wait for a number of others that is wrong; a hint in a job without GPUs
output-folder: the job dies without a log if the folder is not there, which the script does not show
output-name: an older log is lost, the job runs
directive-after-command: the request is not made, and nobody says so
directive-disabled: a hint among live directives, where it is switched off on purpose; a warning where no directive is live
directive-malformed: the request is not made, and nobody says so
shebang: sbatch refuses the script
directive-variable: the letters are taken as the value: refused, or a file of that name; a warning for names and mail addresses
fixed-port: it fails only when two jobs meet on a node; a warning on shared nodes
rendezvous-id: two jobs of one address would join; a hint where the rendezvous does not use the id
address-by-ip: several addresses or a loopback one are printed on some nodes only; a hint on one node
master-in-task: each node waits for itself
pipe-status: a training that failed is recorded as COMPLETED, and jobs that depend on it start; a warning where the pipe does more than write the log
unquoted-arguments: wrong only for arguments with blanks; a hint inside bash -c "…"
nested-quotes: wrong only where the value has blanks or needs its quotes
trap-foreground: what the trap should do comes too late; a hint where it only tidies up
signal-unhandled: the signal ends the script, or the agent, instead of reaching the program
signal-first-node: the other nodes are not reached; one node would be enough for some programs
helper-file: wrong only when two jobs run in one folder
node-local-folder: the other nodes lack the folder; a hint on one node and for caches that make theirs
variable-unread: the setting has no effect, the job runs
shell-syntax: bash refuses the script or a part of it
assignment-blanks: bash runs a program of that name, and the variable stays empty
default-blank: a blank in a number: most programs forgive it
missing-dollar: a relative folder of that name may be meant
bracket-blank: the test fails with “command not found”
cpu-bind-keyword: srun refuses the step
mask-count: tasks get masks of others, or none
mask-overlap: two ranks share cores that were meant for one
mask-reserved: srun refuses the step
mask-shared-node: the cores may belong to another job: refused
mask-order: it runs, on cores far from the GPU
node-gpus: the job is refused
node-cores: the job is refused; a hint where the site may count hardware threads
node-memory: the job is refused
whole-node-partial: GPUs are paid for and not used
gpu-option-missing: refused, or a step without GPUs; a warning in partitions that give whole nodes, where steps may ask themselves
partition-limit: the job is refused, or never starts
memory-options: sbatch refuses the two together
memory-per-node: no node has it: the job is refused
memory-follows-gpus: it may cost more or be refused, and is never needed
lightning-job-name: each task trains alone, and nobody says so
visible-devices: at most sites it has no effect; some sites teach it
accelerate-processes: ranks are missing or have no GPU; a warning where only a part of the GPUs is used
accelerate-rank: all nodes call themselves the same and wait; a hint where the rendezvous does not read it
deepspeed-nodes: the launcher stays on the first node or stops at ssh; a warning with a file of hosts, since some sites allow ssh between nodes of a job
missing-srun: the other nodes or tasks never start; a warning where a plain program may start them itself, a hint without GPUs
multi-prog: srun takes the command for a file and stops
omp-threads: it runs, slowed down by too many threads
loader-workers: it runs, slowed down by too many processes; a hint where several ranks share the cores of the batch shell
device-connections: it runs, without overlapping communication
export-none: tasks have no PATH
step-overlap: the training waits for the monitor; some sites set SLURM_OVERLAP for all
requeue-log: the first run's log is lost
restart-count: in the first run the comparison is a syntax error
monitor-end: the job stays until its time limit when the training fails
old-name: it works as long as the old name is read
dashed-flags: only old versions refuse it
placeholder: refused, or a file that is not there; a warning in a default (${X:-…}) and for mail addresses
secret: everybody who reads the script or the job's record has it; a hint for Ray's password within a job
script-path: the path is Slurm's spool folder; a warning where it is only a default
cpu-share: the job is billed for more, or leaves GPUs of others without cores
memory-share: the job is billed for more
exit-status: the job itself runs right; what depends on its state is misled
partition-unknown: the job is refused; a warning where the catalogue may not list all partitions
account-missing: refused, unless the account comes with sbatch, which is why findings are hints
account-form: likely a slip where it begins like the site's projects; a hint for other forms, which special projects have
single-with-gpus: the program may use them all
cluster-retired: nothing in the script is wrong
directive-blank: sbatch stops at the option without a value
directive-stray-text: sbatch stops at the word
unknown-option: sbatch stops; a warning where no known option is near, since plugins add some
option-value: sbatch stops, nothing is queued
directive-tilde: a folder named “~” is looked for: no log, or refused
carriage-return: sbatch refuses the script
byte-order-mark: sbatch refuses the script
odd-blank: it becomes part of a word, which then names nothing; a warning at the end of a file's name
odd-quote: the characters become part of the value; the shell or sbatch stops at it; a warning in a job's name
open-here-document: the rest of the script becomes text and does not run
time-form: sbatch refuses it
time-meaning: minutes may be meant
number-form: sbatch refuses it
gres-form: sbatch refuses it, or no node has such a resource
memory-form: sbatch refuses it
memory-unit: MiB may be meant
output-pattern: the name of the file is odd, the job runs
output-node-local: the log is there, out of reach
mail-type: sbatch refuses it; a warning beside events that it knows, where it is passed over
signal-form: sbatch refuses it
array-form: Slurm refuses it
time-missing: the default may be right
step-larger: srun refuses the step
array-unused: the program may read the number itself
cores-missing: the site's default may give enough
whole-memory-shared: the other GPUs of the node wait for memory; a whole node may be meant
directive-joined: the second request is not made, and nobody says so; a hint behind several “#”
partition-missing: it may come with sbatch
gpu-type: the job is refused
gpu-spelling: other forms are accepted, too
site-directive: the job runs, or the site's plugin adds it
mail-not-sent: nobody is notified, nothing else
launcher-discouraged: it works, with the drawbacks that the site names
local-disk-missing: the variable is unset, and the path begins at the root
qos-unknown: sites have more of them than they publish, some with nearly the same names
worker-count: the last workers find no GPU and die; a warning where GPUs stay idle
node-count: the agents wait for nodes that never come, or train apart; a warning where the first node alone is used
srun-in-container: the command is not in the image
world-size-number: the ranks wait for others that do not exist, or refuse to start
rendezvous-missing: each node waits for itself
node-rank: all nodes call themselves the same and wait
standalone-wins: one of the two is not meant; on one node it works
rank-variables: the program may set the rest itself
master-in-container: the command is not in the image
host-suffix: it works, over the slower network
not-exported: the program does not get the setting; a hint for names that programs may not read at all
empty-in-task: the task's shell finds the variable empty
slurm-variable: it is empty or always the default; a site's prolog may set such a name
variable-misspelt: it may come from the environment
visible-devices-twice: with equal lists on whole nodes it can work
vendor-names: the setting has no effect; an error for the backend, which PyTorch refuses
vendor-tools: the tool is missing, the training may run
network-missing: a module may set it
network-foreign: NCCL finds no interface of that name; some images replace the value
provider-foreign: libfabric finds no such network; some programs do not use it
slow-switch: it runs, slowly; a hint for switches of debugging, and for NCCL_IB_DISABLE where the network is not InfiniBand
container-binds: the fast network is not found; a hint on one node
cache-in-home: the quota may be large enough
image-latest: it works until the image changes
backslash-blank: the command is cut in two
comment-in-command: the options below are lost or run as a command
posix-shell: on a few systems sh does not know it; a hint where sh is bash
conda-activate: an inherited environment or a sourced file may have prepared it: then a hint
background-lost: Slurm ends the training with the script
module-sets: libraries of two versions: often it starts, sometimes not
requeue-starts-anew: the program may look for a checkpoint itself
gpu-fraction: sbatch refuses it
command-misspelt: “command not found”
sleeping-tail: GPUs are held and paid for
array-bounds: those tasks run with an empty value
variable-namesake: the arguments are lost; the name may come from the environment
mpi-slots: Open MPI stops; a warning with other MPI libraries, which crowd the processes
worker-default: GPUs stay idle and are paid for
nested-launchers: several trainings, or processes without a place; some MPI libraries notice
container-gpus: the program runs without a GPU or stops; a site may add the option itself
few-cores: the GPUs wait for data
qos-partition: refused where the two are not allowed together, which the catalogue may not know in full
ignore-unused: the comment does nothing
)";

} // namespace

QString severityReason(const QString& slug)
{
    static const QHash<QString, QString> bySlug = [] {
        QHash<QString, QString> table;
        const QString text = QString::fromUtf16(reasons);
        for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts))
            table.insert(line.section(u": "_s, 0, 0), line.section(u": "_s, 1));
        return table;
    }();
    return bySlug.value(slug);
}

} // namespace rankwright::lint
