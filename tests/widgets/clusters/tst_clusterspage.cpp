// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/clustercard.h"
#include "widgets/clusters/clusterlist.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/clusters/clustertext.h"

#include <QApplication>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

ClusterProfile bare(const QString& name)
{
    ClusterProfile profile;
    profile.name = name;
    profile.title = name.toUpper();
    NodeShape node;
    node.name = u"node"_s;
    node.gpu.model = u"A100"_s;
    node.gpus = 4;
    profile.nodes.append(node);
    return profile;
}

LinkInfo linkOf(const QString& cluster, LinkState state)
{
    LinkInfo link;
    link.cluster = cluster;
    link.state = state;
    return link;
}

} // namespace

class ClustersPageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void practiceIsFirst();
    void whatIsNotPublishedIsSaidSo();
    void showsWhatTheCatalogueKnows();
    void connectsAndDisconnects();
    void practiceStartsAndStops();
    void showsActivityAndError();
    void aFaultyProfileIsNotSilent();
    void followsAChangedCatalogue();
    void keepsTheKeyboardWhenRebuilt_data();
    void keepsTheKeyboardWhenRebuilt();
    void billingInWords_data();
    void billingInWords();
    void gpuLimitsInWords();
    void everyStopHasAName();
    void everyButtonIsInASmallWindow();
    void partitionsAreWholeInASmallWindow();

private:
    Catalogue m_catalogue;
    std::unique_ptr<Theme> m_theme;
};

void ClustersPageTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
    m_catalogue.clusters = {bare(u"far"_s), bare(u"practice"_s), bare(u"other"_s)};
    ClusterProfile& far = m_catalogue.clusters[0];
    far.login.host = u"login.far.example"_s;
    far.login.fingerprints = {u"SHA256:abc"_s};
    far.quirks.append({{}, u"Core 0 is kept for the system."_s, u"user guide"_s});
    far.nodes[0].gpu.bf16Teraflops = 312;
}

void ClustersPageTest::practiceIsFirst()
{
    ClustersPage page(m_catalogue);
    QCOMPARE(page.selectedCluster(), u"practice"_s);
    auto* list = page.findChild<ClusterList*>();
    QCOMPARE(list->model()->rowCount(), 3);
    page.selectCluster(u"other"_s);
    QCOMPARE(page.selectedCluster(), u"other"_s);
    page.selectCluster(u"no such"_s);
    QCOMPARE(page.selectedCluster(), u"other"_s);
}

void ClustersPageTest::whatIsNotPublishedIsSaidSo()
{
    ClustersPage page(m_catalogue);
    page.selectCluster(u"other"_s);
    page.show();
    const QString text = test::shownText(page);
    QVERIFY(text.count(u"not published"_s) > 5);
    QVERIFY(!text.contains(u"0 TFLOP"_s));
    QVERIFY(!text.contains(u"0\u2009W"_s));
}

void ClustersPageTest::showsWhatTheCatalogueKnows()
{
    ClustersPage page(m_catalogue);
    page.selectCluster(u"far"_s);
    page.show();
    const QString text = test::shownText(page);
    for (const QString& part : {u"login.far.example"_s, u"SHA256:abc"_s, u"Core 0 is kept for the system."_s,
             u"user guide"_s, u"312\u2009TFLOP/s per GPU, dense"_s, u"4 × A100"_s})
        QVERIFY2(text.contains(part), qPrintable(part));
}

void ClustersPageTest::connectsAndDisconnects()
{
    ClustersPage page(m_catalogue);
    page.selectCluster(u"far"_s);
    page.show();
    QSignalSpy connecting(&page, &ClustersPage::connectRequested);
    QSignalSpy leaving(&page, &ClustersPage::disconnectRequested);
    QSignalSpy use(&page, &ClustersPage::useRequested);
    test::shownButton(page, u"Connect…"_s)->click();
    QCOMPARE(connecting.first().first().toString(), u"far"_s);
    LinkInfo online = linkOf(u"far"_s, LinkState::Online);
    online.user = u"ada"_s;
    online.latencyMs = 38.4;
    page.showLink(online);
    QVERIFY(!test::shownButton(page, u"Connect…"_s));
    QVERIFY(test::shownText(page).contains(u"connected"_s));
    QVERIFY(test::shownText(page).contains(u"38\u2009ms"_s));
    test::shownButton(page, u"Disconnect"_s)->click();
    QCOMPARE(leaving.first().first().toString(), u"far"_s);
    test::shownButton(page, u"Use in design"_s)->click();
    QCOMPARE(use.first().first().toString(), u"far"_s);
}

