// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/classwriter.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/classroom/checklisteditor.h"
#include "widgets/classroom/classeditordialog.h"
#include "widgets/classroom/classprogressdialog.h"
#include "widgets/classroom/classprogressmodel.h"
#include "widgets/classroom/exerciseeditor.h"
#include "widgets/classroom/openfieldschooser.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The dialogs with which a class is made, and watched.
class ClassTeachersTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_editor.reset(); }
    void aClassComesBackAsItWas_data();
    void aClassComesBackAsItWas();
    void whatIsWrongStandsBesideItsField_data();
    void whatIsWrongStandsBesideItsField();
    void aFaultyClassIsNotSaved();
    void theExercisesGoAlongToAnotherCluster();
    void openFieldsAreChosenByTheirLabels();
    void theFingerprintIsCopied();
    void theWordsOfChecksHaveRoom();
    void linksAndSettingsAreLines();
    void takesThePresentDesign();
    void exercisesAreAddedMovedAndRemoved();
    void checksAreChosenFromAList();
    void changesAreNotLostUnasked();
    void asksTheClusterAndSaysWhatItAnswered();
    void theTableKeepsItsPromises();
    void theTableIsFilteredAndSorted();
    void theTableIsCopiedWithoutFormulas();

private:
    QLineEdit* line(const QString& name) const;
    QPushButton* button(const QString& name) const { return m_editor->findChild<QPushButton*>(name); }
    void type(QLineEdit* into, const QString& text);
    static ClassFile shipped() { return shippedClasses().first().file; }

    Theme m_theme;
    const Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<ClassEditorDialog> m_editor;
};

void ClassTeachersTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_theme.apply();
    m_editor = std::make_unique<ClassEditorDialog>(
        m_catalogue, newClass(u"lumi"_s, u"Our course"_s, u"Ada, Example University"_s));
    m_editor->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_editor.get(), test::longWaitMs));
}

QLineEdit* ClassTeachersTest::line(const QString& name) const
{
    for (QLineEdit* each : m_editor->findChildren<QLineEdit*>())
        if (each->accessibleName() == name)
            return each;
    return nullptr;
}

void ClassTeachersTest::type(QLineEdit* into, const QString& text)
{
    QVERIFY(into);
    into->selectAll();
    QTest::keyClick(into, Qt::Key_Backspace);
    QTest::keyClicks(into, text);
}

void ClassTeachersTest::aClassComesBackAsItWas_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < shippedClasses().size(); ++i)
        QTest::addRow("%d", i) << i;
}

void ClassTeachersTest::aClassComesBackAsItWas()
{
    QFETCH(const int, index);
    const ClassFile file = unsignedClass(shippedClasses().at(index).file);
    m_editor->setFile(file);
    QVERIFY(m_editor->isFaultless());
    QVERIFY(!m_editor->isChanged());
    // Looking at every exercise changes nothing, and neither does typing a title as it was.
    auto* list = m_editor->findChild<QListWidget*>();
    for (int i = 0; i < list->count(); ++i)
        list->setCurrentRow(i);
    type(line(u"Title"_s), file.title);
    const QStringList now = QString::fromUtf8(writeClass(m_editor->file())).split(u'\n');
    const QStringList before = QString::fromUtf8(writeClass(file)).split(u'\n');
    for (qsizetype i = 0; i < qMax(now.size(), before.size()); ++i)
        QCOMPARE(now.value(i), before.value(i));
    QVERIFY(m_editor->file() == file);
}

void ClassTeachersTest::whatIsWrongStandsBesideItsField_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::newRow("no author") << u"Author"_s << QString();
    QTest::newRow("account") << u"Project (account)"_s << u"a;rm"_s;
    QTest::newRow("container") << u"Container"_s << u"../x.sif"_s;
    QTest::newRow("nodes") << u"Nodes at most"_s << u"0"_s;
    QTest::newRow("time") << u"Time at most"_s << u"soon"_s;
    QTest::newRow("date") << u"Begins (UTC)"_s << u"tomorrow"_s;
    QTest::newRow("progress") << u"Folder for progress"_s << u"$(HOME)/x"_s;
}

