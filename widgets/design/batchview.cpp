// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/batchview.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/design/designaccessible.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
constexpr int viewMargin = 3;
constexpr int summaryLine = 19;
} // namespace

BatchView::BatchView(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    installDesignAccessibility();
    setAccessibleName(tr("Batch picture"));
}

void BatchView::setData(const BatchPlan& plan, const RankOrder& order, const QString& summary)
{
    if (plan == m_plan && order == m_order && summary == m_summary)
        return;
    m_plan = plan;
    m_order = order;
    m_summary = summary;
    if (m_selected && *m_selected >= plan.dataParallel)
        m_selected.reset();
    setAccessibleDescription(summary);
    layOut();
    update();
}

void BatchView::selectRank(int rank)
{
    const std::optional<int> index = rank < 0 ? std::nullopt : std::optional(m_order.dataIndex(rank));
    if (index == m_selected)
        return;
    m_selected = index;
    update();
}

void BatchView::setSentenceShown(bool shown)
{
    if (shown == m_summaryShown)
        return;
    m_summaryShown = shown;
    updateGeometry();
    layOut();
    update();
}

int BatchView::summaryHeight() const { return m_summaryShown ? summaryLine : 0; }

QRect BatchView::boxOf(int index) const
{
    const QRectF box = m_layout.rankBox(index);
    return box.isEmpty() ? QRect() : box.translated(viewMargin, summaryHeight() + viewMargin).toAlignedRect();
}

std::optional<int> BatchView::indexAt(QPointF point) const
{
    return m_layout.rankAt(point - QPointF(viewMargin, summaryHeight() + viewMargin));
}

void BatchView::layOut()
{
    m_layout = layOutBatch(m_plan.dataParallel, m_plan.gradientAccumulation, m_plan.microBatch,
        QSizeF(width() - 2 * viewMargin, height() - summaryHeight() - 2 * viewMargin));
}

void BatchView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    if (m_summaryShown) {
        painter.setFont(Theme::uiFont(11));
        painter.setPen(theme.colour(T::Foreground2));
        painter.drawText(QRect(0, 0, width(), summaryLine - 5), Qt::AlignHCenter | Qt::AlignVCenter, m_summary);
        painter.fillRect(QRect(viewMargin, summaryLine - 3, width() - 2 * viewMargin, 1), theme.colour(T::Line));
    }
    painter.translate(viewMargin, summaryHeight() + viewMargin);
    for (int rank = 0; rank < m_layout.shown; ++rank)
        paintBox(painter, rank);
    if (m_layout.gap) {
        painter.setPen(theme.colour(T::Foreground2));
        painter.drawText(m_layout.gapBox(), Qt::AlignCenter, u"…"_s);
        paintBox(painter, m_layout.ranks - 1);
    }
    if (hasFocus() && !m_selected) {
        painter.resetTransform();
        painter.setPen(QPen(theme.colour(T::Accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 5, 5);
    }
}

void BatchView::paintBox(QPainter& painter, int rank) const
{
    const Theme& theme = themeOf(this);
    const QRectF box = m_layout.rankBox(rank);
    if (box.isEmpty())
        return;
    const QColor strong = Theme::category(m_order.splitsModel() ? rank : 0);
    const QColor panel = theme.colour(T::Panel);
    const QColor background = Theme::mix(strong, panel, 0.08);
    const QColor pale = Theme::mix(strong, panel, theme.isDark() ? 0.62 : 0.5);
    painter.setBrush(background);
    painter.setPen(QPen(Theme::mix(strong, panel, 0.4), 1));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(Qt::NoPen);
    const qint64 steps = qMax<qint64>(1, m_plan.gradientAccumulation);
    if (m_layout.block.isEmpty()) {
        // Too many accumulation steps to draw each: a solid field that carries their number.
        painter.setBrush(pale);
        painter.drawRoundedRect(box.adjusted(4, 4, -4, -4), 2, 2);
        painter.setPen(Theme::foregroundOn(pale));
        painter.setFont(Theme::uiFont(10, QFont::DemiBold));
        painter.drawText(box, Qt::AlignCenter, u"×%1"_s.arg(humanNumber(double(steps))));
    }
    for (int step = 0; step < steps && !m_layout.block.isEmpty(); ++step) {
        const QRectF block = m_layout.blockBox(step).translated(box.topLeft());
        // The step that runs first is dark: the others follow it one after another.
        painter.setBrush(step == 0 ? strong : pale);
        if (m_layout.stripes < 2) {
            painter.drawRoundedRect(block, 1.5, 1.5);
            continue;
        }
        const double stripe = (block.width() - (m_layout.stripes - 1)) / m_layout.stripes;
        for (int i = 0; i < m_layout.stripes; ++i)
            painter.drawRect(QRectF(block.left() + i * (stripe + 1), block.top(), stripe, block.height()));
    }
    const bool selected = rank == m_selected;
    if (selected) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.colour(hasFocus() ? T::Foreground : T::Accent), 2));
        painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), 5, 5);
    }
    painter.setFont(Theme::uiFont(11, selected ? QFont::DemiBold : QFont::Normal));
    painter.setPen(theme.colour(selected ? T::Foreground : T::Foreground2));
    painter.drawText(
        QRectF(box.left() - 8, box.bottom() + 2, box.width() + 16, 14), Qt::AlignCenter, QString::number(rank));
}

QString BatchView::toolTipOf(int rank) const
{
    const qint64 own = m_plan.microBatch * m_plan.gradientAccumulation;
    return tr("Data-parallel rank %1: %2 of the %3 sequences of a step,\n%4 at a time, %5")
        .arg(rank)
        .arg(humanNumber(double(own)), humanNumber(double(m_plan.globalBatch)), humanNumber(double(m_plan.microBatch)),
            counted(m_plan.gradientAccumulation, tr("accumulation step")));
}

void BatchView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void BatchView::mousePressEvent(QMouseEvent* event)
{
    const auto rank = m_layout.rankAt(event->position() - QPointF(viewMargin, summaryHeight() + viewMargin));
    if (!rank)
        return;
    m_selected = *rank;
    update();
    emit rankSelected(m_order.rankOfData(*rank));
}

void BatchView::keyPressEvent(QKeyEvent* event)
{
    const int last = m_plan.dataParallel - 1;
    const int from = m_selected.value_or(-1);
    int target = from;
    switch (event->key()) {
    case Qt::Key_Left: target = qMax(0, from - 1); break;
    case Qt::Key_Right: target = qMin(last, from + 1); break;
    case Qt::Key_Home: target = 0; break;
    case Qt::Key_End: target = last; break;
    default: QWidget::keyPressEvent(event); return;
    }
    m_selected = target;
    update();
    emit rankSelected(m_order.rankOfData(target));
}

bool BatchView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto rank = m_layout.rankAt(QPointF(help->pos()) - QPointF(viewMargin, summaryHeight() + viewMargin));
        if (rank)
            QToolTip::showText(help->globalPos(), richToolTip(toolTipOf(*rank)), this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut || event->type() == QEvent::PaletteChange)
        update();
    return QWidget::event(event);
}

} // namespace rankwright
