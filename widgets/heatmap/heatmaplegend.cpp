// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmaplegend.h"

#include "widgets/base/card.h"
#include "widgets/base/colourmap.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/theme.h"
#include "widgets/heatmap/heatmapview.h"

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
        describeAsTable(*this, [this] { return table(); });
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
        painter.setPen(themeOf(this).colour(Theme::Token::Foreground3));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, low());
        painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, high());
    }

private:
    /// What five places of the ramp mean, from the dark end to the bright one.
    PictureTable table() const
    {
        PictureTable table{{HeatMapLegend::tr("Value")}, {}};
        const MeasureScale scale = m_view.scale();
        const QStringList places{HeatMapLegend::tr("low end"), HeatMapLegend::tr("a quarter"),
            HeatMapLegend::tr("middle"), HeatMapLegend::tr("three quarters"), HeatMapLegend::tr("high end")};
        for (int i = 0; i < places.size(); ++i)
            table.rows.append({places.at(i),
                {figureWithUnit(
                    m_view.measure(), scale.low + (scale.high - scale.low) * i / double(places.size() - 1))}});
        return table;
    }

    const HeatMapView& m_view;
};

/// What the overlay's colours mean, and whom the current rank shares its group with.
QString groupText(const HeatMapView& view)
{
    const std::optional<GroupKind> kind = groupKindOf(view.overlay());
    if (!kind)
        return {};
    const RankPlace* place = view.current() ? view.grid().placeAt(*view.current()) : nullptr;
    const std::optional<int> group = place ? place->groupOf(*kind) : std::nullopt;
    if (!group)
        return HeatMapLegend::tr("bar = %1, choose a GPU to see which belong together").arg(toText(*kind));
    QStringList ranks;
    const QList<RankPlace> groupMembers = groupMembersOf(view.grid().placement(), *place, *kind);
    constexpr int most = 8;
    for (const RankPlace& mate : groupMembers.first(std::min<qsizetype>(most, groupMembers.size())))
        ranks.append(QString::number(mate.rank));
    if (groupMembers.size() > most)
        ranks.append(u"…"_s);
    return HeatMapLegend::tr("outlined: %1 %2 with %3 ranks (%4)")
        .arg(toText(*kind))
        .arg(*group)
        .arg(groupMembers.size())
        .arg(ranks.join(u", "_s));
}

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
    setAccessibleName(tr("Legend of the map"));
    connect(&view, &HeatMapView::scaleChanged, this, &HeatMapLegend::refresh);
    refresh();
}

void HeatMapLegend::refresh()
{
    QStringList words;
    const GpuGrid& grid = m_view.grid();
    if (const QString group = groupText(m_view); !group.isEmpty())
        words << group;
    if (m_view.isFolded())
        words << tr("one cell = one %1 · outlined = outlier · Enter or click opens a group").arg(grid.gpuWord());
    else if (grid.gpusPerPackage() > 1 && m_view.measure() == Measure::Power)
        words << tr("one value per package: it belongs to both dies");
    else if (grid.gpusPerPackage() > 1 && m_view.cells().level() == HeatMapLevel::Cards)
        words << tr("one card = one package: two %1s, one power value in W").arg(grid.gpuWord());
    else if (m_view.cells().level() == HeatMapLevel::Dense)
        words << tr("one square = one %1, its figures on hover").arg(grid.gpuWord());
    if (m_view.scale().guessed)
        words << (m_view.measure() == Measure::Clock
                ? tr("the scale ends at the highest clock seen")
                : tr("limit not reported: the scale ends at the highest value seen"));
    words << tr("hatched = no fresh value") << tr("– = not reported");
    m_words->setText(words.join(u" · "_s));
    setAccessibleDescription(m_words->text());
    m_bar->setAccessibleName(tr("Colour scale from %1 to %2")
                                 .arg(figureOf(m_view.measure(), m_view.scale().low),
                                     figureWithUnit(m_view.measure(), m_view.scale().high)));
    m_bar->updateGeometry();
    m_bar->update();
}

} // namespace rankwright
