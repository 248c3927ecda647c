// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/design/batchview.h"
#include "widgets/design/designpage.h"
#include "widgets/design/strategyview.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/window/mainwindow.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QMenuBar>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// A walk over the window as a keyboard and a screen reader meet it.
class AccessibilityTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void namesEverythingThatTakesTheFocus();
    void reachesEverythingByTab();
    void pairsLabelsWithFields();
    void explainsFields();
    void readsTheNodeMapAsATable();
    void readsBatchAndStrategyAsTables();

private:
    QList<QWidget*> stops() const;

    Theme* m_theme = nullptr;
    Catalogue m_catalogue = loadCatalogue();
    Design* m_design = nullptr;
    MainWindow* m_window = nullptr;
};

void AccessibilityTest::initTestCase()
{
    m_theme = new Theme;
    m_theme->setMode(Theme::Mode::Light);
    m_design = new Design(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    m_design->replace(spec);
    m_window = new MainWindow(*m_design, *m_theme, {new DesignPage(*m_design), nullptr, nullptr, nullptr});
    m_window->resize(1400, 900);
    m_window->show();
    QApplication::setActiveWindow(m_window);
}

void AccessibilityTest::cleanupTestCase()
{
    delete m_window;
    delete m_design;
    delete m_theme;
}

/// Visible, enabled widgets that Tab is meant to reach and that are not a stand-in for another.
QList<QWidget*> AccessibilityTest::stops() const
{
    QList<QWidget*> widgets;
    for (auto* widget : m_window->findChildren<QWidget*>()) {
        if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus)
            && !widget->focusProxy())
            widgets.append(widget);
    }
    return widgets;
}

void AccessibilityTest::namesEverythingThatTakesTheFocus()
{
    const auto widgets = stops();
    QVERIFY(widgets.size() > 25);
    for (auto* widget : widgets) {
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
        const QString where = QLatin1String(widget->metaObject()->className()) + u' ' + widget->objectName();
        QVERIFY2(named, qPrintable(where));
    }
}

void AccessibilityTest::reachesEverythingByTab()
{
    QSet<QWidget*> met;
    QWidget* at = stops().first();
    at->setFocus();
    // The chain of Qt itself, as Tab follows it.
    for (int i = 0; i < 4000; ++i) {
        at = at->nextInFocusChain();
        met.insert(at);
    }
    for (auto* widget : stops())
        QVERIFY2(met.contains(widget), qPrintable(widget->accessibleName()));
}

void AccessibilityTest::pairsLabelsWithFields()
{
    QSet<QString> paired;
    for (auto* label : m_window->findChildren<QLabel*>()) {
        if (label->buddy())
            paired.insert(label->buddy()->objectName());
    }
    const std::initializer_list<QLatin1StringView> fields{field::name, field::cluster, field::account, field::partition,
        field::reservation, field::strategy, field::globalBatch, field::microBatch, field::datasetSamples,
        field::epochs, field::nodes, field::gpusPerNode, field::cpusPerGpu, field::memoryPerNode, field::time,
        field::launcher, field::container, field::modules, field::variables, field::command, field::workdir};
    for (const QLatin1StringView path : fields)
        QVERIFY2(paired.contains(path), qPrintable(QString(path)));
}

void AccessibilityTest::explainsFields()
{
    for (const QLatin1StringView path : {field::nodes, field::time, field::partition, field::memoryPerNode}) {
        const auto* control = m_window->findChild<QWidget*>(path);
        QVERIFY(control);
        QVERIFY(control->accessibleDescription().size() > 20);
        QVERIFY(!control->accessibleDescription().contains(u'<'));
    }
}

