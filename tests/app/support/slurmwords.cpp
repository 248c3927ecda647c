// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/slurmwords.h"

#include <QStringList>

namespace rankwright::test {

using namespace Qt::StringLiterals;

namespace {

QString timeText(const QDateTime& time)
{
    return time.isValid() ? time.toUTC().toString(u"yyyy-MM-ddTHH:mm:ss"_s) : u"N/A"_s;
}
QByteArray section(const QByteArray& name, const QByteArray& body) { return '\x1d' + name + '\n' + body; }

} // namespace

QByteArray squeueRecord(const JobRecord& job)
{
    // Same order as docs/slurm.md: i T r j u a P D N b M l V S e k Z.
    const QStringList cells{job.id, toText(job.state), job.reason.isEmpty() ? u"None"_s : job.reason, job.name,
        job.user, job.account, job.partition, QString::number(job.nodes.value_or(1)), job.nodeList.join(u','), job.gres,
        u"0:05"_s, u"15:00"_s, timeText(job.submitted), timeText(job.started), timeText(job.ended), job.comment,
        job.workdir};
    return '\x1e' + cells.join(QChar(0x1f)).toUtf8() + '\n';
}

QByteArray nothingFound() { return section("squeue", "\n") + section("sacct", ""); }

QByteArray foundInQueue(const JobId& id, const QString& token)
{
    JobRecord job;
    job.id = id;
    job.state = JobState::Pending;
    job.comment = token;
    return section("squeue", squeueRecord(job));
}

QByteArray jobPage(const JobRecord& job) { return section("squeue", squeueRecord(job)); }

FakeShell::Reply rehearsedWell()
{
    FakeShell::Reply reply;
    reply.errorOutput = "sbatch: Job 12 to start at 2026-07-14T08:00:00 using 16 processors on nodes "
                        "nid[005001-005002] in partition small-g\n";
    return reply;
}

Error linkLost() { return {Fault::Offline, u"The connection was lost."_s, {}, {}}; }

} // namespace rankwright::test
