// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classsharing.h"
#include "app/classroom/classsigner.h"
#include "app/session/clustersession.h"
#include "app/window/classcontroller.h"
#include "app/window/links/connections.h"
#include "models/teaching/classroom/classwriter.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/app/support/windowbench.h"
#include "tests/journeys/support/keyboard.h"
#include "tests/journeys/support/practicebench.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/classroom/classpanel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>

#include <algorithm>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int mostArrows = 30;

} // namespace

/// A class as an attendee goes through it in the real window, by the keyboard alone: the teacher's file, consent, three
/// exercises, each checked by the program, and the program gone in the middle of it.
class JourneyClassTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() override
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        if (m_isBroken)
            QSKIP("the journey ended before this part of it");
        m_isBroken = true; // until the part has been gone through
    }
    void cleanup() { m_isBroken = m_isBroken || QTest::currentTestFailed(); }
    void cleanupTestCase()
    {
        m_bench.reset();
        if (!m_practice.status().host.isEmpty()) {
            m_practice.remote(u"rm -rf ~/"_s + m_progress);
            m_practice.cancelAll();
        }
    }
    void aClassFileIsAgreedTo();
    void theClusterIsConnected();
    void theFirstExercise();
    void aCrashInTheMiddle();
    void aSlipIsExplained();
    void theSecondExercise();
    void theThirdExercise();
    void theTeacherSeesTheSteps();

private:
    ClassController& classes() const { return m_bench->workbench->classes(); }
    Design& design() const { return m_bench->design(); }
    QString exercise(int index) const { return classes().file()->exercises.at(index).id; }
    bool start(const QString& folder, const QString& file);
    /// Chooses in a field, or types into it, until the design says so.
    bool set(const FieldPath& path, const QString& text, const std::function<bool(const JobSpec&)>& isSet);
    bool launches(int index);
    bool runExercise(int index);
    QString shown() const;
    bool goToNext(int index);
    QString verdicts() const;

    PracticeBench m_practice;
    QTemporaryDir m_folder;
    QTemporaryDir m_afterCrash;
    QTemporaryDir m_teacher;
    QString m_file;
    QString m_progress; ///< folder in the home folder of the cluster
    std::unique_ptr<WindowBench> m_bench;
    bool m_isBroken = false;
};

void JourneyClassTest::initTestCase()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    const QString missing = m_practice.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_progress = u"class-journey-%1"_s.arg(QCoreApplication::applicationPid());
    m_practice.remote(u"mkdir -p ~/"_s + m_progress);
    const QList<ShippedClass> shipped = shippedClasses();
    const auto lumi = std::find_if(shipped.cbegin(), shipped.cend(),
        [](const ShippedClass& one) { return one.name == u"lumi-ai-course-practice"_s; });
    QVERIFY(lumi != shipped.cend());
    ClassFile file = unsignedClass(lumi->file);
    file.readBytes.clear();
    file.title = u"Our course"_s;
    file.author = u"Ada, Institute"_s;
    file.progressFolder = u"~/"_s + m_progress;
    const auto key = teacherKey(m_teacher.path());
    QVERIFY_RESULT(key);
    const auto made = signClass(file, *key);
    QVERIFY_RESULT(made);
    m_file = m_teacher.filePath(u"course.rwclass"_s);
    QFile target(m_file);
    QVERIFY(target.open(QIODevice::WriteOnly));
    const QByteArray bytes = writeClass(*made);
    QCOMPARE(target.write(bytes), bytes.size());
}

bool JourneyClassTest::start(const QString& folder, const QString& file)
{
    m_bench.reset();
    m_bench = std::make_unique<WindowBench>(folder);
    return m_bench->start({1280, 800}, file);
}

QString JourneyClassTest::verdicts() const
{
    QStringList lines;
    for (const CheckVerdict& verdict : classes().verdicts())
        lines.append(u"%1: %2 (%3)"_s.arg(toText(verdict.state), verdict.text, verdict.where));
    for (const Finding& finding : design().derived().findings())
        if (finding.severity == Severity::Error)
            lines.append(finding.rule + u' ' + finding.text);
    return lines.join(u'\n');
}

