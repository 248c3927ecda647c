// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/planpage.h"

#include "models/planning/estimatetext.h"
#include "widgets/base/card.h"
#include "widgets/base/emptystate.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/design/designtext.h"
#include "widgets/form/fieldparsing.h"
#include "widgets/plan/layouttable.h"
#include "widgets/plan/paretoplot.h"
#include "widgets/plan/plantext.h"

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

void PlanPage::showResult(const Result<SearchResult>& result)
{
    m_result = result.valueOr({});
    m_fault = result ? std::nullopt : std::optional(result.error());
    m_searched = true;
    m_ids.clear();
    m_byId.clear();
    for (const Candidate& each : std::as_const(m_result.pareto))
        m_byId.insert(idOf(each), each);
    for (const Candidate& each : std::as_const(m_result.candidates)) {
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
        point.summary = summary(*layout);
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
    m_maxNodes->setPlaceholder(derived.resolved.partitionInfo.maxNodes
            ? humanNumber(*derived.resolved.partitionInfo.maxNodes)
            : tr("any number"));
    m_tableCard->setTitle(any ? tr("%1 layouts fit").arg(humanNumber(double(m_result.feasible))) : tr("Layouts"));
    m_tableCard->setCaption(any ? searchCaption(m_result) : QString());
    const QString rejected = rejectionLine(m_result);
    m_rejected->setText(rejected);
    m_rejected->setToolTip(rejected);
    const Candidate* selected = find(m_selected);
    m_why->setText(selected ? summary(*selected) : tr("Choose a layout to read what it is good for."));
    m_use->setEnabled(selected && !isCurrent(*selected));
    m_stack->setCurrentIndex(any ? ResultShown : EmptyShown);
    const bool curve = m_sideTabs->current() == 0;
    m_sideCard->setCaption(
        curve ? tr("same batch, more %1s").arg(derived.resolved.node.gpu.word) : tr("expected against measured"));
    if (any)
        return;
    if (m_fault)
        m_empty->setText(QStringList{m_fault->what, m_fault->remedy}.join(u' ').trimmed());
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

QString PlanPage::summary(const Candidate& layout) const { return layoutSummary(layout, m_result, m_design.derived()); }

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

//
// The parts of the Plan page and what leads from one to the other.

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr int patienceMs = 400;
} // namespace

QWidget* PlanPage::buildHead()
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    m_title = makeElidedLabel("figure", head);
    m_objective = new SegmentedControl({tr("Fastest"), tr("Cheapest"), tr("Fewest nodes")}, head);
    m_objective->setCurrent(0);
    m_objective->setAccessibleName(tr("What comes first"));
    m_objective->setSegmentToolTip(0, tr("Least time for a step"));
    m_objective->setSegmentToolTip(1, tr("Least cost in the site's units"));
    m_objective->setSegmentToolTip(2, tr("Fewest nodes, then least time"));
    m_maxNodes = new QuantityEdit(head);
    m_maxNodes->setAccessibleName(tr("Nodes at most"));
    m_maxNodes->setFixedWidth(150);
    m_maxNodes->setHint(tr("nodes at most"));
    m_filter = new QuantityEdit(head);
    m_filter->setAccessibleName(tr("Filter the layouts"));
    m_filter->setPlaceholder(tr("Filter: FSDP, 16, full …"));
    m_filter->setFixedWidth(190);
    m_progress = new QProgressBar(head);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_progress->setAccessibleName(tr("Search in progress"));
    m_cancel = new QPushButton(tr("Cancel"), head);
    row->addWidget(m_title, 1);
    for (QWidget* each : std::initializer_list<QWidget*>{m_progress, m_cancel, m_objective, m_maxNodes, m_filter})
        row->addWidget(each);
    connect(m_cancel, &QPushButton::clicked, this, &PlanPage::cancelRequested);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_progress->show();
        m_cancel->show();
    });
    connect(m_objective, &SegmentedControl::chosen, this, &PlanPage::askAgain);
    connect(m_maxNodes, &QLineEdit::textEdited, this, [this](const QString& text) {
        const bool readable = bool(readWhole(text, 1, 100000));
        m_maxNodes->setInvalid(!readable);
        if (readable)
            askAgain();
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) { m_table->setFilter(text); });
    return head;
}

