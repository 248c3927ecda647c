// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/classroom/classchecklist.h"
#include "widgets/classroom/classpanel.h"
#include "widgets/classroom/classpreviewdialog.h"
#include "widgets/classroom/exercisebars.h"
#include "widgets/classroom/hintlist.h"
#include "widgets/design/designpage.h"
#include "widgets/design/verdictbar.h"
#include "widgets/form/designform.h"
#include "widgets/form/fieldeditor.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// An exercise as an attendee meets it.
class ClassPanelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void saysWhereOneIs();
    void onlyOpenFieldsCanBeEdited();
    void whatTheClassSetsIsSaid();
    void anOpenFieldEditsTheDesign();
    void hintsComeOneByOneInOrder();
    void theSolutionIsAskedAboutOnce();
    void checksAreSeenNotYetOrUnknown();
    void aFailedCheckSaysWhatToChange();
    void hostileTextsStayText();
    void linksOpenOnlyByAClick();
    void theAcknowledgementIsCopied();
    void nobodySharesUnasked();
    void everyButtonIsReachedByKeyboard();
    void takesTheFormsPlaceAndGivesItBack();
    void aWantedFieldIsPointedTo();
    void thePreviewCannotSubmit();
    void fieldsAreSetByKeyboard();
    void theNextExerciseOpens();
    void whatCannotBeKnownHoldsNobodyUp();
    void lockedFieldsHaveNoEditor();
    void aLowWindowScrolls();

private:
    void make(const ClassFile& file);
    QPushButton* button(const QString& name) const { return m_panel->findChild<QPushButton*>(name); }
    QStringList texts() const;
    ClassFile shipped() const;

    Theme m_theme;
    const Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<ClassPanel> m_panel;
    ClassPlace m_place;
};

void ClassPanelTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_theme.setMode(Theme::Mode::Light);
    m_theme.apply();
    m_place = {};
    m_design = std::make_unique<Design>(m_catalogue);
}

void ClassPanelTest::cleanup()
{
    m_panel.reset();
    m_design.reset();
}

ClassFile ClassPanelTest::shipped() const
{
    for (const ShippedClass& one : shippedClasses())
        if (one.name == u"lumi-ai-course-practice"_s)
            return one.file;
    return {};
}

void ClassPanelTest::make(const ClassFile& file)
{
    m_design->replace(startingSpec(file, file.exercises.first()));
    m_panel = std::make_unique<ClassPanel>(*m_design, file);
    // As the controller does.
    connect(m_panel.get(), &ClassPanel::hintWanted, this, [this] {
        ++m_place.hints[m_panel->file().exercises.at(m_panel->exercise()).id];
        m_panel->setPlace(m_place);
    });
    connect(m_panel.get(), &ClassPanel::solutionWanted, this, [this] {
        m_place.solutions.insert(m_panel->file().exercises.at(m_panel->exercise()).id);
        m_panel->setPlace(m_place);
    });
    m_panel->resize(328, 700);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_panel.get(), test::longWaitMs));
    QApplication::setActiveWindow(m_panel.get());
}

QStringList ClassPanelTest::texts() const
{
    QStringList found;
    for (const QLabel* label : m_panel->findChildren<QLabel*>())
        if (label->isVisible())
            found.append(label->text());
    return found;
}

void ClassPanelTest::saysWhereOneIs()
{
    const ClassFile file = shipped();
    make(file);
    QVERIFY(texts().contains(u"Exercise 1 of %1"_s.arg(file.exercises.size())));
    QVERIFY(texts().contains(file.exercises.first().title));
    QVERIFY(!button(u"previousExercise"_s)->isVisible());
    QSignalSpy wanted(m_panel.get(), &ClassPanel::exerciseWanted);
    m_panel->setVerdicts({{CheckState::Seen, u"One"_s, {}}});
    button(u"nextExercise"_s)->click();
    QCOMPARE(wanted.value(0).value(0).toInt(), 1);
    m_place.exercise = file.exercises.last().id;
    m_place.done.insert(file.exercises.first().id);
    m_panel->setPlace(m_place);
    QVERIFY(!button(u"nextExercise"_s)->isVisible());
    QVERIFY(button(u"previousExercise"_s)->isVisible());
    QVERIFY(m_panel->findChild<ExerciseBars*>()->accessibleName().contains(u"1 done"_s));
}