bool JourneyClassTest::set(const FieldPath& path, const QString& text, const std::function<bool(const JobSpec&)>& isSet)
{
    QWidget* control = nullptr; // the first row in view: the kind before its variants
    for (auto* each : classes().panel()->findChildren<QWidget*>(path))
        control = !control && each->isVisible() ? each : control;
    if (!control || !tabTo(control)) {
        qWarning("%s is not reached by Tab", qPrintable(path));
        return false;
    }
    if (qobject_cast<QLineEdit*>(control)) {
        pressKey(Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), text);
    } else if (qobject_cast<QComboBox*>(control)) {
        pressKey(Qt::Key_Home);
        for (int i = 0; i < mostArrows && !isSet(design().spec()); ++i)
            pressKey(Qt::Key_Down);
    } else {
        for (const int arrow : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Left})
            for (int i = 0; i < mostArrows && !isSet(design().spec()); ++i)
                pressKey(arrow);
    }
    if (!isSet(design().spec()))
        qWarning("%s was not taken: %s, focus on %s", qPrintable(path), control->metaObject()->className(),
            QApplication::focusWidget() ? QApplication::focusWidget()->metaObject()->className() : "nothing");
    return isSet(design().spec());
}

/// Launches what is designed, and waits until that job has COMPLETED.
bool JourneyClassTest::launches(int index)
{
    const auto runs = [this, index] { return classes().place().runs.value(exercise(index)); };
    const auto before = runs().size();
    pressKey(Qt::Key_F5, Qt::ControlModifier);
    return waitUntil([&] { return runs().size() > before && runs().first().state == JobState::Completed; });
}

/// Launches what is designed, and waits until the program has seen every check.
bool JourneyClassTest::runExercise(int index)
{
    const auto isThrough = [this] {
        const QList<CheckVerdict> verdicts = classes().verdicts();
        return std::all_of(
            verdicts.cbegin(), verdicts.cend(), [](const CheckVerdict& one) { return one.state == CheckState::Seen; });
    };
    const bool isDone = launches(index) && waitUntil(isThrough);
    qInfo("exercise %d: %s\n%s", index + 1, isDone ? "done" : "not done", qPrintable(verdicts()));
    return isDone;
}

/// What can be read in the class's panel.
QString JourneyClassTest::shown() const
{
    QStringList texts;
    for (const QLabel* label : classes().panel()->findChildren<QLabel*>())
        if (label->isVisible())
            texts.append(label->text());
    return texts.join(u'\n');
}

bool JourneyClassTest::goToNext(int index)
{
    pressKey(Qt::Key_1, Qt::ControlModifier); // the Design page
    auto* next = classes().panel()->findChild<QPushButton*>(u"nextExercise"_s);
    if (!test::comes([next] { return next->isVisible() && next->isEnabled(); }) || !tabTo(next))
        return false;
    pressKey(Qt::Key_Space);
    return classes().panel()->exercise() == index;
}

void JourneyClassTest::aClassFileIsAgreedTo()
{
    QVERIFY(start(m_folder.path(), m_file));
    QTRY_VERIFY(classes().question());
    ClassConsentDialog* question = classes().question();
    QApplication::setActiveWindow(question); // as the desktop does
    // A key that was not seen before: Enter alone would refuse, so the way on is taken on purpose.
    auto* shares = question->findChild<QCheckBox*>(u"shares"_s);
    QVERIFY(shares && !shares->isChecked());
    QVERIFY(tabTo(shares));
    pressKey(Qt::Key_Space);
    QVERIFY(question->sharesProgress());
    auto* accept = question->findChild<QPushButton*>(u"accept"_s);
    QVERIFY(accept && tabTo(accept));
    pressKey(Qt::Key_Space);
    QTRY_VERIFY(classes().isActive());
    QApplication::setActiveWindow(&m_bench->window());
    QVERIFY(classes().place().shares);
    QVERIFY(classes().panel()->isVisible());
    QTRY_VERIFY(QApplication::focusWidget() && classes().panel()->isAncestorOf(QApplication::focusWidget()));
    m_isBroken = false;
}

