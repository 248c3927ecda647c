// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "app/jobfile/jobfile.h"
#include "app/session/clustersession.h"
#include "app/store/keptoutputs.h"
#include "app/store/recordings.h"
#include "app/window/clusteraccess.h"
#include "app/window/jobfileopener.h"
#include "app/window/jobfilesaver.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "models/script/document/designjson.h"
#include "tests/app/support/madejobfile.h"
#include "tests/app/support/windowsuite.h"
#include "tests/support/fakeshell.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/recordtable.h"
#include "widgets/jobs/jobfiledialog.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"
#include "widgets/report/reportdialog.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QThreadPool>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

JobSpec sentDesign()
{
    JobSpec spec;
    spec.name = u"sent-by-somebody"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    return spec;
}

/// A job file as a colleague sends it; its recording was made below `folder`.
QString sentFile(const QString& folder)
{
    JobFileParts parts = plantedParts(folder + u"/sender"_s);
    parts.design = writeDesign(sentDesign());
    const auto draft = JobFileDraft::make(parts);
    if (!draft)
        qFatal("%s", qPrintable(draft.error().oneLine()));
    const QString path = folder + u"/lumi-4711.rwjob"_s;
    if (const auto written = (*draft)->write(path); !written)
        qFatal("%s", qPrintable(written.error().oneLine()));
    return path;
}

} // namespace

/// A job as one file, as a person meets it in the window: saved, and opened by somebody else.
class JobFileWindowTest final : public WindowSuite {
    Q_OBJECT
private slots:
    void init() override;
    void shownAsAFileOfSomebody();
    void opensAtItsEnd();
    void givenAsAnArgument();
    void itsReportIsOfTheFileAlone();
    void whatIsInIt();
    void itsDesignIsANewDocument();
    void asksNoClusterOfTheSameName();
    void goesWhenItIsClosed();
    void goesForAnother();
    void refusedInOneSentence();
    void savedFromTheJobsPage();
    void savedWithoutItsOutput();
    void outputThatWasKept();
    void keptOutputOfAnotherRecording();

private:
    LivePage& page() const { return *m_bench->window().findChild<LivePage*>(); }
    LiveController& live() const { return m_bench->workbench->live(); }
    QString sent() const { return sentFile(m_sender->path()); }
    bool opened(const QString& path);
    JobFileDialog* saving();

    std::unique_ptr<QTemporaryDir> m_sender; ///< another machine
};

void JobFileWindowTest::init()
{
    openBench();
    m_sender = std::make_unique<QTemporaryDir>();
}

bool JobFileWindowTest::opened(const QString& path)
{
    emit m_bench->window().fileDropped(path);
    return test::comes([this] { return live().file() != nullptr && page().isVisible(); });
}

void JobFileWindowTest::shownAsAFileOfSomebody()
{
    QVERIFY(m_bench->start());
    QVERIFY(opened(sent()));
    QCOMPARE(page().jobId(), u"4711"_s);
    QVERIFY2(shownText(page()).contains(
                 u"From a file: lumi-4711.rwjob, maybe from somebody you do not know: nothing in it is run"_s),
        qPrintable(shownText(page())));
    QTRY_VERIFY2(page().log().shownText().contains(u"step 30/30 loss 2.5"_s), qPrintable(page().log().shownText()));
    QCOMPARE(page().slider().overview().span.fromMs, recordedStart);
    // It belongs to no cluster of ours, and nothing of it is ours.
    QCOMPARE(live().cluster(), QString());
    QVERIFY(!shownButton(page(), u"Results …"_s));
    QVERIFY(!shownButton(page(), u"Cancel…"_s));
    QVERIFY(m_bench->workbench->access().shownJobCommands().isEmpty());
    QVERIFY(listRecordings(recordingsFolder(m_folder->path())).isEmpty());
    const auto* jobs = m_bench->window().findChild<JobsPage*>();
    QCOMPARE(jobs->findChild<RecordTable*>()->shownRows(), 0);
    QVERIFY(m_bench->workbench->documents().recent().contains(live().file()->path()));
}

