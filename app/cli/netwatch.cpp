// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer.h"
#include "app/cli/logjson.h"
#include "app/cli/netcommands.h"
#include "app/cli/netlogin.h"
#include "models/insight/explain.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonValue orNullCount(const std::optional<qint64>& count) { return count ? QJsonValue(double(*count)) : QJsonValue(); }

QJsonValue timeOf(qint64 ms) { return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs); }

/// Prints what a watch tells, one document per line, flushed, so that a pipe sees it at once.
class WatchPrinter final : public QObject {
    Q_DISABLE_COPY_MOVE(WatchPrinter)
public:
    explicit WatchPrinter(NetLogin& login) : m_login(login) { }

    void follow(JobWatch& watch)
    {
        m_watch = &watch;
        connect(&watch, &JobWatch::tickArrived, this,
            [this](const NodeTick& tick, qint64 arrivedMs) { printTick(tick, arrivedMs); });
        connect(&watch, &JobWatch::recordChanged, this, [this](const JobRecord& record) { printState(record); });
        connect(&watch, &JobWatch::progressChanged, this,
            [this](const TrainingProgress& progress) { printProgress(progress); });
        connect(&watch, &JobWatch::trouble, this, [this](const QString& source, const Error& why) {
            if (!why.what.isEmpty())
                printEvent(u"trouble"_s, {{u"source"_s, source}, {u"text"_s, why.oneLine()}});
        });
        connect(&watch, &JobWatch::over, this, [this](const JobRecord& record) {
            printEnd(u"job"_s);
            m_login.finish(record.state == JobState::Completed ? ExitDone : ExitNo);
        });
    }

    void printEnd(const QString& why)
    {
        const auto coverage = m_watch->coverage(QDateTime::currentMSecsSinceEpoch());
        const JobRecord& record = m_watch->record();
        printEvent(u"end"_s,
            {{u"why"_s, why}, {u"state"_s, toText(record.state)},
                {u"text"_s, hasEnded(record.state) ? QJsonValue(explainOutcome(record)) : QJsonValue()},
                {u"coverage"_s, orNull(coverage)}});
    }

    void printTrouble(const QString& source, const Error& why)
    {
        if (!why.what.isEmpty())
            printEvent(u"trouble"_s, {{u"source"_s, source}, {u"text"_s, why.oneLine()}});
    }

private:
    void print(const QJsonObject& object)
    {
        QTextStream& out = m_login.context().out;
        out << QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)) << u'\n';
        out.flush();
    }

    void printEvent(const QString& event, QJsonObject fields)
    {
        fields.insert(u"event"_s, event);
        fields.insert(u"time"_s, timeOf(QDateTime::currentMSecsSinceEpoch()));
        print(fields);
    }

    void printTick(const NodeTick& tick, qint64 arrivedMs)
    {
        for (const GpuSample& gpu : tick.gpus)
            print({
                {u"time"_s, timeOf(tick.takenMs > 0 ? tick.takenMs : arrivedMs)},
                {u"node"_s, tick.node},
                {u"index"_s, gpu.index},
                {u"utilizationPercent"_s, orNull(gpu.utilizationPercent)},
                {u"memoryUsedBytes"_s, orNullCount(gpu.memoryUsedBytes)},
                {u"memoryTotalBytes"_s, orNullCount(gpu.memoryTotalBytes)},
                {u"powerWatts"_s, orNull(gpu.powerWatts)},
                {u"temperatureCelsius"_s, orNull(gpu.temperatureCelsius)},
            });
    }

    void printState(const JobRecord& record)
    {
        if (record.state == m_state && record.reason == m_reason)
            return;
        m_state = record.state;
        m_reason = record.reason;
        QJsonObject fields = jobJson(record);
        if (isWaiting(record.state) && !record.reason.isEmpty())
            fields.insert(u"text"_s, explainPendingReason(record.reason));
        printEvent(u"state"_s, fields);
    }

    void printProgress(const TrainingProgress& progress) { printEvent(u"progress"_s, progressJson(progress)); }

    NetLogin& m_login;
    JobWatch* m_watch = nullptr;
    JobState m_state = JobState::Unknown;
    QString m_reason;
};

} // namespace

int runWatch(const CliContext& context)
{
    bool good = true;
    const int seconds = context.has(u"seconds"_s) ? context.option(u"seconds"_s).toInt(&good) : 0;
    if (!good || seconds < 0)
        return report(context,
            {Fault::Invalid, u"--seconds %1 is not a time."_s.arg(context.option(u"seconds"_s)), {},
                u"Give whole seconds."_s});
    const JobId job = context.positional.value(1);
    NetLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    WatchPrinter printer(login);
    ClusterSession& session = login.session();
    // A job that nobody knows is told now; the watch would wait for it.
    session.client().job(job, &login, [&](const Result<JobRecord>& record) {
        if (!record) {
            login.finish(record.error());
            return;
        }
        JobWatch& watch = session.watch(job);
        printer.follow(watch);
        QObject::connect(&session, &ClusterSession::queueTrouble, &printer,
            [&printer](const Error& why) { printer.printTrouble(u"scheduler"_s, why); });
        watch.update(*record);
        if (seconds > 0)
            QTimer::singleShot(seconds * 1000, &printer, [&] {
                printer.printEnd(u"time"_s);
                login.finish(ExitDone);
            });
    });
    return login.wait();
}

} // namespace rankwright
