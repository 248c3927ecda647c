// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmaplegend.h"

#include "widgets/card.h"
#include "widgets/colormap.h"
#include "widgets/heatmapview.h"
#include "widgets/theme.h"

#include <QBoxLayout>
#include <QFontMetrics>
#include <QLabel>
#include <QPainter>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int barWidth = 168;
constexpr int barHeight = 9;
constexpr int gap = 7;

/// "0 [ramp] 100 %"
class RampBar final : public QWidget {
public:
    RampBar(const HeatMapView& view, QWidget* parent) : QWidget(parent), m_view(view)
    {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    QString low() const { return figureOf(m_view.measure(), m_view.scale().low); }
    QString high() const { return figureWithUnit(m_view.measure(), m_view.scale().high); }
    QSize sizeHint() const override
    {
        const QFontMetrics metrics(Theme::uiFont(11));
        return {metrics.horizontalAdvance(low()) + metrics.horizontalAdvance(high()) + barWidth + 2 * gap + 2, 18};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const QFont font = Theme::uiFont(11);
        const int start = QFontMetrics(font).horizontalAdvance(low()) + gap;
        const int top = (height() - barHeight) / 2;
        for (int x = 0; x < barWidth; ++x) {
            const double position = double(x) / (barWidth - 1);
            painter.fillRect(
                start + x, top, 1, barHeight, QColor::fromRgb(rampColour(rampOf(m_view.measure()), position)));
        }
        painter.setFont(font);
        painter.setPen(themeOf(this).colour(Theme::Token::Ink3));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, low());
        painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, high());
    }

private:
    const HeatMapView& m_view;
};

} // namespace

HeatMapLegend::HeatMapLegend(const HeatMapView& view, QWidget* parent)
    : QWidget(parent), m_view(view), m_bar(new RampBar(view, this)), m_words(makeLabel({}, "caption", this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    row->addWidget(m_bar, 0, Qt::AlignTop);
    row->addWidget(m_words, 1);
    m_words->setWordWrap(true);
    m_words->setMinimumHeight(18);
    m_words->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_words->setContentsMargins(0, 1, 0, 0);
    connect(&view, &HeatMapView::scaleChanged, this, &HeatMapLegend::refresh);
    refresh();
}

void HeatMapLegend::refresh()
{
    QStringList words;
    const GpuGridModel& grid = m_view.grid();
    if (grid.gpusPerPackage() > 1 && m_view.measure() == Measure::Power)
        words << tr("one value per package: it belongs to both dies");
    else if (grid.gpusPerPackage() > 1 && m_view.cells().level() == HeatMapLevel::Cards)
        words << tr("one card = one package: two %1s, one power value in W").arg(grid.gpuWord());
    else if (m_view.cells().level() == HeatMapLevel::Dense)
        words << tr("one square = one %1, its figures on hover").arg(grid.gpuWord());
    if (m_view.scale().guessed)
        words << tr("limit not told: the scale ends at the highest value seen");
    words << tr("hatched = no fresh value") << tr("— = not told");
    m_words->setText(words.join(u" · "_s));
    m_bar->setAccessibleName(tr("Colour scale from %1 to %2")
                                 .arg(figureOf(m_view.measure(), m_view.scale().low),
                                     figureWithUnit(m_view.measure(), m_view.scale().high)));
    m_bar->updateGeometry();
    m_bar->update();
}

} // namespace rankwright
