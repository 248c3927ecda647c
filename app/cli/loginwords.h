// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicontext.h"
#include "app/session/sshsession.h"

namespace rankwright {

/// The login options of a command line; `passwordDescriptor` receives that of --password-fd, or -1.
Result<ConnectOptions> readConnectOptions(const CliContext& context, int* passwordDescriptor);

/// How the practice cluster is reached, asked now; an error when it is not running. Runs an event loop meanwhile.
Result<PracticeStatus> askPractice();

} // namespace rankwright