QWidget* PlanPage::buildBody()
{
    m_main = new QSplitter(Qt::Vertical, m_stack);
    m_main->setHandleWidth(10);
    m_main->setChildrenCollapsible(false);
    m_main->addWidget(buildTable());
    m_right = new QSplitter(Qt::Horizontal, m_main);
    m_right->setHandleWidth(10);
    m_right->setChildrenCollapsible(false);
    m_right->addWidget(buildPlot());
    m_right->addWidget(buildSide());
    m_main->addWidget(m_right);
    for (QSplitter* each : {m_main, m_right})
        setStyleProperty(each, "gap", true);
    return m_main;
}

Card* PlanPage::buildTable()
{
    m_tableCard = new Card(tr("Layouts"), m_main);
    m_table = new RecordTable(*m_model, m_tableCard);
    m_table->setObjectName(u"layouts"_s);
    dressLayoutTable(*m_table);
    m_table->setMinimumHeight(120);
    m_rejected = makeElidedLabel("caption", m_tableCard);
    auto* footer = new QHBoxLayout;
    footer->setSpacing(12);
    m_why = makeLabel({}, "quiet", m_tableCard);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_use = new QPushButton(tr("Use this layout"), m_tableCard);
    m_use->setProperty("accent", true);
    footer->addWidget(m_why, 1);
    footer->addWidget(m_use);
    m_tableCard->body()->addWidget(m_table, 1);
    m_tableCard->body()->addLayout(footer);
    m_tableCard->body()->addWidget(m_rejected);
    connect(m_table, &RecordTable::selected, this, &PlanPage::showSelected);
    connect(m_table, &QAbstractItemView::doubleClicked, this,
        [this](const QModelIndex& index) { applyLayout(index.data(RecordIdRole).toString()); });
    connect(m_use, &QPushButton::clicked, this, [this] { applyLayout(m_selected); });
    return m_tableCard;
}

Card* PlanPage::buildPlot()
{
    m_plotCard = new Card(tr("Time and cost"), m_main);
    m_plotCard->setCaption(tr("line = none is both faster and cheaper"));
    m_plot = new ParetoPlot(m_plotCard);
    m_plotCard->body()->addWidget(m_plot, 1);
    connect(m_plot, &ParetoPlot::selected, this, &PlanPage::selectLayout);
    connect(m_plot, &ParetoPlot::chosen, this, &PlanPage::applyLayout);
    return m_plotCard;
}

QWidget* PlanPage::buildSide()
{
    m_sideCard = new Card({}, m_main);
    m_sideTabs = new SegmentedControl({tr("Speed-up"), tr("Your runs")}, m_sideCard);
    m_sideTabs->setCurrent(0);
    m_sideCard->head()->insertWidget(0, m_sideTabs);
    m_side = new QStackedWidget(m_sideCard);
    auto* curve = new QWidget(m_side);
    auto* column = new QVBoxLayout(curve);
    column->setContentsMargins(0, 0, 0, 0);
    m_speedup = new SpeedupPlot(curve);
    m_speedupText = makeLabel({}, "quiet", curve);
    m_speedupText->setWordWrap(true);
    column->addWidget(m_speedup, 1);
    column->addWidget(m_speedupText);
    m_side->addWidget(curve);
    auto* runs = new QWidget(m_side);
    auto* list = new QVBoxLayout(runs);
    list->setContentsMargins(0, 0, 0, 0);
    m_runText = makeLabel({}, "quiet", runs);
    m_runText->setWordWrap(true);
    m_runTable = new RecordTable(*m_runs, runs);
    m_runTable->setAccessibleName(tr("Predicted and measured runs"));
    m_runTable->setMinimumHeight(80);
    m_clear = new QPushButton(tr("Forget these runs"), runs);
    m_clear->setToolTip(tr("Predictions then rest on published figures alone."));
    list->addWidget(m_runText);
    list->addWidget(m_runTable, 1);
    list->addWidget(m_clear, 0, Qt::AlignRight);
    m_side->addWidget(runs);
    m_sideCard->body()->addWidget(m_side, 1);
    connect(m_sideTabs, &SegmentedControl::chosen, m_side, &QStackedWidget::setCurrentIndex);
    connect(m_sideTabs, &SegmentedControl::chosen, this, &PlanPage::showWords);
    connect(m_clear, &QPushButton::clicked, this, &PlanPage::clearRunsRequested);
    return m_sideCard;
}

} // namespace rankwright