void JobFileWindowTest::opensAtItsEnd()
{
    const JobFileParts own = plantedParts(recordingsFolder(m_folder->path()));
    QVERIFY(m_bench->start());
    QVERIFY(opened(sent()));
    const TimeSpan span = page().slider().overview().span;
    QVERIFY(span.length() > 0);
    QCOMPARE(page().slider().state().momentMs, span.toMs);
    QVERIFY_RESULT(live().open(own.recording)); // to be replayed
    QCOMPARE(page().slider().state().momentMs, page().slider().overview().span.fromMs);
}

/// The design is what it would be without: unsaved work comes back, the file is not a document.
void JobFileWindowTest::givenAsAnArgument()
{
    QVERIFY(m_bench->start({1280, 800}, sent()));
    QTRY_VERIFY(live().file());
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Live);
    QVERIFY(m_bench->workbench->documents().path().isEmpty());
}

void JobFileWindowTest::itsReportIsOfTheFileAlone()
{
    QVERIFY(m_bench->start());
    QVERIFY(opened(sent()));
    shownButton(page(), u"Report"_s)->click();
    auto* dialog = m_bench->window().findChild<ReportDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    QTRY_VERIFY2(shownText(*dialog).contains(u"nothing in it is from this machine"_s), qPrintable(shownText(*dialog)));
    QCOMPARE(dialog->report().job.id, u"4711"_s);
    QVERIFY(!shownButton(*dialog, u"Job file…"_s));
    QVERIFY(!QDir(m_folder->filePath(u"usage"_s)).exists());
    live().closeFile();
    QVERIFY(!dialog->isVisible());
}

void JobFileWindowTest::whatIsInIt()
{
    QVERIFY(m_bench->start());
    QVERIFY(opened(sent()));
    shownButton(page(), u"What is in it"_s)->click();
    const JobFileView* contents = m_bench->workbench->jobFileOpener().contents();
    QVERIFY(contents && contents->isVisible());
    QStringList names;
    for (const JobFileItem& item : contents->items())
        names.append(item.name);
    QVERIFY2(names.contains(u"script.sh"_s) && names.contains(u"recording.rwr"_s), qPrintable(names.join(u' ')));
    const_cast<JobFileView*>(contents)->choose(u"script.sh"_s);
    QVERIFY2(contents->shownText().contains(u"srun python train.py"_s), qPrintable(contents->shownText()));
    for (const QString& secret : plantedSecrets)
        QVERIFY2(!contents->shownText().contains(secret), qPrintable(secret));
}

void JobFileWindowTest::itsDesignIsANewDocument()
{
    QVERIFY(m_bench->start());
    QVERIFY(opened(sent()));
    shownButton(page(), u"Open its design"_s)->click();
    QTRY_COMPARE(m_bench->design().spec().name, u"sent-by-somebody"_s);
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Design);
    QVERIFY(m_bench->workbench->documents().path().isEmpty());
}

/// Its cluster is called like one of ours, which is connected: the job there with this id is another one.
void JobFileWindowTest::asksNoClusterOfTheSameName()
{
    QVERIFY(m_bench->start());
    auto link = std::make_unique<FakeShell>();
    FakeShell* shell = link.get();
    shell->expect(u"sinfo"_s, {}, true);
    shell->expect(u"squeue"_s, {}, true);
    shell->setState(LinkState::Offline);
    m_bench->workbench->connections().begin(std::make_unique<ClusterSession>(
        *m_bench->design().catalogue().find(u"lumi"_s), std::move(link), m_bench->workbench->jobLog()));
    shell->setState(LinkState::Online);
    QVERIFY(opened(sent()));
    shownButton(page(), u"Report"_s)->click();
    auto* dialog = m_bench->window().findChild<ReportDialog*>();
    QTRY_VERIFY(shownText(*dialog).contains(u"nothing in it is from this machine"_s));
    // The link comes back: a recording's output would be read now.
    shell->setState(LinkState::Offline);
    shell->setState(LinkState::Online);
    QApplication::processEvents();
    QVERIFY2(shell->lines().filter(u"4711"_s).isEmpty(), qPrintable(shell->lines().filter(u"4711"_s).join(u'\n')));
}

void JobFileWindowTest::goesWhenItIsClosed()
{
    QVERIFY(m_bench->start());
    QVERIFY(opened(sent()));
    const QString unpacked = live().file()->dataFolder();
    QVERIFY(QDir(unpacked).exists());
    shownButton(page(), u"Close the file"_s)->click();
    QVERIFY(!live().file());
    QVERIFY(!QDir(unpacked).exists());
    QVERIFY(page().jobId().isEmpty());
    QVERIFY(!page().isFromFile());
}

