// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/planfilterbar.h"

#include "models/planner/design/trainingtime.h"
#include "widgets/base/card.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/form/fieldparsing.h"

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace rankwright {

namespace {
constexpr int patienceMs = 400;
constexpr int layoutsKept = 200;
constexpr int layoutsOfASize = 8; // the largest jobs would fill the list
} // namespace

PlanFilterBar::PlanFilterBar(QWidget* parent) : QWidget(parent)
{
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    auto* demands = new QHBoxLayout;
    demands->setSpacing(10);
    rows->addLayout(row);
    rows->addLayout(demands);
    m_title = makeElidedLabel("figure", this);
    m_objective = new SegmentedControl({tr("Recommended"), tr("Fastest"), tr("Cheapest"), tr("Fewest nodes")}, this);
    m_objective->setCurrent(0);
    m_objective->setAccessibleName(tr("What comes first"));
    setGpuWord(tr("GPU"));
    m_objective->setSegmentToolTip(
        0, tr("First the layout that an open design becomes: the cheapest with a step under a minute"));
    m_objective->setSegmentToolTip(2, tr("Least cost in the site's units"));
    m_objective->setSegmentToolTip(3, tr("Fewest nodes, then least time"));
    m_maxNodes = new QuantityEdit(this);
    m_maxNodes->setAccessibleName(tr("Nodes at most"));
    m_maxNodes->setFixedWidth(150);
    m_maxNodes->setHint(tr("nodes at most"));
    m_within = makeDemand(tr("done within"), tr("any time"), tr("The whole training done within"),
        tr("Days and hours as Slurm writes them: 2-00:00:00. Checkpoints and restarts count; the design's data set "
           "says how "
           "much is trained."));
    m_budget = makeDemand(tr("costs at most"), tr("any cost"), tr("The whole training costs at most"),
        tr("In the site's units, or GPU-hours where it publishes none"));
    m_filter = new QuantityEdit(this);
    m_filter->setAccessibleName(tr("Filter the layouts"));
    m_filter->setPlaceholder(tr("Filter: FSDP, 16, full …"));
    m_filter->setFixedWidth(190);
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_progress->setAccessibleName(tr("Search in progress"));
    m_cancel = new QPushButton(tr("Cancel"), this);
    row->addWidget(m_title, 1);
    for (QWidget* each : std::initializer_list<QWidget*>{m_progress, m_cancel, m_objective, m_filter})
        row->addWidget(each);
    demands->addStretch(1);
    for (QWidget* each : std::initializer_list<QWidget*>{m_maxNodes, m_within, m_budget})
        demands->addWidget(each);
    connect(m_cancel, &QPushButton::clicked, this, &PlanFilterBar::cancelRequested);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_progress->show();
        m_cancel->show();
    });
    connect(m_objective, &SegmentedControl::chosen, this, &PlanFilterBar::limitsChanged);
    connect(m_maxNodes, &QLineEdit::textEdited, this, [this](const QString& text) {
        const bool readable = bool(readWhole(text, 1, 100000));
        m_maxNodes->setInvalid(!readable);
        if (readable)
            emit limitsChanged();
    });
    connect(m_within, &QLineEdit::textEdited, this, [this](const QString& text) {
        const bool readable = text.trimmed().isEmpty() || spanSeconds(text);
        m_within->setInvalid(!readable);
        if (readable)
            emit limitsChanged();
    });
    connect(m_budget, &QLineEdit::textEdited, this, [this](const QString& text) {
        const bool readable = bool(readPositive(text));
        m_budget->setInvalid(!readable);
        if (readable)
            emit limitsChanged();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &PlanFilterBar::filterChanged);
    showBusy(false);
}

QuantityEdit* PlanFilterBar::makeDemand(
    const QString& hint, const QString& placeholder, const QString& name, const QString& help)
{
    auto* edit = new QuantityEdit(this);
    edit->setAccessibleName(name);
    edit->setFixedWidth(190);
    edit->setHint(hint);
    edit->setPlaceholder(placeholder);
    edit->setToolTip(help);
    return edit;
}

void PlanFilterBar::setGpuWord(const QString& word)
{
    m_objective->setSegmentToolTip(1,
        tr("Least time for the work; layouts whose %1s do less than half of what they could follow behind").arg(word));
}

void PlanFilterBar::setTitle(const QString& title) { m_title->setText(title); }

void PlanFilterBar::setMostNodes(std::optional<int> nodes)
{
    m_maxNodes->setPlaceholder(nodes ? humanNumber(*nodes) : tr("any number"));
}

SearchLimits PlanFilterBar::limits() const
{
    SearchLimits limits;
    const auto nodes = readWhole(m_maxNodes->text(), 1, 100000);
    limits.maxNodes = nodes && nodes->has_value() ? int(**nodes) : 0;
    limits.withinSeconds = spanSeconds(m_within->text());
    if (const auto budget = readPositive(m_budget->text()); budget && *budget)
        limits.budget = **budget;
    limits.objective = Objective(qMax(0, m_objective->current()));
    limits.top = layoutsKept;
    limits.perSize = layoutsOfASize;
    return limits;
}

void PlanFilterBar::showBusy(bool busy)
{
    if (busy && !m_patience.isActive())
        m_patience.start();
    if (busy)
        return;
    m_patience.stop();
    m_progress->hide();
    m_cancel->hide();
}

} // namespace rankwright
