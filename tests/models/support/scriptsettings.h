// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/models/support/casedesign.h"

#include <QMap>

namespace rankwright::test {

/// A generated script taken apart again, apart from the code that wrote it: a plain reading of its text.
struct ReadScript {
    QMap<QString, QString> directives; ///< long names
    QMap<QString, QString> batch; ///< exported in the batch shell
    QMap<QString, QString> task; ///< set inside the task's shell
    QMap<QString, QString> launch; ///< options of srun and of the launcher, dashes and underscores equal ('_')
    QString command; ///< the srun line, joined
    QString text; ///< without comments, lines joined
    int masks = 0;
};
ReadScript readScript(const QString& script);

/// Settings that have to agree (docs/script_cases.md), each as one word or a list of words.
using Settings = QMap<QString, QString>;
Settings settingsOf(const ReadScript& script);
/// The same of a published script, with its own corrections; a setting that it leaves to the site is missing.
Settings settingsOf(const ScriptCase& one);

/// Whether an entry of `must_not` matches a script. Grammar: docs/script_cases.md. `lint:` entries are not for here.
bool matches(const QString& entry, const ReadScript& script);

} // namespace rankwright::test
