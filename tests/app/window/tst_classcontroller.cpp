// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/store/joblog.h"
#include "app/submit/submitorder.h"
#include "app/window/classcontroller.h"
#include "app/window/classruns.h"
#include "app/window/documentactions.h"
#include "app/window/launchcontroller.h"
#include "app/window/links/connections.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/app/support/openstore.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/base/toasts.h"
#include "widgets/classroom/classchecklist.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/classroom/classpanel.h"
#include "widgets/design/designpage.h"
#include "widgets/form/designform.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A class in the window, from the file to what is seen.
class ClassControllerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void nothingHappensBeforeConsent();
    void anExerciseIsInTheDesign();
    void whatIsLockedIsPutBack();
    void undoIsNotFoughtAgainst();
    void limitsAreErrorsThatALaunchStopsAt();
    void jobsBelongToTheirExercise();
    void aJobIsOfTheExerciseInWhichItWasAskedFor();
    void aRehearsalIsNoLaunch();
    void aJobOfBeforeIsNone();
    void whatSlurmRefusedKeepsAnAttendee();
    void whereOneIsIsKept();
    void goingBackFindsTheDesign();
    void theSolutionNeedsConsent();
    void leavingGivesTheFormBack();
    void anotherDesignLeavesTheClass();
    void unsignedIsRefused();
    void aSignedOneIsRememberedOnAcceptance();
    void strangeFilesAreRefused_data();
    void strangeFilesAreRefused();
    void linksFetchNothing();
    void aRestartGoesOn();
    void anotherFileIsAskedAboutAnew();
    void aNewKeyIsKeptOnlyOnConsent();
    void anOwnDesignOfTheSameClusterIsReplaced();
    void reportsAreTold();
    void whyAJobFailedStandsBesideItsCheck();
    void tooManyNodesAreAnError();

private:
    struct Bench {
        explicit Bench(const QString& folder)
            : catalogue(loadCatalogue()), design(catalogue), settings(folder), documents(design, settings, folder),
              page(new DesignPage(design)), window(design, theme, MainWindow::Pages{page, nullptr, nullptr, nullptr}),
              actions(window, design, documents, JobSpec()), database(test::openStore(folder)), log(*database),
              connections(catalogue, log, settings, &window),
              launch(design, *page, documents, connections, log, window),
              controller(ClassController::Parts{
                  design, *page, documents, actions, connections, launch, log, settings, window, folder})
        {
            window.show();
        }
        /// Opens a shipped class and agrees.
        void begin(const QString& name = u"lumi-ai-course-practice"_s)
        {
            controller.openShipped(name);
            QVERIFY(controller.question());
            controller.question()->accept();
            QVERIFY(controller.isActive());
        }
        const Finding* finding(const QString& rule) const
        {
            const QList<Finding>& all = design.derived().findings();
            const auto found
                = std::find_if(all.cbegin(), all.cend(), [&rule](const Finding& one) { return one.rule == rule; });
            return found == all.cend() ? nullptr : &*found;
        }
        CheckState state(const QString& text) const
        {
            for (const CheckVerdict& verdict : controller.verdicts())
                if (verdict.text == text)
                    return verdict.state;
            return CheckState::Unknown;
        }
        /// The design as it is, answered at once.
        void submit(const QString& job)
        {
            emit launch.asked(launchFacts(design), SubmitPurpose::Submission);
            emit launch.jobSubmitted(job, QString::fromUtf16(practiceName));
        }
        QString notice() const { return window.findChild<Toasts*>()->textOf(Notice::Class); }

        Theme theme;
        Catalogue catalogue;
        Design design;
        Settings settings;
        Documents documents;
        DesignPage* page;
        MainWindow window;
        DocumentActions actions;
        std::unique_ptr<Database> database;
        JobLog log;
        Connections connections;
        LaunchController launch;
        ClassController controller;
    };
    QString write(const QString& name, const QByteArray& content) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Bench> m_bench;
};

void ClassControllerTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<Bench>(m_folder->path());
}

QString ClassControllerTest::write(const QString& name, const QByteArray& content) const
{
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? file.fileName() : QString();
}

