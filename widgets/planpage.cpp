// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/planpage.h"

#include "models/planning/planwords.h"
#include "widgets/card.h"
#include "widgets/emptystate.h"
#include "widgets/fieldparsing.h"
#include "widgets/paretoplot.h"
#include "widgets/plannumbers.h"
#include "widgets/quantityedit.h"
#include "widgets/recordtable.h"
#include "widgets/segmentedcontrol.h"
#include "widgets/stories.h"

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <QSplitter>
#include <QStackedWidget>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr int besideFrom = 1560; // from here on the plots stand beside the table
constexpr int layoutsKept = 200;
constexpr int layoutsOfASize = 8; // the largest jobs would fill the list
enum Shown { EmptyShown, ResultShown };
} // namespace

PlanPage::PlanPage(Design& design, QWidget* parent)
    : QWidget(parent), m_design(design), m_model(new LayoutModel(this)), m_runs(new MeasuredModel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(10);
    column->addWidget(buildHead());
    m_stack = new QStackedWidget(this);
    m_empty = new EmptyState(u"plan"_s, tr("Layouts by time and cost"), {}, m_stack);
    connect(m_empty->addAction(tr("Name the model"), true), &QAbstractButton::clicked, this, &PlanPage::modelWanted);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildBody());
    column->addWidget(m_stack, 1);
    connect(&m_design, &Design::changed, this, &PlanPage::handleDesign);
    showBusy(false);
    showRuns();
    showWords();
}

SearchLimits PlanPage::limits() const
{
    SearchLimits limits;
    const auto nodes = readWhole(m_maxNodes->text(), 1, 100000);
    limits.maxNodes = nodes && nodes->has_value() ? int(**nodes) : 0;
    limits.objective = Objective(qMax(0, m_objective->current()));
    limits.top = layoutsKept;
    limits.perSize = layoutsOfASize;
    return limits;
}

void PlanPage::handleDesign()
{
    const bool learned = m_design.calibrations() != m_shownRuns;
    if (learned)
        showRuns();
    if (m_design.spec() == m_shownSpec && !learned)
        return;
    m_shownSpec = m_design.spec();
    // The mark moves at once; the list follows when the search is done.
    if (isVisible())
        showRows();
    askAgain();
}

void PlanPage::askAgain()
{
    m_outdated = true;
    if (!isVisible())
        return;
    m_outdated = false;
    emit searchWanted();
}

void PlanPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_outdated)
        return;
    showRows(); // the design may be another one than when the page was last seen
    askAgain();
}

void PlanPage::showBusy(bool busy)
{
    if (busy && !m_patience.isActive())
        m_patience.start();
    if (busy)
        return;
    m_patience.stop();
    m_progress->hide();
    m_cancel->hide();
}

void PlanPage::showResult(const SearchResult& result)
{
    m_result = result;
    m_searched = true;
    m_ids.clear();
    m_byId.clear();
    for (const Candidate& each : result.pareto)
        m_byId.insert(idOf(each), each);
    for (const Candidate& each : result.candidates) {
        m_ids.append(idOf(each));
        m_byId.insert(m_ids.last(), each);
    }
    showRows();
}

void PlanPage::showRows()
{
    QList<LayoutRow> rows;
    QString current;
    for (int i = 0; i < m_result.candidates.size(); ++i) {
        const Candidate& layout = m_result.candidates.at(i);
        rows.append({m_ids.at(i), layout, i + 1, isCurrent(layout)});
        if (rows.last().current)
            current = rows.last().id;
    }
    m_model->show(rows, m_design.derived().resolved.node.gpu.word, m_result.costUnit);
    if (!find(m_selected))
        m_selected.clear();
    if (m_selected.isEmpty() && !rows.isEmpty())
        m_selected = current.isEmpty() ? rows.first().id : current;
    showPlot();
    if (!m_selected.isEmpty())
        m_table->selectId(m_selected);
    showWords();
}

void PlanPage::showPlot()
{
    const PlotFigures figures = plotFigures(m_result, m_design.derived());
    QList<PlotPoint> points = figures.points;
    for (PlotPoint& point : points) {
        const Candidate* layout = find(point.id);
        if (!layout)
            continue;
        point.current = isCurrent(*layout);
        point.story = story(*layout);
    }
    const bool marked = std::any_of(points.begin(), points.end(), [](const PlotPoint& p) { return p.current; });
    if (!marked && figures.here)
        points.append(*figures.here);
    m_plot->setPoints(points, figures.costLabel);
    m_plot->select(m_selected);
}

