// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/readstate.h"

namespace rankwright::inline script {

/// One script, and what it starts: its launch and size as they are without a design.
class ScriptStart {
public:
    ScriptStart(const BatchText& batch, const ClusterProfile& profile);

    const BatchText& batch() const { return m_state.batch; }
    const Launch* launch() const { return m_state.launch; }
    const LaunchLayer* layer(LaunchLayer::Kind kind) const { return m_state.layer(kind); }
    int line() const { return launch()->line; }

    std::optional<QString> value(const BatchOption& option) const { return m_state.valueOf(option); }

    /// The step's number of something, else the directives'; nothing: said, but not known before the job runs.
    std::optional<int> number(const QString& name, int otherwise) const;

    struct Size {
        std::optional<int> nodes;
        std::optional<int> tasks;
    };
    /// As srun counts (srun(1)): --ntasks, else tasks of a node times nodes, else one on each node.
    Size size() const;

private:
    Q_DISABLE_COPY(ScriptStart) // the launch may lie within
    ReadState m_state;
};

} // namespace rankwright::inline script
