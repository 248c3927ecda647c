// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/planpage.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/emptystate.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/plan/paretoplot.h"
#include "widgets/plan/planfilterbar.h"
#include "widgets/plan/plansidecard.h"
#include "widgets/plan/plantext.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyledItemDelegate>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Memory of a layout as a bar against what can be used, the figure beside it.
class MemoryBarDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

using T = Theme::Token;
constexpr int barMargin = 8;
constexpr int figureWidth = 62;

/// Of the verdict, which is in words in the same row.
T tokenOf(const QModelIndex& index)
{
    const auto tone = Tone(index.siblingAtColumn(LayoutModel::Verdict).data(ToneRole).toInt());
    return tone == Tone::Bad ? T::Bad : tone == Tone::Warn ? T::Warn : T::Accent;
}

void MemoryBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    const QString text = plain.text;
    plain.text.clear();
    const QWidget* widget = option.widget;
    widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, widget);
    const double used = index.data(LayoutModel::MemoryRole).toDouble();
    const double usable = index.data(LayoutModel::UsableRole).toDouble();
    const Theme& theme = themeOf(widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF cell = QRectF(option.rect).adjusted(barMargin, 0, -barMargin, 0);
    if (usable > 0 && cell.width() > figureWidth + 24) {
        const double share = used / usable;
        const QRectF track(cell.left(), cell.center().y() - 4, cell.width() - figureWidth - 6, 8);
        // The mark at nine tenths of the track: what is beyond has room to be seen.
        const double limit = track.width() * 0.9;
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.colour(T::Line));
        painter->drawRoundedRect(track, 3, 3);
        painter->setBrush(theme.colour(tokenOf(index)));
        painter->drawRoundedRect(
            QRectF(track.topLeft(), QSizeF(qBound(2.0, limit * share, track.width()), track.height())), 3, 3);
        painter->setPen(QPen(theme.colour(T::Foreground), 1.5));
        painter->drawLine(
            QPointF(track.left() + limit, track.top() - 3), QPointF(track.left() + limit, track.bottom() + 3));
    }
    painter->setPen(theme.colour(T::Foreground));
    painter->setFont(plain.font);
    painter->drawText(cell, Qt::AlignRight | Qt::AlignVCenter, text);
    painter->restore();
}

QSize MemoryBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {150, QStyledItemDelegate::sizeHint(option, index).height()};
}

constexpr int besideFrom = 1560; // from here on the plots are beside the table
enum Shown { EmptyShown, ResultShown };

/// Widths, the bar of memory, the order in which rows stand.
void dressLayoutTable(RecordTable& table)
{
    table.setAccessibleName(RecordTable::tr("Layouts"));
    table.setItemDelegateForColumn(LayoutModel::Memory, new MemoryBarDelegate(&table));
    table.verticalHeader()->setDefaultSectionSize(30);
    QHeaderView* head = table.horizontalHeader();
    const QList<std::pair<int, int>> widths{{LayoutModel::Rank, 44}, {LayoutModel::Nodes, 58}, {LayoutModel::Gpus, 62},
        {LayoutModel::StrategyName, 84}, {LayoutModel::Degrees, 106}, {LayoutModel::Batch, 88},
        {LayoutModel::RecomputeName, 92}, {LayoutModel::Memory, 120}, {LayoutModel::Step, 76}, {LayoutModel::Speed, 90},
        {LayoutModel::Mfu, 66}, {LayoutModel::Cost, 94}, {LayoutModel::Verdict, 132}, {LayoutModel::Why, 320}};
    head->setStretchLastSection(true);
    for (const auto& [column, width] : widths)
        head->resizeSection(column, width);
    table.sortByColumn(LayoutModel::Rank, Qt::AscendingOrder);
}
} // namespace

PlanPage::PlanPage(Design& design, QWidget* parent)
    : QWidget(parent), m_design(design), m_model(new LayoutModel(this)), m_head(new PlanFilterBar(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(10);
    column->addWidget(m_head);
    m_stack = new QStackedWidget(this);
    m_empty = new EmptyState(u"plan"_s, tr("Layouts by time and cost"), {}, m_stack);
    connect(m_empty->addButton(tr("Choose a model")), &QAbstractButton::clicked, this, &PlanPage::modelWanted);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildBody());
    column->addWidget(m_stack, 1);
    connect(&m_design, &Design::changed, this, &PlanPage::handleDesign);
    connect(m_head, &PlanFilterBar::limitsChanged, this, &PlanPage::askAgain);
    connect(m_head, &PlanFilterBar::filterChanged, this, &PlanPage::filterRows);
    connect(m_head, &PlanFilterBar::cancelRequested, this, &PlanPage::cancelRequested);
    connect(m_side, &PlanSideCard::clearRunsRequested, this, &PlanPage::clearRunsRequested);
    connect(m_side, &PlanSideCard::useRunsRequested, this, &PlanPage::useRunsRequested);
    m_side->showRuns(m_design.calibrations());
    showWords();
}

