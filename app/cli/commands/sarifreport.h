// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lint.h"

#include <QJsonObject>

namespace rankwright {

/// What `check` says of one file.
struct CheckedFile {
    QString name; ///< as given on the command line
    QString text; ///< of a script; empty for a design
    CheckResult result;
};

/// The files as one SARIF 2.1.0 log (docs.oasis-open.org/sarif): the rules that spoke with help and level, a result
/// with its line for each finding and, where a change of the text cures it, the fix; silenced ones as suppressed in the
/// source.
QJsonObject sarifOf(const QList<CheckedFile>& files);

} // namespace rankwright
