// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline script::lint {

/// Why the rule has its severity, and when a finding has another one. Empty: no such rule.
QString severityReason(const QString& slug);

} // namespace rankwright::inline script::lint