void ClassControllerTest::nothingHappensBeforeConsent()
{
    const JobSpec before = m_bench->design.spec();
    m_bench->controller.openShipped(u"lumi-ai-course-practice"_s);
    QVERIFY(m_bench->controller.question());
    QVERIFY(m_bench->design.spec() == before);
    QVERIFY(!m_bench->page->sidePanel());
    m_bench->controller.question()->reject();
    QVERIFY(!m_bench->controller.isActive());
    QVERIFY(m_bench->design.spec() == before);
    QVERIFY(m_bench->settings.openClass().isEmpty());
}

void ClassControllerTest::anExerciseIsInTheDesign()
{
    QSignalSpy course(&m_bench->controller, &ClassController::courseChanged);
    m_bench->begin();
    const ClassFile& file = *m_bench->controller.file();
    QVERIFY(enforce(file, file.exercises.first(), m_bench->design.spec()).putBack.isEmpty());
    QVERIFY(m_bench->controller.panel()->isVisible());
    QCOMPARE(course.size(), 1);
    QCOMPARE(course.first().first().toString(), file.title);
    QCOMPARE(m_bench->controller.verdicts().size(), file.exercises.first().checks.size());
    QVERIFY(m_bench->documents.path().isEmpty()); // saving cannot put it over somebody's own file
    // The next exercise is one step that can be undone.
    const JobSpec first = m_bench->design.spec();
    emit m_bench->controller.panel()->exerciseWanted(1);
    QVERIFY(m_bench->design.spec() != first);
    QVERIFY(m_bench->design.undo());
    QVERIFY(m_bench->design.spec() == first);
    QTRY_COMPARE(m_bench->controller.panel()->exercise(), 0); // task and limits go with the design
    QVERIFY(!m_bench->finding(u"C04"_s));
    QVERIFY(m_bench->design.redo());
    QTRY_COMPARE(m_bench->controller.panel()->exercise(), 1);
    QVERIFY(!m_bench->finding(u"C04"_s));
}

void ClassControllerTest::whatIsLockedIsPutBack()
{
    m_bench->begin();
    const auto batch = m_bench->design.spec().training.globalBatch;
    QVERIFY(batch);
    m_bench->design.edit(u"typed"_s, [](JobSpec& spec) { spec.training.globalBatch = 64; });
    QVERIFY(m_bench->finding(u"C04"_s)); // at once
    QTRY_COMPARE(m_bench->design.spec().training.globalBatch, batch);
    QVERIFY(!m_bench->finding(u"C04"_s));
    QVERIFY(m_bench->notice().contains(u"put back"_s));
    // What is open stays as it was typed.
    m_bench->design.edit(u"typed"_s, [](JobSpec& spec) { spec.resources.gpusPerNode = 1; });
    QApplication::processEvents();
    QCOMPARE(m_bench->design.spec().resources.gpusPerNode, 1);
}

void ClassControllerTest::undoIsNotFoughtAgainst()
{
    m_bench->begin();
    m_bench->design.edit(u"typed"_s, [](JobSpec& spec) { spec.training.globalBatch = 64; });
    QTRY_VERIFY(!m_bench->finding(u"C04"_s));
    QVERIFY(m_bench->design.undo());
    QApplication::processEvents();
    QVERIFY(m_bench->design.canRedo()); // not lost
    const Finding* locked = m_bench->finding(u"C04"_s);
    QVERIFY(locked && locked->fix);
    JobSpec fixed = m_bench->design.spec();
    locked->fix->apply(fixed);
    QVERIFY(fixed.training.globalBatch != 64);
}

void ClassControllerTest::limitsAreErrorsThatALaunchStopsAt()
{
    m_bench->begin();
    m_bench->design.edit(u"typed"_s, [](JobSpec& spec) { spec.time = Seconds{48LL * 3600}; });
    QApplication::processEvents();
    const Finding* tooLong = m_bench->finding(u"C03"_s);
    QVERIFY(tooLong);
    QCOMPARE(tooLong->severity, Severity::Error);
    const SubmitOrder order = submitOrder(m_bench->design.spec(), m_bench->design.derived(), SubmitPurpose::Submission);
    QVERIFY(std::any_of(order.findings.cbegin(), order.findings.cend(),
        [](const Finding& finding) { return finding.rule == u"C03"_s; }));
}

