// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/livehistorycard.h"

#include "models/insight/telemetry/history/serieshistory.h"
#include "models/tables/historytable.h"
#include "widgets/base/card.h"

#include <QBoxLayout>
#include <QDialog>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int tableRows = 60;

int decimalsOf(Measure measure) { return measure == Measure::Memory ? 1 : 0; }

QAction* checkable(QMenu& menu, const QString& text, bool checked)
{
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(checked);
    return action;
}

} // namespace

LiveHistoryCard::LiveHistoryCard(const GpuGrid& grid, QWidget* parent)
    : QWidget(parent), m_grid(&grid), m_card(new Card(tr("History"), this)), m_plot(new HistoryPlot(m_card)),
      m_choices(new QToolButton(m_card))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    m_choices->setText(tr("Show"));
    m_choices->setAccessibleName(tr("What the history shows"));
    m_choices->setToolTip(tr("Measures, stretch of time, GPU or node, comparison, table"));
    m_choices->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_choices);
    m_choices->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &LiveHistoryCard::buildMenu);
    m_card->head()->addWidget(m_choices);
    m_card->body()->addWidget(m_plot, 1);
    connect(m_plot, &HistoryPlot::rangeChanged, this, &LiveHistoryCard::refreshCaption);
    m_own = std::make_shared<SeriesHistory>(grid.series(), [&grid] { return grid.nowMs(); });
    setHistory({});
    setGrid(grid);
}

void LiveHistoryCard::setGrid(const GpuGrid& grid)
{
    disconnect(m_grid, nullptr, m_plot, nullptr);
    m_grid = &grid;
    connect(m_grid, &GpuGrid::rowsFlushed, m_plot, &HistoryPlot::refreshValues);
    m_plot->setScales([this](Measure measure) { return scaleOf(*m_grid, measure); });
    m_plot->setValues(
        [this](const HistorySubject& subject, Measure measure) {
            return subject.gpu
                ? valueOf(*m_grid, {subject.node, *subject.gpu}, measure)
                : nodeValueAt(m_grid->series(), subject.node, measure, m_grid->nowMs(), m_grid->gpusPerPackage());
        },
        m_grid->gpuWord());
    refreshLines();
}

void LiveHistoryCard::setHistory(std::shared_ptr<const TelemetryHistory> history)
{
    m_history = history ? std::move(history) : m_own;
    m_plot->setHistory(m_history, m_grid->gpusPerPackage());
}

void LiveHistoryCard::showGpu(std::optional<GpuAddress> gpu)
{
    m_gpu = gpu;
    refreshLines();
}

void LiveHistoryCard::setPins(const QList<HistorySubject>& pins)
{
    m_pins = pins.mid(0, mostPins);
    refreshLines();
}

void LiveHistoryCard::refresh()
{
    refreshLines();
    m_plot->refresh();
}

QString LiveHistoryCard::placeOf(const HistorySubject& subject) const
{
    const QString node = m_grid->series().nodes().value(subject.node);
    return u"%1 · %2 %3"_s.arg(node, m_grid->gpuWord()).arg(subject.gpu.value_or(0));
}

QString LiveHistoryCard::nameOf(const HistorySubject& subject) const
{
    if (!subject.gpu)
        return tr("%1, all its %2s").arg(m_grid->series().nodes().value(subject.node), m_grid->gpuWord());
    const std::optional<int> rank = rankOf(*m_grid, {subject.node, *subject.gpu});
    return rank ? tr("Rank %1 · %2").arg(*rank).arg(placeOf(subject)) : placeOf(subject);
}

QString LiveHistoryCard::shortNameOf(const HistorySubject& subject) const
{
    if (!subject.gpu)
        return m_grid->series().nodes().value(subject.node);
    const std::optional<int> rank = rankOf(*m_grid, {subject.node, *subject.gpu});
    return rank ? tr("rank %1").arg(*rank) : placeOf(subject);
}

