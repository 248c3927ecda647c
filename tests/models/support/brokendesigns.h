// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/checks/designchecks.h"

namespace rankwright::test {

using namespace Qt::StringLiterals;

/// One change that spoils a clean LUMI design, and the finding that must come of it. Ids V… are the request checks of
/// the operators' pages, L… and R… the published rules.
struct BrokenDesign {
    const char* tag;
    const char16_t* rule;
    const char16_t* slug;
    Severity severity;
    QLatin1StringView field;
    std::function<void(JobSpec&)> change;
};

inline const QList<BrokenDesign> brokenDesigns{
    {"V24 no account", u"R101", u"account-missing", Severity::Error, field::account,
        [](JobSpec& s) { s.account.reset(); }},
    {"account form", u"R102", u"account-form", Severity::Warning, field::account,
        [](JobSpec& s) { s.account = u"project_2001234"_s; }},
    {"partition unknown", u"R06", u"partition-unknown", Severity::Error, field::partition,
        [](JobSpec& s) { s.partition = u"gpu"_s; }},
    {"V14 small-g, 5 nodes", u"L37", u"partition-limit", Severity::Error, field::nodes,
        [](JobSpec& s) {
            s.partition = u"small-g"_s;
            s.resources.nodes = 5;
        }},
    {"V15 standard-g, 49 h", u"L37", u"partition-limit", Severity::Error, field::time,
        [](JobSpec& s) {
            s.partition = u"standard-g"_s;
            s.resources.gpusPerNode = 8;
            s.time = Seconds{49 * 3600};
        }},
    {"1025 nodes", u"L37", u"partition-limit", Severity::Error, field::nodes,
        [](JobSpec& s) {
            s.resources = {1025, 8, {}, {}};
        }},
    {"wall time zero", u"R07", u"time-range", Severity::Error, field::time, [](JobSpec& s) { s.time = Seconds{0}; }},
    {"no nodes", u"R104", u"size-range", Severity::Error, field::nodes, [](JobSpec& s) { s.resources.nodes = 0; }},
    {"10^9 nodes", u"R104", u"size-range", Severity::Error, field::nodes,
        [](JobSpec& s) { s.resources.nodes = 1000000000; }},
    {"no GPUs", u"R104", u"size-range", Severity::Error, field::gpusPerNode,
        [](JobSpec& s) { s.resources.gpusPerNode = 0; }},
    {"9 GCDs", u"L34", u"node-gpus", Severity::Error, field::gpusPerNode,
        [](JobSpec& s) { s.resources.gpusPerNode = 9; }},
    {"L34 64 cores", u"L34", u"node-cores", Severity::Error, field::cpusPerGpu,
        [](JobSpec& s) {
            s.resources.gpusPerNode = 8;
            s.resources.cpusPerGpu = 8;
        }},
    {"L34 512G", u"L34", u"node-memory", Severity::Error, field::memoryPerNode,
        [](JobSpec& s) { s.resources.memoryPerNode = Bytes::gib(512); }},
    {"V19 960G for two nodes", u"L38", u"memory-per-node", Severity::Error, field::memoryPerNode,
        [](JobSpec& s) {
            s.resources = {2, 8, {}, Bytes::gib(960)};
        }},
    {"L35 standard-g, 1 GCD", u"L35", u"whole-node-partial", Severity::Warning, field::gpusPerNode,
        [](JobSpec& s) {
            s.partition = u"standard-g"_s;
            s.resources.gpusPerNode = 1;
        }},
    {"L57 1 GCD, 14 cores", u"L57", u"cpu-share", Severity::Warning, field::cpusPerGpu,
        [](JobSpec& s) {
            s.resources.gpusPerNode = 1;
            s.resources.cpusPerGpu = 14;
        }},
    {"L57 1 GCD, 256G", u"L57", u"cpu-share", Severity::Warning, field::memoryPerNode,
        [](JobSpec& s) {
            s.resources.gpusPerNode = 1;
            s.resources.memoryPerNode = Bytes::gib(256);
        }},
    {"batch not divisible", u"R105", u"batch-split", Severity::Warning, field::globalBatch,
        [](JobSpec& s) { s.training.globalBatch = 127; }},
    {"micro-batch too large", u"R105", u"batch-split", Severity::Warning, field::microBatch,
        [](JobSpec& s) {
            s.training.globalBatch = 8;
            s.training.microBatch = 8;
        }},
    {"batch zero", u"R104", u"size-range", Severity::Error, field::globalBatch,
        [](JobSpec& s) { s.training.globalBatch = 0; }},
    {"V42 fp16 on MI250X", u"R106", u"fp16-mi250x", Severity::Warning, field::precision,
        [](JobSpec& s) { s.training.precision = Precision::Fp16Mixed; }},
    {"single with two GCDs", u"R108", u"single-with-gpus", Severity::Warning, field::strategy,
        [](JobSpec& s) { s.parallel.strategy = Strategy::Single; }},
    {"horovod by torchrun", u"R110", u"launcher-strategy", Severity::Error, field::launcher,
        [](JobSpec& s) {
            s.parallel.strategy = Strategy::Horovod;
            s.launcher = Launcher::Torchrun;
        }},
    {"signal", u"R116", u"signal-form", Severity::Error, field::signal,
        [](JobSpec& s) { s.options.signal = u"soon"_s; }},
    {"L26 batch shell", u"L26", u"signal-reach", Severity::Error, field::signal,
        [](JobSpec& s) { s.options.signal = u"B:TERM@300"_s; }},
    {"R31 USR1 under an agent", u"L26", u"signal-reach", Severity::Warning, field::signal,
        [](JobSpec& s) { s.options.signal = u"USR1@300"_s; }},
    {"L49 no resume", u"L49", u"requeue-without-resume", Severity::Hint, field::resumeArguments,
        [](JobSpec& s) { s.options.requeue = true; }},
    {"resume unused", u"R117", u"resume-unused", Severity::Hint, field::resumeArguments,
        [](JobSpec& s) { s.options.resumeArguments = u"--resume"_s; }},
    {"array", u"R118", u"option-form", Severity::Error, field::array, [](JobSpec& s) { s.options.array = u"ten"_s; }},
    {"dependency", u"R118", u"option-form", Severity::Error, field::dependency,
        [](JobSpec& s) { s.options.dependency = u"afterlunch:12"_s; }},
    {"L14 folder of the log", u"L14", u"log-name", Severity::Warning, field::output,
        [](JobSpec& s) { s.options.output = u"logs/%j.out"_s; }},
    {"L17 variable in the log's name", u"L14", u"log-name", Severity::Error, field::output,
        [](JobSpec& s) { s.options.output = u"$NAME.out"_s; }},
    {"L15 log of all jobs", u"L14", u"log-name", Severity::Warning, field::output,
        [](JobSpec& s) { s.options.output = u"train.log"_s; }},
    {"R20 binding on a part of a node", u"R20", u"binding-refused", Severity::Warning, field::cpuBinding,
        [](JobSpec& s) {
            s.resources.gpusPerNode = 2;
            s.options.cpuBinding = true;
        }},
    {"numa binding without torchrun", u"R303", u"numa-binding", Severity::Error, field::numaBinding,
        [](JobSpec& s) {
            s.launcher = Launcher::Srun;
            s.options.numaBinding = NumaBinding::Node;
        }},
    {"two bindings", u"R303", u"numa-binding", Severity::Warning, field::numaBinding,
        [](JobSpec& s) {
            s.resources.gpusPerNode = 8;
            s.options.cpuBinding = true;
            s.options.numaBinding = NumaBinding::Exclusive;
        }},
    {"R28 deepspeed over nodes", u"R28", u"deepspeed-ssh", Severity::Hint, field::launcher,
        [](JobSpec& s) {
            s.resources = {2, 8, {}, {}};
            s.launcher = Launcher::Deepspeed;
        }},
    {"disk", u"R119", u"local-disk", Severity::Warning, field::localDisk,
        [](JobSpec& s) { s.options.localDisk = Bytes::gib(100); }},
    {"R39 degrees", u"R39", u"parallel-degrees", Severity::Error, field::tensor,
        [](JobSpec& s) {
            s.resources.gpusPerNode = 8;
            s.parallel.tensor = 3;
        }},
    {"L39 Lightning", u"L39", u"lightning-job-name", Severity::Error, field::name,
        [](JobSpec& s) {
            s.name = u"interactive"_s;
            s.training.framework = Framework::Lightning;
        }},
    {"L40 visible devices", u"L40", u"visible-devices", Severity::Warning, field::variables,
        [](JobSpec& s) {
            s.environment.variables = {{u"ROCR_VISIBLE_DEVICES"_s, u"0,1"_s}};
        }},
    {"R15 RANK", u"R15", u"variable-reserved", Severity::Error, field::variables,
        [](JobSpec& s) {
            s.environment.variables = {{u"RANK"_s, u"0"_s}};
        }},
    {"R15 MASTER_PORT", u"R15", u"variable-reserved", Severity::Warning, field::variables,
        [](JobSpec& s) {
            s.environment.variables = {{u"MASTER_PORT"_s, u"29500"_s}};
        }},
    {"variable name", u"R111", u"variable-name", Severity::Error, field::variables,
        [](JobSpec& s) {
            s.environment.variables = {{u"A=1; rm -rf x; B"_s, u"0"_s}};
        }},
    {"variable value", u"R112", u"variable-literal", Severity::Warning, field::variables,
        [](JobSpec& s) {
            s.environment.variables = {{u"CACHE"_s, u"/tmp/$USER"_s}};
        }},
    {"variable of a task", u"R112", u"variable-literal", Severity::Error, field::variables,
        [](JobSpec& s) {
            s.environment.variables = {{u"MY_DEVICE"_s, u"${SLURM_LOCALID}"_s}};
        }},
    {"L30 MIOpen", u"L30", u"variable-unread", Severity::Warning, field::variables,
        [](JobSpec& s) {
            s.environment.variables = {{u"MIOPEN_USER_DB"_s, u"/tmp/x"_s}};
        }},
    {"L53 account", u"L53", u"placeholder", Severity::Error, field::account,
        [](JobSpec& s) { s.account = u"<project>"_s; }},
    {"L53 example number", u"L53", u"placeholder", Severity::Error, field::account,
        [](JobSpec& s) { s.account = u"project_46YXXXXXX"_s; }},
    {"L53 path", u"L53", u"placeholder", Severity::Error, field::command,
        [](JobSpec& s) { s.command = u"train.py --data /path/to/data"_s; }},
    {"L54 variable", u"L54", u"secret", Severity::Error, field::variables,
        [](JobSpec& s) {
            s.environment.variables = {{u"WANDB_API_KEY"_s, u"abc"_s}};
        }},
    {"L54 command", u"L54", u"secret", Severity::Error, field::command,
        [](JobSpec& s) { s.command = u"train.py --token=abc"_s; }},
    {"line break", u"R115", u"control-character", Severity::Error, field::account,
        [](JobSpec& s) { s.account = u"project_462000265\n#SBATCH --nodes=9"_s; }},
    {"python in the command", u"R114", u"command-starter", Severity::Error, field::command,
        [](JobSpec& s) { s.command = u"python3 train.py"_s; }},
    {"torchrun in the command", u"R114", u"command-starter", Severity::Error, field::command,
        [](JobSpec& s) { s.command = u"torchrun --nproc_per_node=2 train.py"_s; }},
    {"L14 name", u"L14", u"job-name", Severity::Error, field::name, [](JobSpec& s) { s.name = u"runs/a"_s; }},
    {"V16 dev-g queue", u"R06", u"partition-queue", Severity::Hint, field::partition,
        [](JobSpec& s) { s.partition = u"dev-g"_s; }},
};

} // namespace rankwright::test
