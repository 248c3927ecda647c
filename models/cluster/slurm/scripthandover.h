// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"

namespace rankwright::inline cluster {

/// Runs sbatchCommand(): gives it the script, and the word to submit once the far side has said that the script is
/// there. So nothing that a broken line delivers late is ever submitted. `then` as with RemoteShell::run().
void handOver(RemoteShell& shell, const RemoteCommand& command, QObject* guard, Then<CommandOutcome> then);

} // namespace rankwright::inline cluster
