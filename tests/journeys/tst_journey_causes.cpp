// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/connections.h"
#include "tests/app/support/windowbench.h"
#include "tests/journeys/support/practicebench.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"

#include <QLabel>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// torchrun on two nodes, two ranks each; the last one is killed by kill -9.
constexpr const char* killed
    = "#!/bin/bash\n"
      "#SBATCH --account=%1 --partition=small-g --nodes=2 --gpus-per-node=2 --ntasks-per-node=1 --cpus-per-task=24\n"
      "#SBATCH --time=10 --job-name=killed\n"
      "export MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
      "export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))\n"
      "srun torchrun --nnodes=2 --nproc_per_node=2 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID "
      "--rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT train_ddp.py --steps 2000 --device-time 0.3 --kill-at 40\n";

QString shownOn(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        texts.append(label->text());
    return texts.join(u'\n');
}

} // namespace

/// The rank that fails, through the real window: while it is watched, and joined after the end.
class JourneyCausesTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        const QString missing = m_practice.prepare();
        if (!missing.isEmpty())
            QSKIP(qPrintable(missing));
    }
    void cleanup()
    {
        m_bench.reset();
        m_practice.cancelAll();
    }
    void theKilledRankIsNamed();

private:
    /// A window of its own that watches the job until the Live page names a cause; what else it said of ranks.
    void watch(const QString& folder, const QString& job, QStringList& wrong)
    {
        m_bench = std::make_unique<WindowBench>(folder);
        QVERIFY(m_bench->start());
        Connections& connections = m_bench->workbench->connections();
        connections.connectTo(u"practice"_s);
        QTRY_VERIFY(connections.isOnline(u"practice"_s));
        JobsPage& jobs = *m_bench->window().pages().jobs;
        emit jobs.watchRequested(job, u"practice"_s);
        static const QRegularExpression other(u"\\bRank [0-2]: [^\\n]*"_s);
        QString text;
        const bool isNamed = waitUntil([&] {
            text = shownOn(*m_bench->window().pages().live);
            if (const auto match = other.match(text); match.hasMatch() && !wrong.contains(match.captured()))
                wrong.append(match.captured());
            return text.contains(u"Rank 3: a process was killed"_s);
        });
        QVERIFY2(isNamed, qPrintable(text + u"\n\n"_s + m_practice.everythingOf(job)));
        QVERIFY2(text.contains(u"nid005002"_s), qPrintable(text));
    }

    PracticeBench m_practice;
    QTemporaryDir m_first, m_second;
    std::unique_ptr<WindowBench> m_bench;
};

void JourneyCausesTest::theKilledRankIsNamed()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    const QString job = m_practice.submitted(killed);
    QVERIFY2(!job.isEmpty(), "sbatch");
    QStringList wrong;
    watch(m_first.path(), job, wrong);
    QTRY_VERIFY(m_practice.remote(u"squeue -h -j "_s + job).trimmed().isEmpty());
    m_bench.reset();
    QVERIFY(!QTest::currentTestFailed());
    watch(m_second.path(), job, wrong);
    QCOMPARE(wrong, QStringList());
}

RANKWRIGHT_WIDGET_TEST_MAIN(JourneyCausesTest)
#include "tst_journey_causes.moc"
