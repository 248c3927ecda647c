// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace rankwright::inline insight {

/// Words, in lower case, of which every text that the expression matches has at least one: what a prefilter can look
/// for before the expression itself is tried, as RE2 does it (prefilter.cc). Empty: no word of three characters or more
/// is certain, or the expression has a construct that is not known here. Letters of ASCII are alike in both cases.
QList<QByteArray> cluesOf(const QString& pattern);

} // namespace rankwright::inline insight
