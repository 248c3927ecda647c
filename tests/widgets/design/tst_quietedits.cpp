// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/design/costview.h"
#include "widgets/design/designpage.h"
#include "widgets/design/numberspot.h"
#include "widgets/design/verdictbar.h"
#include "widgets/form/designform.h"
#include "widgets/motion/motioncard.h"
#include "widgets/rankmap/rankmapview.h"

#include <QApplication>
#include <QMap>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

/// Counts what one edit makes the widgets do, in the place of a clock.
class EventCount final : public QObject {
public:
    EventCount() { qApp->installEventFilter(this); }
    ~EventCount() override { qApp->removeEventFilter(this); }
    int of(const QObject* watched, QEvent::Type type) const { return m_counts.value({watched, type}); }
    /// Of the widget and all below it.
    int within(const QWidget* area, QEvent::Type type) const
    {
        int count = of(area, type);
        for (const QWidget* each : area->findChildren<QWidget*>())
            count += of(each, type);
        return count;
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        ++m_counts[{watched, event->type()}];
        return false;
    }

private:
    QMap<std::pair<const QObject*, QEvent::Type>, int> m_counts;
};

} // namespace

/// An edit repaints and lays out what it changes, and nothing else.
class QuietEditsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void theBatchLeavesTheNodesAlone();
    void theNodesAreThereAfterTheirEdit();
    void nothingIsLaidOutForTheSameWidth();
    void whatTheBarHidesStaysHidden();
    void toolTipsAreWrittenWhenTheyChange();
    void nothingMovesUnseen();

private:
    void editBatch(qint64 samples);

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<DesignPage> m_page;
};

void QuietEditsTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.name = u"quiet"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.resources.gpusPerNode = 8;
    spec.training.globalBatch = 8192;
    spec.launcher = Launcher::Srun;
    m_design->replace(spec);
    m_page = std::make_unique<DesignPage>(*m_design);
    m_page->resize(1280, 744);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get(), test::longWaitMs));
    editBatch(8192 + 64);
}

void QuietEditsTest::cleanup()
{
    m_page.reset();
    m_design.reset();
}

void QuietEditsTest::editBatch(qint64 samples)
{
    m_design->edit(u"Batch"_s, [samples](JobSpec& spec) { spec.training.globalBatch = samples; });
    QApplication::sendPostedEvents();
    QApplication::processEvents();
}

void QuietEditsTest::theBatchLeavesTheNodesAlone()
{
    auto* map = m_page->findChild<RankMapView*>();
    auto* price = m_page->findChild<CostView*>();
    const EventCount count;
    editBatch(8192 + 128);
    QCOMPARE(count.within(map, QEvent::Paint), 0);
    QCOMPARE(count.of(price, QEvent::Paint), 0);
}

void QuietEditsTest::theNodesAreThereAfterTheirEdit()
{
    auto* map = m_page->findChild<RankMapView*>();
    const EventCount count;
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 3; });
    QTRY_VERIFY(count.within(map, QEvent::Paint) > 0);
    QCOMPARE(map->dataShown().nodes, 3);
}

/// 8,256 and 8,320 are as wide as one another in a font whose digits are.
void QuietEditsTest::nothingIsLaidOutForTheSameWidth()
{
    NumberSpot* batch = nullptr;
    for (auto* each : m_page->findChildren<NumberSpot*>())
        batch = each->accessibleName().startsWith(u"Global batch"_s) ? each : batch;
    QVERIFY(batch);
    const QFontMetrics metrics(batch->font());
    if (metrics.horizontalAdvance(u"8 256"_s) != metrics.horizontalAdvance(u"8 320"_s))
        QSKIP("the digits of this machine's font are not of one width");
    const EventCount count;
    editBatch(8192 + 128);
    QCOMPARE(batch->value(), qint64(8192 + 128));
    QCOMPARE(count.of(batch->parentWidget(), QEvent::LayoutRequest), 0);
}

/// Figures that give way on a narrow window were shown and hidden again at every edit.
void QuietEditsTest::whatTheBarHidesStaysHidden()
{
    m_page->resize(1000, 744);
    QApplication::processEvents();
    auto* bar = m_page->findChild<VerdictBar*>();
    const EventCount count;
    editBatch(8192 + 128);
    QCOMPARE(count.within(bar, QEvent::ShowToParent), 0);
    QCOMPARE(count.within(bar, QEvent::HideToParent), 0);
}

/// Some fifty fields, of most of which an edit says nothing new.
void QuietEditsTest::toolTipsAreWrittenWhenTheyChange()
{
    const EventCount count;
    editBatch(8192 + 128);
    const int written = count.within(m_page->findChild<DesignForm*>(), QEvent::ToolTipChange);
    QVERIFY2(written <= 12, qPrintable(QString::number(written)));
}

/// The moving picture is made when it is looked at, and follows the design then.
void QuietEditsTest::nothingMovesUnseen()
{
    editBatch(8192 + 128);
    QVERIFY(!m_page->findChild<MotionCard*>());
}

RANKWRIGHT_WIDGET_TEST_MAIN(QuietEditsTest)
#include "tst_quietedits.moc"