void ClassTeachersTest::whatIsWrongStandsBesideItsField()
{
    QFETCH(const QString, field);
    QFETCH(const QString, text);
    QVERIFY(button(u"save"_s)->isEnabled());
    QLineEdit* edit = line(field);
    type(edit, text);
    QVERIFY(edit->property("invalid").toBool());
    QVERIFY(!edit->accessibleDescription().isEmpty());
    const auto faults = edit->parentWidget()->findChildren<QLabel*>();
    QVERIFY(!faults.isEmpty() && faults.first()->isVisible());
    QVERIFY(!button(u"save"_s)->isEnabled());
}

void ClassTeachersTest::aFaultyClassIsNotSaved()
{
    QSignalSpy saves(m_editor.get(), &ClassEditorDialog::saveWanted);
    type(line(u"Partition"_s), u"--exclusive"_s);
    button(u"save"_s)->click();
    QCOMPARE(saves.size(), 0);
    type(line(u"Partition"_s), u"small-g"_s);
    button(u"save"_s)->click();
    QCOMPARE(saves.size(), 1);
    const auto file = saves.first().first().value<ClassFile>();
    QCOMPARE(file.partition, u"small-g"_s);
    QVERIFY(file.signature.isEmpty());
}

void ClassTeachersTest::theExercisesGoAlongToAnotherCluster()
{
    ClassFile file = newClass(u"lumi"_s, u"Our course"_s, u"Ada"_s);
    file.exercises.first().start.partition = u"standard-g"_s; // the practice cluster has it, too
    file.exercises.first().solution = file.exercises.first().start;
    m_editor->setFile(file);
    QComboBox* cluster = nullptr;
    for (auto* each : m_editor->findChildren<QComboBox*>())
        if (each->accessibleName() == u"Cluster"_s)
            cluster = each;
    QVERIFY(cluster);
    cluster->setFocus();
    QTest::keyClicks(cluster, u"Practice"_s);
    QCOMPARE(m_editor->file().cluster, u"practice"_s);
    const ClassExercise exercise = m_editor->file().exercises.first();
    QCOMPARE(exercise.start.cluster, u"practice"_s);
    QCOMPARE(exercise.start.partition.value_or(QString()), u"standard-g"_s);
    QCOMPARE(exercise.solution->cluster, u"practice"_s);
    QVERIFY(m_editor->isFaultless());
    // A partition that the cluster has not is said before anybody signs it.
    const auto choose = [cluster](const QString& name) {
        cluster->setCurrentIndex(cluster->findData(name));
        emit cluster->activated(cluster->currentIndex());
    };
    choose(u"roihu"_s);
    QCOMPARE(m_editor->file().cluster, u"roihu"_s);
    QVERIFY(!m_editor->isFaultless());
    QVERIFY(m_editor->findChild<QLabel*>(u"classFault"_s)->text().contains(u"Roihu has no partition standard-g"_s));
    choose(u"practice"_s);
    QVERIFY(m_editor->isFaultless());
    // What is typed into the exercise afterwards is of the moved one.
    m_editor->findChild<ExerciseEditor*>()->findChild<QPlainTextEdit*>()->insertPlainText(u"And look. "_s);
    QCOMPARE(m_editor->file().exercises.first().start.cluster, u"practice"_s);
}

void ClassTeachersTest::openFieldsAreChosenByTheirLabels()
{
    QLineEdit* open = line(u"Open fields"_s);
    QVERIFY(open);
    open->setText(u"launcher"_s);
    auto* chooser = open->parentWidget()->findChild<OpenFieldsChooser*>();
    QVERIFY(chooser);
    const auto action = [chooser](const QString& label) -> QAction* {
        emit chooser->menu()->aboutToShow();
        for (auto* each : chooser->menu()->findChildren<QAction*>())
            if (each->text() == label && each->isCheckable())
                return each;
        return nullptr;
    };
    QVERIFY(action(u"Nodes"_s) && !action(u"Nodes"_s)->isChecked());
    action(u"Nodes"_s)->trigger();
    QCOMPARE(m_editor->file().exercises.first().open, QStringList({u"launcher"_s, u"resources.nodes"_s}));
    QVERIFY(action(u"Nodes"_s)->isChecked());
    action(u"Nodes"_s)->trigger();
    QCOMPARE(m_editor->file().exercises.first().open, QStringList({u"launcher"_s}));
    QVERIFY(m_editor->isFaultless());
}