void ClustersPageTest::practiceStartsAndStops()
{
    ClustersPage page(m_catalogue);
    page.show();
    QSignalSpy up(&page, &ClustersPage::practiceUpRequested);
    QSignalSpy down(&page, &ClustersPage::practiceDownRequested);
    QVERIFY(!test::shownButton(page, u"Connect…"_s));
    test::shownButton(page, u"Start practice cluster"_s)->click();
    QCOMPARE(up.size(), 1);
    page.showLink(linkOf(u"practice"_s, LinkState::Online));
    QVERIFY(!test::shownButton(page, u"Start practice cluster"_s));
    test::shownButton(page, u"Stop practice cluster"_s)->click();
    QCOMPARE(down.size(), 1);
}

void ClustersPageTest::showsActivityAndError()
{
    ClustersPage page(m_catalogue);
    page.show();
    LinkInfo link = linkOf(u"practice"_s, LinkState::Connecting);
    link.activity = u"starting slurmctld (3 of 9)"_s;
    link.activityFraction = 0.25;
    page.showLink(link);
    auto* bar = page.findChild<QProgressBar*>();
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->value() * 4, bar->maximum());
    QVERIFY(test::shownText(page).contains(u"starting slurmctld (3 of 9)"_s));
    link = linkOf(u"practice"_s, LinkState::Offline);
    link.error = Error{Fault::Io, u"slurmctld did not start."_s, u"port in use"_s, u"Stop the other one."_s};
    page.showLink(link);
    QVERIFY(!bar->isVisible());
    for (const QString& part : {u"slurmctld did not start."_s, u"port in use"_s, u"Stop the other one."_s})
        QVERIFY(test::shownText(page).contains(part));
    page.showLink(linkOf(u"practice"_s, LinkState::Online));
    QVERIFY(!test::shownText(page).contains(u"slurmctld did not start."_s));
}

void ClustersPageTest::aFaultyProfileIsNotSilent()
{
    Catalogue catalogue = m_catalogue;
    catalogue.faults.append({Fault::Unreadable, u"mine.json: $.nodes: expected a list"_s, {}, {}});
    ClustersPage page(catalogue);
    page.show();
    QVERIFY(test::shownText(page).contains(u"mine.json: $.nodes"_s));
}

void ClustersPageTest::followsAChangedCatalogue()
{
    Catalogue catalogue;
    catalogue.clusters = {bare(u"one"_s), bare(u"two"_s)};
    ClustersPage page(catalogue);
    page.resize(1100, 700);
    page.show();
    page.selectCluster(u"two"_s);
    page.showLink(linkOf(u"two"_s, LinkState::Online));
    QSignalSpy chosen(page.findChild<ClusterList*>(), &ClusterList::chosen);
    Catalogue later;
    later.clusters = {bare(u"one"_s), bare(u"two"_s), bare(u"three"_s)};
    later.clusters[1].title = u"Two, corrected"_s;
    later.faults = {{Fault::Unreadable, u"four.json: no object"_s, {}, {}}};
    catalogue = later;
    page.catalogueChanged();
    QCOMPARE(chosen.count(), 0); // nobody chose
    QCOMPARE(page.selectedCluster(), u"two"_s);
    QCOMPARE(page.findChild<ClusterList*>()->model()->rowCount(), 3);
    QVERIFY(test::shownText(page).contains(u"Two, corrected"_s));
    QTRY_VERIFY(test::shownText(page).contains(u"four.json"_s));
    QVERIFY(test::shownButton(page, u"Disconnect"_s)); // the link stays what it was
    page.selectCluster(u"three"_s);
    QVERIFY(test::shownText(page).contains(u"THREE"_s));
}

void ClustersPageTest::keepsTheKeyboardWhenRebuilt_data()
{
    QTest::addColumn<QString>("focused");
    QTest::newRow("a fact that was clicked") << u"login.one.example"_s;
    QTest::newRow("a fault that was clicked") << u"broken.json: no object"_s;
    QTest::newRow("the card itself") << QString();
}

/// A catalogue that is read again replaces cards and lines: who had the keyboard in one of them goes on from there.
void ClustersPageTest::keepsTheKeyboardWhenRebuilt()
{
    QFETCH(QString, focused);
    Catalogue catalogue;
    catalogue.clusters = {bare(u"one"_s), bare(u"two"_s)};
    catalogue.clusters[0].login.host = u"login.one.example"_s;
    catalogue.faults = {{Fault::Unreadable, u"broken.json: no object"_s, {}, {}}};
    ClustersPage page(catalogue);
    page.resize(1100, 700);
    page.show();
    QApplication::setActiveWindow(&page);
    page.selectCluster(u"one"_s);
    QWidget* holder = page.findChild<ClusterCard*>();
    for (QLabel* label : page.findChildren<QLabel*>()) {
        if (!focused.isEmpty() && label->isVisible() && label->text().contains(focused))
            holder = label;
    }
    holder->setFocusPolicy(Qt::ClickFocus);
    holder->setFocus(Qt::MouseFocusReason);
    QCOMPARE(QApplication::focusWidget(), holder);
    page.catalogueChanged();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(QApplication::focusWidget());
    QVERIFY(QApplication::focusWidget()->isVisible());
}

