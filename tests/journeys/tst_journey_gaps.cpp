// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobgaps.h"
#include "app/recording/jobrecorder.h"
#include "app/store/recordingreader.h"
#include "tests/journeys/support/practicebench.h"

#include <QDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A job that records itself: what was missed while nobody watched is there afterwards, and the job ends as one without
/// a sampler does.
class JourneyGapsTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        const QString missing = m_bench.prepare();
        if (!missing.isEmpty())
            QSKIP(qPrintable(missing));
    }

    void cleanup()
    {
        m_bench.cancelAll();
        m_bench.freshLog();
    }

    void closedLaptopLosesNothing()
    {
        constexpr int seconds = 40;
        constexpr int awayMs = 20000;
        auto session = m_bench.session();
        session->open();
        QVERIFY(waitUntil([&] { return session->isOnline(); }, 30000));
        const JobId job = submit(*session, seconds, true);
        QVERIFY(!job.isEmpty());
        auto eyes = std::make_unique<Eyes>(*session, job, m_bench);
        QVERIFY(waitUntil([&] { return eyes->ticks >= 16; }, 90000));
        const qint64 left = QDateTime::currentMSecsSinceEpoch();
        eyes.reset(); // the program ends, all that it has on the cluster with it
        session.reset();
        QTest::qWait(awayMs);

        session = m_bench.session();
        session->open();
        QVERIFY(waitUntil([&] { return session->isOnline(); }, 30000));
        eyes = std::make_unique<Eyes>(*session, job, m_bench);
        QVERIFY(waitUntil([&] { return eyes->ticks >= 4; }, 30000));
        const qint64 back = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(waitUntil([&] { return eyes->watch.isOver() && eyes->gaps.isSettled(); }, 240000));
        QCOMPARE(eyes->watch.record().state, JobState::Completed);
        QVERIFY2(!eyes->gaps.summary().isEmpty(), "nothing came from the job's own record");
        qInfo("%s", qPrintable(eyes->gaps.summary()));
        const JobRecord record = eyes->watch.record();
        const QString path = eyes->recorder.path();
        eyes.reset();

        const auto reader = RecordingReader::open(path);
        QVERIFY_RESULT(reader);
        int covered = 0, all = 0;
        for (qint64 ms = left; ms < back; ms += 1000, ++all)
            covered += (*reader)->frameAt(ms, 5500).size() == 2 ? 1 : 0;
        qInfo("away for %lld s: %d of %d seconds have a sample of both nodes, at most 5.5 s old",
            static_cast<long long>((back - left) / 1000), covered, all);
        QVERIFY2(covered >= all * 99 / 100, qPrintable(u"%1 of %2"_s.arg(covered).arg(all)));
        QVERIFY((*reader)->gaps(6500).isEmpty());
        QVERIFY(record.started.msecsTo(record.ended) > 0);
        recordIsWhole(job);
        QVERIFY(waitUntil([&] { return m_bench.oldSteps(0).isEmpty(); }, 15000));
    }

    void jobEndsTheSame()
    {
        constexpr int seconds = 15;
        auto session = m_bench.session();
        session->open();
        QVERIFY(waitUntil([&] { return session->isOnline(); }, 30000));
        QList<qint64> took;
        QList<double> processor;
        for (const bool sampler : {false, true, true, false}) {
            const JobId job = submit(*session, seconds, sampler);
            QVERIFY(!job.isEmpty());
            const QString line = u"sacct -n -X -P -j "_s + job + u" -o state,exitcode,start,end"_s;
            QString reported;
            QVERIFY(waitUntil([&] { return (reported = m_bench.remote(line)).contains(u"COMPLETED"_s); }, 240000));
            const QStringList words = reported.trimmed().split(u'|');
            QCOMPARE(words.at(1), u"0:0"_s);
            took.append(QDateTime::fromString(words.at(2), Qt::ISODate)
                            .secsTo(QDateTime::fromString(words.at(3), Qt::ISODate)));
            const QString steps = m_bench.remote(u"sacct -n -P -j "_s + job + u" -o jobname,state,exitcode"_s);
            QCOMPARE(steps.contains(u"gpu-record|COMPLETED|0:0"_s), sampler);
            if (sampler)
                processor.append(processorSeconds(m_bench.remote(
                    u"sacct -n -P -j "_s + job + u" -o jobname,totalcpu | sed -n 's/^gpu-record|//p'"_s)));
        }
        qInfo("%lld and %lld s without a sampler, %lld and %lld s with one", static_cast<long long>(took.at(0)),
            static_cast<long long>(took.at(3)), static_cast<long long>(took.at(1)), static_cast<long long>(took.at(2)));
        qInfo("%.1f and %.1f s of processor for the sampler", processor.at(0), processor.at(1));
        // Processor time says what a sampler takes, also on a busy machine; the clock says only that nobody waits for
        // it.
        for (const double used : std::as_const(processor))
            QVERIFY2(used >= 0 && used <= 0.5 * seconds, qPrintable(QString::number(used)));
        QVERIFY(took.at(1) + took.at(2) - took.at(0) - took.at(3) <= 60);
    }

