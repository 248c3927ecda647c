// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/fieldwords.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/theme.h"
#include "widgets/form/designform.h"
#include "widgets/form/formfold.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// The form as people meet it: what matters is in view, the rest is named, found and never lost.
class DesignFormTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void showsWhatMattersFirst();
    void countsWhatIsFoldedAndSet();
    void findsFieldsByWhatTheyAreCalled_data();
    void findsFieldsByWhatTheyAreCalled();
    void givesTheFormBackAfterASearch();
    void unfoldsWhatIsGoneTo();
    void neverHidesATrouble();
    void keepsItsFolds();
    void isReachedByTab();
    void leavesValuesToTheWheel();
    void keepsItsTextsWhole();
    void keepsItsTextsWholeBesideWhatIsTyped_data();
    void keepsItsTextsWholeBesideWhatIsTyped();
    void knowsWordsForEveryField();
    void showsOnlyTheFieldsThatAreChosen();
    void listsClustersAsOneLooksForThem();
    void hasOneIndent();

private:
    QWidget* field(QLatin1StringView path) const { return m_form->findChild<QWidget*>(path); }
    FormFold* fold(const QString& name) const { return m_form->findChild<FormFold*>(u"fold-"_s + name); }
    QLineEdit* search() const { return m_form->findChild<QLineEdit*>(u"fieldSearch"_s); }

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<QWidget> m_host;
    DesignForm* m_form = nullptr;
};

void DesignFormTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.name = u"first"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    m_design->replace(spec);
    m_host = std::make_unique<QWidget>();
    m_host->resize(328, 640);
    m_form = new DesignForm(*m_design, m_host.get());
    m_form->resize(328, 640);
    m_host->show();
    QApplication::setActiveWindow(m_host.get());
    QVERIFY(QTest::qWaitForWindowExposed(m_host.get(), test::longWaitMs));
}

void DesignFormTest::cleanup()
{
    m_host.reset();
    m_design.reset();
}

void DesignFormTest::showsWhatMattersFirst()
{
    int lowest = -1;
    for (const FieldPath& path : firstFields()) {
        auto* control = m_form->findChild<QWidget*>(path);
        QVERIFY2(control && control->isVisible(), qPrintable(path));
        const int y = control->mapTo(m_form->widget(), QPoint()).y();
        QVERIFY2(y >= lowest, qPrintable(path)); // in their order, two may share a line
        lowest = y;
    }
    for (const QLatin1StringView path : {field::precision, field::reservation, field::tensor, field::epochs,
             field::memoryPerNode, field::modules, field::qos}) {
        QVERIFY2(field(path), qPrintable(QString(path)));
        QVERIFY2(!field(path)->isVisible(), qPrintable(QString(path)));
    }
}

void DesignFormTest::countsWhatIsFoldedAndSet()
{
    QPushButton* head = fold(u"resources"_s)->head();
    QVERIFY2(head->text().contains(u"2 more fields"_s), qPrintable(head->text()));
    QVERIFY(!head->text().contains(u"set"_s));
    m_design->edit(u"Memory"_s, [](JobSpec& spec) {
        spec.resources.memoryPerNode = Bytes::gib(480);
        spec.resources.cpusPerGpu = 7;
    });
    QVERIFY2(head->text().contains(u"2 set"_s), qPrintable(head->text()));
    QVERIFY2(test::nameOf(m_form).size() > 0 && head->accessibleDescription().contains(u"480G"_s),
        qPrintable(head->accessibleDescription()));
    QString shown;
    for (const QLabel* label : fold(u"resources"_s)->findChildren<QLabel*>())
        shown += label->isVisible() ? label->text() + u'\n' : QString();
    QVERIFY2(shown.contains(u"Memory per node 480G"_s) && shown.contains(u"Cores per GCD 7"_s), qPrintable(shown));
    QTest::mouseClick(head, Qt::LeftButton);
    QVERIFY(fold(u"resources"_s)->isOpen());
    QTRY_VERIFY(field(field::memoryPerNode)->isVisible());
    QTest::keyClick(head, Qt::Key_Space);
    QVERIFY(!field(field::memoryPerNode)->isVisible());
}

