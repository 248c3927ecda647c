// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/localshell.h"
#include "tests/support/fakeshell.h"

namespace rankwright::test {

/// A cluster whose Slurm a test plays and whose files are those of this machine: what copies and lists files is run by
/// a real shell here, everything else is answered by slurm()'s expectations.
class HalfRealCluster final : public ClusterLink {
    Q_OBJECT
public:
    HalfRealCluster() { connect(&m_slurm, &RemoteShell::stateChanged, this, &RemoteShell::stateChanged); }

    FakeShell& slurm() { return m_slurm; }

    LinkState state() const override { return m_slurm.state(); }
    std::optional<Error> lastError() const override { return m_slurm.lastError(); }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override
    {
        const bool isOfFiles = command.line.contains(QStringLiteral("rankwright-part"));
        return isOfFiles && state() == LinkState::Online ? m_files.start(command) : m_slurm.start(command);
    }
    using ClusterLink::open;
    void open(Attendance attendance) override { m_slurm.open(attendance); }
    bool loginTookPerson() const override { return m_slurm.loginTookPerson(); }
    void close() override { m_slurm.close(); }
    void answer(quint64 promptId, const PromptAnswer& answer) override { m_slurm.answer(promptId, answer); }
    std::optional<LinkTraffic> traffic() const override { return m_slurm.traffic(); }

private:
    FakeShell m_slurm;
    LocalShell m_files;
};

} // namespace rankwright::test
