// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/programarguments.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

bool saysArgument(const QStringList& words, const QString& name)
{
    return std::any_of(words.cbegin(), words.cend(),
        [&](const QString& word) { return word == name || word.startsWith(name + u'='); });
}

bool sayDifferentValues(const QList<QStringList>& commands, const QString& name)
{
    QSet<QString> values;
    for (const QStringList& words : commands) {
        for (qsizetype i = 0; i < words.size(); ++i) {
            if (words.at(i) == name)
                values.insert(words.value(i + 1));
            else if (words.at(i).startsWith(name + u'='))
                values.insert(words.at(i).mid(name.size() + 1));
        }
    }
    return commands.size() > 1 && values.size() > 1;
}

Result<QStringList> withArgument(
    QStringList words, qsizetype first, const ScriptField* field, const QString& name, const QString& value)
{
    static const QRegularExpression form(u"^[-+]{0,2}[A-Za-z_][\\w./@-]*$"_s);
    if (!form.match(name).hasMatch())
        return fail(Fault::Invalid, u"“%1” is not a name of an argument"_s.arg(name));
    qsizetype at = -1;
    for (qsizetype i = first; i < words.size(); ++i) {
        if (words.at(i) == name || words.at(i).startsWith(name + u'='))
            at = i;
    }
    if (at < 0) {
        if (!name.startsWith(u'-'))
            words.append(name + u'=' + value);
        else
            words += value.isEmpty() ? QStringList{name} : QStringList{name, value};
        return words;
    }
    if (field != nullptr && field->state != ScriptField::State::Bound)
        return fail(Fault::Invalid, field->why);
    const bool isSwitch
        = field != nullptr ? field->isSwitch : at + 1 >= words.size() || words.at(at + 1).startsWith(u'-');
    if (words.at(at) != name)
        words[at] = name + u'=' + value;
    else if (isSwitch && (value == u"true" || value.isEmpty()))
        return words;
    else if (isSwitch && value == u"false")
        words.removeAt(at);
    else if (isSwitch)
        words.insert(at + 1, value);
    else
        words[at + 1] = value;
    return words;
}

} // namespace rankwright::inline script
