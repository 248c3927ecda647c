// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "tests/shots/planfixture.h"
#include "tests/support/testbase.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/plan/paretoplot.h"
#include "widgets/plan/planpage.h"
#include "widgets/plan/plantext.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

class PlanPageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void asksWhenShown();
    void asksWithTheRequests();
    void showsWhatWasFound();
    void selectsInTableAndPlot();
    void appliesALayoutAsOneStep();
    void filters();
    void showsProgress();
    void reportsWhenThereIsNothing();
    void reportsWhatWasRuledOut();
    void pricesLayouts();
    void showsOwnRuns();
    void keepsItsShapeInAnyWindow_data();
    void keepsItsShapeInAnyWindow();

private:
    QPushButton* button(const QString& text);
    QStringList texts();

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<QWidget> m_host;
    PlanPage* m_page = nullptr;
};

void PlanPageTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_host.reset();
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    m_design->replace(spec);
    m_host = std::make_unique<QWidget>();
    m_host->resize(1212, 720);
    m_page = new PlanPage(*m_design, m_host.get());
    m_page->resize(1212, 720);
}

QPushButton* PlanPageTest::button(const QString& text)
{
    for (auto* each : m_page->findChildren<QPushButton*>()) {
        if (each->text() == text)
            return each;
    }
    return nullptr;
}

QStringList PlanPageTest::texts()
{
    QStringList found;
    for (auto* label : m_page->findChildren<QLabel*>()) {
        if (label->isVisible())
            found.append(label->text());
    }
    return found;
}

void PlanPageTest::asksWhenShown()
{
    QSignalSpy wanted(m_page, &PlanPage::searchWanted);
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 3; });
    QCOMPARE(wanted.count(), 0); // nobody looks at it
    m_host->show();
    QCOMPARE(wanted.count(), 1);
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 4; });
    QCOMPARE(wanted.count(), 2);
    m_host->hide();
    m_host->show();
    QCOMPARE(wanted.count(), 2); // nothing has changed in between
}

void PlanPageTest::asksWithTheRequests()
{
    m_host->show();
    QSignalSpy wanted(m_page, &PlanPage::searchWanted);
    for (auto* segment : m_page->findChildren<QToolButton*>()) {
        if (segment->text() == u"Cheapest")
            segment->click();
    }
    QCOMPARE(wanted.count(), 1);
    QVERIFY(m_page->limits().objective == Objective::Cost);
    QCOMPARE(m_page->limits().maxNodes, 0);
    QuantityEdit* nodes = nullptr;
    for (auto* edit : m_page->findChildren<QuantityEdit*>()) {
        if (edit->accessibleName() == u"Nodes at most")
            nodes = edit;
    }
    QVERIFY(nodes);
    QTest::keyClicks(nodes, u"16"_s);
    QCOMPARE(m_page->limits().maxNodes, 16);
    QCOMPARE(wanted.count(), 3);
    QTest::keyClicks(nodes, u"x"_s);
    QCOMPARE(wanted.count(), 3); // what cannot be read changes nothing
    QVERIFY(nodes->property("invalid").toBool());
    for (auto* edit : m_page->findChildren<QuantityEdit*>()) {
        if (edit->accessibleName().contains(u"done within"))
            QTest::keyClicks(edit, u"2d"_s);
        if (edit->accessibleName().contains(u"costs at most"))
            QTest::keyClicks(edit, u"3000"_s);
    }
    QCOMPARE(m_page->limits().withinSeconds.value_or(0), 2 * 86400.0);
    QCOMPARE(m_page->limits().budget.value_or(0), 3000.0);
}

void PlanPageTest::showsWhatWasFound()
{
    m_host->show();
    m_page->showResult(test::searchResult());
    QCOMPARE(m_page->layouts().rowCount(), 40);
    QVERIFY(texts().contains(u"%1 layouts fit"_s.arg(humanNumber(1204))));
    QCOMPARE(m_page->findChild<ParetoPlot*>()->points().size(), 40);
    // The best one is selected, so that its description is read at once.
    QCOMPARE(m_page->findChild<ParetoPlot*>()->selectedId(), idOf(test::searchResult().candidates.first()));
}