void DesignFormTest::findsFieldsByWhatTheyAreCalled_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("path");
    QTest::newRow("label") << u"memory per"_s << QString(field::memoryPerNode);
    QTest::newRow("Slurm's option") << u"--qos"_s << QString(field::qos);
    QTest::newRow("short option") << u"-N"_s << QString(field::nodes);
    QTest::newRow("synonym") << u"walltime"_s << QString(field::time);
    QTest::newRow("word of a framework") << u"bf16"_s << QString(field::precision);
    QTest::newRow("two words") << u"python environment"_s << QString(field::venv);
    QTest::newRow("site's word") << u"gcds per"_s << QString(field::gpusPerNode);
}

void DesignFormTest::findsFieldsByWhatTheyAreCalled()
{
    QFETCH(QString, typed);
    QFETCH(QString, path);
    m_form->openSearch();
    QTest::keyClicks(search(), typed);
    auto* control = m_form->findChild<QWidget*>(path);
    QVERIFY(control->isVisible());
    QTest::keyClick(search(), Qt::Key_Return);
    QVERIFY(search()->text().isEmpty());
    const QWidget* focus = QApplication::focusWidget();
    QVERIFY2(focus && (focus == control || control->isAncestorOf(focus)), qPrintable(test::nameOf(focus)));
    QVERIFY(control->isVisible());
}

void DesignFormTest::givesTheFormBackAfterASearch()
{
    m_form->openSearch();
    QTest::keyClicks(search(), u"epochs"_s);
    QVERIFY(!field(field::nodes)->isVisible());
    QVERIFY(field(field::epochs)->isVisible());
    QTest::keyClicks(search(), u"zzz"_s);
    QString shown;
    for (const QLabel* label : m_form->findChildren<QLabel*>())
        shown += label->isVisible() ? label->text() + u'\n' : QString();
    QVERIFY2(shown.contains(u"No field"_s), qPrintable(shown));
    QTest::keyClick(search(), Qt::Key_Return); // goes nowhere
    QVERIFY(search()->hasFocus());
    QTest::keyClick(search(), Qt::Key_Escape);
    QVERIFY(search()->text().isEmpty());
    QVERIFY(field(field::nodes)->isVisible());
    QVERIFY(!field(field::epochs)->isVisible());
}

void DesignFormTest::unfoldsWhatIsGoneTo()
{
    m_form->focusField(field::dependency);
    QApplication::processEvents();
    auto* control = field(field::dependency);
    QVERIFY(control->isVisible() && control->hasFocus());
    // In view, not only there.
    const QRect place(control->mapTo(m_form->viewport(), QPoint()), control->size());
    QVERIFY2(m_form->viewport()->rect().contains(place), qPrintable(u"at %1"_s.arg(place.y())));
}

void DesignFormTest::neverHidesATrouble()
{
    // More memory than a node has: a finding of a field that is folded away.
    m_design->edit(u"Memory"_s, [](JobSpec& spec) { spec.resources.memoryPerNode = Bytes::gib(100000); });
    bool found = false;
    for (const Finding& finding : m_design->derived().findings())
        found = found || finding.field == field::memoryPerNode;
    QVERIFY(found);
    QString shown;
    for (const QLabel* label : fold(u"resources"_s)->findChildren<QLabel*>())
        shown += label->isVisible() ? label->text() + u'\n' : QString();
    QVERIFY2(shown.contains(u"Look at Memory per node"_s), qPrintable(shown));
    // Text that cannot be read is unfolded with its sentence.
    auto* epochs = qobject_cast<QLineEdit*>(field(field::epochs));
    QVERIFY(epochs && !epochs->isVisible());
    QTest::keyClicks(epochs, u"three"_s);
    QCOMPARE(m_form->unreadableFields(), 1);
    QVERIFY(epochs->isVisible());
}

void DesignFormTest::keepsItsFolds()
{
    QCOMPARE(m_form->openSections(), QStringList());
    QSignalSpy changed(m_form, &DesignForm::sectionsChanged);
    QTest::mouseClick(fold(u"slurm"_s)->head(), Qt::LeftButton);
    QTest::mouseClick(fold(u"model"_s)->head(), Qt::LeftButton);
    QCOMPARE(changed.size(), 2);
    const QStringList kept = m_form->openSections();
    QCOMPARE(kept, QStringList({u"model"_s, u"slurm"_s}));
    DesignForm another(*m_design);
    another.setOpenSections(kept + QStringList{u"of an older version"_s});
    QCOMPARE(another.openSections(), kept);
}