void JourneyClassTest::theClusterIsConnected()
{
    pressKey(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"connect practice"_s);
    pressKey(Qt::Key_Return);
    QTRY_VERIFY(m_bench->workbench->connections().isOnline(u"practice"_s));
    pressKey(Qt::Key_1, Qt::ControlModifier);
    m_isBroken = false;
}

void JourneyClassTest::theFirstExercise()
{
    QVERIFY(!classes().panel()->findChild<QPushButton*>(u"nextExercise"_s)->isEnabled());
    QVERIFY(
        set(u"resources.gpusPerNode"_s, u"1"_s, [](const JobSpec& spec) { return spec.resources.gpusPerNode == 1; }));
    QVERIFY(set(field::strategy, {},
        [this](const JobSpec&) { return design().derived().resolved.strategy == Strategy::Single; }));
    QVERIFY(set(field::launcher, {}, [](const JobSpec& spec) { return spec.launcher == Launcher::Srun; }));
    QVERIFY2(runExercise(0), qPrintable(verdicts()));
    QVERIFY(goToNext(1));
    m_isBroken = false;
}

/// What is on the disk at this moment is all that a killed program leaves: the next one begins with a copy of it.
void JourneyClassTest::aCrashInTheMiddle()
{
    QVERIFY(
        set(u"resources.gpusPerNode"_s, u"8"_s, [](const JobSpec& spec) { return spec.resources.gpusPerNode == 8; }));
    const JobSpec worked = design().spec();
    const ClassPlace place = classes().place();
    const QDir before(m_folder.path());
    const auto isKept = [&before] {
        for (const QString& name : before.entryList({u"unsaved-design*.json"_s})) {
            QFile draft(before.filePath(name));
            if (draft.open(QIODevice::ReadOnly) && draft.readAll().contains("whole-node"))
                return true;
        }
        return false;
    };
    QTRY_VERIFY(isKept());
    quietFor(1000); // settings are written soon after they change
    for (const QFileInfo& each : before.entryInfoList(QDir::Files | QDir::Hidden)) {
        if (!each.fileName().endsWith(u".lock"_s)) // whose owner would be dead
            QVERIFY(QFile::copy(each.filePath(), m_afterCrash.filePath(each.fileName())));
    }
    for (const QFileInfo& each : before.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QVERIFY(QDir(m_afterCrash.path()).mkpath(each.fileName()));
        for (const QFileInfo& inner : QDir(each.filePath()).entryInfoList(QDir::Files | QDir::Hidden))
            QFile::copy(inner.filePath(), m_afterCrash.filePath(each.fileName() + u'/' + inner.fileName()));
    }
    QVERIFY(start(m_afterCrash.path(), {}));
    QTRY_VERIFY(classes().isActive());
    QVERIFY(!classes().question()); // it was agreed to
    QCOMPARE(classes().panel()->exercise(), 1);
    QVERIFY(design().spec() == worked);
    QCOMPARE(classes().place().runs.value(exercise(0)).size(), place.runs.value(exercise(0)).size());
    QVERIFY(classes().place().done.contains(exercise(0)));
    QVERIFY(classes().place().shares);
    pressKey(Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), u"connect practice"_s);
    pressKey(Qt::Key_Return);
    QTRY_VERIFY(m_bench->workbench->connections().isOnline(u"practice"_s));
    pressKey(Qt::Key_1, Qt::ControlModifier);
    m_isBroken = false;
}

