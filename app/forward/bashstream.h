// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"

namespace rankwright {

/// One connection by bash on the node (bashRelayCommand()); looks like a dialled one: what comes before the line that
/// says that it is open is not its output. Cannot end one direction alone.
class BashStream final : public RemoteProcess {
    Q_OBJECT
public:
    explicit BashStream(std::unique_ptr<RemoteProcess> process);
    ~BashStream() override;

    void write(const QByteArray& input) override { m_process->write(input); }
    void closeInput() override { m_process->closeInput(); }
    void hold(bool held) override { m_process->hold(held); }

private:
    void handleOutput(const QByteArray& bytes);
    void end(const Result<CommandOutcome>& outcome);

    std::unique_ptr<RemoteProcess> m_process;
    QByteArray m_before;
    QByteArray m_errors;
    bool m_opened = false;
};

} // namespace rankwright