void LiveHistoryCard::refreshLines()
{
    QList<HistorySubject> subjects = m_pins;
    if (m_gpu) {
        const HistorySubject chosen{m_gpu->node, m_wholeNode ? std::nullopt : std::optional(m_gpu->gpu)};
        if (!subjects.contains(chosen))
            subjects.prepend(chosen);
    }
    QList<HistoryLine> lines;
    for (const HistorySubject& subject : std::as_const(subjects)) {
        // Grey for the one that merely happens to be selected, colours for what is pinned.
        const qsizetype pin = m_pins.indexOf(subject);
        static constexpr std::array categories{0, 1, 2, 3, 4, 5};
        lines.append({subject, nameOf(subject), shortNameOf(subject),
            pin >= 0               ? categories.at(std::size_t(pin))
                : m_pins.isEmpty() ? 0
                                   : 7});
    }
    m_plot->setInvitation(tr("Select a cell to see the history of its %1.").arg(m_grid->gpuWord()));
    m_plot->setLines(lines);
    if (lines.isEmpty())
        m_card->setTitle(tr("History"));
    else
        m_card->setTitle(lines.size() == 1 ? lines.first().name : tr("%1 compared").arg(lines.size()));
    refreshCaption();
}

void LiveHistoryCard::refreshCaption()
{
    const TimeSpan span = m_plot->span();
    // The axis shows the stretch; in a narrow card a caption would only be cut.
    m_card->setToolTip(span.length() > 0 ? tr("%1 shown").arg(spanText(span.length())) : QString());
}

void LiveHistoryCard::buildMenu()
{
    QMenu& menu = *m_choices->menu();
    menu.clear();
    const QList<Measure> shown = m_plot->measures();
    for (const Measure measure : allMeasures) {
        QAction* one = checkable(menu, toText(measure), shown.contains(measure));
        connect(one, &QAction::toggled, this, [this, measure](bool on) {
            QList<Measure> wanted;
            for (const Measure each : allMeasures) {
                if (each == measure ? on : m_plot->measures().contains(each))
                    wanted.append(each);
            }
            m_plot->setMeasures(wanted);
        });
    }
    menu.addSeparator();
    connect(checkable(menu, tr("The last 10 minutes"), m_plot->range() == HistoryPlot::Range::Recent),
        &QAction::triggered, this, [this] { m_plot->showRange(HistoryPlot::Range::Recent); });
    connect(checkable(menu, tr("The whole job"), m_plot->range() == HistoryPlot::Range::All), &QAction::triggered, this,
        [this] { m_plot->showRange(HistoryPlot::Range::All); });
    menu.addSeparator();
    connect(checkable(menu, tr("The whole node of the selected %1").arg(m_grid->gpuWord()), m_wholeNode),
        &QAction::toggled, this, [this](bool on) {
            m_wholeNode = on;
            refreshLines();
        });
    QAction* apart = checkable(menu, tr("Side by side"), m_plot->arrangement() == HistoryPlot::Arrangement::SideBySide);
    apart->setEnabled(m_plot->lines().size() > 1);
    connect(apart, &QAction::toggled, this, [this](bool on) {
        m_plot->setArrangement(on ? HistoryPlot::Arrangement::SideBySide : HistoryPlot::Arrangement::Overlaid);
    });
    QAction* clear = menu.addAction(tr("Compare nothing"), this, &LiveHistoryCard::pinsCleared);
    clear->setEnabled(!m_pins.isEmpty());
    menu.addSeparator();
    menu.addAction(tr("As a table …"), this, &LiveHistoryCard::showTable)->setEnabled(!m_plot->lines().isEmpty());
}

void LiveHistoryCard::showTable()
{
    QList<HistoryTable::Column> columns;
    for (const HistoryLine& line : m_plot->lines()) {
        for (const Measure measure : m_plot->measures()) {
            const QString unit = unitOf(measure).isEmpty() ? QString() : u" (%1)"_s.arg(unitOf(measure));
            columns.append({line.shortName + u", "_s + toText(measure) + unit, decimalsOf(measure),
                overviewOf(*m_history, line.subject, measure, m_plot->span(), tableRows, m_grid->gpusPerPackage())});
        }
    }
    QDialog dialog(this);
    dialog.setWindowTitle(tr("%1, %2").arg(m_card->title(), spanText(m_plot->span().length())));
    auto* table = new QTableView(&dialog);
    auto* model = new HistoryTable(table);
    model->assign(columns);
    table->setModel(model);
    table->setAccessibleName(dialog.windowTitle());
    table->resizeColumnsToContents();
    auto* column = new QVBoxLayout(&dialog);
    column->addWidget(table);
    dialog.resize(760, 520);
    dialog.exec();
}

} // namespace rankwright
