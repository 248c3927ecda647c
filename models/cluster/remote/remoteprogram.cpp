// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remoteprogram.h"

#include "models/core/shellquote.h"

#include <QFile>
#include <QHash>
#include <QMutex>
#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must be outside any namespace: the function it calls is a global one. A static library's resources
// are not linked in unless somebody calls it.
static void initRemoteResource() { Q_INIT_RESOURCE(remote); }

namespace rankwright::inline cluster {

namespace {

QString loadProgram(const QString& file)
{
    initRemoteResource();
    QFile source(u":/remote/"_s + file);
    if (!source.open(QIODevice::ReadOnly))
        qFatal("There is no program %s for clusters.", qPrintable(file));
    return withoutComments(QString::fromUtf8(source.readAll()));
}

} // namespace

QString withoutComments(const QString& program)
{
    QString kept;
    for (const QString& line : program.split(u'\n')) {
        const QString words = line.trimmed();
        const bool isInterpreter = kept.isEmpty() && words.startsWith(u"#!");
        if (!words.isEmpty() && (isInterpreter || !words.startsWith(u'#')))
            kept += line + u'\n';
    }
    return kept;
}

Result<QString> withValues(const QString& program, const QMap<QString, QString>& values)
{
    static const QRegularExpression place(u"@([A-Z][A-Z0-9_]*)@"_s);
    QString filled;
    QSet<QString> used;
    qsizetype from = 0;
    for (auto it = place.globalMatch(program); it.hasNext();) {
        const auto match = it.next();
        const QString name = match.captured(1);
        if (!values.contains(name))
            return fail(Fault::Invalid, u"The program's @%1@ has no value."_s.arg(name));
        filled += program.mid(from, match.capturedStart() - from) + shellQuote(values.value(name));
        from = match.capturedEnd();
        used.insert(name);
    }
    for (const QString& name : values.keys()) {
        if (!used.contains(name))
            return fail(Fault::Invalid, u"The program has no @%1@."_s.arg(name));
    }
    return QString(filled + program.mid(from));
}

QString remoteProgram(const QString& file, const QMap<QString, QString>& values)
{
    static QMutex mutex; // a recorder's thread may ask, too
    static QHash<QString, QString> programs;
    const QMutexLocker lock(&mutex);
    auto program = programs.find(file);
    if (program == programs.end())
        program = programs.insert(file, loadProgram(file));
    const Result<QString> filled = withValues(*program, values);
    if (!filled)
        qFatal("%s: %s", qPrintable(file), qPrintable(filled.error().what));
    return *filled;
}

} // namespace rankwright::inline cluster
