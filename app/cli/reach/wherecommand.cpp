// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "models/cluster/forward/nodestep.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/insight/hang/collect/collectplan.h"
#include "models/insight/hang/collect/collectreader.h"
#include "models/insight/hang/hangjson.h"
#include "models/insight/hang/hangverdict.h"
#include "models/insight/telemetry/sampling/samplingend.h"

#include <QElapsedTimer>
#include <QMap>
#include <QSet>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int quietMs = 1000; ///< without a word on standard error

constexpr int mostLines = 24; ///< of the table, before ranks share them
constexpr int longestRanges = 40; ///< characters

QString shortened(const QString& ranges)
{
    return ranges.size() <= longestRanges ? ranges : ranges.left(longestRanges) + u'…';
}

template <typename Number>
QString numberText(const std::optional<Number>& number)
{
    return number ? QString::number(*number) : QString();
}

/// "load_batch() train.py:88"
QString placeText(const HangRow& row)
{
    QStringList words;
    if (!row.function.isEmpty())
        words.append(row.function + u"()"_s);
    if (!row.file.isEmpty())
        words.append(row.file.section(u'/', -1) + (row.line ? u':' + QString::number(*row.line) : QString()));
    return words.join(u' ');
}

/// A line for each rank, the odd ones first; of many, those that stand alike share one.
void addRows(TextTable& table, const QList<HangRow>& rows)
{
    QMap<QStringList, QList<const HangRow*>> alike;
    QList<QStringList> order;
    for (const HangRow& row : rows) {
        QStringList stand{row.state ? toText(*row.state) : QString(), row.waitChannel, row.collective, placeText(row)};
        if (row.isOdd || rows.size() <= mostLines) {
            table.add(QStringList{numberText(row.rank), row.isOdd ? u"odd"_s : QString(), row.node, numberText(row.gpu),
                          numberText(row.pid)}
                + stand);
            continue;
        }
        if (!alike.contains(stand))
            order.append(stand);
        alike[stand].append(&row);
    }
    for (const QStringList& stand : std::as_const(order)) {
        QList<int> ranks;
        QSet<QString> nodes;
        for (const HangRow* row : alike.value(stand)) {
            if (row->rank)
                ranks.append(*row->rank);
            nodes.insert(row->node);
        }
        table.add(QStringList{
                      shortened(numberRangesForPeople(ranks)), QString(), nodesText(nodes.size()), QString(), QString()}
            + stand);
    }
}

/// Looks at a running job's ranks, at most twice, and prints where they are.
class WhereRun final : public QObject {
    Q_DISABLE_COPY_MOVE(WhereRun)
public:
    WhereRun(CliLogin& login, JobId job) : m_login(login), m_job(std::move(job)) { }

    void begin()
    {
        m_clock.start();
        client().tasks(m_job, &m_login, [this](const Result<QList<JobRecord>>& tasks) {
            if (!tasks) {
                m_login.finish(tasks.error());
            } else if (tasks->size() > 1 && tasks->first().id.contains(u'_')) {
                report(m_login.context(),
                    {Fault::Invalid, u"%1 is an array of %2 tasks."_s.arg(m_job).arg(tasks->size()), {},
                        u"Name one: %1."_s.arg(tasks->first().id)});
                m_login.finish(ExitUsage);
            } else {
                client().job(m_job, &m_login, [this](const Result<JobRecord>& record) {
                    if (record)
                        plan(*record);
                    else
                        m_login.finish(record.error());
                });
            }
        });
    }

private:
    SlurmClient& client() { return m_login.session().client(); }
    const ClusterProfile& profile() { return m_login.session().profile(); }

    void plan(const JobRecord& record)
    {
        const auto step = stepOn(record, {});
        if (!step) {
            m_login.finish(step.error());
            return;
        }
        const QStringList nodes = record.nodeList.names();
        for (const QString& node : nodes) {
            if (isNodeName(node))
                continue;
            m_login.finish(
                {Fault::Unreadable, u"What Slurm reported of job %1 cannot be used."_s.arg(m_job), node.left(80), {}});
            return;
        }
        m_request = {step->job, nodes, {}, SamplingWay::Step, profile().launch.monitorAllNodesInOneStep};
        m_plan = collectPlan(m_request);
        QTimer::singleShot(quietMs, this, [this] { sayProgress(); });
        ask();
    }

    void sayProgress()
    {
        m_login.context().err << u"rankwright-cli: looking at the ranks on %1, twice; this takes some seconds\n"_s.arg(
            nodesText(m_plan.askedNodes().size()));
        m_login.context().err.flush();
    }