void ClassTeachersTest::theFingerprintIsCopied()
{
    QVERIFY(button(u"copyFingerprint"_s)->isHidden());
    m_editor->showSaved(u"/home/ada/course.rwclass"_s, u"SHA256:abc"_s);
    QVERIFY(!button(u"copyFingerprint"_s)->isHidden());
    button(u"copyFingerprint"_s)->click();
    QCOMPARE(QApplication::clipboard()->text(), u"SHA256:abc"_s);
    type(line(u"Title"_s), u"Another title"_s); // it is of what was signed
    QVERIFY(button(u"copyFingerprint"_s)->isHidden());
}

void ClassTeachersTest::theWordsOfChecksHaveRoom()
{
    ClassFile file = shipped();
    m_editor->setFile(file);
    m_editor->findChild<QTabWidget*>()->setCurrentIndex(1);
    int seen = 0;
    for (const QLineEdit* each : m_editor->findChild<CheckListEditor*>()->findChildren<QLineEdit*>()) {
        if (!each->isVisible() || !each->accessibleName().startsWith(u"Words of check"_s))
            continue;
        ++seen;
        const QString text = each->text().isEmpty() ? each->placeholderText() : each->text();
        const int wanted = each->fontMetrics().horizontalAdvance(text);
        QVERIFY2(wanted < each->width(), qPrintable(u"%1: %2 of %3"_s.arg(text).arg(each->width()).arg(wanted)));
    }
    QVERIFY(seen > 0);
}

void ClassTeachersTest::linksAndSettingsAreLines()
{
    const auto text = [this](const QString& name) -> QPlainTextEdit* {
        for (auto* each : m_editor->findChildren<QPlainTextEdit*>())
            if (each->accessibleName() == name)
                return each;
        return nullptr;
    };
    QVERIFY(text(u"Links"_s) && text(u"Set for all"_s));
    text(u"Links"_s)->setPlainText(u"Slides of the day https://example.org/slides\n\nhttps://example.org/more"_s);
    text(u"Set for all"_s)->setPlainText(u"training.globalBatch = 32\nlauncher = srun"_s);
    const ClassFile file = m_editor->file();
    QCOMPARE(file.links,
        QList<ClassLink>({{u"Slides of the day"_s, u"https://example.org/slides"_s},
            {u"https://example.org/more"_s, u"https://example.org/more"_s}}));
    QCOMPARE(file.locked.value(u"training.globalBatch"_s), QJsonValue(32));
    QCOMPARE(file.locked.value(u"launcher"_s), QJsonValue(u"srun"_s));
    QVERIFY(m_editor->isFaultless());
    // What is not a field, or not an address that a class may name, is reported as an attendee's program would say it.
    text(u"Set for all"_s)->setPlainText(u"training.nothing = 1"_s);
    QVERIFY(!m_editor->isFaultless());
    text(u"Set for all"_s)->setPlainText(u"globalBatch 32"_s);
    QVERIFY(!m_editor->isFaultless());
    text(u"Set for all"_s)->setPlainText({});
    QVERIFY(m_editor->isFaultless());
    text(u"Links"_s)->setPlainText(u"Slides http://example.org"_s);
    QVERIFY(!m_editor->isFaultless());
}

void ClassTeachersTest::takesThePresentDesign()
{
    JobSpec present = m_editor->file().exercises.first().start;
    present.name = u"present"_s;
    present.resources.nodes = 2;
    m_editor->setPresent(present);
    button(u"takeStart"_s)->click();
    present.resources.nodes = 1;
    m_editor->setPresent(present);
    button(u"takeSolution"_s)->click();
    const ClassExercise exercise = m_editor->file().exercises.first();
    QCOMPARE(exercise.start.resources.nodes, 2);
    QVERIFY(exercise.solution && exercise.solution->resources.nodes == 1);
    QStringList texts; // start and solution are told apart
    for (const QLabel* label : m_editor->findChild<ExerciseEditor*>()->findChildren<QLabel*>())
        texts.append(label->text());
    QVERIFY2(texts.filter(u"2 × 1 GPUs"_s).size() == 1, qPrintable(texts.join(u'\n')));
    QVERIFY2(texts.filter(u"changes: Name, Nodes"_s).isEmpty(), qPrintable(texts.join(u'\n'))); // both are “present”
    QCOMPARE(texts.filter(u"changes: Nodes"_s).size(), 1);
}