SearchLimits PlanPage::limits() const { return m_head->limits(); }

void PlanPage::showBusy(bool busy) { m_head->showBusy(busy); }

void PlanPage::showSpeedup(const SpeedupData& curve, const QString& sentence) { m_side->showSpeedup(curve, sentence); }

void PlanPage::handleDesign()
{
    const bool learned = m_design.calibrations() != m_side->runs();
    if (learned)
        m_side->showRuns(m_design.calibrations());
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

void PlanPage::showResult(const Result<SearchResult>& result)
{
    m_result = result.valueOr({});
    m_fault = result ? std::nullopt : std::optional(result.error());
    m_searched = true;
    m_byId.clear();
    for (const auto* list : {&m_result.pareto, &m_result.candidates}) {
        for (const Candidate& each : *list)
            m_byId.insert(idOf(each), each);
    }
    showRows();
}

void PlanPage::showRows()
{
    QList<LayoutRow> rows;
    QString current;
    for (int i = 0; i < m_result.candidates.size(); ++i) {
        const Candidate& layout = m_result.candidates.at(i);
        rows.append({idOf(layout), layout, i + 1, isCurrent(layout)});
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
    m_head->setTitle(planTitle(derived));
    m_head->setMostNodes(derived.resolved.partitionInfo.maxNodes);
    m_head->setGpuWord(derived.resolved.node.gpu.word);
    m_side->setGpuWord(derived.resolved.node.gpu.word);
    m_tableCard->setTitle(any ? tr("%1 %2").arg(counted(qint64(m_result.feasible), tr("layout")),
                              nounFor(double(m_result.feasible), tr("fits"), tr("fit")))
                              : tr("Layouts"));
    m_tableCard->setCaption(any ? searchCaption(m_result) : QString());
    m_tableCard->setToolTip(richToolTip(any ? searchCaption(m_result) : QString()));
    const QString rejected = rejectionLine(m_result);
    m_rejected->setText(rejected);
    const Candidate* selected = find(m_selected);
    m_why->setText(selected ? summary(*selected) : tr("Choose a layout to read what it is good for."));
    m_use->setEnabled(selected && !isCurrent(*selected));
    m_stack->setCurrentIndex(any ? ResultShown : EmptyShown);
    if (any)
        return;
    if (m_fault)
        m_empty->setText(QStringList{m_fault->what, m_fault->remedy}.join(u' ').trimmed());
    else if (m_searched)
        m_empty->setText(tr("No layout fits within these limits. %1").arg(rejected));
    else
        m_empty->setText(
            tr("Every sensible way to spread this training over the cluster will be listed here, ranked by time, "
               "cost or nodes."));
}

bool PlanPage::selectLayout(const QString& id)
{
    if (m_table->selectId(id))
        return true; // showSelected() has been called
    if (!find(id))
        return false;
    showSelected(id);
    return true;
}

void PlanPage::filterRows(const QString& text)
{
    m_table->setFilter(text);
    // "Use this layout" means a row that is seen.
    if (!m_selected.isEmpty() && m_table->selectId(m_selected))
        return;
    m_selected.clear();
    m_table->clearSelection();
    m_plot->select({});
    showWords();
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
    m_side = new PlanSideCard(m_right);
    m_right->addWidget(m_side);
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

void PlanPage::showMeasured() { m_side->openRuns(); }

Card* PlanPage::buildPlot()
{
    auto* plotCard = new Card(tr("Time and cost"), m_main);
    plotCard->setCaption(tr("line = none is both faster and cheaper"));
    m_plot = new ParetoPlot(plotCard);
    plotCard->body()->addWidget(m_plot, 1);
    connect(m_plot, &ParetoPlot::selected, this, &PlanPage::selectLayout);
    connect(m_plot, &ParetoPlot::chosen, this, &PlanPage::applyLayout);
    return plotCard;
}

} // namespace rankwright
