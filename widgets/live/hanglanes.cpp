// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/hanglanes.h"

#include "models/core/numberranges.h"
#include "models/core/units.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/base/tonedelegate.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int laneHeight = 20;
constexpr int axisHeight = 18;
constexpr int lanePadding = 3;
constexpr qsizetype mostLanes = 6; ///< of numbers; those that are ahead share the last
constexpr qsizetype mostNamed = 200; ///< ranks of a lane that are named
using Token = Theme::Token;

QString lanesTitle(const QString& group)
{
    return group == "default"_L1 ? HangLanes::tr("Last operation that each rank called in the default group")
                                 : HangLanes::tr("Last operation that each rank called in group %1").arg(group);
}

} // namespace

HangLanes::HangLanes(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describeAsTable(*this, [this] { return table(); });
    hide();
}

void HangLanes::setVerdict(const HangVerdict& verdict)
{
    m_marks.clear();
    m_lanes.clear();
    m_current.reset();
    m_ranks = 1;
    m_group = verdict.calledGroup;
    QList<qint64> numbers;
    for (const HangRow& row : verdict.rows) {
        if (row.rank && row.called)
            numbers.append(*row.called);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    const qsizetype own = std::min(numbers.size(), mostLanes);
    for (qsizetype lane = 0; lane < own; ++lane) {
        const QString number = humanNumber(double(numbers.at(lane)), 0);
        m_lanes.append({lane + 1 == own && numbers.size() > own ? tr("from %1 on").arg(number) : number});
    }
    bool isAnySilent = false;
    for (qsizetype place = 0; place < verdict.rows.size(); ++place) {
        const HangRow& row = verdict.rows.at(place);
        if (!row.rank)
            continue;
        const auto at = row.called ? std::lower_bound(numbers.cbegin(), numbers.cend(), *row.called) : numbers.cend();
        isAnySilent = isAnySilent || !row.called;
        const qsizetype lane = row.called ? std::min<qsizetype>(at - numbers.cbegin(), own - 1) : own;
        m_marks.append({*row.rank, place, int(lane), row.isOdd});
        m_ranks = std::max(m_ranks, *row.rank + 1);
    }
    m_silentLane = isAnySilent ? std::optional(int(own)) : std::nullopt;
    if (isAnySilent)
        m_lanes.append({tr("no record")});
    std::sort(m_marks.begin(), m_marks.end(), [](const Mark& a, const Mark& b) { return a.rank < b.rank; });
    for (const Mark& mark : std::as_const(m_marks)) {
        Lane& lane = m_lanes[mark.lane];
        ++lane.ranks;
        if (lane.some.size() < mostNamed)
            lane.some.append(mark.rank);
    }
    setAccessibleName(lanesTitle(m_group));
    setVisible(!numbers.isEmpty());
    updateGeometry();
    update();
}

void HangLanes::setCurrent(std::optional<qsizetype> row)
{
    const auto at
        = std::find_if(m_marks.cbegin(), m_marks.cend(), [row](const Mark& mark) { return row && mark.row == *row; });
    m_current = at == m_marks.cend() ? std::nullopt : std::optional(at - m_marks.cbegin());
    update();
}

int HangLanes::labelWidth() const
{
    const QFontMetrics metrics(Theme::uiFont(12));
    int widest = 0;
    for (const Lane& lane : m_lanes)
        widest = std::max(widest, metrics.horizontalAdvance(lane.title));
    return widest + 30;
}

QSize HangLanes::sizeHint() const { return {480, axisHeight + int(m_lanes.size()) * laneHeight + axisHeight}; }

QSize HangLanes::minimumSizeHint() const { return {240, sizeHint().height()}; }

QRectF HangLanes::boxOf(const Mark& mark) const
{
    const double left = labelWidth();
    const double each = (width() - left - 2) / m_ranks;
    const double gap = each >= 4 ? 1 : 0;
    return {left + mark.rank * each, double(axisHeight + mark.lane * laneHeight + lanePadding),
        std::max(1.0, each - gap), laneHeight - 2.0 * lanePadding};
}

std::optional<qsizetype> HangLanes::markAt(QPointF point) const
{
    const double left = labelWidth();
    if (m_marks.isEmpty() || point.x() < left)
        return {};
    const int rank = int(std::floor((point.x() - left) * m_ranks / std::max(1.0, width() - left - 2)));
    const auto at = std::lower_bound(
        m_marks.cbegin(), m_marks.cend(), rank, [](const Mark& mark, int wanted) { return mark.rank < wanted; });
    if (at == m_marks.cend() || at->rank != rank)
        return {};
    return at - m_marks.cbegin();
}

void HangLanes::paintEvent(QPaintEvent* event)
{
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setFont(Theme::uiFont(12));
    painter.setPen(theme.colour(Token::Foreground2));
    painter.drawText(QRectF(0, 0, width(), axisHeight), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(lanesTitle(m_group), Qt::ElideRight, width()));
    const QRectF dirty(event->rect());
    const int labels = labelWidth();
    QList<bool> hasOdd(m_lanes.size());
    for (const Mark& mark : std::as_const(m_marks)) {
        hasOdd[mark.lane] = hasOdd.at(mark.lane) || mark.isOdd;
        const QRectF box = boxOf(mark);
        if (!box.intersects(dirty))
            continue;
        if (mark.isOdd)
            painter.fillRect(box, theme.colour(Token::Bad));
        else if (mark.lane == m_silentLane)
            painter.fillRect(box, theme.colour(Token::FieldLine));
        else
            painter.fillRect(box, theme.colour(Token::Accent));
    }
    for (qsizetype lane = 0; lane < m_lanes.size(); ++lane) {
        const QRectF row(0, double(axisHeight + lane * laneHeight), width(), laneHeight);
        if (!row.intersects(dirty))
            continue;
        painter.setPen(theme.colour(hasOdd.at(lane) ? Token::Bad : Token::Foreground2));
        painter.drawText(
            row.adjusted(16, 0, labels - width() - 8, 0), Qt::AlignRight | Qt::AlignVCenter, m_lanes.at(lane).title);
        if (hasOdd.at(lane))
            paintTone(painter, QRectF(1, row.center().y() - 5, 10, 10), Tone::Bad, this);
        painter.setPen(theme.colour(Token::Line));
        painter.drawLine(QPointF(labels, row.bottom()), QPointF(width() - 2, row.bottom()));
    }
    painter.setPen(theme.colour(Token::Foreground2));
    const QRectF axis(labels, height() - axisHeight, width() - labels - 2, axisHeight);
    painter.drawText(axis, Qt::AlignLeft | Qt::AlignVCenter, tr("rank 0"));
    if (m_ranks > 1)
        painter.drawText(axis, Qt::AlignRight | Qt::AlignVCenter, QString::number(m_ranks - 1));
    paintNumbers(painter, axis);
    if (m_current) {
        painter.setPen(QPen(theme.colour(Token::Foreground), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(boxOf(m_marks.at(*m_current)).adjusted(-2, -2, 2, 2));
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.colour(Token::Accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
}

/// Numbers of ranks below their boxes, at powers of two and their multiples, between the first and the last.
void HangLanes::paintNumbers(QPainter& painter, const QRectF& axis) const
{
    const QFontMetricsF metrics(painter.font());
    const double each = axis.width() / m_ranks;
    const double widest = metrics.horizontalAdvance(QString::number(m_ranks));
    int step = 1;
    while (step * each < 2.5 * widest && step < m_ranks)
        step *= 2;
    const double left = axis.left() + metrics.horizontalAdvance(tr("rank 0")) + widest;
    for (int rank = step; rank < m_ranks; rank += step) {
        const double centre = axis.left() + (rank + 0.5) * each;
        if (centre - widest / 2 > left && centre + widest / 2 < axis.right() - 1.5 * widest)
            painter.drawText(QRectF(centre - widest, axis.top(), 2 * widest, axis.height()),
                Qt::AlignHCenter | Qt::AlignVCenter, QString::number(rank));
    }
}

void HangLanes::mousePressEvent(QMouseEvent* event)
{
    const auto at = markAt(event->position());
    if (!at || event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    m_current = at;
    update();
    emit rowPicked(m_marks.at(*at).row);
}

void HangLanes::keyPressEvent(QKeyEvent* event)
{
    const qsizetype last = m_marks.size() - 1;
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up) {
        chooseOdd(event->key() == Qt::Key_Down ? 1 : -1);
        return;
    }
    const bool isForward = event->key() == Qt::Key_Right;
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter; // not the dialog's button
    if (last < 0
        || (!isForward && !isReturn && event->key() != Qt::Key_Left && event->key() != Qt::Key_Home
            && event->key() != Qt::Key_End)) {
        QWidget::keyPressEvent(event);
        return;
    }
    qsizetype next = event->key() == Qt::Key_End ? last : 0;
    if (m_current && isReturn)
        next = *m_current;
    else if (m_current && (isForward || event->key() == Qt::Key_Left))
        next = std::clamp<qsizetype>(*m_current + (isForward ? 1 : -1), 0, last);
    m_current = next;
    update();
    emit rowPicked(m_marks.at(next).row);
}

/// The next odd one (1) or the one before (-1), from the framed one on, around the end.
void HangLanes::chooseOdd(int direction)
{
    const qsizetype count = m_marks.size();
    const qsizetype from = m_current.value_or(direction > 0 ? -1 : count);
    for (qsizetype moved = 1; moved <= count; ++moved) {
        const qsizetype at = ((from + direction * moved) % count + count) % count;
        if (!m_marks.at(at).isOdd)
            continue;
        m_current = at;
        update();
        emit rowPicked(m_marks.at(at).row);
        return;
    }
}

QString HangLanes::tipOf(const Mark& mark) const
{
    const QString& lane = m_lanes.at(mark.lane).title;
    return mark.isOdd ? tr("Rank %1, odd: %2").arg(mark.rank).arg(lane) : tr("Rank %1: %2").arg(mark.rank).arg(lane);
}

bool HangLanes::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto at = markAt(help->pos()))
            QToolTip::showText(help->globalPos(), richToolTip(tipOf(m_marks.at(*at))), this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut || event->type() == QEvent::PaletteChange)
        update();
    return QWidget::event(event);
}

PictureTable HangLanes::table() const
{
    PictureTable table;
    table.columns = {tr("Ranks"), tr("Which"), tr("Odd ones")};
    for (qsizetype lane = 0; lane < m_lanes.size(); ++lane) {
        QList<int> odd;
        for (const Mark& mark : m_marks) {
            if (mark.lane == lane && mark.isOdd && odd.size() < mostNamed)
                odd.append(mark.rank);
        }
        const Lane& each = m_lanes.at(lane);
        table.rows.append({each.title,
            {QString::number(each.ranks), numberRangesForPeople(each.some),
                odd.isEmpty() ? tr("none") : numberRangesForPeople(odd)}});
    }
    return table;
}

} // namespace rankwright