void ClassControllerTest::jobsBelongToTheirExercise()
{
    m_bench->begin();
    const QString text = checkText({ClassCheckKind::Submitted, 0, 0, {}, {}, {}});
    QCOMPARE(m_bench->state(text), CheckState::NotYet);
    m_bench->submit(u"17"_s);
    QCOMPARE(m_bench->state(text), CheckState::Seen);
    const QString first = m_bench->controller.file()->exercises.first().id;
    QCOMPARE(m_bench->controller.place().runs.value(first).size(), 1);
    emit m_bench->controller.panel()->exerciseWanted(1);
    QVERIFY(m_bench->controller.place().runs.value(m_bench->controller.file()->exercises.at(1).id).isEmpty());
    QApplication::processEvents();
}

/// Between the click and Slurm's answer one goes on, with another design.
void ClassControllerTest::aJobIsOfTheExerciseInWhichItWasAskedFor()
{
    m_bench->begin();
    const QString practice = QString::fromUtf16(practiceName);
    const LaunchFacts facts = launchFacts(m_bench->design);
    emit m_bench->launch.asked(facts, SubmitPurpose::Submission);
    emit m_bench->controller.panel()->exerciseWanted(1);
    m_bench->design.edit(u"more"_s, [](JobSpec& spec) { spec.resources.gpusPerNode = 1; });
    QVERIFY(launchFacts(m_bench->design).gpus != facts.gpus);
    LaunchFacts elsewhere = facts;
    elsewhere.cluster = u"lumi"_s; // another launch, on another cluster
    emit m_bench->launch.asked(elsewhere, SubmitPurpose::Submission);
    emit m_bench->launch.jobSubmitted(u"17"_s, practice);
    const ClassFile& file = *m_bench->controller.file();
    const ClassPlace& place = m_bench->controller.place();
    QVERIFY(place.runs.value(file.exercises.at(1).id).isEmpty());
    QCOMPARE(place.runs.value(file.exercises.first().id).value(0).gpus, std::optional(facts.gpus));
    // A refusal by another cluster keeps nobody.
    SubmitState state;
    state.stage = SubmitState::Stage::Refused;
    state.error = {Fault::RemoteExit, u"Invalid account"_s, {}, {}};
    emit m_bench->launch.stateChanged(state, u"lumi"_s);
    QVERIFY(m_bench->controller.presentLine().stuckOn.isEmpty());
    QApplication::processEvents();
}

/// “Dry run” while a launch waits for its upload: the job is the launch's.
void ClassControllerTest::aRehearsalIsNoLaunch()
{
    m_bench->begin();
    const LaunchFacts launched = launchFacts(m_bench->design);
    emit m_bench->launch.asked(launched, SubmitPurpose::Submission);
    emit m_bench->controller.panel()->exerciseWanted(1);
    LaunchFacts rehearsed = launched;
    rehearsed.gpus = launched.gpus + 7;
    emit m_bench->launch.asked(rehearsed, SubmitPurpose::Rehearsal);
    emit m_bench->launch.jobSubmitted(u"17"_s, QString::fromUtf16(practiceName));
    const ClassFile& file = *m_bench->controller.file();
    const ClassPlace& place = m_bench->controller.place();
    QVERIFY(place.runs.value(file.exercises.at(1).id).isEmpty());
    QCOMPARE(place.runs.value(file.exercises.first().id).value(0).gpus, std::optional(launched.gpus));
    QApplication::processEvents();
}

/// What was asked for before a class began is none of it.
void ClassControllerTest::aJobOfBeforeIsNone()
{
    emit m_bench->launch.asked(launchFacts(m_bench->design), SubmitPurpose::Submission);
    m_bench->begin();
    emit m_bench->launch.jobSubmitted(u"17"_s, QString::fromUtf16(practiceName));
    QVERIFY(m_bench->controller.place().runs.isEmpty());
}

