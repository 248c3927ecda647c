// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/login/logincheck.h"

#include <QJsonObject>
#include <QTextStream>

namespace rankwright {

/// One line per step as it becomes known: "✓ ok       The port answers", evidence and advice below it.
void printStep(const LoginStep& step, QTextStream& out);
/// What `login-help --json` answers.
QJsonObject firstLoginJson(const ClusterProfile& profile, const LoginCheck& check);
/// Which key to paste where, and the mistakes that the failed steps look like.
void printHelp(const ClusterProfile& profile, const LoginCheck& check, QTextStream& out);

} // namespace rankwright
