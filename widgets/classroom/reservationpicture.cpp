// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/reservationpicture.h"

#include "models/core/quantitytext.h"
#include "widgets/base/icons.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/theme.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;

constexpr int headHeight = 26;
constexpr int reservationHeight = 10;
constexpr int label = 96; ///< width of the words before a bar
constexpr int box = 14; ///< of a node
constexpr int gap = 4;
constexpr int mostBoxes = 64;
constexpr int timesTop = headHeight + 8;
constexpr int nodesTop = timesTop + 66;

QString reservationDate(const QDateTime& time)
{
    return time.isValid() ? QLocale::c().toString(time.toLocalTime(), u"ddd d MMM, HH:mm"_s) : QString();
}

} // namespace

ReservationPicture::ReservationPicture(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describeAsTable(*this, [this] {
        const auto number = [](const std::optional<int>& value) { return value ? QString::number(*value) : QString(); };
        return PictureTable{{tr("Value")},
            {{tr("Reservation from"), {reservationDate(m_fit.begin)}},
                {tr("Reservation until"), {reservationDate(m_fit.end)}},
                {tr("Class from"), {reservationDate(m_fit.classBegin)}},
                {tr("Class until"), {reservationDate(m_fit.classEnd)}}, {tr("Nodes"), {number(m_fit.nodes)}},
                {tr("Nodes needed"), {number(m_fit.needed())}},
                {tr("Attendees at once"), {number(m_fit.attendees())}}}};
    });
}

void ReservationPicture::setFit(const ReservationFit& fit, const QDateTime& now)
{
    m_fit = fit;
    m_now = now;
    setAccessibleName(tr("Reservation %1").arg(fit.name));
    setAccessibleDescription(QStringList{reservationTitle(fit, now), reservationSize(fit)}.join(u", "_s));
    updateGeometry();
    update();
}

QSize ReservationPicture::sizeHint() const { return {560, nodesTop + 2 * (box + gap) + 22}; }

QSize ReservationPicture::minimumSizeHint() const { return {320, sizeHint().height()}; }

void ReservationPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintHead(painter);
    paintTimes(painter);
    paintNodes(painter);
}

void ReservationPicture::paintHead(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    const int icon = 18;
    painter.drawPixmap(
        0, (headHeight - icon) / 2, iconPixmap(u"calendar"_s, theme.colour(T::Accent), icon, devicePixelRatioF()));
    const QFont bold = Theme::uiFont(15, QFont::DemiBold);
    const QString size = reservationSize(m_fit);
    const QFont quiet = Theme::uiFont(13);
    const int right = QFontMetrics(quiet).horizontalAdvance(size);
    painter.setFont(bold);
    painter.setPen(theme.colour(T::Foreground));
    const QRect left(icon + 8, 0, width() - icon - 8 - right - 12, headHeight);
    painter.drawText(left, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(bold).elidedText(reservationTitle(m_fit, m_now), Qt::ElideRight, left.width()));
    painter.setFont(quiet);
    painter.setPen(theme.colour(T::Foreground2));
    painter.drawText(QRect(0, 0, width(), headHeight), Qt::AlignRight | Qt::AlignVCenter, size);
}