void ClassPanelTest::onlyOpenFieldsCanBeEdited()
{
    const ClassFile file = shipped();
    make(file);
    int open = 0;
    for (QLineEdit* line : m_panel->form().findChildren<QLineEdit*>()) {
        if (line->isVisible() && line->objectName() != u"fieldSearch"_s)
            ++open;
        if (line->objectName() == u"fieldSearch"_s)
            QVERIFY(!line->isVisible()); // a search would lead to what is locked
    }
    QVERIFY(open > 0);
    // The batch is the class's: its row is not there, and nothing leads to it.
    const auto before = m_design->spec();
    m_panel->form().focusField(field::globalBatch);
    if (QWidget* focused = QApplication::focusWidget())
        QTest::keyClicks(focused, u"7"_s);
    QCOMPARE(m_design->spec().training.globalBatch, before.training.globalBatch);
}

void ClassPanelTest::whatTheClassSetsIsSaid()
{
    make(shipped());
    if (auto* more = button(u"moreLocked"_s); more->isVisible())
        more->click();
    QStringList names;
    for (const QLabel* label : m_panel->findChildren<QLabel*>())
        if (label->isVisible())
            names.append(label->accessibleName());
    QVERIFY(names.filter(u"set by the class"_s).size() > 3);
    QVERIFY(names.contains(u"Nodes at most: 2, set by the class"_s));
    // The cluster by its title, not by its name in files.
    const QString title = m_catalogue.find(QString::fromUtf16(practiceName))->title;
    QVERIFY(!names.filter(u": %1, set by the class"_s.arg(title)).isEmpty());
}

void ClassPanelTest::anOpenFieldEditsTheDesign()
{
    make(shipped());
    m_panel->form().focusField(u"resources.gpusPerNode"_s);
    QWidget* line = QApplication::focusWidget();
    QVERIFY(line && m_panel->form().isAncestorOf(line));
    QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(line, u"1"_s);
    QCOMPARE(m_design->spec().resources.gpusPerNode, 1);
    QVERIFY(m_design->canUndo());
}

void ClassPanelTest::hintsComeOneByOneInOrder()
{
    const ClassFile file = shipped();
    make(file);
    const QStringList hints = file.exercises.first().hints;
    QVERIFY(hints.size() > 1);
    const auto shown = [this](int number) { return !texts().filter(u"Hint %1: "_s.arg(number)).isEmpty(); };
    QVERIFY(!shown(1));
    QVERIFY(!button(u"solution"_s)->isVisible());
    for (int i = 0; i < hints.size(); ++i) {
        QCOMPARE(button(u"nextHint"_s)->text(), u"Hint %1 of %2"_s.arg(i + 1).arg(hints.size()));
        button(u"nextHint"_s)->click();
        QVERIFY(shown(i + 1));
        QVERIFY(!shown(i + 2));
    }
    QVERIFY(!button(u"nextHint"_s)->isVisible());
    QVERIFY(button(u"solution"_s)->isVisible());
}

void ClassPanelTest::theSolutionIsAskedAboutOnce()
{
    const ClassFile file = shipped();
    make(file);
    m_place.hints.insert(file.exercises.first().id, int(file.exercises.first().hints.size()));
    m_panel->setPlace(m_place);
    QVERIFY(!button(u"applySolution"_s)->isVisible());
    button(u"solution"_s)->click();
    QVERIFY(button(u"showSolution"_s)->isVisible());
    button(u"notYet"_s)->click();
    QVERIFY(!button(u"showSolution"_s)->isVisible());
    QVERIFY(m_place.solutions.isEmpty());
    button(u"solution"_s)->click();
    button(u"showSolution"_s)->click();
    QVERIFY(button(u"applySolution"_s)->isVisible());
    QVERIFY(!texts().filter(u"Solution: "_s).isEmpty());
    QSignalSpy applies(m_panel.get(), &ClassPanel::applyWanted);
    button(u"applySolution"_s)->click();
    QCOMPARE(applies.size(), 1);
}

