// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/logging.h"

namespace rankwright::inline core {

Q_LOGGING_CATEGORY(logSsh, "rankwright.ssh", QtWarningMsg)
Q_LOGGING_CATEGORY(logSlurm, "rankwright.slurm", QtWarningMsg)
Q_LOGGING_CATEGORY(logTelemetry, "rankwright.telemetry", QtWarningMsg)
Q_LOGGING_CATEGORY(logDesign, "rankwright.design", QtWarningMsg)
Q_LOGGING_CATEGORY(logApp, "rankwright.app", QtWarningMsg)

} // namespace rankwright::inline core
