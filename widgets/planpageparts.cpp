// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of the Plan page and what leads from one to the other.
#include "widgets/card.h"
#include "widgets/fieldparsing.h"
#include "widgets/layouttable.h"
#include "widgets/paretoplot.h"
#include "widgets/planpage.h"
#include "widgets/quantityedit.h"
#include "widgets/segmentedcontrol.h"

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

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
    m_filter->setStandIn(tr("Filter: FSDP, 16, full …"));
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
    auto* foot = new QHBoxLayout;
    foot->setSpacing(12);
    m_why = makeLabel({}, "quiet", m_tableCard);
    m_why->setWordWrap(true);
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_use = new QPushButton(tr("Use this layout"), m_tableCard);
    m_use->setProperty("accent", true);
    foot->addWidget(m_why, 1);
    foot->addWidget(m_use);
    m_tableCard->body()->addWidget(m_table, 1);
    m_tableCard->body()->addLayout(foot);
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