void PlanPage::showWords()
{
    const Derived& derived = m_design.derived();
    const bool any = !m_result.candidates.isEmpty();
    m_title->setText(planTitle(derived));
    m_maxNodes->setStandIn(derived.resolved.partitionInfo.maxNodes
            ? humanNumber(*derived.resolved.partitionInfo.maxNodes)
            : tr("any number"));
    m_tableCard->setTitle(any ? tr("%1 layouts fit").arg(humanNumber(double(m_result.feasible))) : tr("Layouts"));
    m_tableCard->setCaption(any ? searchCaption(m_result) : QString());
    const QString rejected = rejectionLine(m_result);
    m_rejected->setText(rejected);
    m_rejected->setToolTip(rejected);
    const Candidate* selected = find(m_selected);
    m_why->setText(selected ? story(*selected) : tr("Choose a layout to read what it is good for."));
    m_use->setEnabled(selected && !isCurrent(*selected));
    m_stack->setCurrentIndex(any ? ResultShown : EmptyShown);
    const bool curve = m_sideTabs->current() == 0;
    m_sideCard->setCaption(
        curve ? tr("same batch, more %1s").arg(derived.resolved.node.gpu.word) : tr("expected against measured"));
    if (any)
        return;
    if (m_result.fault)
        m_empty->setText(QStringList{m_result.fault->what, m_result.fault->remedy}.join(u' ').trimmed());
    else if (m_searched)
        m_empty->setText(tr("No layout fits within these limits. %1").arg(rejected));
    else
        m_empty->setText(
            tr("Every sensible way to spread this training over the cluster will stand here, ranked by time, "
               "cost or nodes."));
}

void PlanPage::showSpeedup(const SpeedupData& curve, const QString& sentence)
{
    m_speedup->setData(curve);
    m_speedupText->setText(sentence);
    m_speedupText->setVisible(!sentence.isEmpty());
}

void PlanPage::showRuns()
{
    m_shownRuns = m_design.calibrations();
    const bool any = !m_shownRuns.runs.isEmpty();
    m_runs->assign(m_shownRuns.runs);
    m_runTable->setVisible(any);
    m_clear->setVisible(any);
    m_runText->setText(any
            ? tr("What your own runs taught: later predictions for the same cluster and kind of model lean on these.")
            : tr(
                "When a job of yours has ended, what was expected of it and what was measured stand here side by side, "
                "and make later predictions for that cluster and kind of model better."));
}

bool PlanPage::selectLayout(const QString& id)
{
    if (m_table->selectId(id))
        return true; // showSelected() has been told
    if (!find(id))
        return false;
    showSelected(id);
    return true;
}

void PlanPage::showSelected(const QString& id)
{
    if (id.isEmpty() || id == m_selected)
        return;
    m_selected = id;
    m_plot->select(id);
    showWords();
}

void PlanPage::applyLayout(const QString& id)
{
    const Candidate* layout = find(id);
    if (!layout || isCurrent(*layout))
        return;
    const Candidate chosen = *layout; // the edit may replace the list
    m_selected = id;
    m_design.edit(tr("Layout"), [&chosen](JobSpec& spec) { chosen.applyTo(spec); });
}

bool PlanPage::isCurrent(const Candidate& layout) const { return isLayoutOf(m_design.derived(), layout); }

const Candidate* PlanPage::find(const QString& id) const
{
    const auto found = m_byId.constFind(id);
    return found == m_byId.constEnd() ? nullptr : &*found;
}

QString PlanPage::story(const Candidate& layout) const { return layoutStory(layout, m_result, m_design.derived()); }

void PlanPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool beside = event->size().width() >= besideFrom;
    const auto wanted = beside ? Qt::Horizontal : Qt::Vertical;
    const bool first = event->oldSize().width() <= 0;
    if (m_main->orientation() == wanted && !first)
        return;
    m_main->setOrientation(wanted);
    m_right->setOrientation(beside ? Qt::Vertical : Qt::Horizontal);
    const int length = beside ? event->size().width() : event->size().height();
    m_main->setSizes(
        beside ? QList<int>{length * 64 / 100, length * 36 / 100} : QList<int>{length * 55 / 100, length * 45 / 100});
    m_right->setSizes({100, 100});
}

} // namespace rankwright
