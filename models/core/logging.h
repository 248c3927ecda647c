// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLoggingCategory>

namespace rankwright::inline core {

// One category per component, quiet below warnings; switch on with QT_LOGGING_RULES="rankwright.ssh.debug=true".
Q_DECLARE_LOGGING_CATEGORY(logSsh)
Q_DECLARE_LOGGING_CATEGORY(logSlurm)
Q_DECLARE_LOGGING_CATEGORY(logTelemetry)
Q_DECLARE_LOGGING_CATEGORY(logDesign)
Q_DECLARE_LOGGING_CATEGORY(logApp)

} // namespace rankwright::inline core
