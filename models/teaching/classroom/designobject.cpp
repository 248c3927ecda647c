// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/designobject.h"

#include "models/core/jsonreader.h"
#include "models/script/document/designjson.h"

namespace rankwright::inline teaching {

QJsonObject designObject(const JobSpec& spec)
{
    return parseJsonObject(writeDesign(spec), QStringLiteral("design")).valueOr({});
}

QJsonValue valueAt(const QJsonObject& document, const FieldPath& path)
{
    const qsizetype dot = path.indexOf(u'.');
    return dot < 0 ? document.value(path) : document.value(path.left(dot)).toObject().value(path.mid(dot + 1));
}

void putAt(QJsonObject& document, const FieldPath& path, const QJsonValue& value)
{
    const qsizetype dot = path.indexOf(u'.');
    if (dot < 0) {
        document.insert(path, value);
        return;
    }
    QJsonObject part = document.value(path.left(dot)).toObject();
    part.insert(path.mid(dot + 1), value);
    document.insert(path.left(dot), part);
}

} // namespace rankwright::inline teaching