void ClassControllerTest::whatSlurmRefusedKeepsAnAttendee()
{
    m_bench->begin();
    QVERIFY(m_bench->controller.presentLine().stuckOn.isEmpty());
    SubmitState state;
    state.stage = SubmitState::Stage::Refused;
    state.error = {Fault::Offline, u"away"_s, {}, {}};
    emit m_bench->launch.stateChanged(state, QString::fromUtf16(practiceName));
    QVERIFY(m_bench->controller.presentLine().stuckOn.isEmpty()); // nobody refused anything
    state.error = {Fault::RemoteExit, u"Invalid account"_s, {}, {}};
    emit m_bench->launch.stateChanged(state, QString::fromUtf16(practiceName));
    QCOMPARE(m_bench->controller.presentLine().stuckOn, u"slurm-refused"_s);
    state.stage = SubmitState::Stage::Submitted;
    emit m_bench->launch.stateChanged(state, QString::fromUtf16(practiceName));
    QVERIFY(m_bench->controller.presentLine().stuckOn.isEmpty());
}

void ClassControllerTest::whereOneIsIsKept()
{
    m_bench->begin();
    emit m_bench->controller.panel()->hintWanted();
    emit m_bench->controller.panel()->exerciseWanted(2);
    m_bench->submit(u"18"_s);
    const ClassPlace place = m_bench->controller.place();
    QCOMPARE(place.index(*m_bench->controller.file()), 2);
    QApplication::processEvents();
    m_bench.reset();
    m_bench = std::make_unique<Bench>(m_folder->path());
    JobSpec own; // another design is in the window by now: offered, not done
    own.cluster = QString::fromUtf16(practiceName);
    m_bench->documents.beginUnsaved(own);
    m_bench->controller.restore();
    QTRY_VERIFY(m_bench->notice().contains(u"in a class"_s));
    QVERIFY(!m_bench->controller.isActive());
    QVERIFY(m_bench->design.spec() == own);
    m_bench->documents.begin(JobSpec());
    m_bench->begin();
    QVERIFY(m_bench->controller.place() == place);
    QCOMPARE(m_bench->controller.panel()->exercise(), 2);
}

void ClassControllerTest::goingBackFindsTheDesign()
{
    m_bench->begin();
    m_bench->design.edit(u"typed"_s, [](JobSpec& spec) { spec.resources.gpusPerNode = 1; });
    const JobSpec worked = m_bench->design.spec();
    emit m_bench->controller.panel()->exerciseWanted(1);
    emit m_bench->controller.panel()->exerciseWanted(0);
    QVERIFY(m_bench->design.spec() == worked);
    emit m_bench->controller.panel()->againWanted();
    QVERIFY(m_bench->design.spec() != worked);
    emit m_bench->controller.panel()->exerciseWanted(-1); // no such one
    emit m_bench->controller.panel()->exerciseWanted(99);
    QCOMPARE(m_bench->controller.panel()->exercise(), 0);
}

void ClassControllerTest::theSolutionNeedsConsent()
{
    m_bench->begin();
    const JobSpec start = m_bench->design.spec();
    emit m_bench->controller.panel()->applyWanted(); // not shown yet
    QVERIFY(m_bench->design.spec() == start);
    emit m_bench->controller.panel()->solutionWanted();
    emit m_bench->controller.panel()->applyWanted();
    QVERIFY(m_bench->design.spec() != start);
    QApplication::processEvents();
    QVERIFY(!m_bench->finding(u"C04"_s)); // the class's own solution stays within the class
    QVERIFY(m_bench->design.undo());
    QVERIFY(m_bench->design.spec() == start);
}

void ClassControllerTest::leavingGivesTheFormBack()
{
    m_bench->begin();
    const JobSpec worked = m_bench->design.spec();
    m_bench->controller.panel()->findChild<QPushButton*>(u"leave"_s)->click();
    QTRY_VERIFY(!m_bench->controller.isActive());
    QVERIFY(!m_bench->page->sidePanel());
    QVERIFY(m_bench->page->findChild<DesignForm*>()->isVisible());
    QVERIFY(m_bench->design.spec() == worked);
    m_bench->design.edit(u"typed"_s, [](JobSpec& spec) { spec.training.globalBatch = 64; });
    QApplication::processEvents();
    QCOMPARE(m_bench->design.spec().training.globalBatch, 64);
    QVERIFY(!m_bench->finding(u"C04"_s));
    QVERIFY(m_bench->settings.openClass().isEmpty());
}

