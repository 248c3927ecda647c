// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/costview.h"

#include "models/core/quantitytext.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/design/designtext.h"

#include <QEvent>
#include <QPainter>

#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
constexpr int rowHeight = 21;
constexpr int labelWidth = 64;
constexpr int valueWidth = 128;
} // namespace

CostView::CostView(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("What decides the price"));
    describeAsTable(*this, [this] {
        PictureTable table{{tr("For an hour"), tr("Decides the price")}, {}};
        for (const Bar& bar : m_bars)
            table.rows.append({bar.label,
                {u"%1 %2"_s.arg(humanNumber(bar.value, 2), bar.unit).trimmed(), bar.decides ? tr("yes") : tr("no")}});
        if (m_bars.isEmpty())
            table.rows.append({tr("The site publishes no billing formula."), {}});
        return table;
    });
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void CostView::setData(const CostQuote& quote, const QString& gpuWord, const QString& summary)
{
    const int height = sizeHint().height();
    const QList<Bar> before = std::exchange(m_bars, {});
    const QString advice = std::exchange(m_advice, quote.advice);
    for (const auto& billingAccount : quote.billingAccounts.value_or(QList<CostQuote::BillingAccount>())) {
        const QString prefix
            = billingAccount.billingAccount.isEmpty() ? QString() : billingAccount.billingAccount + u' ';
        for (const auto& share : billingAccount.shares) {
            if (share.perHour <= 0)
                continue;
            const QString label = DesignText::shareWord(share.of, gpuWord);
            m_bars.append({prefix + label, share.perHour, billingAccount.unit, billingAccount.decidedBy == share.of});
        }
    }
    if (summary != m_summary) {
        m_summary = summary;
        setToolTip(richToolTip(summary));
        setAccessibleDescription(summary);
    }
    if (m_bars == before && m_advice == advice)
        return;
    if (sizeHint().height() != height)
        updateGeometry();
    update();
}

QSize CostView::sizeHint() const
{
    return {260, qMax(1, int(m_bars.size())) * rowHeight + (m_advice.isEmpty() ? 0 : 2 * 16 + 4)};
}

void CostView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    if (m_bars.isEmpty()) {
        painter.setFont(Theme::uiFont(12));
        painter.setPen(theme.colour(T::Foreground2));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, tr("The site publishes no billing formula."));
        return;
    }
    double largest = 0;
    for (const Bar& bar : m_bars)
        largest = qMax(largest, bar.value);
    const double room = qMax(20, width() - labelWidth - valueWidth);
    int y = 0;
    for (const Bar& bar : m_bars) {
        const QRectF line(0, y, width(), rowHeight);
        painter.setFont(Theme::uiFont(12, bar.decides ? QFont::DemiBold : QFont::Normal));
        painter.setPen(theme.colour(bar.decides ? T::Foreground : T::Foreground2));
        painter.drawText(line.adjusted(0, 0, labelWidth - width(), 0), Qt::AlignLeft | Qt::AlignVCenter, bar.label);
        const QRectF track(labelWidth, y + 6, room, rowHeight - 12);
        painter.setPen(Qt::NoPen);
        painter.setBrush(bar.decides ? theme.colour(T::Accent)
                                     : Theme::mix(theme.colour(T::Foreground3), theme.colour(T::Panel), 0.4));
        painter.drawRoundedRect(
            QRectF(track.left(), track.top(), qMax(3.0, room * bar.value / qMax(1e-9, largest)), track.height()), 3, 3);
        painter.setPen(theme.colour(bar.decides ? T::Foreground : T::Foreground2));
        const QString value = humanNumber(bar.value, 2) + (bar.decides ? u' ' + tr("decides") : QString());
        painter.drawText(line.adjusted(labelWidth + room + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, value);
        y += rowHeight;
    }
    if (!m_advice.isEmpty()) {
        painter.setFont(Theme::uiFont(11));
        painter.setPen(theme.colour(T::Foreground2));
        painter.drawText(QRect(0, y + 4, width(), 32), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_advice);
    }
}

void CostView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace rankwright
