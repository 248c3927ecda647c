// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

namespace rankwright::test {

/// `value` put at a dotted path, for cases that differ from a whole document in one place; a number is an index, "!"
/// stands for a dot.
inline QJsonValue putAt(const QJsonValue& into, const QStringList& path, const QJsonValue& value)
{
    if (path.isEmpty())
        return value;
    bool isIndex = false;
    const int index = path.first().toInt(&isIndex);
    if (isIndex) {
        QJsonArray list = into.toArray();
        while (list.size() <= index)
            list.append(QJsonValue());
        list[index] = putAt(list.at(index), path.mid(1), value);
        return list;
    }
    QJsonObject object = into.toObject();
    const QString key = QString(path.first()).replace(u'!', u'.');
    object.insert(key, putAt(object.value(key), path.mid(1), value));
    return object;
}

} // namespace rankwright::test