void DesignFormTest::isReachedByTab()
{
    m_form->openSearch();
    QStringList met;
    for (int i = 0; i < 60; ++i) {
        QWidget* focus = QApplication::focusWidget();
        QVERIFY(focus);
        QVERIFY2(!focus->visibleRegion().isEmpty(), qPrintable(test::nameOf(focus)));
        met.append(focus->objectName());
        QTest::keyClick(focus, Qt::Key_Tab);
        if (QApplication::focusWidget() == search())
            break;
    }
    QStringList wanted;
    for (const FieldPath& path : firstFields())
        wanted.append(path);
    qsizetype at = -1;
    for (const QString& path : std::as_const(wanted)) {
        if (path == field::strategy)
            continue; // its segments have the focus
        const qsizetype next = met.indexOf(path);
        QVERIFY2(next > at, qPrintable(path + u" in "_s + met.join(u", "_s)));
        at = next;
    }
    QCOMPARE(QApplication::focusWidget(), search()); // and round
}

void DesignFormTest::leavesValuesToTheWheel()
{
    m_form->setOpenSections({u"model"_s, u"slurm"_s, u"launch"_s, u"batch"_s, u"resources"_s, u"job"_s, u"strategy"_s});
    QApplication::processEvents();
    const JobSpec before = m_design->spec();
    for (QWidget* widget : m_form->findChildren<QWidget*>()) {
        if (!widget->isVisible() || qobject_cast<QScrollBar*>(widget) || widget->inherits("QComboBox"))
            continue;
        const QPointF at(widget->rect().center());
        QWheelEvent wheel(at, widget->mapToGlobal(at), {}, QPoint(0, -120), Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &wheel);
    }
    QVERIFY(m_design->spec() == before);
}

void DesignFormTest::keepsItsTextsWhole()
{
    m_design->edit(u"Everything"_s, [](JobSpec& spec) {
        spec.environment.container
            = u"/appl/local/containers/sif-images/lumi-pytorch-rocm-6.2.4-python-3.12-v2.7.1.sif"_s;
        spec.environment.setup = {u"source env.sh"_s, u"export A=1"_s};
        spec.environment.venv = u"/scratch/project_465000001/some/quite/long/path/of/an/environment"_s;
        spec.options.qos = u"normal"_s;
        spec.training.epochs = 3;
    });
    for (const int width : {290, 328, 360}) {
        for (const bool open : {false, true}) {
            m_form->setOpenSections(open ? QStringList{u"model"_s, u"slurm"_s, u"launch"_s, u"batch"_s, u"resources"_s,
                                        u"job"_s, u"strategy"_s}
                                         : QStringList());
            m_host->resize(width, 640);
            m_form->resize(width, 640);
            QCoreApplication::processEvents();
            QStringList cut; // texts that wrap are given their height one after another
            for (int round = 0; round < 200; ++round) { // what stays cut is a fault: nobody waits for it
                QCoreApplication::processEvents();
                if ((cut = test::clippedTexts(*m_host)).isEmpty())
                    break;
            }
            QVERIFY2(cut.isEmpty(), qPrintable(u"at %1: "_s.arg(width) + cut.join(u'\n')));
        }
    }
}

void DesignFormTest::keepsItsTextsWholeBesideWhatIsTyped_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("typed");
    const QString word = u"MGMGMGMGMGMGMGMGMGMGMGMGMGMGMG"_s;
    for (const QLatin1StringView path : {field::epochs, field::microBatch, field::globalBatch, field::nodes,
             field::time, field::memoryPerNode, field::accumulationOption, field::container})
        QTest::addRow("%s", path.data()) << QString(path) << word;
    QTest::addRow("variables") << QString(field::variables) << word;
    QTest::addRow("digits") << QString(field::time) << QString(40, u'9');
    QTest::addRow("short") << QString(field::epochs) << QString(18, u'M');
}

