// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classsigner.h"
#include "app/session/practicedesign.h"
#include "app/window/links/connections.h"
#include "models/teaching/classroom/classreader.h"
#include "tests/app/support/windowbench.h"
#include "tests/journeys/support/keyboard.h"
#include "tests/journeys/support/practicebench.h"
#include "widgets/classroom/classeditordialog.h"
#include "widgets/classroom/classpanel.h"
#include "widgets/classroom/classpreviewdialog.h"
#include "widgets/classroom/solutiontrial.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTabBar>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// What has this name for a screen reader; the first that is in view.
template <typename Widget>
Widget* named(const QWidget& within, const QString& name)
{
    for (auto* each : within.findChildren<Widget*>())
        if (each->isVisible() && each->accessibleName() == name)
            return each;
    return nullptr;
}

QString textsOf(const QWidget& within)
{
    QStringList texts;
    for (const QLabel* label : within.findChildren<QLabel*>())
        if (label->isVisible())
            texts.append(label->text());
    return texts.join(u'\n');
}

} // namespace

/// A teacher's way in the real window, by the keyboard alone: a new class, filled in, signed, checked against the
/// practice cluster, seen as an attendee sees it.
class JourneyTeacherTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() override;
    void cleanup() { m_hasFailed = m_hasFailed || QTest::currentTestFailed(); }
    void cleanupTestCase() { m_bench.reset(); }
    void aNewClassIsInTheFileMenu();
    void itIsFilledIn();
    void itIsSigned();
    void itIsCheckedAgainstTheCluster();
    void itsSolutionsAreRun();
    void itIsSeenAsAnAttendeeSeesIt();

private:
    ClassEditorDialog* editor() const { return m_bench->window().findChild<ClassEditorDialog*>(); }
    bool fill(const QString& name, const QString& text);
    bool presses(const QString& button);
    bool showTab(int index);

    PracticeBench m_practice;
    QTemporaryDir m_folder;
    QString m_file;
    std::unique_ptr<WindowBench> m_bench;
    bool m_hasFailed = false;
};

void JourneyTeacherTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    if (m_hasFailed)
        QSKIP("the journey ended before this part of it");
    m_hasFailed = true; // until the part has been gone through
}

void JourneyTeacherTest::initTestCase()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    const QString missing = m_practice.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_file = m_folder.filePath(u"spring.rwclass"_s);
    m_bench = std::make_unique<WindowBench>(m_folder.path());
    QVERIFY(m_bench->start());
}

/// Tab to a line of text with this name, and write over it.
bool JourneyTeacherTest::fill(const QString& name, const QString& text)
{
    QWidget* at = named<QLineEdit>(*editor(), name);
    if (!at)
        at = named<QPlainTextEdit>(*editor(), name);
    if (!tabTo(at))
        return false;
    pressKey(Qt::Key_A, Qt::ControlModifier);
    typeKeys(text);
    return true;
}

bool JourneyTeacherTest::presses(const QString& button)
{
    auto* at = editor()->findChild<QPushButton*>(button);
    if (!at || !at->isVisible() || !at->isEnabled() || !tabTo(at))
        return false;
    pressKey(Qt::Key_Space);
    return true;
}

bool JourneyTeacherTest::showTab(int index)
{
    auto* bar = editor()->findChild<QTabBar*>();
    if (!tabTo(bar))
        return false;
    pressKey(Qt::Key_Home);
    for (int i = 0; i < bar->count() && bar->currentIndex() != index; ++i)
        pressKey(bar->currentIndex() < index ? Qt::Key_Right : Qt::Key_Left);
    return bar->currentIndex() == index;
}

void JourneyTeacherTest::aNewClassIsInTheFileMenu()
{
    pressKey(Qt::Key_F, Qt::AltModifier);
    QTRY_VERIFY(qobject_cast<QMenu*>(QApplication::activePopupWidget()));
    pressKey(Qt::Key_C); // New class …
    QTRY_VERIFY(editor() && editor()->isVisible());
    QApplication::setActiveWindow(editor()); // as the desktop does
    QTRY_COMPARE(QApplication::activeWindow(), editor());
    m_hasFailed = false;
}

void JourneyTeacherTest::itIsFilledIn()
{
    // What is to be filled in first has the focus, and everything of it is selected.
    QTRY_COMPARE(QApplication::focusWidget(), named<QLineEdit>(*editor(), u"Title"_s));
    typeKeys(u"Spring course"_s);
    QVERIFY(fill(u"Author"_s, u"Ada, Institute"_s));
    QVERIFY(tabTo(named<QComboBox>(*editor(), u"Cluster"_s)));
    typeKeys(u"Practice"_s);
    QCOMPARE(editor()->file().cluster, u"practice"_s);
    QVERIFY(fill(u"Project (account)"_s, u"project_465000001"_s));
    QVERIFY(fill(u"Acknowledgement"_s, u"Ada's spring course was held on the practice cluster."_s));
    QVERIFY(showTab(1));
    QVERIFY(fill(u"Title of the exercise"_s, u"A first job"_s));
    QVERIFY(fill(u"Hints"_s, u"One process needs no launcher."_s));
    QVERIFY2(editor()->isFaultless(), qPrintable(textsOf(*editor())));
    const ClassFile made = editor()->file();
    QCOMPARE(made.title, u"Spring course"_s);
    QCOMPARE(made.exercises.first().title, u"A first job"_s);
    QCOMPARE(made.exercises.first().start.cluster, u"practice"_s); // that of the class, wherever it was begun
    m_hasFailed = false;
}