void ClassPanelTest::checksAreSeenNotYetOrUnknown()
{
    make(shipped());
    m_panel->setVerdicts({{CheckState::Seen, u"16 ranks started"_s, u"seen in job 9304951"_s},
        {CheckState::NotYet, u"Bound"_s, u"14 of 16"_s}, {CheckState::Unknown, u"Busy"_s, u"no GPU was measured"_s}});
    QVERIFY(texts().contains(u"seen in job 9304951"_s));
    QVERIFY(texts().contains(u"14 of 16"_s));
    QVERIFY(texts().contains(u"cannot be known: no GPU was measured"_s));
    QStringList names;
    const auto* list = m_panel->findChild<ClassCheckList*>();
    for (const QLabel* label : list->findChildren<QLabel*>())
        names.append(label->accessibleName());
    QVERIFY(names.contains(u"16 ranks started: seen"_s));
    QVERIFY(names.contains(u"Bound: not yet"_s));
    QVERIFY(names.contains(u"Busy: cannot be known"_s));
    for (const QLabel* label : list->findChildren<QLabel*>()) // never red
        QVERIFY(!label->property("fault").toBool() && label->property("tone").toString() != u"bad"_s);
}

void ClassPanelTest::aFailedCheckSaysWhatToChange()
{
    make(shipped());
    m_panel->setVerdicts({{CheckState::Seen, u"One"_s, u"seen"_s},
        {CheckState::NotYet, u"A job COMPLETED"_s, u"job 7 is FAILED: HIP out of memory"_s, u"Halve the micro-batch."_s,
            u"Look at the log."_s}});
    const auto* list = m_panel->findChild<ClassCheckList*>();
    const auto shown = [list](const QString& name) {
        QStringList texts;
        for (const QLabel* label : list->findChildren<QLabel*>(name))
            if (label->isVisibleTo(list))
                texts.append(label->text());
        return texts;
    };
    QCOMPARE(shown(u"checkRemedy"_s), QStringList{u"Halve the micro-batch."_s});
    QCOMPARE(shown(u"checkHint"_s), QStringList{u"Hint: Look at the log."_s});
    m_panel->setVerdicts({{CheckState::Seen, u"One"_s, u"seen"_s}, {CheckState::Seen, u"Two"_s, u"seen"_s}});
    QCOMPARE(shown(u"checkRemedy"_s) + shown(u"checkHint"_s), QStringList());
}

void ClassPanelTest::hostileTextsStayText()
{
    const QString hostile = u"<img src='file:///etc/passwd'><a href='http://evil.example'>click</a> %1 %2 &x"_s;
    ClassFile file = shipped();
    file.title = hostile;
    file.author = hostile;
    file.acknowledgement = hostile;
    file.exercises.resize(1);
    ClassExercise& exercise = file.exercises.first();
    exercise.title = hostile;
    exercise.task = hostile + u" [gcd|<b>die</b>] [no-such-term]"_s;
    exercise.hints = {hostile};
    exercise.solutionText = hostile;
    m_place.hints.insert(exercise.id, 1);
    m_place.solutions.insert(exercise.id);
    make(file);
    m_panel->setPlace(m_place);
    m_panel->setVerdicts({{CheckState::Seen, hostile, hostile, hostile, hostile}});
    int rich = 0;
    for (const QLabel* label : m_panel->findChildren<QLabel*>()) {
        if (label->textFormat() == Qt::PlainText || label->text().isEmpty())
            continue;
        ++rich;
        QVERIFY2(!label->text().contains(u"<img"_s) && !label->text().contains(u"<a href='http"_s)
                && !label->text().contains(u"<b>die"_s),
            qPrintable(label->text()));
    }
    QVERIFY(rich > 0);
    QVERIFY(texts().contains(hostile));
}

void ClassPanelTest::linksOpenOnlyByAClick()
{
    ClassFile file = shipped();
    file.links = {{u"Slides & more"_s, u"https://example.org/slides"_s}};
    make(file);
    QSignalSpy wanted(m_panel.get(), &ClassPanel::linkWanted);
    m_panel->setPlace(m_place);
    QCOMPARE(wanted.size(), 0);
    QVERIFY(button(u"link"_s)->text().contains(u"example.org"_s)); // where it leads is in view
    button(u"link"_s)->click();
    QCOMPARE(wanted.value(0).value(0).toString(), u"https://example.org/slides"_s);
}