/// A recording of our own takes its place.
void JobFileWindowTest::goesForAnother()
{
    const JobFileParts own = plantedParts(recordingsFolder(m_folder->path()));
    QVERIFY(m_bench->start());
    QVERIFY(opened(sent()));
    const QString unpacked = live().file()->dataFolder();
    QVERIFY_RESULT(live().open(own.recording));
    QVERIFY(!live().file());
    QVERIFY(!QDir(unpacked).exists());
    QVERIFY(!page().isFromFile());
    QCOMPARE(live().cluster(), u"lumi"_s);
    QVERIFY(!page().log().shownText().contains(u"step 30/30"_s)); // the file's, not this one's
}

void JobFileWindowTest::refusedInOneSentence()
{
    QVERIFY(m_bench->start());
    QFile good(sent());
    QVERIFY(good.open(QIODevice::ReadOnly));
    const QByteArray bytes = good.readAll();
    int number = 0;
    for (const QByteArray& hostile : {bytes.left(bytes.size() / 2), QByteArray("<b>no</b>\x1b[31m"), QByteArray()}) {
        const QString path = m_sender->filePath(u"bad-%1.rwjob"_s.arg(++number));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(hostile);
        file.close();
        clearNotices();
        emit m_bench->window().fileDropped(path);
        QTRY_VERIFY(!toasts().textOf(Notice::JobFile).isEmpty());
        const QString said = toasts().textOf(Notice::JobFile);
        QVERIFY2(said.startsWith(u"bad-%1.rwjob: "_s.arg(number)) && !said.contains(u'\n'), qPrintable(said));
        QVERIFY(!live().file());
        QVERIFY(page().jobId().isEmpty());
        QVERIFY(!m_bench->workbench->documents().recent().contains(path));
    }
}

/// The dialog of the job 4711, which was recorded here, once all is put together.
JobFileDialog* JobFileWindowTest::saving()
{
    auto* jobs = m_bench->window().findChild<JobsPage*>();
    m_bench->window().showPage(MainWindow::Page::Jobs);
    QPushButton* save = nullptr;
    (void)test::comes([&] { // recordings are listed on another thread
        jobs->selectJob(u"4711"_s);
        save = shownButton(*jobs, u"Job file …"_s);
        return save != nullptr;
    });
    if (!save)
        return nullptr;
    save->click();
    JobFileDialog* dialog = m_bench->workbench->jobFileSaver().dialog();
    const bool isReady = dialog && test::comes([dialog] { return shownButton(*dialog, u"&Save …"_s)->isEnabled(); });
    return isReady ? dialog : nullptr;
}

void JobFileWindowTest::savedFromTheJobsPage()
{
    (void)plantedParts(recordingsFolder(m_folder->path()));
    QVERIFY(m_bench->start());
    QPointer<JobFileDialog> dialog = saving();
    QVERIFY(dialog);
    QVERIFY2(shownText(*dialog).contains(u"left out"_s), qPrintable(shownText(*dialog)));
    QVERIFY(!dialog->contents().items().isEmpty());
    QVERIFY(!dialog->withOutput()); // the cluster is not connected, and says why
    QVERIFY(dialog->findChild<QCheckBox*>()->toolTip().contains(u"not connected"_s));
    shownButton(*dialog, u"&Save …"_s)->click();
    auto* asks = dialog->findChild<QFileDialog*>();
    QVERIFY(asks);
    const QString path = m_sender->filePath(u"mine.rwjob"_s);
    emit asks->fileSelected(path);
    QTRY_VERIFY(QFile::exists(path));
    QTRY_VERIFY(!dialog || !dialog->isVisible());
    QVERIFY2(toasts().textOf(Notice::JobFile).startsWith(u"mine.rwjob was written: "_s),
        qPrintable(toasts().textOf(Notice::JobFile)));
    const auto file = JobFile::open(path);
    QVERIFY_RESULT(file);
    QCOMPARE((*file)->manifest().job.id, u"4711"_s);
    QVERIFY(!(*file)->recording().isEmpty());
    QFile raw(path);
    QVERIFY(raw.open(QIODevice::ReadOnly));
    const QByteArray bytes = raw.readAll();
    for (const QString& secret : plantedSecrets)
        QVERIFY2(!bytes.contains(secret.toUtf8()), qPrintable(secret));
}

