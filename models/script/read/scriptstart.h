// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/readstate.h"

#include <utility>

namespace rankwright {

/// One script, and what it starts: its launch, size, program, container and modules as they are without a design.
class ScriptStart {
public:
    ScriptStart(const BatchText& batch, const ClusterProfile& profile);

    const BatchText& batch() const { return m_state.batch; }
    const Launch* launch() const { return m_state.launch; }
    const LaunchLayer* layer(LaunchLayer::Kind kind) const { return m_state.layer(kind); }
    const ShellCommand& command() const { return batch().shell.commands.at(launch()->command); }
    int line() const { return launch()->line; }

    std::optional<QString> value(const BatchOption& option) const { return m_state.valueOf(option); }
    std::optional<QString> value(const ShellWord& word) const { return staticValue(batch(), word, word.line + 1); }

    /// The step's number of something, else the directives'; nothing: said, but not known before the job runs.
    std::optional<int> number(const QString& name, int otherwise) const;

    struct Size {
        std::optional<int> nodes;
        std::optional<int> tasks;
    };
    /// As srun counts (srun(1)): --ntasks, else tasks of a node times nodes, else one on each node.
    Size size() const;

    /// "4" and "a100" of the option that asks for GPUs; -1 where none does.
    std::pair<int, QString> gpus() const;

    QStringList program() const;

    bool sets(const QString& name) const;

    QStringList modules() const;

    /// The image and the folders in it.
    std::pair<QString, QStringList> container() const;

private:
    Q_DISABLE_COPY(ScriptStart) // the launch may lie within
    ReadState m_state;
};

} // namespace rankwright
