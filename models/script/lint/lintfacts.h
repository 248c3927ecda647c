// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/script/batch/batchtext.h"
#include "models/script/lint/lintrequest.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <functional>

namespace rankwright::inline script::lint {

// What the rules look at: the parsed script, and what follows from it. An empty optional means that the script does
// not say, or says it in a way that only a running shell could work out: rules then stay silent.

/// How a launch starts its ranks.
enum class LaunchKind {
    Agent, ///< torchrun and its older names
    Accelerate,
    DeepspeedCommand,
    Mpi, ///< mpirun, horovodrun
    Python, ///< one process for each task
    Unknown
};

/// A launch with what its layers mean together.
struct Start {
    const Launch* launch = nullptr;
    const LaunchLayer* srun = nullptr;
    const LaunchLayer* agent = nullptr; ///< torchrun, accelerate, deepspeed
    const LaunchLayer* container = nullptr;
    LaunchKind kind = LaunchKind::Unknown;
    bool oldLauncher = false; ///< torch.distributed.launch
    bool training = false; ///< looks like the job's own work: not a monitor, not a helper
    std::optional<int> nodes; ///< of the step
    std::optional<int> tasksPerNode; ///< of the step
    std::optional<int> tasks;
    std::optional<int> workers; ///< that the agent starts on each node
    QStringList program; ///< program and arguments, as values

    int line() const { return launch->line; }
    bool severalNodes() const { return nodes.value_or(1) > 1; }
    const BatchOption* srunOption(const QString& name) const { return srun ? srun->option(name) : nullptr; }
    const BatchOption* agentOption(const QString& name) const { return agent ? agent->option(name) : nullptr; }
};

/// A variable given a value anywhere.
struct Setting {
    QString name;
    const ShellWord* value = nullptr;
    int line = 0;
    bool inTask = false; ///< set by each task (bash -c after srun, env after srun)
    bool exported = false; ///< reaches the tasks
    bool inFunction = false;
    /// Outermost command that alone gets it (a prefix, env, bash -c); empty: all commands after it.
    std::optional<int> onlyFor;
};

/// A place where a command reads a variable.
struct VariableUse {
    const Expansion* expansion = nullptr;
    QString name; ///< also one that is named inside of an arithmetic or a default
    int line = 0;
    std::optional<int> command; ///< index of the command; empty: text of a here-document
    bool isPrinted = false; ///< only echo or printf gets it, and it goes to the log
};

struct LintFacts {
    LintFacts(const BatchText& script, const ClusterProfile* site) : batch(script), profile(site) { }

    const BatchText& batch;
    const ClusterProfile* profile; ///< null: not known
    const Partition* partition = nullptr; ///< that the script asks for; null: unknown
    const NodeShape* node = nullptr; ///< null: unknown
    LintRequest request;
    QList<Start> starts;
    QList<Setting> settings;
    QHash<QString, QList<int>> settingsByName;
    QList<VariableUse> uses;
    QHash<QString, QList<int>> usesByName;
    /// The text of commands at their places; counts from 0. Without comments, here-documents and what echo prints.
    QStringList codeLines;
    /// The program is one that drives all GPUs of a node from one process, as far as the script's words say:
    /// TensorFlow's strategies, JAX, Ray, vLLM; nothing of PyTorch or Horovod is named beside it.
    bool oneProcessDrivesAll = false;
    bool someMeetByStore = false; ///< some start does, see meetsByStore()
    bool exitOnError = false; ///< set -e
    bool pipefail = false;

    const BatchOption* option(const QString& name) const { return batch.option(name); }
    QString optionValue(const QString& name) const;
    bool wholeNodes() const; ///< the job owns its nodes, as far as script and site say
    bool sharedNodes() const; ///< other jobs may run beside this one, as far as script and site say
    bool sets(const QString& name) const; ///< anywhere, batch shell or task
    const Setting* setting(const QString& name) const; ///< the last one; null: none
    /// What a start gets: of its own command, else the last one for all commands before it; null: none.
    const Setting* settingFor(const QString& name, const Start& start) const;
    QList<const Setting*> settingsOf(const QString& name) const;
    /// Any start of that kind.
    bool startsBy(LaunchKind kind) const;
    bool reads(const QString& name) const; ///< some command or here-document expands it, to do more than print it
    /// The agents meet through a store (c10d, etcd), where PyTorch reads no node rank (torch/distributed/run.py).
    bool meetsByStore(const Start& start) const;
    /// On this site, as far as its entry says, the network between nodes is not InfiniBand; also a script that names
    /// another one (Slingshot, EFA).
    bool otherThanInfiniBand() const;
    bool mentions(const QRegularExpression& pattern) const; ///< in code, not in comments
    int lineOf(const QRegularExpression& pattern) const; ///< first line with it; 0: none
    /// The value of a word when it is certain: text, or variables set once to a plain text.
    std::optional<QString> valueOf(const ShellWord& word) const;
    std::optional<int> numberOf(const ShellWord& word) const; ///< also $SLURM_NNODES and its kin, from the request
    std::optional<int> numberOf(const BatchOption& option) const;
};

LintFacts collectFacts(const BatchText& batch, const ClusterProfile* profile);

} // namespace rankwright::inline script::lint
