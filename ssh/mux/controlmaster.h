// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshendpoint.h"

namespace rankwright {

/// Whether the user has an ssh connection to an endpoint that others may use.
struct ControlMaster {
    QString socket; ///< empty: none
    QString whyNot; ///< one was found and is not used: why, as a sentence
};

/// Looks for the control socket of an endpoint as resolved from `request`; whether a master answers at it is known once
/// it was opened. One that may belong to another connection is not used: where the configuration gives other hosts the
/// same ControlPath, or where a user name or port of the request's own does not show in it. One that asks a person at
/// each use is not used either. Blocks for two runs of `ssh -G` where a socket was found.
ControlMaster findControlMaster(const SshRequest& request, const SshEndpoint& endpoint);

} // namespace rankwright
