// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/watch/hanginspection.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/insight/hang/hangjson.h"
#include "models/insight/hang/hangrows.h"

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

/// A line for each rank, the odd ones first; of many, those that stand alike share one.
void addRows(TextTable& table, const QList<HangRow>& rows)
{
    for (const HangFold& fold : foldedRows(rows, mostLines)) {
        const HangRow& first = rows.at(fold.rows.first());
        const QStringList stand{first.state ? toText(*first.state) : QString(), first.waitChannel, first.collective,
            first.last.isEmpty() ? placeText(first) : u"last known: "_s + first.last};
        if (!fold.isFolded) {
            table.add(QStringList{numberText(first.rank), first.isOdd ? u"odd"_s : QString(), first.node,
                          numberText(first.gpu), numberText(first.pid)}
                + stand);
            continue;
        }
        QList<int> ranks;
        QSet<QString> nodes;
        for (const qsizetype i : fold.rows) {
            if (rows.at(i).rank)
                ranks.append(*rows.at(i).rank);
            nodes.insert(rows.at(i).node);
        }
        table.add(QStringList{
                      shortened(numberRangesForPeople(ranks)), QString(), nodesText(nodes.size()), QString(), QString()}
            + stand);
    }
}

/// Looks at a running job's ranks and prints where they are.
class WhereRun final : public QObject {
    Q_DISABLE_COPY_MOVE(WhereRun)
public:
    WhereRun(CliLogin& login, JobId job)
        : m_login(login), m_job(std::move(job)),
          m_inspection(login.session().client(), login.session().shell(), login.session().profile())
    {
        connect(&m_inspection, &HangInspection::nodesAsked, this,
            [this](qsizetype nodes) { QTimer::singleShot(quietMs, this, [this, nodes] { sayProgress(nodes); }); });
        connect(&m_inspection, &HangInspection::finished, this, [this](const Result<HangAnswer>& answer) {
            if (answer)
                print(*answer);
            else
                m_login.finish(answer.error());
        });
    }

    void begin()
    {
        m_login.session().client().tasks(m_job, &m_login, [this](const Result<QList<JobRecord>>& tasks) {
            if (!tasks) {
                m_login.finish(tasks.error());
            } else if (tasks->size() > 1 && tasks->first().id.contains(u'_')) {
                report(m_login.context(),
                    {Fault::Invalid, u"%1 is an array of %2 tasks."_s.arg(m_job).arg(tasks->size()), {},
                        u"Name one: %1."_s.arg(tasks->first().id)});
                m_login.finish(ExitUsage);
            } else {
                m_inspection.begin(m_job);
            }
        });
    }

private:
    void sayProgress(qsizetype nodes)
    {
        m_login.context().err << u"rankwright-cli: inspecting the ranks on %1, twice; this takes some seconds\n"_s.arg(
            nodesText(nodes));
        m_login.context().err.flush();
    }

    void print(const HangAnswer& answer)
    {
        if (m_login.context().json)
            printJson(m_login.context().out, hangJson(answer.verdict));
        else
            printText(answer.verdict);
        m_login.finish(answer.ranksSeen == 0 ? ExitNo : ExitDone);
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
    HangInspection m_inspection;
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
