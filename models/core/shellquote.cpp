// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/shellquote.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

QString shellQuote(const QString& word)
{
    constexpr QStringView harmless = u"_@%+=:,./-";
    bool bare = !word.isEmpty();
    QString quoted = u"'"_s;
    for (const QChar c : word) {
        if (c.isNull())
            continue;
        const bool plain = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
        bare = bare && (plain || harmless.contains(c));
        if (c == u'\'')
            quoted += u"'\\''"_s;
        else
            quoted += c;
    }
    quoted += u'\'';
    return bare && quoted.size() > 2 ? quoted.mid(1, quoted.size() - 2) : quoted;
}

QString shellQuote(const QStringList& words)
{
    QStringList quoted;
    for (const QString& word : words)
        quoted.append(shellQuote(word));
    return quoted.join(u' ');
}

} // namespace rankwright::inline core