void ClustersPageTest::billingInWords_data()
{
    QTest::addColumn<BillingRule>("rule");
    QTest::addColumn<QString>("words");
    using Of = BillingTerm::Of;
    // LUMI user guide: 4 x nodes x hours; 0.5 x hours x max(ceil(cores/8), ceil(memory/64 GiB), GCDs).
    QTest::newRow("LUMI whole nodes") << BillingRule{{}, false, {}, u"GPU-hours"_s, 1, BillingRule::Combine::Max,
        {{Of::Nodes, 4, {}}}, {}} << u"GPU-hours = hours × 4 × nodes"_s;
    QTest::newRow("LUMI shared nodes")
        << BillingRule{{}, false, {}, u"GPU-hours"_s, 0.5, BillingRule::Combine::Max,
               {{Of::Cores, 1, 8}, {Of::MemoryGib, 1, 64}, {Of::Gpus, 1, {}}}, {}}
        << u"GPU-hours = hours × 0.5 × the largest of (cores ÷ 8 rounded up, memory in GiB ÷ 64 rounded up, GCDs)"_s;
    QTest::newRow("a sum") << BillingRule{{}, false, {}, u"BU"_s, 1, BillingRule::Combine::Sum,
        {{Of::Cores, 1, {}}, {Of::Gpus, 60, {}}}, {}}
                           << u"BU = hours × (cores + 60 × GCDs)"_s;
}

void ClustersPageTest::billingInWords()
{
    QFETCH(BillingRule, rule);
    QFETCH(QString, words);
    QCOMPARE(billingWords(rule, u"GCD"_s), words);
}

void ClustersPageTest::gpuLimitsInWords()
{
    Partition partition;
    QVERIFY(gpuLimits(partition).isEmpty());
    partition.maxGpusPerJob = 24;
    QCOMPARE(gpuLimits(partition), u"up to 24"_s);
    partition.minGpusPerJob = 4;
    QCOMPARE(gpuLimits(partition), u"4–24"_s);
    partition.maxGpusPerJob.reset();
    QCOMPARE(gpuLimits(partition), u"at least 4"_s);
}

void ClustersPageTest::everyStopHasAName()
{
    ClustersPage page(m_catalogue);
    page.selectCluster(u"far"_s);
    page.show();
    for (const QWidget* one : page.findChildren<QWidget*>()) {
        if (!one->isVisible() || !(one->focusPolicy() & Qt::TabFocus) || one->focusProxy())
            continue;
        const auto* pressed = qobject_cast<const QAbstractButton*>(one);
        const bool named = !one->accessibleName().isEmpty() || (pressed && !pressed->text().isEmpty());
        QVERIFY2(named, one->metaObject()->className());
    }
}

/// In a window of 1024 px the buttons of a connected cluster were cut or beyond its edge, and nothing scrolled to them.
void ClustersPageTest::everyButtonIsInASmallWindow()
{
    for (const int width : {1200, 944, 880}) {
        ClustersPage page(m_catalogue);
        page.resize(width, 600);
        page.selectCluster(u"far"_s);
        LinkInfo link;
        link.cluster = u"far"_s;
        link.state = LinkState::Online;
        link.user = u"ada"_s;
        link.latencyMs = 38;
        link.slurmVersion = u"22.05.8"_s;
        page.showLink(link);
        page.show();
        QApplication::processEvents();
        for (const QString& text : {u"Disconnect"_s, u"Compare…"_s, u"Draft an entry…"_s, u"Use in design"_s}) {
            const QPushButton* button = test::shownButton(page, text);
            QVERIFY2(button, qPrintable(text));
            QVERIFY2(button->visibleRegion().boundingRect() == button->rect()
                    && button->width() >= button->sizeHint().width(),
                qPrintable(u"%1 at %2"_s.arg(text).arg(width)));
        }
    }
}

/// "200 running, …" beside columns that were half empty.
void ClustersPageTest::partitionsAreWholeInASmallWindow()
{
    const Catalogue catalogue = loadCatalogue();
    ClustersPage page(catalogue);
    page.resize(944, 653);
    page.show();
    for (const ClusterProfile& cluster : catalogue.clusters) {
        page.selectCluster(cluster.name);
        QApplication::processEvents();
        const RecordTable* table = nullptr; // none: nothing is published
        for (const RecordTable* each : page.findChildren<RecordTable*>())
            table = each->isVisible() ? each : table;
        if (!table)
            continue;
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QString text = table->model()->index(row, column).data().toString();
                QVERIFY2(table->fontMetrics().horizontalAdvance(text) + 22 <= table->columnWidth(column),
                    qPrintable(u"%1: %2 in %3"_s.arg(cluster.name, text).arg(table->columnWidth(column))));
            }
        }
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClustersPageTest)
#include "tst_clusterspage.moc"