void JourneyTeacherTest::itIsSigned()
{
    QVERIFY(presses(u"save"_s));
    QTRY_VERIFY(editor()->findChild<QFileDialog*>());
    auto* asks = editor()->findChild<QFileDialog*>();
    QApplication::setActiveWindow(asks);
    QTRY_VERIFY(qobject_cast<QLineEdit*>(QApplication::focusWidget()));
    pressKey(Qt::Key_A, Qt::ControlModifier);
    typeKeys(m_file);
    pressKey(Qt::Key_Return);
    QTRY_VERIFY(!editor()->isChanged());
    QApplication::setActiveWindow(editor());
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto read = readClass(file.readAll(), u"spring.rwclass"_s);
    QVERIFY_RESULT(read);
    QTemporaryDir attendee;
    const auto verdict = verifyClass(*read, attendee.path());
    QVERIFY_RESULT(verdict);
    QCOMPARE(verdict->trust, ClassTrust::NewKey);
    QTRY_VERIFY2(textsOf(*editor()).contains(verdict->fingerprint), qPrintable(textsOf(*editor())));
    m_hasFailed = false;
}

void JourneyTeacherTest::itIsCheckedAgainstTheCluster()
{
    QVERIFY(showTab(2));
    QVERIFY(presses(u"checkSite"_s));
    QTRY_VERIFY(!editor()->findChild<QPushButton*>(u"connectSite"_s)->isHidden()); // nothing is connected yet
    QVERIFY(presses(u"connectSite"_s));
    QTRY_VERIFY(m_bench->workbench->connections().isOnline(u"practice"_s));
    QApplication::setActiveWindow(editor());
    const auto* said = editor()->findChild<QLabel*>(u"siteVerdicts"_s);
    QTRY_VERIFY2(said->text().contains(u"Project – in order"_s), qPrintable(said->text()));
    QVERIFY2(!said->text().contains(u"in the way"_s), qPrintable(said->text()));
    qInfo("%s", qPrintable(said->text()));
    m_hasFailed = false;
}

void JourneyTeacherTest::itsSolutionsAreRun()
{
    const auto* said = editor()->findChild<QLabel*>(u"solutionsSaid"_s);
    const auto linesOf
        = [this] { return named<QPlainTextEdit>(*editor(), u"Messages while the solutions ran"_s)->toPlainText(); };
    // The new class's program is nowhere: that is found before an attendee finds it.
    QVERIFY(presses(u"runSolutions"_s));
    QTRY_VERIFY2(!editor()->solutions().isRunning(), qPrintable(linesOf()));
    qInfo("%s\n%s", qPrintable(said->text()), qPrintable(linesOf()));
    QCOMPARE(said->text(), u"Not every check was seen for the solution of exercise-1: see below."_s);
    QVERIFY2(linesOf().contains(u"file of the design missing"_s), qPrintable(linesOf()));
    JobSpec mended = workshopDesign(5);
    mended.resources.nodes = 1;
    m_bench->design().replace(mended);
    QVERIFY(showTab(1));
    QVERIFY(presses(u"takeStart"_s));
    QVERIFY2(editor()->isFaultless(), qPrintable(textsOf(*editor())));
    QVERIFY(showTab(2));
    QVERIFY(presses(u"runSolutions"_s));
    QTRY_VERIFY2(!editor()->solutions().isRunning(), qPrintable(linesOf()));
    QVERIFY2(linesOf().contains(u"COMPLETED"_s) && !linesOf().contains(u"missing"_s), qPrintable(linesOf()));
    QCOMPARE(said->text(), u"Every check of every exercise was seen."_s);
    QVERIFY(presses(u"checkSite"_s)); // and it is known before the day
    const auto* site = editor()->findChild<QLabel*>(u"siteVerdicts"_s);
    QTRY_VERIFY2(site->text().contains(u"Solutions – in order"_s), qPrintable(site->text()));
    m_hasFailed = false;
}

void JourneyTeacherTest::itIsSeenAsAnAttendeeSeesIt()
{
    const JobSpec own = m_bench->design().spec();
    QVERIFY(presses(u"preview"_s));
    QTRY_VERIFY(editor()->findChild<ClassPreviewDialog*>());
    QPointer<ClassPreviewDialog> preview = editor()->findChild<ClassPreviewDialog*>();
    QApplication::setActiveWindow(preview);
    QVERIFY2(textsOf(*preview).contains(u"A first job"_s), qPrintable(textsOf(*preview)));
    QVERIFY(textsOf(*preview).contains(u"Ada's spring course was held"_s));
    QVERIFY(!textsOf(*preview).contains(u"One process needs no launcher."_s));
    QVERIFY(tabTo(preview->panel().findChild<QPushButton*>(u"nextHint"_s)));
    pressKey(Qt::Key_Space);
    QVERIFY(textsOf(*preview).contains(u"One process needs no launcher."_s));
    pressKey(Qt::Key_Escape);
    QTRY_VERIFY(!preview || !preview->isVisible());
    QVERIFY(m_bench->design().spec() == own);
    m_hasFailed = false;
}

RANKWRIGHT_WIDGET_TEST_MAIN(JourneyTeacherTest)
#include "tst_journey_teacher.moc"
