// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/submitcheck.h"

#include "models/cluster/slurm/slurmtext.h"
#include "models/script/batch/batchtext.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Script and job side by side.
struct Comparison {
    BatchText script;
    QStringList differences = {};

    QString asked(const QString& option) const
    {
        const BatchOption* found = script.option(option);
        return found ? found->value : QString();
    }
    void differs(const QString& what, const QString& has, const QString& wanted)
    {
        differences.append(u"Slurm has %1 %2, the script says %3."_s.arg(what, has, wanted));
    }
    /// Slurm keeps accounts in small letters, and takes one of several partitions.
    void compareName(const QString& option, const QString& what, const QString& has)
    {
        const QString wanted = asked(option);
        const QStringList any = wanted.toLower().split(u',', Qt::SkipEmptyParts);
        const QStringList those = has.toLower().split(u',', Qt::SkipEmptyParts);
        const bool fits
            = std::any_of(those.begin(), those.end(), [&any](const QString& one) { return any.contains(one); });
        if (!any.isEmpty() && !those.isEmpty() && !fits)
            differs(what, has, wanted);
    }
};

void compareTime(Comparison& both, const JobRecord& job)
{
    const QString wanted = both.asked(u"time"_s);
    bool isMinutes = false;
    const int minutes = wanted.toInt(&isMinutes);
    const auto limit = isMinutes ? std::optional(Seconds{qint64(minutes) * 60}) : slurmSpan(wanted);
    if (!limit || !job.timeLimit || limit->count <= 0)
        return;
    const qint64 whole = (limit->count + 59) / 60 * 60; // Slurm counts whole minutes
    if (job.timeLimit->count != whole && job.timeLimit->count != limit->count)
        both.differs(u"the time limit"_s, slurmTime(*job.timeLimit), wanted);
}

void compareSize(Comparison& both, const JobRecord& job)
{
    const QString wanted = both.asked(u"nodes"_s);
    bool isNumber = false;
    const int least = wanted.section(u'-', 0, 0).toInt(&isNumber);
    if (!isNumber)
        return;
    const int most = wanted.contains(u'-') ? wanted.section(u'-', 1).toInt() : least;
    if (job.nodes && (*job.nodes < least || *job.nodes > most))
        both.differs(u"a number of nodes of"_s, QString::number(*job.nodes), wanted);
    // More GPUs than asked for come with whole nodes; fewer are another job.
    const int gpus = both.asked(u"gpus-per-node"_s).section(u':', -1).toInt();
    if (gpus > 0 && job.gpus && *job.gpus < gpus * least)
        both.differs(u"a number of GPUs of"_s, QString::number(*job.gpus), QString::number(gpus * least));
}

} // namespace

QStringList submittedDifferences(const QByteArray& script, const JobRecord& job)
{
    Comparison both{parseBatch(QString::fromUtf8(script))};
    both.compareName(u"account"_s, u"the account"_s, job.account);
    both.compareName(u"partition"_s, u"the partition"_s, job.partition);
    both.compareName(u"qos"_s, u"the quality of service"_s, job.qos);
    both.compareName(u"reservation"_s, u"the reservation"_s, job.reservation);
    both.compareName(u"job-name"_s, u"the name"_s, job.name);
    compareTime(both, job);
    compareSize(both, job);
    if (both.script.option(u"array"_s) == nullptr && job.id.contains(u'_'))
        both.differences.append(u"Slurm made an array of it, which the script does not ask for."_s);
    return both.differences;
}

} // namespace rankwright