/// Stopped before it is written: nothing is left.
void JobFileWindowTest::savedWithoutItsOutput()
{
    (void)plantedParts(recordingsFolder(m_folder->path()));
    QVERIFY(m_bench->start());
    QPointer<JobFileDialog> dialog = saving();
    QVERIFY(dialog);
    for (const JobFileItem& item : dialog->contents().items())
        QVERIFY2(!item.name.startsWith(u"output/"_s), qPrintable(item.name));
    dialog->reject();
    QTRY_VERIFY(!m_bench->workbench->jobFileSaver().dialog());
    QVERIFY(QDir(m_sender->path()).entryList({u"*.rwjob"_s}, QDir::Files).isEmpty());
}

/// Of a job that has ended: without a connection, searched, and in what is sent.
void JobFileWindowTest::outputThatWasKept()
{
    const JobFileParts own = plantedParts(recordingsFolder(m_folder->path()));
    const QByteArray text = "epoch 1\nthe word\nepoch 2\n";
    QVERIFY_RESULT(saveOutputs(own.recording, {{u"/run/slurm-4711.out"_s, {}, text.size(), {}, text}}));
    QVERIFY(m_bench->start());
    QPointer<JobFileDialog> dialog = saving();
    QVERIFY(dialog);
    QVERIFY(dialog->withOutput());
    QStringList names;
    for (const JobFileItem& item : dialog->contents().items())
        names.append(item.name);
    QVERIFY2(names.contains(u"output/1-slurm-4711.out"_s), qPrintable(names.join(u' ')));
    dialog->reject();
    auto* jobs = m_bench->window().findChild<JobsPage*>();
    shownButton(*jobs, u"Output"_s)->click();
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Live);
    QTRY_VERIFY2(page().log().shownText().contains(u"the word"_s), qPrintable(page().log().shownText()));
    LogSearchState state;
    const OutputText kept{u"/run/slurm-4711.out"_s, {}, text, qint64(text.size())};
    const QList<LogHit> hits = hitsIn(kept, 0, {u"WORD"_s}, state);
    QCOMPARE(hits, (QList<LogHit>{{0, 8, u"the word"_s}}));
    QCOMPARE(state.hits, 1);
    // A line behind a progress bar has a place of its own.
    const QByteArray bar = "10 %|##  |\r20 %|### |\r\x1b[31mthe word\x1b[0m\n";
    const OutputText drawn{u"/run/slurm-4711.out"_s, {}, bar, qint64(bar.size())};
    QCOMPARE(hitsIn(drawn, 0, {u"word"_s}, state), (QList<LogHit>{{0, bar.indexOf('\x1b'), u"the word"_s}}));
    QVERIFY(!state.isCutShort);
    QVERIFY(hitsIn(kept, 0, {u"("_s, true}, state).isEmpty() && !state.trouble.isEmpty());
    // What the cluster has is not read again: nothing of it is newer.
    QVERIFY(m_bench->workbench->live().recording() == own.recording);
}

/// It is read on another thread: by the time that it is there another job may be shown.
void JobFileWindowTest::keptOutputOfAnotherRecording()
{
    const JobFileParts first = plantedParts(m_sender->filePath(u"one"_s));
    const JobFileParts second = plantedParts(m_sender->filePath(u"two"_s));
    const QByteArray text = QByteArray("the first one\n").repeated(70'000);
    QVERIFY_RESULT(saveOutputs(first.recording, {{u"/run/slurm-4711.out"_s, {}, text.size(), {}, text}}));
    QVERIFY(m_bench->start());
    QVERIFY_RESULT(live().open(first.recording));
    QVERIFY(page().log().shownText().isEmpty()); // nobody waited
    QVERIFY_RESULT(live().open(second.recording));
    QVERIFY(QThreadPool::globalInstance()->waitForDone(test::longWaitMs));
    QApplication::processEvents();
    QVERIFY2(page().log().shownText().isEmpty(), qPrintable(page().log().shownText().left(80)));
    QVERIFY_RESULT(live().open(first.recording));
    QTRY_VERIFY(page().log().shownText().contains(u"the first one"_s));
    QVERIFY_RESULT(live().open(second.recording));
    QVERIFY(page().log().shownText().isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(JobFileWindowTest)
#include "tst_jobfilewindow.moc"
