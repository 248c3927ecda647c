// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/commandwords.h"

#include "models/script/bind/valuetracer.h"

namespace rankwright::inline script {

bool areWords(const QList<ListWord>& now, const QStringList& asked, const QList<ListWord>& before,
    const QList<TextChange>& changes)
{
    if (now.size() != asked.size())
        return false;
    for (qsizetype i = 0; i < now.size(); ++i) {
        if (now.at(i).value == asked.at(i))
            continue;
        const bool stayed = i < before.size() && before.at(i).value == asked.at(i);
        if (!stayed || !meets(before.at(i).madeOf, changes))
            return false;
    }
    return true;
}

bool areLiteral(const QList<ListWord>& now, const QStringList& asked, const QList<ListWord>& before)
{
    QStringList old;
    for (const ListWord& word : before) {
        if (word.unknown > 0)
            old.append(word.value);
    }
    for (qsizetype i = 0; i < now.size(); ++i) {
        if (now.at(i).unknown > 0 && !isHarmlessWord(asked.at(i)) && !old.removeOne(asked.at(i)))
            return false;
    }
    return true;
}

QStringList valuesOf(const QList<ListWord>& list)
{
    QStringList values;
    for (const ListWord& word : list)
        values.append(word.value);
    return values;
}

QList<QList<ListWord>> allLists(const BoundScript& bound)
{
    QList<QList<ListWord>> lists = bound.sameCommands;
    if (!bound.command.isEmpty())
        lists.append(bound.command);
    return lists;
}

QList<QStringList> allCommands(const BoundScript& bound)
{
    QList<QStringList> commands;
    for (const QList<ListWord>& list : allLists(bound))
        commands.append(valuesOf(list));
    return commands;
}

} // namespace rankwright::inline script