void ClassTeachersTest::exercisesAreAddedMovedAndRemoved()
{
    const QString first = m_editor->file().exercises.first().id;
    button(u"addExercise"_s)->click();
    QCOMPARE(m_editor->file().exercises.size(), 2);
    QVERIFY(m_editor->file().exercises.at(1).id != first);
    button(u"earlier"_s)->click();
    QCOMPARE(m_editor->file().exercises.at(1).id, first);
    button(u"removeExercise"_s)->click();
    QCOMPARE(m_editor->file().exercises.size(), 2); // nothing brings it back: said first
    type(line(u"Title of the exercise"_s), u"Two nodes"_s);
    button(u"removeExercise"_s)->click();
    QCOMPARE(m_editor->file().exercises.size(), 2); // and again after something else was done
    button(u"removeExercise"_s)->click();
    QCOMPARE(m_editor->file().exercises.size(), 1);
    QCOMPARE(m_editor->file().exercises.first().id, first);
    QVERIFY(!button(u"removeExercise"_s)->isEnabled()); // the last one stays
}

void ClassTeachersTest::checksAreChosenFromAList()
{
    CheckListEditor editor;
    editor.setChecks({}, {u"one"_s});
    editor.show();
    QSignalSpy edits(&editor, &CheckListEditor::edited);
    editor.findChild<QPushButton*>(u"addCheck"_s)->click();
    QCOMPARE(editor.checks().size(), 1);
    auto* kind = editor.findChild<QComboBox*>(u"kind-0"_s);
    QCOMPARE(kind->count(), int(allClassChecks().size()));
    kind->setCurrentIndex(kind->findData(int(ClassCheckKind::Efficiency)));
    emit kind->activated(kind->currentIndex());
    QCOMPARE(editor.checks().first().kind, ClassCheckKind::Efficiency);
    QCOMPARE(editor.checks().first().against, u"one"_s);
    QVERIFY(editor.checks().first().value > 0);
    QLineEdit* hint = nullptr;
    for (QLineEdit* line : editor.findChildren<QLineEdit*>())
        if (line->accessibleName() == u"Hint of check 1"_s && line->isVisibleTo(&editor))
            hint = line;
    QVERIFY(hint);
    QTest::keyClicks(hint, u"Count the GPUs."_s);
    QCOMPARE(editor.checks().first().hint, u"Count the GPUs."_s);
    QVERIFY(edits.size() >= 2);
    QTRY_VERIFY(editor.findChild<QComboBox*>(u"kind-0"_s) != kind); // with the parameters of the new kind
}

void ClassTeachersTest::changesAreNotLostUnasked()
{
    type(line(u"Title"_s), u"Another"_s);
    QVERIFY(m_editor->isChanged());
    QTest::keyClick(m_editor.get(), Qt::Key_Escape);
    QVERIFY(m_editor->isVisible());
    QTest::keyClick(m_editor.get(), Qt::Key_Escape);
    QVERIFY(!m_editor->isVisible());
}