/// Nodes are rows, GPUs columns; each cell gives its rank and where it runs.
void AccessibilityTest::readsTheNodeMapAsATable()
{
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) {
        spec.resources.nodes = 3;
        spec.resources.gpusPerNode = 8;
        spec.parallel.strategy = Strategy::Ddp;
    });
    auto* map = m_window->findChild<RankMapView*>();
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(map);
    QVERIFY(table && table->tableInterface());
    QCOMPARE(table->role(), QAccessible::Table);
    QCOMPARE(table->tableInterface()->rowCount(), 3);
    QCOMPARE(table->tableInterface()->columnCount(), 8);
    QCOMPARE(table->childCount(), 24);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 8; ++column) {
            QAccessibleInterface* cell = table->tableInterface()->cellAt(row, column);
            QVERIFY(cell && cell->isValid());
            QCOMPARE(cell->text(QAccessible::Name), u"Rank %1 of 24"_s.arg(row * 8 + column));
            QVERIFY2(cell->text(QAccessible::Description).contains(u"node %1"_s.arg(row + 1)),
                qPrintable(cell->text(QAccessible::Description)));
            QCOMPARE(table->indexOfChild(cell), row * 8 + column);
            if (!cell->state().offscreen)
                QCOMPARE(table->childAt(cell->rect().center().x(), cell->rect().center().y()), cell);
        }
    }
    QVERIFY(!table->tableInterface()->cellAt(3, 0) && !table->tableInterface()->cellAt(0, -1));
    map->selectRank(9);
    QCOMPARE(table->tableInterface()->selectedCellCount(), 1);
    QCOMPARE(table->tableInterface()->selectedCells().first(), table->tableInterface()->cellAt(1, 1));
    QVERIFY(table->tableInterface()->cellAt(1, 1)->state().selected);
    QVERIFY(table->tableInterface()->columnDescription(1).contains(u"GCD 1"_s));
    // Fewer nodes: what a reader still holds says that it is gone.
    QAccessibleInterface* last = table->tableInterface()->cellAt(2, 7);
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 1; });
    QVERIFY(!last->isValid() && last->text(QAccessible::Name).isEmpty());
}

/// Ranks are rows, what each takes or holds columns.
void AccessibilityTest::readsBatchAndStrategyAsTables()
{
    m_design->edit(u"Batch"_s, [](JobSpec& spec) {
        spec.resources.nodes = 2;
        spec.resources.gpusPerNode = 8;
        spec.parallel.strategy = Strategy::Fsdp;
        spec.training.microBatch = 4;
        spec.training.globalBatch = 128;
        spec.model = {{u"preset"_s, u"llama-3-8b"_s}};
    });
    auto* batch = m_window->findChild<BatchView*>();
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(batch);
    QVERIFY(table && table->tableInterface());
    QCOMPARE(table->tableInterface()->rowCount(), 16);
    QCOMPARE(table->tableInterface()->columnCount(), 3);
    QCOMPARE(table->tableInterface()->cellAt(3, 0)->text(QAccessible::Name), u"4"_s);
    QCOMPARE(table->tableInterface()->cellAt(3, 1)->text(QAccessible::Name), u"2"_s);
    QCOMPARE(table->tableInterface()->cellAt(3, 2)->text(QAccessible::Name), u"8"_s);
    QVERIFY(table->tableInterface()->rowDescription(3).contains(u"rank 3"_s));
    batch->selectRank(5);
    QVERIFY(table->tableInterface()->cellAt(5, 0)->state().selected);
    auto* strategy = m_window->findChild<StrategyView*>();
    table = QAccessible::queryAccessibleInterface(strategy);
    QVERIFY(table && table->tableInterface());
    QCOMPARE(table->tableInterface()->rowCount(), 16);
    QCOMPARE(table->tableInterface()->columnCount(), 3);
    // Sharded: a part of a whole.
    const QString held = table->tableInterface()->cellAt(0, 0)->text(QAccessible::Name);
    QVERIFY2(held.contains(u"GiB of "_s), qPrintable(held));
    QCOMPARE(table->tableInterface()->columnDescription(2), u"Optimiser state"_s);
}

RANKWRIGHT_WIDGET_TEST_MAIN(AccessibilityTest)
#include "tst_accessibility.moc"