void ClassControllerTest::anotherDesignLeavesTheClass()
{
    m_bench->begin();
    JobSpec own;
    own.cluster = u"lumi"_s;
    own.name = u"own"_s;
    m_bench->documents.begin(own);
    QTRY_VERIFY(!m_bench->controller.isActive());
    QVERIFY(m_bench->design.spec() == own); // nothing was put back into it
    QVERIFY(m_bench->notice().contains(u"left the class"_s));
    // Opening a second class in place of the first does not count as leaving.
    m_bench->begin();
    m_bench->controller.openShipped(u"mpcdf-scaling-practice"_s);
    m_bench->controller.question()->accept();
    QApplication::processEvents();
    QVERIFY(m_bench->controller.isActive());
    QVERIFY(m_bench->controller.panel());
}

void ClassControllerTest::unsignedIsRefused()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    const JobSpec before = m_bench->design.spec();
    const QByteArray content = writeClass(newClass(u"lumi"_s, u"Our course"_s, u"Ada"_s));
    m_bench->controller.open(write(u"unsigned.rwclass"_s, content));
    QTRY_VERIFY(m_bench->controller.question());
    QVERIFY(!m_bench->controller.question()->findChild<QPushButton*>(u"accept"_s));
    m_bench->controller.question()->accept(); // even so
    QVERIFY(!m_bench->controller.isActive());
    QVERIFY(m_bench->design.spec() == before);
}

void ClassControllerTest::aSignedOneIsRememberedOnAcceptance()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    QTemporaryDir teacher;
    const auto key = teacherKey(teacher.path());
    QVERIFY_RESULT(key);
    const auto made = signClass(newClass(u"lumi"_s, u"Our course"_s, u"Ada"_s), *key);
    QVERIFY_RESULT(made);
    const QString path = write(u"course.rwclass"_s, writeClass(*made));
    QSignalSpy begun(&m_bench->controller, &ClassController::classBegun);
    m_bench->controller.open(path);
    QTRY_VERIFY(m_bench->controller.question());
    m_bench->controller.question()->accept();
    QTRY_COMPARE(begun.size(), 1);
    QCOMPARE(verifyClass(*made, m_folder->path())->trust, ClassTrust::KnownKey);
    // The same names with another key: refused.
    QTemporaryDir stranger;
    const auto other = signClass(newClass(u"lumi"_s, u"Our course"_s, u"Ada"_s), *teacherKey(stranger.path()));
    QVERIFY_RESULT(other);
    m_bench->controller.open(write(u"other.rwclass"_s, writeClass(*other)));
    QTRY_VERIFY(m_bench->controller.question());
    QVERIFY(!m_bench->controller.question()->findChild<QPushButton*>(u"accept"_s));
    QStringList texts;
    for (const QLabel* label : m_bench->controller.question()->findChildren<QLabel*>())
        texts.append(label->text());
    QVERIFY(!texts.filter(u"rankwright-cli class forget"_s).isEmpty());
}

void ClassControllerTest::strangeFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("PK\x03\x04");
    QTest::newRow("a design") << QByteArray(R"({"version": 1, "name": "x", "cluster": "lumi"})");
    QTest::newRow("a host") << QByteArray(R"({"format": "rankwright-class", "version": 1, "host": "evil.example"})");
    QTest::newRow("too large") << QByteArray((1 << 20) + 1, ' ');
}

void ClassControllerTest::strangeFilesAreRefused()
{
    QFETCH(const QByteArray, content);
    QSignalSpy failed(&m_bench->controller, &ClassController::failed);
    m_bench->controller.open(write(u"strange.rwclass"_s, content));
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(!m_bench->controller.question());
    QVERIFY(!m_bench->notice().isEmpty());
    m_bench->controller.open(m_folder->path()); // a folder
    QTRY_COMPARE(failed.size(), 2);
}

void ClassControllerTest::linksFetchNothing()
{
    m_bench->controller.openLink(u"rankwright://class?url=https%3A%2F%2Fexample.org%2Fa.rwclass"_s);
    QVERIFY(m_bench->notice().contains(u"https://example.org/a.rwclass"_s));
    QVERIFY(!m_bench->controller.question());
    QSignalSpy failed(&m_bench->controller, &ClassController::failed);
    m_bench->controller.openLink(u"rankwright://class?url=file%3A%2F%2F%2Fetc%2Fpasswd"_s);
    QCOMPARE(failed.size(), 1);
}

