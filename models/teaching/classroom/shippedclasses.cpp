// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/shippedclasses.h"

#include "models/teaching/classroom/classreader.h"

#include <QDir>
#include <QFile>

// Q_INIT_RESOURCE must be outside any namespace: the function it calls is a global one. A static library's resources
// are linked only when somebody asks for them.
static void initClassesResource() { Q_INIT_RESOURCE(classes); }

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

QList<ShippedClass> shippedClasses()
{
    initClassesResource();
    QList<ShippedClass> classes;
    const QDir folder(u":/classes"_s);
    for (const QString& entry : folder.entryList({u"*.rwclass"_s}, QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(entry));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        if (const auto read = readClass(file.readAll(), entry))
            classes.append({entry.chopped(qsizetype(qstrlen(".rwclass"))), *read});
    }
    return classes;
}

QList<std::pair<QString, QString>> shippedClassTitles()
{
    QList<std::pair<QString, QString>> titles;
    for (const ShippedClass& one : shippedClasses())
        titles.append({one.name, one.file.title});
    return titles;
}

} // namespace rankwright::inline teaching
