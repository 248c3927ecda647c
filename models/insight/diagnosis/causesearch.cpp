// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/causesearch.h"

#include "models/insight/diagnosis/diagnosisrules.h"

#include <QByteArray>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

RemoteCommand causeCommand(const QString& path, qint64 end)
{
    QByteArray words;
    for (const DiagnosisRule& rule : diagnosisRules()) {
        const bool needsOthers = rule.isWarning || rule.repeats > 1 || rule.role == DiagnosisRule::Role::Processor;
        if (rule.tier > DiagnosisRule::Cause || needsOthers)
            continue;
        for (const QByteArray& word : rule.clues)
            words += word + '\n';
    }
    const QString script
        = u"export LC_ALL=C; head -c $2 -- \"$1\" | tr '\\r' '\\n' | grep -a -b -i -F -m 2000 -f <(printf '%s' \"$3\") | cut -b1-2000"_s;
    return RemoteCommand::of(
        {u"bash"_s, u"-c"_s, script, u"rankwright"_s, path, QString::number(end), QString::fromUtf8(words.chopped(1))})
        .withPurpose(u"Looks for causes of a failure in a job's output"_s);
}

} // namespace rankwright::inline insight
