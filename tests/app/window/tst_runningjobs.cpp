// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/clustersession.h"
#include "app/store/database.h"
#include "app/store/joblog.h"
#include "app/window/links/connections.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/app/support/windowbench.h"
#include "widgets/base/toasts.h"
#include "widgets/live/livepage.h"

#include <QDialog>
#include <QMessageBox>
#include <QPushButton>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

const QString token11 = u"rw-0000000000000011"_s;
const QString token12 = u"rw-0000000000000012"_s;

JobRecord record(const JobId& id, JobState state, const QString& token)
{
    JobRecord made;
    made.id = id;
    made.name = u"llama"_s;
    made.state = state;
    made.comment = token;
    made.partition = u"standard-g"_s;
    return made;
}

} // namespace

/// W14: the program is started again, and jobs of the last session went on or ended meanwhile.
class RunningJobsTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void mentionsWhatMayStillRun();
    void watchesAfterConnecting();
    void whatEndedMeanwhileIsToldOnce();
    void manyAreCounted();
    void nothingOpenNothingSaid();
    void stoppingThePracticeClusterAsks();

private:
    /// As the last session left it; empty state: only submitted.
    void keep(const QString& token, const JobId& job, JobState state, const QString& outcome = {});
    void start();
    void connectNow(const QString& cluster = u"lumi"_s);
    const Toasts& toasts() const { return *m_bench->window().findChild<Toasts*>(); }
    /// Of this subject, over or not, newest first.
    QList<Message> messages(Notice about) const
    {
        QList<Message> all = toasts().messages();
        all.removeIf([about](const Message& one) { return one.key.about != about; });
        return all;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
    FakeShell* m_shell = nullptr;
};

void RunningJobsTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
}

void RunningJobsTest::keep(const QString& token, const JobId& job, JobState state, const QString& outcome)
{
    const auto database = openStore(m_folder->path());
    JobLog log(*database);
    const auto entry
        = log.record({token, u"lumi"_s, u"llama"_s, {}, "#!/bin/bash\n#SBATCH --nodes=2\n", u"/scratch/x"_s});
    QVERIFY_RESULT(entry);
    QVERIFY_RESULT(log.markKnown(entry->id, job));
    if (state != JobState::Unknown)
        QVERIFY_RESULT(log.noteState(entry->id, state, outcome));
}

void RunningJobsTest::start()
{
    m_bench = std::make_unique<WindowBench>(m_folder->path());
    QVERIFY(m_bench->start());
}

void RunningJobsTest::connectNow(const QString& cluster)
{
    auto link = std::make_unique<FakeShell>();
    m_shell = link.get();
    m_shell->expect(u"sinfo"_s, {}, true);
    // Job 12 has left the queue; its own page says how it ended.
    m_shell->expect(u"show job 12"_s, {jobPage(record(u"12"_s, JobState::Completed, token12)), {}}, true);
    m_shell->expect(u"show job 11"_s, {jobPage(record(u"11"_s, JobState::Running, token11)), {}}, true);
    m_shell->expect(u"sacct"_s, {}, true);
    m_shell->expect(u"squeue"_s, {squeueRecord(record(u"11"_s, JobState::Running, token11)), {}}, true);
    m_shell->setState(LinkState::Offline);
    m_bench->workbench->connections().begin(std::make_unique<ClusterSession>(
        *m_bench->design().catalogue().find(cluster), std::move(link), m_bench->workbench->jobLog()));
    m_shell->setState(LinkState::Online);
}

void RunningJobsTest::mentionsWhatMayStillRun()
{
    keep(u"rw-0000000000000010"_s, u"10"_s, JobState::Completed, u"It completed."_s);
    keep(token11, u"11"_s, JobState::Running);
    keep(token12, u"12"_s, JobState::Unknown);
    start();
    const QList<Message> told = messages(Notice::RunningJob);
    QCOMPARE(told.size(), 2);
    for (const Message& one : told) {
        QVERIFY(!one.over);
        QCOMPARE(one.actionText, u"Watch"_s);
        QVERIFY2(one.text.contains(u"(llama) on LUMI"_s), qPrintable(one.text));
        QVERIFY2(one.text.contains(QLocale().toString(QDateTime::currentDateTime().date(), QLocale::ShortFormat)),
            qPrintable(one.text)); // as of when
    }
    const QString running = toasts().textOf({Notice::RunningJob, u"lumi/11"_s});
    QVERIFY2(running.contains(u"Job 11"_s) && running.contains(u"RUNNING"_s), qPrintable(running));
    const QString submitted = toasts().textOf({Notice::RunningJob, u"lumi/12"_s});
    QVERIFY2(submitted.contains(u"Job 12"_s) && submitted.contains(u"submitted"_s), qPrintable(submitted));
    QVERIFY(!submitted.contains(u"UNKNOWN"_s, Qt::CaseInsensitive));
}

