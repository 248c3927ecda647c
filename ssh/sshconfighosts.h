// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// Is `name` written out on a Host line of OpenSSH's configuration? Patterns do not count: "*" knows every name.
/// `configFile` empty: ~/.ssh/config. Files that it includes are read as well.
bool isConfiguredHost(const QString& name, const QString& configFile = {});

} // namespace rankwright
