// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording/jobgaps.h"
#include "app/recording/jobrecorder.h"
#include "app/store/recordingreader.h"
#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "models/insight/telemetry/sampling/samplerfiledecoder.h"
#include "tests/journeys/support/practicebench.h"

#include <QDir>

#include <algorithm>

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
        QVERIFY(waitUntil([&] { return session->isOnline(); }));
        const JobId job = submit(*session, seconds, true);
        QVERIFY(!job.isEmpty());
        auto eyes = std::make_unique<Eyes>(*session, job, m_bench);
        QVERIFY(waitUntil([&] { return eyes->ticks >= 16; }));
        const qint64 left = QDateTime::currentMSecsSinceEpoch();
        eyes.reset(); // the program ends, all that it has on the cluster with it
        session.reset();
        quietFor(awayMs);

        session = m_bench.session();
        session->open();
        QVERIFY(waitUntil([&] { return session->isOnline(); }));
        eyes = std::make_unique<Eyes>(*session, job, m_bench);
        QVERIFY(waitUntil([&] { return eyes->ticks >= 4; }));
        const qint64 back = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(waitUntil([&] { return eyes->watch.isOver() && eyes->gaps.isSettled(); }));
        QCOMPARE(eyes->watch.record().state, JobState::Completed);
        QVERIFY2(!eyes->gaps.summary().isEmpty(), "nothing came from the job's own record");
        qInfo("%s", qPrintable(eyes->gaps.summary()));
        const JobRecord record = eyes->watch.record();
        const QString path = eyes->recorder.path();
        eyes.reset();

        const auto reader = RecordingReader::open(path);
        QVERIFY_RESULT(reader);
        // Held against what the sampler wrote on the cluster: how often it came to that is the machine's affair.
        const QList<NodeTick> all = written(job);
        int missed = 0, covered = 0;
        for (const NodeTick& tick : all) {
            if (tick.takenMs <= left || tick.takenMs >= back)
                continue;
            ++missed;
            const QList<NodeTick> frame = (*reader)->frameAt(tick.takenMs + 500, 1500);
            covered += std::any_of(
                           frame.cbegin(), frame.cend(), [&tick](const NodeTick& one) { return one.node == tick.node; })
                ? 1
                : 0;
        }
        qInfo("away for %lld s: %d of %d readings are there", static_cast<long long>((back - left) / 1000), covered,
            missed);
        QVERIFY(missed > 0);
        QCOMPARE(covered, missed);
        const QList<TimeSpan> gaps = (*reader)->gaps(6500);
        for (const NodeTick& tick : all)
            QVERIFY(std::none_of(gaps.cbegin(), gaps.cend(), [&tick](const TimeSpan& gap) {
                return tick.takenMs > gap.fromMs + 1000 && tick.takenMs < gap.toMs - 1000;
            }));
        QVERIFY(record.started.msecsTo(record.ended) > 0);
        recordIsWhole(job);
        QVERIFY(waitUntil([&] { return m_bench.oldSteps(0).isEmpty(); }));
    }

    void jobEndsTheSame()
    {
        constexpr int seconds = 15;
        auto session = m_bench.session();
        session->open();
        QVERIFY(waitUntil([&] { return session->isOnline(); }));
        QList<double> processor;
        for (const bool sampler : {false, true, true, false}) {
            const JobId job = submit(*session, seconds, sampler);
            QVERIFY(!job.isEmpty());
            const QString line = u"sacct -n -X -P -j "_s + job + u" -o state,exitcode"_s;
            QString reported;
            QVERIFY(waitUntil([&] { return (reported = m_bench.remote(line)).contains(u"COMPLETED"_s); }));
            const QStringList words = reported.trimmed().split(u'|');
            QCOMPARE(words.at(1), u"0:0"_s);
            const QString steps = m_bench.remote(u"sacct -n -P -j "_s + job + u" -o jobname,state,exitcode"_s);
            QCOMPARE(steps.contains(u"gpu-record|COMPLETED|0:0"_s), sampler);
            if (sampler)
                processor.append(processorSeconds(m_bench.remote(
                    u"sacct -n -P -j "_s + job + u" -o jobname,totalcpu | sed -n 's/^gpu-record|//p'"_s)));
        }
        qInfo("%.1f and %.1f s of processor for the sampler", processor.at(0), processor.at(1));
        // Processor time says what a sampler takes, also on a busy machine. That a job does not wait for one which
        // never ends: tst_jobsampler.
        for (const double used : std::as_const(processor))
            QVERIFY2(used >= 0 && used <= 0.5 * seconds, qPrintable(QString::number(used)));
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
        session.submitFlow().start(submitOrder(spec, derived, SubmitPurpose::Submission));
        waitUntil([&] { return !session.submitFlow().state().isBusy(); });
        const SubmitState& state = session.submitFlow().state();
        if (state.stage != SubmitState::Stage::Submitted)
            qInfo("%s", qPrintable(state.error.oneLine()));
        return state.job;
    }

    /// What the job's own sampler wrote down on the cluster.
    QList<NodeTick> written(const JobId& job)
    {
        const QString folder = m_bench.status().workdir + u"/.rankwright/"_s + job;
        QList<NodeTick> ticks;
        for (const QString& name : m_bench.remote(u"ls "_s + folder).split(u'\n', Qt::SkipEmptyParts)) {
            SamplerFileDecoder decoder;
            RankGatherer gatherer;
            const QString text = m_bench.remote(u"cat %1/%2"_s.arg(folder, name));
            ticks += samplerContent(decoder.feed(text.toUtf8()), gatherer).ticks;
        }
        return ticks;
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