void ClassPanelTest::theAcknowledgementIsCopied()
{
    ClassFile file = shipped();
    file.acknowledgement = u"This work used LUMI."_s;
    make(file);
    button(u"copyAcknowledgement"_s)->click();
    QCOMPARE(QApplication::clipboard()->text(), file.acknowledgement);
}

void ClassPanelTest::nobodySharesUnasked()
{
    ClassFile file = shipped();
    file.progressFolder.clear();
    make(file);
    QVERIFY(!button(u"shareProgress"_s)->isVisible());
    file.progressFolder = u"/scratch/course"_s;
    make(file);
    QVERIFY(texts().contains(u"Nothing is noted for the teacher."_s));
    QSignalSpy changed(m_panel.get(), &ClassPanel::sharesChanged);
    button(u"shareProgress"_s)->click();
    QCOMPARE(changed.value(0).value(0).toBool(), true);
    QVERIFY(texts().contains(u"Nothing is noted for the teacher."_s)); // not by the panel alone
}

void ClassPanelTest::everyButtonIsReachedByKeyboard()
{
    make(shipped());
    for (QPushButton* each : m_panel->findChildren<QPushButton*>()) {
        if (!each->isVisible())
            continue;
        QVERIFY2(each->focusPolicy() & Qt::TabFocus, qPrintable(each->text()));
        QVERIFY2(!each->text().isEmpty() || !each->accessibleName().isEmpty(), qPrintable(each->objectName()));
    }
    button(u"nextHint"_s)->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QVERIFY(!texts().filter(u"Hint 1: "_s).isEmpty());
    QVERIFY(button(u"nextHint"_s)->hasFocus()); // and it is not thrown out
}

void ClassPanelTest::takesTheFormsPlaceAndGivesItBack()
{
    const ClassFile file = shipped();
    m_design->replace(startingSpec(file, file.exercises.first()));
    DesignPage page(*m_design);
    page.resize(1212, 752);
    page.show();
    auto* form = page.findChild<DesignForm*>();
    QVERIFY(form->isVisible());
    auto* panel = new ClassPanel(*m_design, file);
    page.setSidePanel(panel);
    QVERIFY(panel->isVisible());
    QVERIFY(!form->isVisible());
    QCOMPARE(page.sidePanel(), panel);
    page.focusField(u"resources.gpusPerNode"_s); // as a finding or a script line asks
    QVERIFY(panel->isAncestorOf(page.focusWidget()));
    const QPointer<ClassPanel> gone = panel;
    page.setSidePanel(nullptr);
    QVERIFY(form->isVisible());
    QTRY_VERIFY(!gone);
    page.focusField(field::nodes);
    QVERIFY(form->isAncestorOf(page.focusWidget()));
}

void ClassPanelTest::aWantedFieldIsPointedTo()
{
    make(shipped());
    m_panel->pointTo(field::globalBatch);
    bool lit = false;
    for (const QLabel* label : m_panel->findChildren<QLabel*>())
        lit = lit || (label->isVisible() && label->property("lit").toBool());
    QVERIFY(lit);
}

void ClassPanelTest::thePreviewCannotSubmit()
{
    const JobSpec own = m_design->spec();
    const ClassFile file = shipped();
    ClassPreviewDialog preview(m_catalogue, file);
    preview.show();
    QVERIFY(!preview.findChild<VerdictBar*>()); // which alone has Launch and Dry run
    QCOMPARE(preview.design().spec(), startingSpec(file, file.exercises.first()));
    emit preview.panel().exerciseWanted(1);
    QCOMPARE(preview.panel().exercise(), 1);
    emit preview.panel().applyWanted();
    QVERIFY(preview.design().spec() == solutionSpec(file, file.exercises.at(1)));
    QVERIFY(preview.findChild<QPushButton*>(u"nextExercise"_s)->isEnabled()); // a teacher looks at all of them
    emit preview.panel().exerciseWanted(400); // no such one
    QCOMPARE(preview.panel().exercise(), 1);
    QCOMPARE(m_design->spec(), own); // the window's design is not the preview's
}

