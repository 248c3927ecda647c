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

/// torchrun on two nodes, two ranks each. %2: what starts its agents, %3: the program's arguments.
constexpr const char* twoNodes
    = "#!/bin/bash\n"
      "#SBATCH --account=%1 --partition=small-g --nodes=2 --gpus-per-node=2 --ntasks-per-node=1 --cpus-per-task=24\n"
      "#SBATCH --time=10 --job-name=causes\n"
      "export MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
      "export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))\n"
      "srun %2 --nnodes=2 --nproc_per_node=2 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID "
      "--rdzv_endpoint=$MASTER_ADDR:$MASTER_PORT train_ddp.py %3\n";

/// A site's own start program: it imports for 25 s in a process of PyTorch's size, and only then becomes torchrun's
/// agent.
constexpr const char* slowStart = "import subprocess, sys, threading\n"
                                  "held = bytearray(64 << 20)\n"
                                  "imports = 25  # seconds\n"
                                  "threading.Event().wait(imports)\n"
                                  "sys.exit(subprocess.call(['torchrun'] + sys.argv[1:]))\n";

/// All rows are by hand or by the label long: they take some eight minutes.
bool isWhole() { return qEnvironmentVariableIsSet("RANKWRIGHT_ALL_CAUSES"); }

QString shownOn(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        texts.append(label->text());
    return texts.join(u'\n');
}

} // namespace

/// What the window says of five jobs, each watched from its start, joined in its middle and joined after its end:
/// class, rank, node and since of the one cause, and nothing of a healthy job.
class JourneyCausesTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() override { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s)); }
    void cleanup();
    void namesTheRankThatFailed_data();
    void namesTheRankThatFailed();
    void namesNobodyOfAHealthyJob_data();
    void namesNobodyOfAHealthyJob();
    void namesTheStraggler();

private:
    /// A window of its own, and everything of interest that its Live page ever said.
    struct Watched {
        Watched() : bench(std::make_unique<WindowBench>(folder.path())) { }
        QTemporaryDir folder;
        std::unique_ptr<WindowBench> bench;
        QSet<QString> alarms; ///< lines that match `alarm`
        QRegularExpression alarm;

        QString look()
        {
            const QString text = shownOn(*bench->window().pages().live);
            for (auto match = alarm.globalMatch(text); match.hasNext();)
                alarms.insert(match.next().captured());
            return text;
        }
    };

    JobId submitted(const QString& starter, const QString& arguments, const QString& partition = u"small-g"_s)
    {
        m_practice.remote(u"cd '%1' && cat > start.py <<'END'\n%2END\n"_s.arg(
            m_practice.spec(1).workdir.value_or(QString()), QString::fromUtf8(slowStart)));
        const QByteArray text = QString::fromUtf8(twoNodes)
                                    .replace(u"small-g"_s, partition)
                                    .replace(u"%2"_s, starter)
                                    .replace(u"%3"_s, arguments)
                                    .toUtf8();
        return m_practice.submitted(text.constData());
    }

    /// A further window, connected and watching; null: it cannot be had.
    Watched* join(const JobId& job, const QString& alarm)
    {
        m_watched.push_back(std::make_unique<Watched>());
        Watched& made = *m_watched.back();
        made.alarm.setPattern(alarm);
        if (!made.bench->start())
            return nullptr;
        Connections& connections = made.bench->workbench->connections();
        connections.connectTo(u"practice"_s);
        if (!waitUntil([&] { return connections.isOnline(u"practice"_s); }))
            return nullptr;
        emit made.bench->window().pages().jobs->watchRequested(job, u"practice"_s);
        return &made;
    }

    bool isInQueue(const JobId& job) const
    {
        return !m_practice.remote(u"squeue -h -j %1 2>/dev/null"_s.arg(job)).trimmed().isEmpty();
    }

    /// Start and end by Slurm, as clocks show them.
    QStringList spanOf(const JobId& job) const
    {
        return m_practice.remote(u"sacct -X -n -P -j %1 -o start,end"_s.arg(job)).trimmed().split(u'|');
    }

    PracticeBench m_practice;
    std::vector<std::unique_ptr<Watched>> m_watched;
};

void JourneyCausesTest::initTestCase()
{
    const QString missing = m_practice.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void JourneyCausesTest::cleanup()
{
    m_watched.clear();
    m_practice.cancelAll();
}

void JourneyCausesTest::namesTheRankThatFailed_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("title");
    QTest::newRow("killed") << u"--steps 2000 --device-time 0.3 --kill-at 60 --fault-rank 3"_s
                            << u"Rank 3: a process was killed"_s;
    if (isWhole())
        QTest::newRow("out of memory") << u"--steps 2000 --device-time 0.3 --oom-at 60 --label-errors"_s
                                       << u"Rank 3: GPU out of memory"_s;
}

