// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QStringList>

namespace rankwright {

/// Addresses of this computer by which others can be reached, sorted: of interfaces that are up, without loopback and
/// link-local ones. POSIX (getifaddrs).
QStringList hostAddresses();

/// A socket that becomes readable when addresses or links change. Linux only (netlink(7), RTMGRP_LINK and the like);
/// invalid elsewhere and where it is not allowed: then addresses are compared from time to time.
Descriptor addressChangeSocket();
/// Reads what it has to say; the contents do not matter.
void drainAddressChanges(int fd);

} // namespace rankwright
