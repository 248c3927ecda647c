// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/keptoutputs.h"
#include "app/store/recordingwriter.h"
#include "app/window/pages/jobscontroller.h"
#include "app/window/pages/livecontroller.h"
#include "app/window/pages/memoryoffers.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/theme.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/live/livepage.h"
#include "widgets/log/joblogview.h"

#include <QPushButton>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray ranOut
    = "[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of "
      "63.42 GiB of which 1.00 GiB is free. Including non-PyTorch memory, this process has 62.00 GiB memory in use. Of "
      "the allocated memory 45.00 GiB is allocated by PyTorch, and 15.00 GiB is reserved by PyTorch but unallocated.\n";
const QString allocator = u"PYTORCH_CUDA_ALLOC_CONF"_s;

JobSpec launchedDesign()
{
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"leonardo"_s;
    spec.resources.nodes = 1;
    return spec;
}

} // namespace

/// What the report advises after a job ran out of GPU memory is offered where one sees that it did.
class MemoryOffersTest final : public Suite {
    Q_OBJECT
private slots:
    void offeredOnTheLivePage();
    void ofAnotherClustersDesignItIsSaid();
    void aJobThatCompletedHasNone();
    void offeredOnTheJobsPage();
    void aLaterAnswerOfAnotherJobChangesNothing();

private:
    struct Bench {
        Bench()
            : database(openStore(folder.path())), log(*database), design(catalogue), livePage(grid), jobsPage(model),
              live(grid, livePage), jobs(model, jobsPage, log),
              offers(MemoryOffers::Parts{design, log, live, livePage, jobs, jobsPage})
        {
            design.edit(u"begin"_s, [](JobSpec& spec) { spec = launchedDesign(); });
            NewSubmission sent;
            sent.cluster = u"leonardo"_s;
            sent.name = u"llama"_s;
            sent.design = writeDesign(launchedDesign());
            sent.script = "#!/bin/bash\nsrun python train.py\n";
            const auto entry = log.record(sent);
            if (!entry || !log.markSending(entry->id) || !log.markKnown(entry->id, u"12"_s))
                qFatal("no entry");
        }
        /// The recording of job 12, whose kept output says that its memory ran out.
        QString recorded(JobState state)
        {
            RecordingFacts facts = recordedJob(u"12"_s, {u"n1"_s});
            facts.cluster = u"leonardo"_s;
            facts.job.state = state;
            facts.job.ended = QDateTime::fromMSecsSinceEpoch(recordedStart + 30'000, Qt::UTC);
            QRandomGenerator random{1};
            auto writer = RecordingWriter::open(folder.path(), facts);
            if (!writer)
                qFatal("no recording");
            (*writer)->append(trainingTick(random, u"n1"_s, recordedStart), recordedStart);
            if (!(*writer)->commit(recordedStart + 31'000))
                qFatal("no commit");
            const QString path = (*writer)->path();
            if (!saveOutputs(path, {{u"/run/slurm-12.out"_s, {}, ranOut.size(), {}, ranOut}}))
                qFatal("no output");
            return path;
        }

        Theme theme;
        QTemporaryDir folder;
        std::unique_ptr<Database> database;
        JobLog log;
        Catalogue catalogue = loadCatalogue();
        Design design;
        GpuGrid grid;
        JobModel model;
        LivePage livePage;
        JobsPage jobsPage;
        LiveController live;
        JobsController jobs;
        MemoryOffers offers;
    };
};

void MemoryOffersTest::offeredOnTheLivePage()
{
    Bench bench;
    bench.livePage.show();
    QVERIFY_RESULT(bench.live.open(bench.recorded(JobState::Failed)));
    QTRY_VERIFY(shownButton(bench.livePage, u"Apply to the design"_s));
    QVERIFY2(shownText(bench.livePage).contains(allocator), qPrintable(shownText(bench.livePage)));
    shownButton(bench.livePage, u"Apply to the design"_s)->click();
    QCOMPARE(bench.design.spec().environment.variables.value(allocator), u"expandable_segments:True"_s);
    QVERIFY(!shownButton(bench.livePage, u"Apply to the design"_s));
    QVERIFY2(shownText(bench.livePage).contains(u"Undo takes it back"_s), qPrintable(shownText(bench.livePage)));
    QVERIFY(bench.design.undo());
    QVERIFY(bench.design.spec() == launchedDesign());
}

void MemoryOffersTest::ofAnotherClustersDesignItIsSaid()
{
    Bench bench;
    bench.livePage.show();
    bench.design.edit(u"other"_s, [](JobSpec& spec) { spec.cluster = u"lumi"_s; });
    QVERIFY_RESULT(bench.live.open(bench.recorded(JobState::Failed)));
    QTRY_VERIFY(shownButton(bench.livePage, u"Apply to the design"_s));
    const QPushButton* apply = shownButton(bench.livePage, u"Apply to the design"_s);
    QVERIFY(!apply->isEnabled());
    QCOMPARE(apply->toolTip(), u"The open design is for another cluster."_s);
    QVERIFY(bench.design.undo());
    QVERIFY(apply->isEnabled());
}

void MemoryOffersTest::aJobThatCompletedHasNone()
{
    Bench bench;
    bench.livePage.show();
    QVERIFY_RESULT(bench.live.open(bench.recorded(JobState::Completed)));
    QTRY_VERIFY(bench.livePage.log().shownText().contains(u"out of memory"_s));
    QVERIFY(!shownButton(bench.livePage, u"Apply to the design"_s));
}

void MemoryOffersTest::offeredOnTheJobsPage()
{
    Bench bench;
    bench.jobsPage.resize(1200, 800);
    bench.jobsPage.show();
    bench.jobs.refresh();
    QTRY_VERIFY(bench.jobs.find(u"leonardo"_s, u"12"_s));
    bench.jobsPage.selectJob(u"12"_s, u"leonardo"_s);
    JobRecord failed = bench.jobs.find(u"leonardo"_s, u"12"_s)->job;
    failed.state = JobState::Failed;
    LogDiagnoser diagnoser;
    diagnoser.feed(ranOut);
    bench.jobsPage.showDiagnoses(u"12"_s, diagnoser.diagnoses(), u"leonardo"_s);
    emit bench.jobs.causeShown(failed, u"leonardo"_s, diagnoser.diagnoses());
    QVERIFY(shownButton(bench.jobsPage, u"Apply to the design"_s));
    shownButton(bench.jobsPage, u"Apply to the design"_s)->click();
    QCOMPARE(bench.design.spec().environment.variables.value(allocator), u"expandable_segments:True"_s);
    QVERIFY2(shownText(bench.jobsPage).contains(u"Undo takes it back"_s), qPrintable(shownText(bench.jobsPage)));
}

/// The output of the job that was selected before comes over a slow line when this one is shown.
void MemoryOffersTest::aLaterAnswerOfAnotherJobChangesNothing()
{
    Bench bench;
    bench.jobsPage.resize(1200, 800);
    bench.jobsPage.show();
    bench.jobs.refresh();
    QTRY_VERIFY(bench.jobs.find(u"leonardo"_s, u"12"_s));
    bench.jobsPage.selectJob(u"12"_s, u"leonardo"_s);
    JobRecord failed = bench.jobs.find(u"leonardo"_s, u"12"_s)->job;
    failed.state = JobState::Failed;
    LogDiagnoser diagnoser;
    diagnoser.feed(ranOut);
    bench.jobsPage.showDiagnoses(u"12"_s, diagnoser.diagnoses(), u"leonardo"_s);
    emit bench.jobs.causeShown(failed, u"leonardo"_s, diagnoser.diagnoses());
    QVERIFY(shownButton(bench.jobsPage, u"Apply to the design"_s));
    JobRecord other = failed;
    other.id = u"11"_s; // nothing is known of its design
    emit bench.jobs.causeShown(other, u"leonardo"_s, diagnoser.diagnoses());
    QVERIFY(shownButton(bench.jobsPage, u"Apply to the design"_s));
    shownButton(bench.jobsPage, u"Apply to the design"_s)->click();
    QCOMPARE(bench.design.spec().environment.variables.value(allocator), u"expandable_segments:True"_s);
    QVERIFY(!shownButton(bench.jobsPage, u"Apply to the design"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(MemoryOffersTest)
#include "tst_memoryoffers.moc"