void PlanPageTest::selectsInTableAndPlot()
{
    m_host->show();
    const SearchResult found = test::searchResult();
    m_page->showResult(found);
    const QString id = idOf(found.candidates.at(7));
    QVERIFY(m_page->selectLayout(id));
    QCOMPARE(m_page->findChild<ParetoPlot*>()->selectedId(), id);
    QCOMPARE(m_page->findChild<RecordTable*>(u"layouts"_s)->selectedId(), id);
    emit m_page->findChild<ParetoPlot*>()->selected(idOf(found.candidates.at(3)));
    QCOMPARE(m_page->findChild<RecordTable*>(u"layouts"_s)->selectedId(), idOf(found.candidates.at(3)));
    QVERIFY(!m_page->selectLayout(u"none"_s));
}

void PlanPageTest::appliesALayoutAsOneStep()
{
    m_host->show();
    const SearchResult found = test::searchResult();
    m_page->showResult(found);
    const JobSpec before = m_design->spec();
    QVERIFY(m_page->selectLayout(idOf(found.candidates.at(9))));
    button(u"Use this layout"_s)->click();
    QCOMPARE(m_design->spec().resources.nodes, std::optional<int>(found.candidates.at(9).layout.nodes));
    QCOMPARE(m_design->undoLabel(), u"Layout"_s);
    QVERIFY(m_page->isVisible());
    QVERIFY(m_design->undo());
    QCOMPARE(m_design->spec(), before);
    emit m_page->findChild<ParetoPlot*>()->chosen(idOf(found.candidates.at(12)));
    QCOMPARE(m_design->spec().resources.nodes, std::optional<int>(found.candidates.at(12).layout.nodes));
}

void PlanPageTest::filters()
{
    m_host->show();
    m_page->showResult(test::searchResult());
    QuantityEdit* filter = nullptr;
    for (auto* edit : m_page->findChildren<QuantityEdit*>()) {
        if (edit->accessibleName() == u"Filter the layouts")
            filter = edit;
    }
    QTest::keyClicks(filter, u"zero-1"_s);
    QCOMPARE(m_page->findChild<RecordTable*>(u"layouts"_s)->shownRows(), 13);
    // W12: "Use this layout" never means a row that the filter hides.
    QVERIFY(button(u"Use this layout"_s)->isEnabled()
        == !m_page->findChild<RecordTable*>(u"layouts"_s)->selectedId().isEmpty());
    filter->clear();
    QTest::keyClicks(filter, u"no such layout"_s);
    QCOMPARE(m_page->findChild<RecordTable*>(u"layouts"_s)->shownRows(), 0);
    QVERIFY(!button(u"Use this layout"_s)->isEnabled());
    const JobSpec before = m_design->spec();
    button(u"Use this layout"_s)->click();
    QCOMPARE(m_design->spec(), before);
}

void PlanPageTest::showsProgress()
{
    m_host->show();
    QVERIFY(!button(u"Cancel"_s)->isVisible());
    QSignalSpy cancelled(m_page, &PlanPage::cancelRequested);
    m_page->showBusy(true);
    QTRY_VERIFY(button(u"Cancel"_s)->isVisible()); // not at once: a quick search would only flicker
    button(u"Cancel"_s)->click();
    QCOMPARE(cancelled.count(), 1);
    m_page->showBusy(false);
    QVERIFY(!button(u"Cancel"_s)->isVisible());
}

void PlanPageTest::reportsWhenThereIsNothing()
{
    m_host->show();
    m_page->showResult(fail(Fault::Invalid, u"No model is named."_s, {}, u"Name one in the form."_s));
    QVERIFY(texts().contains(u"No model is named. Name one in the form."_s));
    QSignalSpy wanted(m_page, &PlanPage::modelWanted);
    button(u"Choose a model"_s)->click();
    QCOMPARE(wanted.count(), 1);
    SearchResult full;
    full.rejected = {{u"need more memory than there is"_s, 512}};
    m_page->showResult(full);
    QVERIFY(texts().join(u' ').contains(u"512 need more memory"_s));
}

void PlanPageTest::reportsWhatWasRuledOut()
{
    const QString line = rejectionLine(test::searchResult());
    QVERIFY2(line.startsWith(u"Ruled out: %1 need more memory"_s.arg(humanNumber(60112))), qPrintable(line));
    QCOMPARE(line.count(u'·'), 2);
    QCOMPARE(rejectionLine({}), QString());
}

