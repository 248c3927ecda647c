// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/fitscale.h"

#include "models/core/units.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/theme.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;
constexpr double gap = 5;
constexpr double between = 14; // of two rows
constexpr double head = 1.08; // of the longest bar: what ends there is seen to end

QFont bold(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

double ScaleRow::total() const
{
    double sum = 0;
    for (const auto& part : parts)
        sum += qMax(0.0, part.value);
    return sum;
}

FitScale::FitScale(const QString& name, QWidget* parent) : QWidget(parent)
{
    setAccessibleName(name);
    describeAsTable(*this, [this] {
        PictureTable table{{tr("Needs"), tr("Chosen")}, {}};
        for (const ScaleRow& row : m_data.rows)
            table.rows.append({row.name, {row.note, row.chosen ? tr("yes") : tr("no")}});
        if (!m_data.rows.isEmpty())
            table.rows.append({tr("Limit of one GPU"), {m_data.limitText, u"–"_s}});
        return table;
    });
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FitScale::setData(const ScaleData& shown)
{
    m_data = shown;
    QStringList texts;
    for (const ScaleRow& row : shown.rows)
        texts.append(u"%1: %2%3"_s.arg(row.name, row.note, row.chosen ? tr(" (chosen)") : QString()));
    if (!shown.limitText.isEmpty())
        texts.append(shown.limitText);
    setAccessibleDescription(texts.join(u". "_s));
    updateGeometry();
    update();
}

double FitScale::line() const { return QFontMetricsF(font()).height(); }

double FitScale::rowHeight() const { return line() + gap + 1.5 * line() + between; }

double FitScale::most() const
{
    double most = m_data.limit;
    for (const ScaleRow& row : m_data.rows)
        most = qMax(most, qMax(row.total(), row.high));
    return most > 0 && std::isfinite(most) ? most : 1;
}

bool FitScale::isStacked(int width) const
{
    const QFontMetricsF metrics(bold(font()));
    return std::any_of(m_data.rows.cbegin(), m_data.rows.cend(),
        [&](const ScaleRow& row) { return metrics.horizontalAdvance(row.name + row.note) + 40 + line() > width; });
}

QList<FitScale::LegendItem> FitScale::legendFor(int width, double top) const
{
    QList<LegendItem> items;
    const QFontMetricsF metrics(font());
    double x = 0, y = top;
    for (const ScaleRow& row : m_data.rows) {
        for (const auto& part : row.parts) {
            const bool known = std::any_of(
                items.cbegin(), items.cend(), [&part](const LegendItem& one) { return one.text == part.name; });
            if (known || part.value <= 0)
                continue;
            const double needed = 0.7 * line() + gap + metrics.horizontalAdvance(part.name) + 2;
            if (x > 0 && x + needed > width) {
                x = 0;
                y += line() + gap;
            }
            items.append({part.name, part.category, QRectF(x, y, needed, line())});
            x += needed + 16;
        }
    }
    return items;
}

int FitScale::heightForWidth(int width) const
{
    const double rows = double(m_data.rows.size()) * (rowHeight() + (isStacked(width) ? line() : 0));
    const double axis = line() + 2 * gap;
    const auto legend = legendFor(width, 0);
    const double words = legend.isEmpty() ? 0 : legend.last().box.bottom() + gap;
    return int(std::ceil(rows + axis + words));
}

QSize FitScale::minimumSizeHint() const
{
    const int width = qMax(200, int(QFontMetricsF(bold(font())).horizontalAdvance(m_data.limitText)) + 8);
    return {width, 60};
}

void FitScale::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

void FitScale::paintRow(QPainter& painter, const ScaleRow& row, double top, double scale) const
{
    const Theme& theme = themeOf(this);
    const bool stacked = isStacked(width());
    double left = 0;
    if (row.chosen) { // a ring, as the round button of its answer
        painter.setPen(QPen(theme.colour(T::Accent), line() / 5));
        painter.setBrush(theme.colour(T::Panel));
        painter.drawEllipse(QRectF(line() * 0.15, top + line() * 0.2, line() * 0.6, line() * 0.6));
        left = line();
    }
    painter.setFont(bold(font()));
    painter.setPen(theme.colour(T::Foreground));
    painter.drawText(QRectF(left, top, width() - left, line()), Qt::AlignLeft | Qt::AlignVCenter, row.name);
    painter.setFont(font());
    painter.setPen(theme.colour(T::Foreground2));
    const QRectF note(0, stacked ? top + line() : top, width(), line());
    painter.drawText(note, (stacked ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, row.note);
    const QRectF bar(0, top + (stacked ? 2 : 1) * line() + gap, row.total() * scale, 1.5 * line());
    QPainterPath outline;
    outline.addRoundedRect(bar, 4, 4);
    painter.save();
    painter.setClipPath(outline);
    double x = bar.left();
    for (const auto& part : row.parts) {
        const QRectF box(x, bar.top(), qMax(0.0, part.value) * scale, bar.height());
        const QColor fill = Theme::category(part.category);
        painter.fillRect(box, fill);
        painter.fillRect(QRectF(box.right() - 0.5, box.top(), 1, box.height()), theme.colour(T::Panel));
        const QString both = u"%1 %2"_s.arg(part.name, humanNumber(part.value, part.value < 10 ? 1 : 0));
        painter.setPen(Theme::foregroundOn(fill));
        // Only where nothing is hatched over it.
        QRectF clear = box;
        if (m_data.limit > 0)
            clear.setRight(qMax(clear.left(), qMin(clear.right(), m_data.limit * scale)));
        if (QFontMetricsF(font()).horizontalAdvance(both) + 2 * gap < clear.width())
            painter.drawText(clear, Qt::AlignCenter, both);
        x = box.right();
    }
    const double full = m_data.limit * scale;
    if (m_data.limit > 0 && bar.right() > full + 1) {
        painter.setClipRect(QRectF(full, bar.top(), bar.right() - full, bar.height()), Qt::IntersectClip);
        painter.setPen(QPen(theme.colour(T::Panel), 2));
        for (double at = full - bar.height(); at < bar.right(); at += 8)
            painter.drawLine(QPointF(at, bar.bottom()), QPointF(at + bar.height(), bar.top()));
    }
    painter.restore();
    if (m_data.limit > 0) {
        painter.setPen(QPen(theme.colour(T::Foreground), 2));
        painter.drawLine(QPointF(full, bar.top() - 4), QPointF(full, bar.bottom() + 4));
    }
    if (row.high > row.low) {
        QPen dashes(theme.colour(T::Foreground), 1.3);
        dashes.setDashPattern({3, 2.2});
        painter.setPen(dashes);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(
            QRectF(row.low * scale, bar.top() - 3, (row.high - row.low) * scale, bar.height() + 6), 3, 3);
    }
}

void FitScale::paintLimit(QPainter& painter, double scale, double bottom) const
{
    const Theme& theme = themeOf(this);
    painter.setFont(font());
    painter.setPen(theme.colour(T::Foreground2));
    const QRectF axis(0, bottom + gap, width(), line());
    const double x = m_data.limit * scale;
    const double text = QFontMetricsF(bold(font())).horizontalAdvance(m_data.limitText) + 2;
    const double left = qBound(0.0, x - text / 2, qMax(0.0, width() - text));
    const QFontMetricsF metrics(font());
    const QString zero = u"0 %1"_s.arg(m_data.unit);
    if (m_data.limit <= 0 || left > metrics.horizontalAdvance(zero) + gap)
        painter.drawText(axis, Qt::AlignLeft | Qt::AlignVCenter, zero);
    if (m_data.limit <= 0)
        return;
    painter.setPen(QPen(theme.colour(T::Foreground), 2));
    painter.drawLine(QPointF(x, bottom - gap), QPointF(x, bottom + gap));
    painter.setFont(bold(font()));
    painter.drawText(QRectF(left, axis.top(), text, axis.height()), Qt::AlignCenter, m_data.limitText);
}

void FitScale::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const double scale = (width() - 2) / (most() * head);
    const double step = rowHeight() + (isStacked(width()) ? line() : 0);
    double top = 0;
    for (const ScaleRow& row : m_data.rows) {
        paintRow(painter, row, top, scale);
        top += step;
    }
    const double bottom = top - between + gap;
    paintLimit(painter, scale, bottom);
    painter.setFont(font());
    for (const LegendItem& item : legendFor(width(), bottom + 2 * gap + line() + gap)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::category(item.category));
        const double mark = 0.6 * line();
        painter.drawRoundedRect(QRectF(item.box.left(), item.box.center().y() - mark / 2, mark, mark), 2, 2);
        painter.setPen(theme.colour(T::Foreground2));
        painter.drawText(item.box.adjusted(0.7 * line() + gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, item.text);
    }
}

} // namespace rankwright