/// A sentence repeats what cannot be read; a long word in it pushed the captions of the form out of their column.
void DesignFormTest::keepsItsTextsWholeBesideWhatIsTyped()
{
    QFETCH(QString, path);
    QFETCH(QString, typed);
    m_host->resize(290, 640);
    m_form->resize(290, 640);
    m_form->setOpenSections({u"model"_s, u"slurm"_s, u"launch"_s, u"batch"_s, u"resources"_s, u"job"_s, u"strategy"_s});
    QVERIFY(m_form->focusField(path));
    auto* edit = m_form->findChild<QWidget*>(path);
    QTest::keyClicks(edit, typed);
    QTest::keyClick(edit, Qt::Key_Tab);
    QStringList cut;
    for (int round = 0; round < 200; ++round) { // what stays cut is a fault: nobody waits for it
        QCoreApplication::processEvents();
        if ((cut = test::clippedTexts(*m_host)).isEmpty())
            break;
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
}

void DesignFormTest::knowsWordsForEveryField()
{
    for (const DesignField& one : designFields())
        QVERIFY2(!fieldWords(one.path).isEmpty(), qPrintable(one.path));
    QCOMPARE(fieldWords(u"no.such.field"), QLatin1StringView());
}

/// They were in no order, with the practice cluster last.
void DesignFormTest::listsClustersAsOneLooksForThem()
{
    const auto* choice = m_host->findChild<QComboBox*>(QString(field::cluster));
    QVERIFY(choice);
    QCOMPARE(choice->itemText(0), u"Practice cluster"_s);
    QStringList open;
    QStringList closed;
    for (int i = 1; i < choice->count(); ++i)
        (choice->itemText(i).endsWith(u"(closed)"_s) ? closed : open).append(choice->itemText(i));
    QVERIFY(open.size() > 10 && !closed.isEmpty());
    QCOMPARE(open.takeLast(), u"Any Slurm cluster"_s); // it stood under A
    QStringList sorted = open;
    sorted.sort(Qt::CaseInsensitive);
    QCOMPARE(open, sorted);
    QVERIFY(choice->itemText(choice->count() - 1).endsWith(u"(closed)"_s));
}

/// Names of fields begin at one edge, whatever fold they are in; so do the controls beside them.
void DesignFormTest::hasOneIndent()
{
    for (FormFold* each : m_form->findChildren<FormFold*>())
        each->setOpen(true);
    m_form->resize(400, 3000);
    QApplication::processEvents();
    QSet<int> edges;
    QStringList places;
    for (const QLabel* label : m_form->findChildren<QLabel*>()) {
        if (!label->isVisible() || !label->buddy())
            continue;
        const int edge = label->mapTo(m_form, QPoint()).x();
        edges.insert(edge);
        places.append(u"%1: %2"_s.arg(label->text()).arg(edge));
    }
    QVERIFY2(places.size() > 30, qPrintable(places.join(u", "_s)));
    QVERIFY2(edges.size() == 1, qPrintable(places.join(u", "_s)));
}

void DesignFormTest::showsOnlyTheFieldsThatAreChosen()
{
    const int whole = m_form->height();
    m_form->setShownFields(QSet<FieldPath>{field::nodes, field::memoryPerNode, field::qos});
    QVERIFY(field(field::nodes)->isVisible());
    QVERIFY(field(field::memoryPerNode)->isVisible()); // unfolded for it
    QVERIFY(field(field::qos)->isVisible());
    QVERIFY(!field(field::precision)->isVisible());
    QVERIFY(!field(field::partition)->isVisible());
    QVERIFY(!search()->isVisible());
    QVERIFY(!fold(u"model"_s)->isVisible());
    m_form->focusField(field::partition); // a finding asks for it: nothing locked comes into view
    QVERIFY(!field(field::partition)->isVisible());
    m_form->focusField(field::nodes);
    QVERIFY(field(field::nodes)->isAncestorOf(QApplication::focusWidget())
        || field(field::nodes) == QApplication::focusWidget());
    // As high as its rows: whoever holds it scrolls.
    QTRY_VERIFY(m_form->height() < whole);
    QTRY_COMPARE(m_form->verticalScrollBar()->maximum(), 0);
    m_form->setShownFields(std::nullopt);
    QVERIFY(search()->isVisible());
    QVERIFY(field(field::partition)->isVisible());
    QVERIFY(!field(field::qos)->isVisible()); // folded, as it was
}

RANKWRIGHT_WIDGET_TEST_MAIN(DesignFormTest)
#include "tst_designform.moc"