private:
    /// Seconds of "[days-][hours:]minutes:seconds", as sacct writes a processor time; -1 for another text.
    static double processorSeconds(const QString& text)
    {
        double seconds = 0;
        const QString time = text.trimmed();
        const qsizetype dash = time.indexOf(u'-');
        for (const QString& part : time.mid(dash + 1).split(u':')) {
            bool isNumber = false;
            seconds = seconds * 60 + part.toDouble(&isNumber);
            if (!isNumber)
                return -1;
        }
        return seconds + (dash > 0 ? time.left(dash).toInt() * 86400 : 0);
    }

    /// All that a window has of a job that it watches.
    struct Eyes {
        Eyes(ClusterSession& session, const JobId& job, PracticeBench& bench)
            : watch(session.watch(job)), recorder({QDir(bench.dataFolder()).filePath(u"recordings"_s)}),
              gaps(session.shell(), watch, recorder)
        {
            RecordingFacts facts;
            facts.cluster = session.profile().name;
            facts.job = watch.record();
            recorder.begin(facts);
            QObject::connect(&watch, &JobWatch::recordChanged, &guard,
                [this](const JobRecord& record) { recorder.setRecord(record); });
            QObject::connect(&watch, &JobWatch::tickArrived, &guard, [this](const NodeTick& tick, qint64 arrivedMs) {
                recorder.add(tick, arrivedMs);
                ++ticks;
            });
        }
        JobWatch& watch;
        JobRecorder recorder;
        JobGaps gaps;
        int ticks = 0;
        QObject guard;
    };

    JobId submit(ClusterSession& session, int seconds, bool sampler)
    {
        JobSpec spec = m_bench.spec(seconds);
        spec.monitor.sampler = sampler;
        const Derived derived = derive(spec, session.profile());
        session.submitFlow().start(submitOrder(spec, derived, false));
        waitUntil([&] { return !session.submitFlow().state().isBusy(); }, 30000);
        const SubmitState& state = session.submitFlow().state();
        if (state.stage != SubmitState::Stage::Submitted)
            qInfo("%s", qPrintable(state.error.oneLine()));
        return state.job;
    }

    /// On the cluster: a file per node, whole lines, and none of ours left running.
    void recordIsWhole(const JobId& job)
    {
        const QString folder = m_bench.status().workdir + u"/.rankwright/"_s + job;
        QCOMPARE(m_bench.remote(u"ls "_s + folder).trimmed().split(u'\n').size(), 2);
        QCOMPARE(m_bench.remote(u"ps -e -o args= | grep -c '[s]ampler-1'"_s).trimmed(), u"0"_s);
    }

    PracticeBench m_bench;
};

RANKWRIGHT_TEST_MAIN(JourneyGapsTest)
#include "tst_journey_gaps.moc"