/// As after a crash: the design comes back by its own way, the class goes on without a question.
void ClassControllerTest::aRestartGoesOn()
{
    m_bench->begin();
    emit m_bench->controller.panel()->exerciseWanted(2);
    const JobSpec worked = m_bench->design.spec();
    m_bench->documents.flushAutosave();
    QApplication::processEvents();
    m_bench.reset();
    m_bench = std::make_unique<Bench>(m_folder->path());
    QVERIFY_RESULT(m_bench->documents.restoreAutosave());
    QVERIFY(m_bench->design.spec() == worked);
    QSignalSpy begun(&m_bench->controller, &ClassController::classBegun);
    m_bench->controller.restore();
    QTRY_COMPARE(begun.size(), 1);
    QCOMPARE(m_bench->controller.panel()->exercise(), 2);
    QVERIFY(m_bench->design.spec() == worked); // restored by others
    QVERIFY(!m_bench->controller.question());
    // Nothing was edited in the first exercise: it begins as it began.
    emit m_bench->controller.panel()->exerciseWanted(0);
    const JobSpec first = m_bench->design.spec();
    m_bench->documents.dropAutosave();
    QApplication::processEvents();
    m_bench.reset();
    m_bench = std::make_unique<Bench>(m_folder->path());
    m_bench->controller.restore();
    QTRY_VERIFY(m_bench->controller.isActive());
    QVERIFY(m_bench->design.spec() == first);
}

void ClassControllerTest::anotherFileIsAskedAboutAnew()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    QTemporaryDir teacher;
    const auto key = teacherKey(teacher.path());
    QVERIFY_RESULT(key);
    ClassFile file = newClass(u"lumi"_s, u"Our course"_s, u"Ada"_s);
    const auto made = signClass(file, *key);
    QVERIFY_RESULT(made);
    const QString path = write(u"course.rwclass"_s, writeClass(*made));
    QSignalSpy begun(&m_bench->controller, &ClassController::classBegun);
    m_bench->controller.open(path);
    QTRY_VERIFY(m_bench->controller.question());
    m_bench->controller.question()->accept();
    QTRY_COMPARE(begun.size(), 1);
    m_bench->documents.flushAutosave();
    // The same teacher has signed more, which nobody was asked about.
    file.progressFolder = u"/scratch/course"_s;
    const auto more = signClass(file, *key);
    QVERIFY_RESULT(more);
    QVERIFY(!write(u"course.rwclass"_s, writeClass(*more)).isEmpty());
    QApplication::processEvents();
    m_bench.reset();
    m_bench = std::make_unique<Bench>(m_folder->path());
    QVERIFY_RESULT(m_bench->documents.restoreAutosave());
    m_bench->controller.restore();
    QTRY_VERIFY(m_bench->controller.question());
    QVERIFY(!m_bench->controller.isActive());
}

void ClassControllerTest::aNewKeyIsKeptOnlyOnConsent()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    QTemporaryDir teacher;
    const auto key = teacherKey(teacher.path());
    QVERIFY_RESULT(key);
    const auto made = signClass(newClass(u"practice"_s, u"A course"_s, u"Ada"_s), *key);
    QVERIFY_RESULT(made);
    const QString path = write(u"a.rwclass"_s, writeClass(*made));
    m_bench->controller.openLink(u"rankwright://class?file="_s + path);
    QTRY_VERIFY(m_bench->controller.question());
    m_bench->controller.question()->reject();
    QCOMPARE(verifyClass(*made, m_folder->path())->trust, ClassTrust::NewKey);
    QTRY_VERIFY(!m_bench->controller.question());
    m_bench->controller.open(path);
    QTRY_VERIFY(m_bench->controller.question());
    m_bench->controller.question()->accept();
    QTRY_VERIFY(m_bench->controller.isActive());
    QCOMPARE(verifyClass(*made, m_folder->path())->trust, ClassTrust::KnownKey);
}

