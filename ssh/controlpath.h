// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// What the tokens of a ControlPath stand for (ssh_config(5), TOKENS).
struct ControlPathNames {
    QString host; ///< %h
    int port = 22; ///< %p
    QString user; ///< %r
    QString typed; ///< %n
    QString alias; ///< %k; empty: as typed
    QString jumps; ///< %j
};

/// A ControlPath as `ssh -G` prints it. Newer clients have expanded it, and a "%" in it is one: a path that exists as
/// it stands is meant. Older ones print it as it is written; %C is what they make of it, the SHA-1 of %l%h%p%r. Empty:
/// there is none, or it has a token that is not known here.
QString expandControlPath(const QString& printed, const ControlPathNames& names);

} // namespace rankwright
