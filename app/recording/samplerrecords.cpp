// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/samplerrecords.h"

#include "models/cluster/remote/linetags.h"
#include "models/cluster/remote/remoteprogram.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// A program that begins in the job's folder, which is its first word.
RemoteCommand command(const QString& program, const QStringList& words, const QByteArray& input = {})
{
    return RemoteCommand::of(QStringList{u"sh"_s, u"-c"_s, program, u"rankwright"_s} + words, input);
}

} // namespace

RemoteCommand fetchRecordCommand(
    const QString& workdir, const QString& job, const QList<MissingSpan>& missing, qint64 limit)
{
    QByteArray spans;
    for (const MissingSpan& part : missing) {
        spans += (part.node.isEmpty() ? QByteArray("*") : part.node.toUtf8()) + ' '
            + QByteArray::number(part.span.fromMs) + ' ' + QByteArray::number(part.span.toMs) + '\n';
    }
    RemoteCommand made = command(remoteProgram(u"fetch-record.sh"_s),
        {workdir, job, QString::number(limit), remoteProgram(u"record-spans.awk"_s)}, spans);
    made.purpose = u"Fetches samples that the job kept itself while nobody watched"_s;
    made.deadlineSeconds = 3600;
    return made;
}

RemoteCommand listRecordsCommand(const QString& workdir)
{
    return command(remoteProgram(u"list-records.sh"_s), {workdir})
        .withPurpose(u"Lists the samples that jobs kept in a folder"_s);
}

Result<QList<SamplerRecords>> readRecordList(const QByteArray& answer)
{
    QList<SamplerRecords> records;
    for (const QByteArray& line : answer.split('\n')) {
        const QByteArrayList words = line.simplified().split(' ');
        if (words.size() != 5 || words.first() != linetags::record)
            continue;
        records.append({QString::fromUtf8(words.at(1)), words.at(2).toInt(), words.at(3).toLongLong(),
            words.at(4).toLongLong() * 1000});
    }
    return records;
}

RemoteCommand removeRecordsCommand(const QString& workdir, const QStringList& jobs)
{
    // Only plain numbers: nothing that a person typed becomes a path.
    static const QRegularExpression number(u"^[0-9]{1,18}(_[0-9]{1,9})?$"_s);
    const QStringList safe = jobs.filter(number);
    return command(remoteProgram(u"remove-records.sh"_s), QStringList{workdir} + safe)
        .withPurpose(u"Removes samples that jobs kept in a folder"_s);
}

QStringList readRemoved(const QByteArray& answer)
{
    QStringList jobs;
    for (const QByteArray& line : answer.split('\n')) {
        if (line.startsWith("removed "))
            jobs.append(QString::fromUtf8(line.mid(8)).trimmed());
    }
    return jobs;
}

} // namespace rankwright