/// The reservation and the class on one scale of time: what stands over is seen.
void ReservationPicture::paintTimes(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    QDateTime first;
    QDateTime last;
    for (const QDateTime& each : {m_fit.begin, m_fit.classBegin, m_fit.end, m_fit.classEnd}) {
        if (!each.isValid())
            continue;
        first = first.isValid() ? std::min(first, each) : each;
        last = last.isValid() ? std::max(last, each) : each;
    }
    const qint64 span = first.isValid() ? std::max<qint64>(1, first.secsTo(last)) : 1;
    const int room = std::max(1, width() - label);
    const auto x = [&](const QDateTime& time) { return label + double(first.secsTo(time)) / double(span) * room; };
    int y = timesTop;
    const QFont small = Theme::uiFont(11);
    painter.setFont(small);
    for (const auto& [name, begin, end, isReservation] : {std::tuple(tr("Reservation"), m_fit.begin, m_fit.end, true),
             std::tuple(tr("Class"), m_fit.classBegin, m_fit.classEnd, false)}) {
        painter.setPen(theme.colour(T::Foreground2));
        painter.drawText(QRect(0, y, label - 8, 14), Qt::AlignLeft | Qt::AlignVCenter, name);
        if (!begin.isValid() || !end.isValid()) {
            painter.drawText(QRect(label, y, room, 14), Qt::AlignLeft | Qt::AlignVCenter, tr("not known"));
            y += 32;
            continue;
        }
        const QRectF bar(x(begin), y + 2, std::max(3.0, x(end) - x(begin)), reservationHeight);
        const bool isCovered = isReservation || !m_fit.begin.isValid() || !m_fit.end.isValid()
            || (m_fit.begin <= begin && m_fit.end >= end);
        painter.setPen(QPen(theme.colour(!isCovered ? T::Warn
                                    : isReservation ? T::Accent
                                                    : T::Good),
            1.2, isCovered ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(isReservation ? theme.colour(T::AccentBackground) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(bar, 3, 3);
        painter.setPen(theme.colour(T::Foreground2));
        const QString words = isCovered ? tr("%1 to %2").arg(reservationDate(begin), reservationDate(end))
                                        : tr("%1 to %2: not covered").arg(reservationDate(begin), reservationDate(end));
        painter.drawText(QRect(label, y + reservationHeight + 4, room, 15), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(small).elidedText(words, Qt::ElideRight, room));
        y += 32;
    }
    if (first.isValid() && m_now >= first && m_now <= last) {
        painter.setPen(QPen(theme.colour(T::Foreground), 1.2));
        painter.drawLine(QPointF(x(m_now), timesTop - 2), QPointF(x(m_now), y - 18));
    }
}

/// A box for each node: filled those that the people need, dashed what is missing.
void ReservationPicture::paintNodes(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    const QFont small = Theme::uiFont(11);
    painter.setFont(small);
    painter.setPen(theme.colour(T::Foreground2));
    painter.drawText(QRect(0, nodesTop, label - 8, box), Qt::AlignLeft | Qt::AlignVCenter, tr("Nodes"));
    const int there = m_fit.nodes.value_or(0);
    const int needed = m_fit.needed().value_or(0);
    const int all = std::max(there, needed);
    const int perRow = std::max(1, (width() - label) / (box + gap));
    const int most = std::min(mostBoxes, 2 * perRow);
    const int drawn = std::min(all, most);
    for (int i = 0; i < drawn; ++i) {
        const int row = i / perRow;
        const QRectF place(
            label + (i % perRow) * (box + gap) + 0.5, nodesTop + row * (box + gap) + 0.5, box - 1, box - 1);
        const bool isThere = i < there;
        painter.setPen(QPen(theme.colour(isThere ? T::Accent : T::Warn), 1.2, isThere ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(isThere && i < needed ? QBrush(theme.colour(T::Accent)) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(place, 3, 3);
    }
    QStringList words;
    if (needed > 0)
        words.append(tr("%1 need %2").arg(counted(m_fit.people, tr("person"), tr("people")), nodesText(needed)));
    if (m_fit.nodes && needed > there)
        words.append(tr("%1 missing").arg(needed - there));
    if (!m_fit.nodes)
        words.append(tr("how many the reservation has is not known"));
    if (drawn < all)
        words.append(tr("%1 of them drawn").arg(drawn));
    painter.setPen(theme.colour(m_fit.nodes && needed > there ? T::Warn : T::Foreground2));
    const int rows = drawn == 0 ? 0 : (drawn - 1) / perRow + 1;
    painter.drawText(QRect(label, nodesTop + rows * (box + gap), width() - label, 16), Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetrics(small).elidedText(words.join(u", "_s), Qt::ElideRight, width() - label));
}

} // namespace rankwright