void JourneyCausesTest::namesTheRankThatFailed()
{
    QFETCH(QString, arguments);
    QFETCH(QString, title);
    const JobId job = submitted(u"torchrun"_s, arguments);
    QVERIFY2(!job.isEmpty(), "sbatch");
    const QString others = u"\\bRank [0-2]: [^\\n]*"_s;
    static const QRegularExpression since(u"Since (\\d\\d:\\d\\d:\\d\\d)"_s);
    const auto check = [&](Watched* watched, const char* when) {
        QVERIFY2(watched, when);
        QString text;
        const bool isNamed = waitUntil([&] { return (text = watched->look()).contains(title); });
        QVERIFY2(isNamed, qPrintable(QLatin1String(when) + u'\n' + text + u"\n\n"_s + m_practice.everythingOf(job)));
        QVERIFY2(text.contains(u"nid005002"_s), qPrintable(text));
        if (const auto match = since.match(text, text.indexOf(title)); match.hasMatch())
            qInfo("joined %s: %s, since %s", when, qPrintable(title), qPrintable(match.captured(1)));
    };
    Watched* start = join(job, others);
    QVERIFY(start);
    static const QRegularExpression step(u"\\b[Ss]tep [1-9]"_s);
    QVERIFY(waitUntil([&] { return start->look().contains(step); }));
    Watched* middle = join(job, others);
    check(start, "at the start");
    check(middle, "in the middle");
    QVERIFY(waitUntil([&] {
        start->look();
        middle->look();
        return !isInQueue(job);
    }));
    check(start, "at the start, once ended");
    check(join(job, others), "after the end");
    for (const auto& watched : m_watched)
        QCOMPARE(watched->alarms, QSet<QString>());
    // When it happened: within the job, and the same moment in every window that gives one.
    const QStringList span = spanOf(job);
    QCOMPARE(span.size(), 2);
    QSet<QString> moments;
    for (const auto& watched : m_watched) {
        const QString text = watched->look();
        if (const auto match = since.match(text, text.indexOf(title)); match.hasMatch())
            moments.insert(match.captured(1));
    }
    QVERIFY(!moments.isEmpty());
    const QTime began = QDateTime::fromString(span.first(), Qt::ISODate).time();
    const QTime ended = QDateTime::fromString(span.last(), Qt::ISODate).time();
    for (const QString& moment : std::as_const(moments)) {
        const QTime at = QTime::fromString(moment, u"HH:mm:ss"_s);
        QVERIFY2(began < at && at <= ended.addSecs(2), qPrintable(moment + u" of "_s + span.join(u" .. "_s)));
    }
}

void JourneyCausesTest::namesNobodyOfAHealthyJob_data()
{
    QTest::addColumn<QString>("starter");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("phase");
    if (!isWhole())
        QSKIP("by the label long");
    QTest::newRow("imports of 25 s") << u"python3 start.py"_s << u"--steps 60 --device-time 0.4"_s
                                     << u"2 agents, workers not yet"_s;
    QTest::newRow("healthy") << u"torchrun"_s << u"--steps 80 --device-time 0.4"_s << QString();
}

void JourneyCausesTest::namesNobodyOfAHealthyJob()
{
    QFETCH(QString, starter);
    QFETCH(QString, arguments);
    QFETCH(QString, phase);
    const JobId job = submitted(starter, arguments);
    QVERIFY2(!job.isEmpty(), "sbatch");
    const QString any
        = u"(?m)^(Failure|Warning|Error)$|\\bRank \\d: [^\\n]*|\\b[Rr]anks? [^\\n]* (late|never|not)\\b[^\\n]*"_s;
    Watched* start = join(job, any);
    QVERIFY(start);
    bool wasStarting = phase.isEmpty();
    QString text;
    static const QRegularExpression step(u"\\b[Ss]tep [1-9]"_s);
    QVERIFY2(waitUntil([&] {
        text = start->look();
        wasStarting = wasStarting || text.contains(phase, Qt::CaseInsensitive);
        return text.contains(step);
    }),
        qPrintable(text));
    QVERIFY2(wasStarting, qPrintable(phase));
    Watched* middle = join(job, any);
    QVERIFY(middle);
    QVERIFY(waitUntil([&] {
        start->look();
        middle->look();
        return !isInQueue(job);
    }));
    Watched* end = join(job, any);
    QVERIFY(end);
    for (const auto& watched : m_watched) {
        QVERIFY2(waitUntil([&] { return (text = watched->look()).contains(u"Completed"_s, Qt::CaseInsensitive); }),
            qPrintable(text));
        QCOMPARE(watched->alarms, QSet<QString>());
    }
}

void JourneyCausesTest::namesTheStraggler()
{
    if (!isWhole())
        QSKIP("by the label long");
    // GPUs with a power value each: of two GCDs of one package nobody could tell which is late.
    const JobId job = submitted(u"torchrun"_s, u"--steps 2000 --straggler 2 --device-time 0.3"_s, u"gpumedium"_s);
    QVERIFY2(!job.isEmpty(), "sbatch");
    const auto nodes = [&] {
        return m_practice.remote(u"scontrol show hostnames $(squeue -h -j %1 -o %N)"_s.arg(job)).split(u'\n');
    };
    const QString wrong = u"(?m)^(Failure|Error)$|\\bRank [013] is late[^\\n]*"_s;
    for (int times = 0; times < 2; ++times) {
        Watched* watched = join(job, wrong);
        QVERIFY(watched);
        QString text;
        QVERIFY2(waitUntil([&] { return (text = watched->look()).contains(u"Rank 2 is late"_s); }), qPrintable(text));
        const QString second = nodes().value(1);
        QVERIFY2(!second.isEmpty() && text.contains(second), qPrintable(second + u'\n' + text));
        QCOMPARE(watched->alarms, QSet<QString>());
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(JourneyCausesTest)
#include "tst_journey_causes.moc"
