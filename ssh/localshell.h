// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"

namespace rankwright {

/// The port on this very machine: commands run by /bin/sh, for a workbench that is started on a login node, and for
/// trying things out. Always Online. Each command leads a process group of its own, which is ended with its handle.
class LocalShell final : public RemoteShell {
    Q_OBJECT
public:
    explicit LocalShell(QObject* parent = nullptr);
    ~LocalShell() override;

    LinkState state() const override { return LinkState::Online; }
    std::optional<Error> lastError() const override { return {}; }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override;
};

} // namespace rankwright