void RunningJobsTest::watchesAfterConnecting()
{
    keep(token11, u"11"_s, JobState::Running);
    start();
    m_bench->window().findChild<Toasts*>()->act({Notice::RunningJob, u"lumi/11"_s});
    QVERIFY2(toasts().textOf(Notice::RunningJob).contains(u"is shown as soon as LUMI is connected"_s),
        qPrintable(toasts().textOf(Notice::RunningJob)));
    connectNow();
    QTRY_COMPARE(m_bench->window().page(), MainWindow::Page::Live);
    QCOMPARE(m_bench->window().findChild<LivePage*>()->jobId(), u"11"_s);
    QVERIFY(toasts().textOf({Notice::RunningJob, u"lumi/11"_s}).isEmpty()); // it is in front of one
    QVERIFY(toasts().textOf(Notice::RunningJob).isEmpty());
}

/// What ended while the program was closed: said once, and "was running" is not said beside it.
void RunningJobsTest::whatEndedMeanwhileIsToldOnce()
{
    keep(token11, u"11"_s, JobState::Running);
    keep(token12, u"12"_s, JobState::Running);
    start();
    connectNow();
    QTRY_COMPARE(messages(Notice::JobEnd).size(), 1);
    const Message told = messages(Notice::JobEnd).first();
    QVERIFY2(told.text.startsWith(u"Job 12 (llama): "_s), qPrintable(told.text));
    QCOMPARE(told.actionText, u"Show"_s);
    QVERIFY(toasts().textOf({Notice::RunningJob, u"lumi/12"_s}).isEmpty());
    QVERIFY(!toasts().textOf({Notice::RunningJob, u"lumi/11"_s}).isEmpty()); // that one may be watched still
    m_bench->workbench->connections().session(u"lumi"_s)->refresh();
    test::quietFor(1500);
    QCOMPARE(messages(Notice::JobEnd).size(), 1);
    // Nor by the next start.
    m_bench.reset();
    start();
    QCOMPARE(messages(Notice::RunningJob).size(), 1);
    QVERIFY(toasts().textOf({Notice::RunningJob, u"lumi/12"_s}).isEmpty());
    QVERIFY(messages(Notice::JobEnd).isEmpty());
}

/// More than a few are not listed one by one, and not concealed either.
void RunningJobsTest::manyAreCounted()
{
    for (int job = 1; job <= 6; ++job)
        keep(u"rw-000000000000000%1"_s.arg(job), QString::number(job), JobState::Running);
    start();
    QCOMPARE(messages(Notice::RunningJob).size(), 4);
    const Message rest = *std::find_if(toasts().messages().cbegin(), toasts().messages().cend(),
        [](const Message& one) { return one.key == NoticeKey(Notice::RunningJob, u"others"_s); });
    QVERIFY2(rest.text.contains(u"3 more jobs"_s), qPrintable(rest.text));
    QCOMPARE(rest.actionText, u"Show jobs"_s);
    m_bench->window().findChild<Toasts*>()->act(rest.key);
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Jobs);
}

void RunningJobsTest::nothingOpenNothingSaid()
{
    keep(u"rw-0000000000000010"_s, u"10"_s, JobState::Failed, u"It failed."_s);
    start();
    QVERIFY(messages(Notice::RunningJob).isEmpty());
}

/// Its jobs end with it, which nothing takes back.
void RunningJobsTest::stoppingThePracticeClusterAsks()
{
    start();
    m_bench->window().showPage(MainWindow::Page::Jobs); // the queue is asked
    connectNow(u"practice"_s);
    Connections& connections = m_bench->workbench->connections();
    QTRY_VERIFY(connections.session(u"practice"_s) && !connections.session(u"practice"_s)->queue().isEmpty());
    connections.stopPractice();
    auto* box = m_bench->window().findChild<QMessageBox*>();
    QVERIFY(box);
    QVERIFY2(box->text().contains(u"Job 11 ends with it"_s), qPrintable(box->text()));
    QCOMPARE(box->defaultButton()->text(), u"Keep it running"_s);
    box->defaultButton()->click();
    QVERIFY(connections.session(u"practice"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(RunningJobsTest)
#include "tst_runningjobs.moc"
