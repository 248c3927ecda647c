// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangrows.h"

#include <QHash>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

QList<HangFold> foldedRows(const QList<HangRow>& rows, qsizetype most)
{
    QList<HangFold> folds;
    QHash<QStringList, qsizetype> foldOf;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const HangRow& row = rows.at(i);
        if (row.isOdd || rows.size() <= most) {
            folds.append({{i}, false});
            continue;
        }
        const QStringList stand{
            row.state ? toText(*row.state) : QString(), row.waitChannel, row.collective, placeText(row)};
        const auto known = foldOf.constFind(stand);
        if (known != foldOf.cend()) {
            folds[*known].rows.append(i);
            continue;
        }
        foldOf.insert(stand, folds.size());
        folds.append({{i}, true});
    }
    return folds;
}

QString fileText(const HangRow& row)
{
    if (row.file.isEmpty())
        return {};
    return row.file.section(u'/', -1) + (row.line ? u':' + QString::number(*row.line) : QString());
}

QString placeText(const HangRow& row)
{
    QStringList words;
    if (!row.function.isEmpty())
        words.append(row.function + u"()"_s);
    if (!row.file.isEmpty())
        words.append(fileText(row));
    return words.join(u' ');
}

} // namespace rankwright::inline insight