    /// One look, at the nodes of m_plan.
    void ask()
    {
        m_reader = {};
        const RemoteCommand command = collectCommand(m_plan);
        m_process = m_login.session().shell().start(command);
        connect(m_process.get(), &RemoteProcess::outputArrived, this,
            [this](const QByteArray& bytes) { m_reader.feed(bytes); });
        connect(m_process.get(), &RemoteProcess::finished, this, [this](const Result<CommandOutcome>& outcome) {
            // the process tells us of its end: it cannot be deleted in here
            QTimer::singleShot(0, this, [this, outcome] { take(outcome); });
        });
        connect(&m_heartbeat, &QTimer::timeout, m_process.get(), [this] { m_process->write("\n"); });
        m_heartbeat.start(collectHeartbeatMs);
    }

    void take(const Result<CommandOutcome>& outcome)
    {
        m_heartbeat.stop();
        m_process.reset();
        if (m_reader.isEmpty()) {
            takeSilence(outcome);
            return;
        }
        const auto asked = m_plan.askedNodes().size() == m_plan.ofNodes ? CollectReader::Asked::AllNodes
                                                                        : CollectReader::Asked::SomeNodes;
        HangEvidence seen = m_reader.evidence(m_plan.askedNodes(), asked);
        if (!outcome)
            seen.notes.append(outcome.error().oneLine());
        if (m_isSecondLook) {
            replaceRanks(m_evidence, seen);
            print();
            return;
        }
        m_evidence = seen;
        if (!m_plan.note.isEmpty())
            m_evidence.notes.prepend(m_plan.note);
        if (const QStringList next = nodesToAskNext(m_plan, m_evidence); outcome && !next.isEmpty()) {
            m_isSecondLook = true;
            m_plan = nextPlan(m_plan, next);
            ask();
        } else {
            print();
        }
    }

    /// No node said anything.
    void takeSilence(const Result<CommandOutcome>& outcome)
    {
        if (m_isSecondLook) {
            print();
            return;
        }
        if (!outcome) {
            m_login.finish(outcome.error());
            return;
        }
        if (m_plan.way == SamplingWay::Step && isStepRefused(outcome->errorOutput)
            && profile().login.nodeLogin.value_or(false)) {
            m_request.way = SamplingWay::Ssh;
            m_plan = collectPlan(m_request);
            ask();
            return;
        }
        const SamplingEnd end = samplingEnd(*outcome, m_job, SamplesBefore::None, m_plan.way);
        m_login.finish(end.error.value_or(
            Error{Fault::Invalid, u"Job %1 ended before its nodes had answered."_s.arg(m_job), {}, {}}));
    }

    void print()
    {
        m_evidence.seconds = double(m_clock.elapsed()) / 1000;
        const HangVerdict verdict = hangVerdict(m_evidence);
        if (m_login.context().json)
            printJson(m_login.context().out, hangJson(verdict));
        else
            printText(verdict);
        m_login.finish(m_evidence.ranks.isEmpty() ? ExitNo : ExitDone);
    }

    void printText(const HangVerdict& verdict)
    {
        QTextStream& out = m_login.context().out;
        out << verdict.sentence << u'\n';
        if (verdict.rows.isEmpty())
            return;
        out << u'\n';
        TextTable table({u"rank"_s, u""_s, u"node"_s, u"GPU"_s, u"process"_s, u"state"_s, u"kernel"_s, u"collective"_s,
            u"stands in"_s});
        addRows(table, verdict.rows);
        table.print(out);
        for (const QString& note : verdict.notes)
            out << u"note: "_s << note << u'\n';
    }

    CliLogin& m_login;
    JobId m_job;
    CollectRequest m_request;
    CollectPlan m_plan;
    CollectReader m_reader;
    HangEvidence m_evidence;
    bool m_isSecondLook = false;
    QElapsedTimer m_clock;
    QTimer m_heartbeat;
    std::unique_ptr<RemoteProcess> m_process;
};

int runWhere(const CliContext& context)
{
    const JobId job = context.positional.value(1);
    if (auto fault = jobIdFault(job))
        return report(context, *fault);
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    WhereRun run(login, job);
    run.begin();
    return login.wait();
}

} // namespace

CliCommand whereCommand()
{
    return {
        .name = "where",
        .summary = "Where a running job hangs: which rank, in which call, and who waits for whom",
        .words = "CLUSTER JOB",
        .run = runWhere,
        .options = loginOptions(),
        .minimumWords = 2,
        .maximumWords = 2,
    };
}

} // namespace rankwright
