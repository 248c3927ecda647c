// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/clustersession.h"
#include "app/store/database.h"
#include "app/store/joblog.h"
#include "app/window/pages/reportcontroller.h"
#include "models/tables/jobmodel.h"
#include "tests/support/fakeshell.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/report/reportdialog.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

JobRow row(const QString& id, const QString& name, JobState state, int day)
{
    JobRow made;
    made.cluster = u"lumi"_s;
    made.job.id = id;
    made.job.name = name;
    made.job.state = state;
    made.job.submitted = QDateTime(QDate(2026, 3, day), QTime(8, 0), Qt::UTC);
    return made;
}

QPushButton* button(const QWidget& window, const QString& text)
{
    for (auto* each : window.findChildren<QPushButton*>())
        if (each->text() == text)
            return each;
    return nullptr;
}

} // namespace

/// What the window does with a report: whom it compares, what it shows offline, an advice as one undo step.
class ReportControllerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void comparesRunsOfTheSameName();
    void offlineFromWhatIsKept();
    void nothingKept();
    void theConnectionIsClosedMeanwhile();

private:
    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue({});
};

void ReportControllerTest::comparesRunsOfTheSameName()
{
    const QList<JobRow> rows{row(u"1"_s, u"gpt"_s, JobState::Completed, 1),
        row(u"2"_s, u"gpt"_s, JobState::Completed, 2), row(u"3"_s, u"gpt"_s, JobState::Failed, 3),
        row(u"4"_s, u"bert"_s, JobState::Completed, 4), row(u"5"_s, u"gpt"_s, JobState::Completed, 5)};
    QCOMPARE(comparableJobs(rows, u"lumi"_s, u"2"_s), QList<JobId>({u"2"_s, u"5"_s, u"1"_s}));
    QCOMPARE(comparableJobs(rows, u"lumi"_s, u"3"_s), QList<JobId>({u"3"_s, u"5"_s, u"2"_s, u"1"_s}));
    QCOMPARE(comparableJobs(rows, u"lumi"_s, u"2"_s, 2), QList<JobId>({u"2"_s, u"5"_s}));
    QCOMPARE(comparableJobs(rows, u"puhti"_s, u"2"_s), QList<JobId>({u"2"_s}));
    QCOMPARE(comparableJobs({}, u"lumi"_s, u"9"_s), QList<JobId>({u"9"_s}));
}

void ReportControllerTest::offlineFromWhatIsKept()
{
    QTemporaryDir folder;
    auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    JobLog log(**database);
    Design design(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    design.replace(spec);
    StoredUsage kept;
    kept.cluster = u"lumi"_s;
    kept.asked = QDateTime::currentDateTimeUtc();
    kept.accounted = true;
    kept.usage.job = row(u"2"_s, u"gpt"_s, JobState::Completed, 2).job;
    kept.usage.job.partition = u"small-g"_s;
    kept.usage.job.nodes = 1;
    kept.usage.job.gpus = 2;
    kept.usage.job.elapsed = Seconds{3600};
    kept.usage.job.timeLimit = Seconds{24 * 3600};
    QVERIFY_RESULT(storeUsage(folder.path(), kept));
    QWidget window;
    ReportController reports(m_catalogue, design, log, folder.path(), window);
    reports.open(u"lumi"_s, u"2"_s, {}, nullptr);
    QVERIFY(reports.dialog() && reports.dialog()->isVisible());
    QTRY_COMPARE(reports.dialog()->report().job.id, u"2"_s);
    const ReportAdvice advice = reports.dialog()->report().advice.value(0);
    QCOMPARE(advice.option, u"--time=01:15:00"_s);
    // The site's sentence for papers is part of what is saved; in a class the class's own is.
    const auto saved = [&reports, &folder](const QString& name) {
        button(*reports.dialog(), u"Save as Markdown…"_s)->click();
        auto* asks = reports.dialog()->findChild<QFileDialog*>();
        emit asks->fileSelected(folder.filePath(name));
        asks->close();
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QVERIFY(saved(u"own.md"_s).contains(u"## Acknowledgement\n\nWe acknowledge the EuroHPC Joint Undertaking"_s));
    reports.setCourse(u"AI course"_s, u"Ada's course used LUMI."_s);
    reports.open(u"lumi"_s, u"2"_s, {}, nullptr);
    QTRY_VERIFY(button(*reports.dialog(), u"Save as Markdown…"_s)->isEnabled()); // it is made
    QVERIFY(saved(u"course.md"_s).endsWith(u"## Acknowledgement\n\nAda's course used LUMI.\n"_s));
    emit reports.dialog()->applyRequested(advice);
    QCOMPARE(design.spec().time, std::optional(Seconds{4500}));
    QVERIFY(design.undo());
    QVERIFY(!design.spec().time);
    QVERIFY(!design.canUndo());
}

void ReportControllerTest::nothingKept()
{
    QTemporaryDir folder;
    auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    JobLog log(**database);
    Design design(m_catalogue);
    QWidget window;
    ReportController reports(m_catalogue, design, log, folder.path(), window);
    reports.open(u"lumi"_s, u"77"_s, {}, nullptr);
    QString texts;
    for (const QLabel* label : reports.dialog()->findChildren<QLabel*>())
        texts += label->text() + u'\n';
    QVERIFY2(texts.contains(u"Nothing is kept about job 77"_s), qPrintable(texts));
}

/// The record of the job is fetched when the connection is closed: the program read a shell that was gone.
void ReportControllerTest::theConnectionIsClosedMeanwhile()
{
    QTemporaryDir folder;
    auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    JobLog log(**database);
    Design design(m_catalogue);
    QWidget window;
    ReportController reports(m_catalogue, design, log, folder.path(), window);
    auto link = std::make_unique<test::FakeShell>();
    QPointer<test::FakeShell> shell = link.get();
    shell->expect(u"sacct"_s, {test::recordedSlurm(u"usage_22.05.txt"_s)}, true);
    shell->expect(u"/scratch/project_900001/mira"_s, {{}, {}, 0, 10000}, true);
    shell->setState(LinkState::Offline);
    auto session = std::make_unique<ClusterSession>(*m_catalogue.find(u"lumi"_s), std::move(link), log);
    shell->setState(LinkState::Online);
    reports.open(u"lumi"_s, u"7100"_s, {}, session.get());
    const auto isFetching = [&shell] {
        return std::any_of(shell->commands().cbegin(), shell->commands().cend(),
            [](const RemoteCommand& command) { return command.line.contains(u"/scratch/project_900001/mira"_s); });
    };
    QTRY_VERIFY(isFetching());
    session->close();
    session.reset();
    QVERIFY(!shell);
    const auto said = [&reports] {
        QString texts;
        for (const QLabel* label : reports.dialog()->findChildren<QLabel*>())
            texts += label->text() + u'\n';
        return texts;
    };
    QTRY_VERIFY2(said().contains(u"Nothing is kept about job 7100"_s), qPrintable(said()));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ReportControllerTest)
#include "tst_reportcontroller.moc"
