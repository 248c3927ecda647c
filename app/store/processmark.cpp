// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/processmark.h"

#include <QCoreApplication>
#include <QFile>
#include <QStringList>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString bootMark() { return QString::fromLatin1(contents(u"/proc/sys/kernel/random/boot_id"_s).trimmed()); }

/// Start in clock ticks since boot: field 22 of proc(5)'s stat; empty when the process is gone or a zombie.
QString startOf(qint64 pid)
{
    const QByteArray stat = contents(u"/proc/%1/stat"_s.arg(pid));
    // The name in brackets may hold spaces and brackets, so the fields are counted behind the last one.
    const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.size() < 20 || fields.at(0) == "Z" || fields.at(0) == "X")
        return {};
    return QString::fromLatin1(fields.at(19));
}

} // namespace

QString ownProcessMark()
{
    const qint64 pid = QCoreApplication::applicationPid();
    return u"%1/%2/%3"_s.arg(bootMark()).arg(pid).arg(startOf(pid));
}

ProcessLife lifeOf(const QString& mark)
{
    const QStringList parts = mark.split(u'/');
    if (parts.size() != 3)
        return ProcessLife::Gone;
    if (parts.at(0) != bootMark())
        return ProcessLife::OfAnotherBoot;
    const QString start = startOf(parts.at(1).toLongLong());
    return !start.isEmpty() && start == parts.at(2) ? ProcessLife::Running : ProcessLife::Gone;
}

} // namespace rankwright