void ClassTeachersTest::asksTheClusterAndSaysWhatItAnswered()
{
    QSignalSpy asked(m_editor.get(), &ClassEditorDialog::siteCheckWanted);
    button(u"checkSite"_s)->click();
    QCOMPARE(asked.size(), 1);
    // While it is asked, the same button stops that.
    m_editor->setSiteBusy(true);
    QVERIFY(m_editor->findChild<QProgressBar*>()->isVisibleTo(m_editor->findChild<QProgressBar*>()->parentWidget()));
    QSignalSpy stopped(m_editor.get(), &ClassEditorDialog::siteCheckStopped);
    button(u"checkSite"_s)->click();
    QCOMPARE(stopped.size(), 1);
    QCOMPARE(asked.size(), 1);
    m_editor->showSiteTrouble({Fault::Offline, u"LUMI is not connected."_s, {}, {}});
    QVERIFY(m_editor->findChild<QLabel*>(u"siteVerdicts"_s)->text().contains(u"not connected"_s));
    button(u"checkSite"_s)->click();
    QCOMPARE(asked.size(), 2);
    m_editor->showSite(
        {{SiteState::Bad, u"Reservation"_s, u"<b>There is none.</b>"_s}, {SiteState::Unknown, u"Size"_s, u"x"_s}});
    const auto* text = m_editor->findChild<QLabel*>(u"siteVerdicts"_s);
    QCOMPARE(text->textFormat(), Qt::PlainText);
    QVERIFY(text->text().contains(u"Reservation – in the way: <b>There is none.</b>"_s));
    QVERIFY(text->text().contains(u"not known"_s));
}

namespace {

ProgressLine lineOf(const QString& who, const QString& exercise, const QList<CheckState>& checks, const QString& stuck,
    const QDateTime& at)
{
    return {who, exercise, checks, stuck, at};
}

} // namespace

void ClassTeachersTest::theTableKeepsItsPromises()
{
    const ClassFile file = shipped();
    ClassProgressModel model(file);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QString id = file.exercises.first().id;
    const auto rows = [](const QList<ProgressLine>& lines) { return progressTable(lines); };
    model.assign(rows({lineOf(u"ada"_s, id, {CheckState::Seen}, {}, now.addSecs(-60))}));
    model.assign(rows({lineOf(u"ada"_s, id, {CheckState::Seen}, {}, now.addSecs(-60)),
        lineOf(u"bob"_s, id, {CheckState::NotYet}, u"class-nodes"_s, now.addSecs(-600))}));
    QCOMPARE(model.rowCount(), 2);
    model.setNow(now);
    const int bob = model.rowOf(u"bob"_s);
    QCOMPARE(model.index(bob, 4).data().toString(), u"class-nodes"_s);
    QVERIFY(model.index(bob, 5).data().toString().contains(u"10"_s));
    QCOMPARE(model.index(bob, 2).data().toString(), u"0 of 1"_s);
    model.assign({});
    QCOMPARE(model.rowCount(), 0);
}

void ClassTeachersTest::theTableIsFilteredAndSorted()
{
    const ClassFile file = shipped();
    ClassProgressDialog dialog(file);
    dialog.show();
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QString id = file.exercises.first().id;
    dialog.setProgress({{lineOf(u"ada"_s, id, {CheckState::Seen}, {}, now),
                            lineOf(u"bob"_s, id, {CheckState::NotYet}, u"oom_gpu"_s, now.addSecs(-60))},
                           3},
        now);
    auto* table = dialog.findChild<RecordTable*>();
    QCOMPARE(table->shownRows(), 2);
    QCOMPARE(table->model()->index(0, 0).data().toString(), u"bob"_s); // who is stuck comes first
    auto* filter = dialog.findChild<QLineEdit*>();
    QTest::keyClicks(filter, u"oom"_s);
    QCOMPARE(table->shownRows(), 1);
    filter->clear();
    bool isSaid = false;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        isSaid = isSaid || (label->text().contains(u"1 stuck"_s) && label->text().contains(u"3 lines left out"_s));
    QVERIFY(isSaid);
    dialog.showTrouble({Fault::Offline, u"LUMI is not connected."_s, {}, {}});
    QCOMPARE(table->shownRows(), 2); // what was read stays
}

void ClassTeachersTest::theTableIsCopiedWithoutFormulas()
{
    const ClassFile file = shipped();
    ClassProgressDialog dialog(file);
    dialog.show();
    const QDateTime now = QDateTime::currentDateTimeUtc();
    dialog.setProgress({{lineOf(u"ada"_s, u"=1+1"_s, {CheckState::Seen}, {}, now)}, 0}, now);
    dialog.findChild<QPushButton*>(u"copy"_s)->click();
    const QStringList lines = QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines.at(1).split(u'\t').at(1), u"'=1+1"_s);
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassTeachersTest)
#include "tst_classteachers.moc"
