// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisrules.h"

#include <algorithm>
#include <iterator>

namespace rankwright {

namespace {

using Rule = DiagnosisRule;

constexpr Rule slurmTable[] = {
    {"time-limit", "time_limit", Rule::Communication,
        "due to time limit|due to job time limit|walltime exceeded|time limit reached|job has timed out. ran|this job is timed-out|timed-out and not checkpointable",
        R"((?:(?:JOB|STEP) \S+ ON (?<node>[\w.-]+) )?CANCELLED AT \S+ DUE TO (?:JOB )?TIME LIMIT|DUE TO TIME LIMIT|Job has timed out\. Ran|this job is timed-out|timed-out and not checkpointable)",
        "",
        "The job reached its time limit. Ask for more (--time, the design's time limit), or save checkpoints and resume: --signal=B:USR1@300 gives five minutes' notice.",
        "slurmstepd messages; sbatch(1)"},
    {"requeued", "preempted", Rule::Cause, "due to job requeue",
        R"((?:(?:JOB|STEP) \S+ ON (?<node>[\w.-]+) )?CANCELLED AT \S+ DUE TO JOB REQUEUE)", "",
        "Slurm took the job off its nodes and put it back into the queue: for a job of higher priority, or because somebody asked for it. It begins again; checkpoints that the program resumes from save what was done.",
        "slurmstepd messages; scontrol(1), requeue"},
    {"preempted", "preempted", Rule::Cause, "due to preemption|preempted",
        R"((?:(?:JOB|STEP) \S+ ON (?<node>[\w.-]+) )?CANCELLED AT \S+ DUE TO PREEMPTION|DUE TO PREEMPTION|Caught signal \w+ on \S+: this job is preempted)",
        "",
        "The job was preempted by one of higher priority. Use a partition that is not preempted, or --requeue with checkpoints that the program resumes from.",
        "slurmstepd messages; Slurm preemption"},
    {"node-failure", "node_failure", Rule::Cause,
        "due to node failure|node failure on|node_fail|node fail|zero bytes were transmitted|due to nodefail|uncorrectable memory error at|boot of the nodes|are still not ready",
        R"(DUE TO NODE ?FAIL|Node failure on (?<node>[\w.-]+)|State:? *NODE_FAIL|Zero Bytes were transmitted or received|UNCORRECTABLE MEMORY ERROR AT|wrong with the boot of the nodes|srun: error: Nodes \S+ are still not ready)",
        "",
        "A node failed; the job is not at fault. Submit it again from the last checkpoint, without the node (--exclude=NODE).",
        "slurmstepd and srun messages"},
    {"cancelled", "cancelled", Rule::Ending, "cancelled at",
        R"(JOB \S+ (?:ON (?<node>[\w.-]+) )?CANCELLED AT \S+(?: DUE TO SIGNAL \w+)?(?: \*\*\*|$))", "",
        "Somebody, or the job's own dependency, cancelled the job (scancel). Nothing needs to change in the design.",
        "slurmstepd messages; scancel(1)"},
    // srun ends a step in which a task failed; a step alone is also cancelled by a person
    {"step-cancelled", "cancelled", Rule::Ending, "cancelled at",
        R"((?:STEP|TASK) \S+ (?:ON (?<node>[\w.-]+) )?CANCELLED AT \S+(?: DUE TO SIGNAL \w+)?(?: \*\*\*|$))", "",
        "Somebody cancelled the job or its step (scancel). Nothing needs to change in the design.",
        "slurmstepd messages; scancel(1)"},
    {"worker-segfault", "segfault", Rule::Communication, "segmentation fault",
        R"(DataLoader worker \(pid\(?s?\)?[^)]*\) is killed by signal: Segmentation fault|Unexpected segmentation fault encountered in worker)",
        "",
        "A DataLoader worker crashed in native code. A usual cause is fork, which copies the threads and connections of the GPU, MPI and network libraries into the worker: start the workers by spawn (multiprocessing_context='spawn' in DataLoader). If it crashes with num_workers=0, too, the data set's own code is at fault.",
        "PyTorch, torch/utils/data/_utils/signal_handling.py; multiprocessing best practices"},
    {"segfault", "segfault", Rule::Communication,
        "segmentation fault|sigsegv|exitcode: -11|exitcode  : -11|exitcode : -11|return code = -11|composer.cli.launcher|signal 11",
        R"(srun: error: (?<node>[\w.-]+): tasks? [\d,-]+: Segmentation fault|Segmentation fault|SIGSEGV|exitcode\s*: -11|return code = -11\b|cli\.launcher:.* code -11\b|process rank (?<rank>\d+) .*exited on signal 11\b|[Ss]ignal:? 11\b)",
        "DataLoader worker|encountered in worker",
        "Native code crashed. Mixed library versions are the usual cause: use one container or environment for all; PYTHONFAULTHANDLER=1 shows where.",
        "signal(7); srun messages"},
    {"illegal-instruction", "illegal_instruction", Rule::Communication,
        "illegal instruction|exec format error|return code = -4",
        R"(Illegal instruction|[Ee]xec format error|return code = -4\b)", R"(was encountered)",
        "The program was built for another processor than the node has. Build it on the compute node, or use packages for its architecture.",
        "signal(7): SIGILL"},
    {"killed", "process_killed", Rule::Ending,
        "killed|sigkill|exitcode: -9|return code = -9|composer.cli.launcher|exitcode  : -9|: killed|exit code 137|signal 9",
        R"(srun: error: (?<node>[\w.-]+): tasks? [\d,-]+: Killed|return code = -9\b|cli\.launcher:.* code -9\b|process rank (?<rank>\d+) .*exited on signal 9\b|Signal 9 \(SIGKILL\)|exitcode ?: -9|exit code 137|: line \d+:\s+\d+ Killed\b|^(?:\d+: )?Killed$|terminated with signal SIGKILL)",
        "",
        "A process was ended by force, often because the node's memory was full. Ask for more memory (--mem) if nothing else explains it.",
        "signal(7): SIGKILL"},
    {"killed-first", "process_killed", Rule::Communication, ": killed|exitcode: -9|exited on signal 9",
        R"(srun: error: (?<node>[\w.-]+): tasks? [\d,-]+: Killed|process rank (?<rank>\d+) .*exited on signal 9\b|failed \(exitcode: -9\) local_rank)",
        "",
        "A process was ended by force from outside, and the others lost it: by the system where memory ran out (--mem), or by somebody (kill -9).",
        "signal(7): SIGKILL; srun messages; torchrun messages", false, 1, false, true},
    // A guard of a script of ours ends the job: nothing before it can be the cause, hence the first tier.
    {"guard-image", "missing_container", Rule::Machine, "rankwright: cannot read the container image",
        R"(^(?:\d+: )?rankwright: cannot read the container image)", "",
        "The script's own check found no container image at the design's path. Check it; sites rename images with new versions.",
        "Rankwright's scripts, checks"},
    {"guard-file", "missing_file", Rule::Machine, "rankwright: cannot read",
        R"(^(?:\d+: )?rankwright: cannot read (?!the container image))", "",
        "The script's own check found a file of the design missing. Upload it, or set the design's working folder.",
        "Rankwright's scripts, checks"},
    {"guard-software", "missing_module", Rule::Machine,
        "rankwright: ", R"(^(?:\d+: )?rankwright: (?:\S+ (?:is not on the path|finds no PyTorch)|conda could not))", "",
        "The script's own check found no PyTorch. Name modules, a virtual environment, conda or a container in the design.",
        "Rankwright's scripts, checks"},
    {"guard-slurm", "slurm_config", Rule::Machine, "rankwright: ",
        R"(^(?:\d+: )?rankwright: (?:expected \d|the design names no account|.* does not switch on com\.hooks))", "",
        "The script's own check stopped it: Slurm gave something else than the design asks for, or the design is not complete. Its sentence says what.",
        "Rankwright's scripts, checks"},
    {"step-refused", "slurm_config", Rule::Cause,
        "unable to create step|more processors requested|unable to confirm allocation|batch job submission failed|"
        "invalid generic resource|invalid account|invalid partition|unable to layout tasks|"
        "unable to satisfy cpu bind|unable to allocate resources|requested node configuration|cpu binding outside|"
        "memory required by task|violates accounting|can't run|task launch for|srun: unrecognized option|"
        "sbatch: error|srun: fatal|salloc: error|invalid qos|invalid job id|no partition specified|"
        "srun: error: invalid|cpu_bind|srun: invalid option|ignoring --cpu-bind|mutually exclusive",
        R"(Unable to create step for job|More processors requested|Unable to confirm allocation|(?:srun|sbatch|salloc): (?:error: )?(?:Batch job submission failed|Unable to allocate resources|Invalid|Unable to satisfy|unrecognized option|invalid option|CPU binding outside|Memory required|fatal:|.*mutually exclusive)|Requested node configuration is not available|Invalid generic resource|Unable to layout tasks|[Uu]nable to satisfy cpu bind|CPU binding outside of job step)",
        R"(Task launch for.*Prolog|retrying|Requested nodes are busy|timed out)",
        "Slurm refused a step: it asks for what the job does not have. Let srun's --nodes, --ntasks, --cpus-per-task and --gpus be at most the job's (the design's resources); a nested srun needs --overlap.",
        "srun(1), sbatch(1)"},
    {"launcher-counts", "slurm_config", Rule::Cause,
        "but this variable is not supported|does not match the number of nodes configured|number of tasks per node configured in slurm|in your slurm",
        R"(You set `--ntasks=\d+` in your SLURM bash script|number of (?:tasks per node|nodes) configured in (?:SLURM|Slurm).*does not match|You set `(?:devices|num_nodes)=.*(?:does not|doesn't) match)",
        R"(warn)",
        "The program's devices and nodes are not those of Slurm. Set --ntasks-per-node to the devices of a node and num_nodes to --nodes, and don't use --ntasks.",
        "Lightning, SLURMEnvironment"},
    {"step-waits", "slurm_config", Rule::Communication, "step creation temporarily disabled|creation still disabled",
        R"(step creation (?:temporarily|still) disabled)", "",
        "A step waits for resources that another step of the job holds. Add --overlap, or --exact with fewer CPUs.",
        "srun(1)", true},
    {"slurm-launch",
        "slurm_launch", Rule::Communication, "task launch for|launch failed|prolog|slurmd[|unable to create tmpdir|io error on socket|credential|munge|unable to confirm allocation|unable to allocate resources: socket|batch job submission failed: socket", R"(Task launch for \S+ failed|(?:Unable to confirm allocation|Unable to allocate resources|submission failed).*timed out|srun: error: .*Application launch failed|slurmstepd: error: .*[Uu]nable to create TMPDIR|launch failed: .*|Job credential (?:expired|revoked)|[Pp]rolog.*(?:failed|error)|[Mm]unge.*(?:failed|error))",
        R"(INFO)",
        "Slurm could not start the processes on a node. Submit again; report it to the site's support if it happens again.",
        "srun messages"},
    {"mpi", "mpi_error", Rule::Echo, "mpi_abort|mpich error|pmix|pmi2_|mpi_init",
        R"(MPI_ABORT was invoked|MPICH ERROR|PM[Ii][x2X]?\S*.*(?:error|fail)|MPI_Init.*(?:fail|error))", R"(INFO|warn)",
        "MPI stopped all ranks. Look above for the rank that failed first; start with the site's --mpi= if it happened at the beginning.",
        "Open MPI and MPICH messages"},
};

} // namespace

const QList<DiagnosisRule>& slurmRules()
{
    static const QList<DiagnosisRule> rules(std::begin(slurmTable), std::end(slurmTable));
    return rules;
}

bool isHealthRule(const QString& id)
{
    const QList<DiagnosisRule>& rules = diagnosisRules();
    return std::any_of(rules.begin(), rules.end(),
        [&id](const DiagnosisRule& rule) { return rule.isHealth && id == QLatin1StringView(rule.id); });
}

const QList<DiagnosisRule>& diagnosisRules()
{
    static const QList<DiagnosisRule> all
        = memoryRules() + gpuRules() + networkRules() + softwareRules() + slurmRules();
    return all;
}

} // namespace rankwright
