// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/login/kexproposal.h"
#include "ssh/sshhandles.h"

#include <functional>

namespace rankwright {

/// What the library offers a server in a session set up by `prepare`. Nothing of libssh names it, so it is read from
/// the greeting of a session whose other end is held here; no network is involved. Empty: it could not be read.
std::optional<KexProposal> ownProposal(const std::function<void(ssh_session session)>& prepare);

} // namespace rankwright