void PlanPageTest::pricesLayouts()
{
    Derived derived = m_design->derived();
    derived.estimate = test::fsdpEstimate();
    SearchResult found = test::searchResult();
    const PlotFigures priced = plotFigures(found, derived);
    QCOMPARE(priced.costLabel, u"GPU-hours for 10⁹ tokens"_s);
    QVERIFY(priced.here && priced.here->current);
    // Same size, same price per second: the design costs in proportion to its step.
    const auto like = std::find_if(
        found.candidates.begin(), found.candidates.end(), [](const Candidate& c) { return c.layout.nodes == 2; });
    const double expected = *like->cost * 28.9 * 16 / (like->stepSeconds * like->layout.gpus());
    QVERIFY(qAbs(priced.here->cost - expected) < 1e-6);
    // A site without prices: GPU-hours for 1 000 steps, 16 GCDs x 28.9 s x 1000 / 3600.
    for (Candidate& layout : found.candidates)
        layout.cost.reset();
    const PlotFigures plain = plotFigures(found, derived);
    QVERIFY(plain.costLabel.startsWith(u"GPU-hours"_s));
    QVERIFY(qAbs(plain.here->cost - 128.444) < 0.01);
    QVERIFY(!isLayoutOf(derived, found.candidates.at(4)));
    Candidate same = found.candidates.at(0);
    same.layout = derived.estimate->run.layout;
    same.recompute = Recompute::SelectiveAttention;
    same.strategy = derived.resolved.strategy;
    QVERIFY(isLayoutOf(derived, same));
}

void PlanPageTest::showsOwnRuns()
{
    m_host->show();
    m_page->showResult(test::searchResult());
    for (auto* segment : m_page->findChildren<QToolButton*>()) {
        if (segment->text() == u"Your runs")
            segment->click();
    }
    QVERIFY(!button(u"Forget these runs"_s)->isVisible());
    CalibrationTable table;
    MeasuredRun run;
    run.cluster = u"lumi"_s;
    run.family = u"decoder"_s;
    run.stack = u"fsdp2"_s;
    run.job = u"1234 · gpt"_s;
    run.when = QDateTime::currentDateTime();
    run.predictedBytes = 1e10;
    run.measuredBytes = 1.1e10;
    run.predictedSeconds = 2.0;
    run.measuredSeconds = 2.1;
    table.runs.append(run);
    m_design->setCalibrations(table);
    QVERIFY(button(u"Forget these runs"_s)->isVisible());
    auto* use = m_page->findChild<QCheckBox*>();
    QVERIFY(use && use->isVisible() && use->isChecked());
    QSignalSpy used(m_page, &PlanPage::useRunsRequested);
    use->click(); // W1: one click switches the correction off
    QCOMPARE(used.takeFirst().first().toBool(), false);
    QSignalSpy cleared(m_page, &PlanPage::clearRunsRequested);
    button(u"Forget these runs"_s)->click();
    QCOMPARE(cleared.count(), 1);
}

void PlanPageTest::keepsItsShapeInAnyWindow_data()
{
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(956, 620), QSize(1212, 720), QSize(1852, 1000), QSize(3772, 2080)})
        QTest::addRow("%d", size.width()) << size;
}

void PlanPageTest::keepsItsShapeInAnyWindow()
{
    QFETCH(QSize, size);
    m_page->showResult(test::searchResult());
    m_page->showSpeedup(test::speedup(), u"More than 128 GCDs won't help."_s);
    m_host->resize(size);
    m_page->resize(size);
    m_host->show();
    QApplication::processEvents();
    const auto* table = m_page->findChild<RecordTable*>(u"layouts"_s);
    const auto* plot = m_page->findChild<ParetoPlot*>();
    QVERIFY(table->height() >= 120);
    QVERIFY(plot->width() >= 260 && plot->height() >= 150);
    QVERIFY(m_page->minimumSizeHint().width() <= size.width());
}

RANKWRIGHT_WIDGET_TEST_MAIN(PlanPageTest)
#include "tst_planpage.moc"
