// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/strategyview.h"

#include "models/core/quantitytext.h"
#include "models/planner/planning/estimatetext.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/design/designaccessible.h"
#include "widgets/design/strategypainter.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
constexpr double margin = 4;
} // namespace

StrategyView::StrategyView(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    installDesignAccessibility();
    setAccessibleName(tr("Picture of the strategy"));
}

void StrategyView::setData(const StrategyPicture& picture)
{
    m_picture = picture;
    if (m_selected && *m_selected >= picture.order.world())
        m_selected.reset();
    QStringList reported{picture.title};
    if (picture.data)
        reported.append(picture.data->exchange);
    if (picture.tensor)
        reported.append(picture.tensor->caption);
    if (picture.pipeline)
        reported.append(picture.pipeline->caption);
    for (const StepPhase& phase : picture.phases.phases)
        reported.append(u"%1: %2 %3"_s.arg(phase.name, phase.computes, phase.travels));
    if (!picture.unknown.isEmpty())
        reported.append(picture.unknown);
    setAccessibleDescription(reported.join(u". "_s));
    updateGeometry();
    layOut();
    update();
}

void StrategyView::selectRank(int rank)
{
    const std::optional<int> selected = rank < 0 ? std::nullopt : std::optional(rank);
    if (selected == m_selected)
        return;
    m_selected = selected;
    layOut(); // a rank that was folded away comes into view
    update();
}

QSize StrategyView::minimumSizeHint() const
{
    if (!m_picture.unknown.isEmpty()) {
        const double width = qMax(260.0, this->width() - 2 * margin);
        return {260, qMax(190, int(std::ceil(phasesHeight(m_picture.phases, width) + 2 * margin)))};
    }
    // Two rows of drawings need the height of two.
    const bool twoRows = m_picture.pipeline && (m_picture.data || m_picture.tensor);
    return {260, twoRows ? 390 : 190};
}

void StrategyView::layOut()
{
    m_layout = layOutStrategy(
        m_picture, QSizeF(width() - 2 * margin, height() - 2 * margin), m_picture.shardIndex(m_selected.value_or(-1)));
}

void StrategyView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    if (!m_picture.unknown.isEmpty()) {
        paintPhases(
            painter, QRectF(rect()).adjusted(margin, margin, -margin, -margin), m_picture.phases, theme.scheme());
    } else {
        painter.translate(margin, margin);
        paintStrategy(painter, m_layout, m_picture, m_selected.value_or(-1), theme.scheme());
        painter.resetTransform();
    }
    if (hasFocus() && !m_selected) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.colour(T::Accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
}

void StrategyView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
    if (!m_picture.unknown.isEmpty() && event->size().width() != event->oldSize().width())
        updateGeometry(); // its sentences wrap
}

void StrategyView::chooseRank(int rank)
{
    selectRank(rank);
    emit rankSelected(rank);
}

void StrategyView::mousePressEvent(QMouseEvent* event)
{
    const QPointF point = event->position() - QPointF(margin, margin);
    const RankOrder& order = m_picture.order;
    const int from = m_selected.value_or(0);
    // What was not clicked stays: a column keeps the stage, a stage the column.
    if (const auto index = m_layout.dataAt(point))
        chooseRank(order.rankOfShard(*index, order.stage(from), order.tensorIndex(from)));
    else if (const auto pass = m_layout.passAt(point))
        chooseRank(order.rankOfShard(
            order.shardIndex(from), m_layout.pipeline->timeline.passes.at(*pass).stage, order.tensorIndex(from)));
}

void StrategyView::keyPressEvent(QKeyEvent* event)
{
    const int from = m_selected.value_or(-1);
    const int last = m_picture.order.world() - 1;
    const int row = m_picture.order.tensor * m_picture.order.context;
    switch (event->key()) {
    case Qt::Key_Left: chooseRank(qMax(0, from - 1)); return;
    case Qt::Key_Right: chooseRank(qMin(last, from + 1)); return;
    case Qt::Key_Up: chooseRank(qMax(0, from - row)); return;
    case Qt::Key_Down: chooseRank(qMin(last, from + row)); return;
    case Qt::Key_Home: chooseRank(0); return;
    case Qt::Key_End: chooseRank(last); return;
    default: QWidget::keyPressEvent(event);
    }
}

QString StrategyView::toolTipAt(QPointF point) const
{
    if (const auto index = m_layout.dataAt(point)) {
        const auto& share = *m_picture.data;
        return tr("Data-parallel rank %1 holds %2 of weights, %3 of gradients, %4 of optimiser state")
            .arg(*index)
            .arg(gibText(share.each[0]), gibFigure(share.each[1]), gibFigure(share.each[2]));
    }
    if (const auto at = m_layout.passAt(point)) {
        const PipelinePass& pass = m_layout.pipeline->timeline.passes.at(*at);
        const auto& stage = m_picture.pipeline->stages.at(pass.stage);
        return (pass.backward ? tr("Backward pass of micro-batch %1 through layers %2–%3 (stage %4)")
                              : tr("Forward pass of micro-batch %1 through layers %2–%3 (stage %4)"))
            .arg(pass.microBatch + 1)
            .arg(stage.firstLayer)
            .arg(stage.lastLayer)
            .arg(pass.stage + 1);
    }
    return {};
}

bool StrategyView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = toolTipAt(QPointF(help->pos()) - QPointF(margin, margin));
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), richToolTip(text), this);
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut || event->type() == QEvent::PaletteChange)
        update();
    return QWidget::event(event);
}

} // namespace rankwright