/// A class that leaves nearly all open fits any design of its cluster: its exercise begins all the same.
void ClassControllerTest::anOwnDesignOfTheSameClusterIsReplaced()
{
    JobSpec own;
    own.cluster = QString::fromUtf16(practiceName);
    own.name = u"own"_s;
    m_bench->documents.begin(own);
    const QString mine = m_folder->filePath(u"mine.json"_s);
    QVERIFY_RESULT(m_bench->documents.saveAs(mine));
    m_bench->begin();
    QVERIFY(m_bench->design.spec().name != u"own"_s);
    QVERIFY(m_bench->documents.path().isEmpty());
    QVERIFY_RESULT(m_bench->documents.open(mine));
    QVERIFY(m_bench->design.spec() == own);
}

/// What only the report knows reaches the checks, and the job's place in the class is kept.
void ClassControllerTest::reportsAreTold()
{
    m_bench->begin();
    m_bench->submit(u"17"_s);
    QApplication::processEvents();
    RunFacts seen;
    seen.job = u"17"_s;
    seen.state = JobState::Completed;
    seen.at = QDateTime::currentDateTimeUtc();
    seen.leastBusyPercent = 97;
    emit m_bench->controller.findChild<ClassRuns*>()->factsReported(seen);
    const QString first = m_bench->controller.file()->exercises.first().id;
    const RunFacts kept = m_bench->controller.place().runs.value(first).value(0);
    QCOMPARE(kept.state, JobState::Completed);
    QCOMPARE(kept.leastBusyPercent, 97.);
    seen.job = u"18"_s; // nobody's
    emit m_bench->controller.findChild<ClassRuns*>()->factsReported(seen);
    QCOMPARE(m_bench->controller.place().runs.value(first).size(), 1);
}

void ClassControllerTest::whyAJobFailedStandsBesideItsCheck()
{
    m_bench->begin();
    const auto shown = [this](const QString& name) {
        QStringList texts;
        const auto* list = m_bench->controller.panel()->findChild<ClassCheckList*>();
        for (const QLabel* label : list->findChildren<QLabel*>(name))
            if (label->isVisibleTo(list))
                texts.append(label->text());
        return texts.join(u'\n');
    };
    m_bench->submit(u"17"_s);
    QApplication::processEvents();
    QCOMPARE(shown(u"checkRemedy"_s) + shown(u"checkHint"_s), QString()); // nothing has failed yet
    EfficiencyReport report;
    report.job.id = u"17"_s;
    report.job.state = JobState::Failed;
    report.job.ended = QDateTime::currentDateTimeUtc();
    QVERIFY(!runFacts(report.job, nullptr).trouble.isEmpty()); // Slurm's own words
    Diagnosis found;
    found.kind = u"oom_gpu"_s;
    found.evidence = u"torch.OutOfMemoryError: HIP out of memory."_s;
    found.advice = u"Halve the micro-batch."_s;
    report.diagnoses = {found};
    emit m_bench->controller.findChild<ClassRuns*>()->factsReported(runFacts(report.job, &report));
    QCOMPARE(shown(u"checkRemedy"_s), found.advice);
    QVERIFY(shown(u"checkHint"_s).contains(u"The last lines of the log"_s)); // the class's own
    QStringList places;
    for (const CheckVerdict& verdict : m_bench->controller.verdicts())
        places.append(verdict.where);
    QVERIFY2(places.join(u'\n').contains(found.evidence), qPrintable(places.join(u'\n')));
    // Kept: the next start says the same.
    const QString first = m_bench->controller.file()->exercises.first().id;
    QCOMPARE(readPlace(writePlace(m_bench->controller.place())).runs.value(first).value(0).remedy, found.advice);
    m_bench->submit(u"18"_s);
    QApplication::processEvents();
    report.job.id = u"18"_s;
    report.job.state = JobState::Completed;
    emit m_bench->controller.findChild<ClassRuns*>()->factsReported(runFacts(report.job, nullptr));
    QCOMPARE(shown(u"checkRemedy"_s), QString());
}

void ClassControllerTest::tooManyNodesAreAnError()
{
    m_bench->controller.openShipped(u"lumi-ai-course"_s);
    m_bench->controller.question()->accept();
    QVERIFY(!m_bench->finding(u"C01"_s));
    m_bench->design.edit(u"Too many"_s, [](JobSpec& spec) { spec.resources.nodes = 500; });
    QVERIFY(m_bench->finding(u"C01"_s));
    QVERIFY(m_bench->design.undo());
    QVERIFY(!m_bench->finding(u"C01"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassControllerTest)
#include "tst_classcontroller.moc"
