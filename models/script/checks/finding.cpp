// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/checks/finding.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

QString toText(Severity severity)
{
    switch (severity) {
    case Severity::Error: return u"error"_s;
    case Severity::Warning: return u"warning"_s;
    case Severity::Hint: break;
    }
    return u"hint"_s;
}

QStringList Finding::fixLabels() const
{
    QStringList labels;
    if (fix)
        labels.append(fix->label);
    for (const Fix& other : otherFixes)
        labels.append(other.label);
    return labels;
}

QString oneLine(QString text)
{
    for (QChar& c : text) {
        if (c.category() == QChar::Other_Control)
            c = u' ';
    }
    return text;
}

} // namespace rankwright::inline script