void ClassPanelTest::fieldsAreSetByKeyboard()
{
    make(shipped());
    QVERIFY(m_panel->form().focusField(field::strategy));
    for (int i = 0; i < 8 && m_design->spec().parallel.strategy != Strategy::Single; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
    QVERIFY(m_design->spec().parallel.strategy == Strategy::Single);
}

void ClassPanelTest::theNextExerciseOpens()
{
    const ClassFile file = shipped();
    make(file);
    m_place.exercise = file.exercises.at(1).id;
    m_panel->setPlace(m_place);
    QSignalSpy wanted(m_panel.get(), &ClassPanel::exerciseWanted);
    QPushButton* next = button(u"nextExercise"_s);
    QVERIFY(!next->isEnabled());
    QVERIFY2(next->text().contains(u"opens at"_s), qPrintable(next->text()));
    m_panel->setVerdicts({{CheckState::Seen, u"One"_s, {}}, {CheckState::NotYet, u"Two"_s, {}}});
    QVERIFY(!next->isEnabled());
    m_panel->setVerdicts({{CheckState::Seen, u"One"_s, {}}, {CheckState::Seen, u"Two"_s, {}}});
    QVERIFY(next->isEnabled());
    for (QPushButton* one : {next, button(u"previousExercise"_s)}) {
        one->setFocus();
        QTest::keyClick(one, Qt::Key_Space);
    }
    QCOMPARE(wanted.count(), 2);
    QCOMPARE(wanted.at(0).at(0).toInt(), 2);
    QCOMPARE(wanted.at(1).at(0).toInt(), 0);
    // What was reached once stays reached, and the next one begins closed.
    m_place.done.insert(file.exercises.at(1).id);
    m_panel->setPlace(m_place);
    QVERIFY(next->isEnabled());
    m_place.exercise = file.exercises.at(2).id;
    m_panel->setPlace(m_place);
    QVERIFY(!next->isEnabled());
}

void ClassPanelTest::whatCannotBeKnownHoldsNobodyUp()
{
    const ClassFile file = shipped();
    make(file);
    m_panel->setVerdicts({{CheckState::Seen, u"One"_s, {}}, {CheckState::Unknown, u"Two"_s, {}}});
    QVERIFY(button(u"nextExercise"_s)->isEnabled());
    m_panel->setVerdicts({{CheckState::NotYet, u"One"_s, {}}});
    QVERIFY(!button(u"nextExercise"_s)->isEnabled());
    m_place.solutions.insert(file.exercises.first().id);
    m_panel->setPlace(m_place);
    QVERIFY(button(u"nextExercise"_s)->isEnabled());
}

void ClassPanelTest::lockedFieldsHaveNoEditor()
{
    for (const ShippedClass& one : shippedClasses()) {
        make(one.file);
        for (const ClassExercise& exercise : one.file.exercises) {
            m_place.exercise = exercise.id;
            m_panel->setPlace(m_place);
            const QList<LockedField> locked = lockedFields(one.file, exercise);
            QVERIFY(!locked.isEmpty());
            for (const LockedField& field : locked)
                QVERIFY2(!m_panel->form().focusField(field.field), qPrintable(exercise.id + u": "_s + field.field));
        }
    }
}

void ClassPanelTest::aLowWindowScrolls()
{
    ClassFile file = shipped();
    make(file);
    m_place.exercise = file.exercises.at(2).id;
    m_panel->setPlace(m_place);
    m_panel->resize(320, 500);
    QApplication::processEvents();
    const auto* area = m_panel->findChild<QScrollArea*>();
    QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
    QCOMPARE(area->widget()->width(), area->viewport()->width());
    QVERIFY(button(u"nextExercise"_s)->isVisible()); // the way on is never below the edge
    if (const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS"); !folder.isEmpty()) {
        m_panel->resize(324, 700);
        QApplication::processEvents();
        m_panel->grab().save(folder + u"/classpanel.png"_s);
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassPanelTest)
#include "tst_classpanel.moc"
