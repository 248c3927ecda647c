// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"

namespace rankwright::inline insight {

/// A command that finds, in the first `end` bytes of a file, lines that may name a cause: "OFFSET:LINE" each, at most
/// 2000. For LogDiagnoser::feedLine().
RemoteCommand causeCommand(const QString& path, qint64 end);

} // namespace rankwright::inline insight
