// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/numberranges.h"

#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

namespace {

QStringList folded(const QList<int>& numbers, QChar to)
{
    QStringList parts;
    for (qsizetype i = 0; i < numbers.size();) {
        qsizetype last = i;
        while (last + 1 < numbers.size() && numbers.at(last + 1) == numbers.at(last) + 1)
            ++last;
        const QString first = QString::number(numbers.at(i));
        parts.append(last == i ? first : first + to + QString::number(numbers.at(last)));
        i = last + 1;
    }
    return parts;
}

} // namespace

QString numberRanges(const QList<int>& numbers) { return folded(numbers, u'-').join(u','); }

QString numberRangesForPeople(QList<int> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    return folded(numbers, u'–').join(u", "_s);
}

} // namespace rankwright::inline core
