// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/programname.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

bool isPython(const QString& word)
{
    static const QRegularExpression form(u"^(python|pypy)[0-9.]*$"_s);
    const QString name = word.sliced(word.lastIndexOf(u'/') + 1);
    return name.startsWith(u"py") && form.match(name).hasMatch();
}

NamedProgram programOf(const QString& command)
{
    static const QRegularExpression assignment(u"^[A-Za-z_]\\w*="_s);
    const QStringList words = command.simplified().split(u' ');
    qsizetype at = 0;
    while (at < words.size() && (words.at(at) == u"env" || assignment.match(words.at(at)).hasMatch()))
        ++at;
    if (at < words.size() && isPython(words.at(at)))
        ++at;
    for (; at < words.size(); ++at) {
        const QString& word = words.at(at);
        if (word == u"-c")
            return {};
        if (word == u"-m" || word == u"--module")
            return {words.value(at + 1), true};
        if (word == u"-W" || word == u"-X") // python(1): each takes a word of its own
            ++at;
        else if (!word.startsWith(u'-'))
            return {word, false};
    }
    return {};
}

} // namespace rankwright::inline core