/// One process on eight GCDs: the job completes, and the program says what it saw, what is missing, and a hint.
void JourneyClassTest::aSlipIsExplained()
{
    QVERIFY(
        set(field::partition, u"standard-g"_s, [](const JobSpec& spec) { return spec.partition == u"standard-g"_s; }));
    QVERIFY2(launches(1), qPrintable(verdicts()));
    const auto verdict = [this](ClassCheckKind kind) {
        const QList<ClassCheck> checks = classes().file()->exercises.at(1).checks;
        const auto at
            = std::find_if(checks.cbegin(), checks.cend(), [kind](const ClassCheck& one) { return one.kind == kind; });
        return classes().verdicts().value(at - checks.cbegin());
    };
    QTRY_COMPARE(verdict(ClassCheckKind::Completed).state, CheckState::Seen);
    QTRY_COMPARE(verdict(ClassCheckKind::GpusBusy).state, CheckState::NotYet);
    QCOMPARE(verdict(ClassCheckKind::LauncherIs).state, CheckState::NotYet);
    QCOMPARE(verdict(ClassCheckKind::GpusAsked).state, CheckState::Seen);
    qInfo("%s", qPrintable(verdicts()));
    pressKey(Qt::Key_1, Qt::ControlModifier); // the Design page
    for (const ClassCheckKind kind : {ClassCheckKind::GpusBusy, ClassCheckKind::LauncherIs}) {
        QVERIFY(!verdict(kind).where.isEmpty());
        QVERIFY2(shown().contains(verdict(kind).where), qPrintable(shown()));
    }
    QVERIFY2(verdict(ClassCheckKind::GpusBusy).where.contains(u"was busy for"_s), qPrintable(verdicts()));
    QVERIFY(!classes().panel()->findChild<QPushButton*>(u"nextExercise"_s)->isEnabled());
    const QString hint = u"torchrun is one task of Slurm on each node"_s;
    QVERIFY(!shown().contains(hint));
    for (int i = 0; i < 2; ++i) {
        QVERIFY(tabTo(classes().panel()->findChild<QPushButton*>(u"nextHint"_s)));
        pressKey(Qt::Key_Space);
    }
    QVERIFY2(shown().contains(hint), qPrintable(shown()));
    m_isBroken = false;
}

void JourneyClassTest::theSecondExercise()
{
    QVERIFY(set(field::strategy, {}, [](const JobSpec& spec) { return spec.parallel.strategy == Strategy::Ddp; }));
    QVERIFY(set(field::launcher, {}, [](const JobSpec& spec) { return spec.launcher == Launcher::Torchrun; }));
    QVERIFY2(runExercise(1), qPrintable(verdicts()));
    QVERIFY(goToNext(2));
    m_isBroken = false;
}

void JourneyClassTest::theThirdExercise()
{
    QVERIFY(set(field::launcher, {}, [](const JobSpec& spec) { return spec.launcher == Launcher::Srun; }));
    QVERIFY(set(u"options.cpuBinding"_s, {}, [this](const JobSpec&) { return design().derived().ranks.bound; }));
    QVERIFY2(runExercise(2), qPrintable(verdicts()));
    m_isBroken = false;
}

/// One line for each step, of this attendee and nobody else.
void JourneyClassTest::theTeacherSeesTheSteps()
{
    const ClusterSession* session = m_bench->workbench->connections().session(u"practice"_s);
    QVERIFY(session && session->facts());
    QString lines;
    QList<ProgressRow> rows;
    const auto isSeen = [&] {
        lines = m_practice.remote(u"cat ~/%1/*.progress"_s.arg(m_progress));
        rows = progressTable(
            readProgress(session->facts()->user, lines.toUtf8(), QDateTime::currentDateTimeUtc()).lines);
        return rows.size() == 1 && rows.first().done == classes().place().done.size()
            && rows.first().exercise == exercise(2) && rows.first().seen == rows.first().checks;
    };
    QVERIFY2(waitUntil(isSeen), qPrintable(lines + verdicts()));
    QCOMPARE(rows.first().done, 3);
    QVERIFY2(rows.first().stuckOn.isEmpty(), qPrintable(rows.first().stuckOn));
    QTRY_VERIFY(classes().place().owed.isEmpty()); // the file has the line before its answer is here
    m_isBroken = false;
}

RANKWRIGHT_WIDGET_TEST_MAIN(JourneyClassTest)
#include "tst_journey_class.moc"
