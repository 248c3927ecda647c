// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmappainter.h"

#include "widgets/colormap.h"
#include "widgets/theme.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(rankwright::HeatMapView)
};

constexpr int hatchStep = 7;
constexpr int ringDistance = 2;

/// The first text that fits the width; the last when none does.
QString fitting(const QFont& font, int width, const QStringList& texts)
{
    const QFontMetrics metrics(font);
    for (const QString& text : texts) {
        if (metrics.horizontalAdvance(text) <= width)
            return text;
    }
    return metrics.elidedText(texts.last(), Qt::ElideRight, width);
}

int radiusOf(HeatMapLevel level) { return level == HeatMapLevel::Cards ? 5 : 3; }

} // namespace

HeatMapPainter::HeatMapPainter(const HeatMapScene& scene) : m_scene(scene)
{
    using Token = Theme::Token;
    const Theme& theme = scene.theme;
    m_panel = theme.colour(Token::Panel);
    m_line = theme.colour(Token::Line);
    m_ink = theme.colour(Token::Ink);
    m_ink2 = theme.colour(Token::Ink2);
    m_ink3 = theme.colour(Token::Ink3);
    m_warn = theme.colour(Token::Warn);
    m_accent = theme.colour(Token::Accent);
    m_card = Theme::mix(m_line, m_panel, 0.38);
    m_hatch = Theme::mix(m_ink3, m_panel, 0.38);
    const QRect cell = faceOf({0, 0});
    const bool large = hasCards() && cell.height() >= 60 && cell.width() >= 68;
    const int valueSize = large ? 18 : cell.width() >= 54 ? 15 : 13;
    m_name = Theme::uiFont(hasCards()                       ? 13
            : scene.layout.level() == HeatMapLevel::Compact ? 11
                                                            : 10,
        hasCards() ? QFont::DemiBold : QFont::Normal);
    m_caption = Theme::uiFont(11);
    m_small = Theme::uiFont(cell.width() >= 52 ? 11 : 10);
    m_value = Theme::uiFont(hasCards() ? valueSize : 11, hasCards() ? QFont::Bold : QFont::Medium);
    m_side = Theme::uiFont(large ? 15 : 13, QFont::DemiBold);
}

void HeatMapPainter::paintNode(QPainter& painter, int node) const
{
    if (m_scene.layout.hasLabels())
        paintLabel(painter, node);
    const int perPackage = m_scene.layout.shape().gpusPerPackage;
    for (int package = 0; package * perPackage < m_scene.layout.shape().gpusPerNode; ++package)
        paintPackage(painter, node, package);
    if (m_scene.current && m_scene.current->node == node)
        paintRing(painter);
}

bool HeatMapPainter::mergesDies() const
{
    return m_scene.measure == Measure::Power && m_scene.layout.shape().gpusPerPackage > 1;
}

void HeatMapPainter::paintLabel(QPainter& painter, int node) const
{
    const QRect rect = m_scene.layout.label(node).adjusted(0, 0, hasCards() ? -12 : -8, 0);
    const Freshness freshness = freshnessOf(m_scene.grid, node, m_scene.ended);
    const bool quiet = freshness == Freshness::Stale || freshness == Freshness::Never;
    const QString name = m_scene.grid.series().nodes().value(node);
    painter.setFont(m_name);
    painter.setPen(freshness == Freshness::Stale ? m_warn : hasCards() ? m_ink : m_ink2);
    const QString shown = QFontMetrics(m_name).elidedText(name, Qt::ElideMiddle, rect.width());
    if (!hasCards()) {
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, shown);
        return;
    }
    QStringList captions{ranksOf(m_scene.grid, node)};
    if (freshness == Freshness::Stale)
        captions << Words::tr("no fresh value")
                 << Words::tr("since %1").arg(clockText(newestArrival(m_scene.grid, node)));
    else if (freshness == Freshness::Never)
        captions << Words::tr("nothing yet");
    const int nameHeight = QFontMetrics(m_name).height();
    const int lineHeight = QFontMetrics(m_caption).height();
    int top = rect.top() + std::max(0, (rect.height() - nameHeight - lineHeight * int(captions.size())) / 2);
    painter.drawText(QRect(rect.left(), top, rect.width(), nameHeight), Qt::AlignLeft, shown);
    top += nameHeight;
    painter.setFont(m_caption);
    for (qsizetype line = 0; line < captions.size(); ++line, top += lineHeight) {
        painter.setPen(quiet && line > 0 ? (freshness == Freshness::Stale ? m_warn : m_ink2) : m_ink3);
        painter.drawText(QRect(rect.left(), top, rect.width(), lineHeight), Qt::AlignLeft, captions.at(line));
    }
}

void HeatMapPainter::paintPackage(QPainter& painter, int node, int package) const
{
    const HeatMapLayout& layout = m_scene.layout;
    const int perPackage = layout.shape().gpusPerPackage;
    const GpuAddress first{node, package * perPackage};
    const int end = std::min(first.gpu + perPackage, layout.shape().gpusPerNode);
    const bool standsOut = std::any_of(m_scene.standouts.begin(), m_scene.standouts.end(),
        [&](GpuAddress address) { return address.node == node && address.gpu / perPackage == package; });
    const QRectF card = layout.package(node, package);
    if (hasCards()) {
        painter.setPen(standsOut ? QPen(m_warn, 1.6) : QPen(m_line, 1));
        painter.setBrush(m_card);
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    }
    if (mergesDies()) {
        QStringList ranks;
        for (int gpu = first.gpu; gpu < end; ++gpu) {
            if (const std::optional<int> rank = rankOf(m_scene.grid, {node, gpu}))
                ranks.append(QString::number(*rank));
        }
        paintCell(painter, faceOf(first), first, Words::tr("ranks %1").arg(ranks.join(u" · "_s)));
    } else {
        for (int gpu = first.gpu; gpu < end; ++gpu) {
            QString words;
            if (hasCards()) {
                const std::optional<int> rank = rankOf(m_scene.grid, {node, gpu});
                words = rank ? Words::tr("rank %1").arg(*rank) : u"%1 %2"_s.arg(m_scene.grid.gpuWord()).arg(gpu);
            }
            paintCell(painter, layout.cell({node, gpu}), {node, gpu}, words);
        }
    }
    if (layout.hasSide())
        paintSide(painter, node, package, standsOut);
    if (standsOut && !hasCards()) {
        painter.setPen(QPen(m_warn, 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(card.adjusted(-1.5, -1.5, 1.5, 1.5), 3, 3);
    }
}

void HeatMapPainter::paintCell(QPainter& painter, const QRect& rect, GpuAddress address, const QString& ranks) const
{
    const GpuReading reading = readGpu(m_scene.grid, address, m_scene.measure, m_scene.ended);
    const bool trusted = reading.freshness == Freshness::Fresh || reading.freshness == Freshness::Last;
    if (!trusted || !reading.value) {
        // Known to live but silent about this measure: an empty frame. Silent altogether: hatched. Neither is a 0.
        paintHatched(painter, rect, reading.freshness == Freshness::Stale);
        paintCellText(painter, rect, reading, ranks, reading.freshness == Freshness::Stale ? m_ink2 : m_ink3);
        return;
    }
    const QColor ground = QColor::fromRgb(rampColour(rampOf(m_scene.measure), m_scene.scale.position(*reading.value)));
    if (m_scene.layout.level() == HeatMapLevel::Dense) {
        painter.fillRect(rect, ground);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    const int radius = radiusOf(m_scene.layout.level());
    painter.drawRoundedRect(rect, radius, radius);
    paintCellText(painter, rect, reading, ranks, inkOnRamp(ground));
}

void HeatMapPainter::paintCellText(
    QPainter& painter, const QRect& rect, const GpuReading& reading, const QString& ranks, const QColor& ink) const
{
    if (m_scene.layout.level() == HeatMapLevel::Dense)
        return;
    const int width = rect.width() - 4;
    painter.setPen(ink);
    painter.setFont(m_value);
    const QString bare = figureOf(m_scene.measure, reading.value);
    if (!hasCards()) {
        painter.drawText(rect, Qt::AlignCenter, fitting(m_value, width, {bare}));
        return;
    }
    const QString text = fitting(m_value, width, {figureWithUnit(m_scene.measure, reading.value), bare});
    const int valueHeight = QFontMetrics(m_value).height();
    const int rankHeight = QFontMetrics(m_small).height();
    const int top = rect.top() + (rect.height() - valueHeight - rankHeight) / 2;
    painter.drawText(QRect(rect.left(), top, rect.width(), valueHeight), Qt::AlignCenter, text);
    painter.setFont(m_small);
    painter.drawText(QRect(rect.left(), top + valueHeight, rect.width(), rankHeight), Qt::AlignCenter,
        fitting(m_small, width, {ranks, ranks.section(u' ', -1)}));
}

void HeatMapPainter::paintHatched(QPainter& painter, const QRect& rect, bool ever) const
{
    const QRectF frame = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
    if (m_scene.layout.level() == HeatMapLevel::Dense) {
        painter.setPen(QPen(ever ? m_ink3 : m_hatch, 1));
        painter.setBrush(m_panel);
        painter.drawRect(frame);
        if (ever)
            painter.drawLine(frame.bottomLeft(), frame.topRight());
        return;
    }
    const int radius = radiusOf(m_scene.layout.level());
    painter.setPen(ever ? QPen(m_hatch, 1) : QPen(m_hatch, 1, Qt::DashLine));
    painter.setBrush(m_panel);
    painter.drawRoundedRect(frame, radius, radius);
    if (!ever)
        return;
    painter.save();
    painter.setClipRect(rect.adjusted(1, 1, -1, -1), Qt::IntersectClip);
    painter.setPen(QPen(m_hatch, 1));
    for (int x = rect.left() - rect.height(); x < rect.right(); x += hatchStep)
        painter.drawLine(QPointF(x, rect.bottom() + 1), QPointF(x + rect.height(), rect.top()));
    painter.restore();
}

void HeatMapPainter::paintSide(QPainter& painter, int node, int package, bool standsOut) const
{
    const QRect rect = m_scene.layout.side(node, package);
    const GpuAddress first{node, package * m_scene.layout.shape().gpusPerPackage};
    QStringList figures;
    QStringList captions;
    const GpuReading power = readGpu(m_scene.grid, first, Measure::Power, m_scene.ended);
    const bool trusted = power.freshness != Freshness::Stale;
    if (m_scene.measure == Measure::Power) {
        // The cell itself says the power; utilisation beside it, since only both together tell work from waiting.
        figures = useOf(node, package);
        captions = {Words::tr("in use")};
    } else {
        figures = {figureWithUnit(Measure::Power, power.value), figureOf(Measure::Power, power.value)};
        const std::optional<double> cap = powerCapOf(m_scene.grid, first);
        captions = {cap ? Words::tr("of %1").arg(figureOf(Measure::Power, cap)) : Words::tr("power")};
    }
    if (!trusted)
        captions = {Words::tr("last value"), Words::tr("last")};
    const int figureHeight = QFontMetrics(m_side).height();
    const int captionHeight = QFontMetrics(m_small).height();
    const int top = rect.top() + (rect.height() - figureHeight - captionHeight) / 2;
    painter.setFont(m_side);
    painter.setPen(standsOut ? m_warn : trusted ? m_ink2 : m_ink3);
    painter.drawText(QRect(rect.left(), top, rect.width(), figureHeight), Qt::AlignRight | Qt::AlignVCenter,
        fitting(m_side, rect.width(), figures));
    painter.setFont(m_small);
    painter.setPen(m_ink3);
    painter.drawText(QRect(rect.left(), top + figureHeight, rect.width(), captionHeight),
        Qt::AlignRight | Qt::AlignVCenter, fitting(m_small, rect.width(), captions));
}

QStringList HeatMapPainter::useOf(int node, int package) const
{
    const int perPackage = m_scene.layout.shape().gpusPerPackage;
    std::optional<double> low;
    std::optional<double> high;
    for (int gpu = package * perPackage; gpu < std::min((package + 1) * perPackage, m_scene.layout.shape().gpusPerNode);
         ++gpu) {
        const GpuReading use = readGpu(m_scene.grid, {node, gpu}, Measure::Utilization, m_scene.ended);
        if (use.value) {
            low = std::min(low.value_or(*use.value), *use.value);
            high = std::max(high.value_or(*use.value), *use.value);
        }
    }
    const QString most = figureWithUnit(Measure::Utilization, high);
    if (!low || std::round(*low) == std::round(*high))
        return {most};
    return {figureOf(Measure::Utilization, low) + u'–' + most,
        figureOf(Measure::Utilization, low) + u'–' + figureOf(Measure::Utilization, high)};
}

QRect HeatMapPainter::faceOf(GpuAddress address) const
{
    if (!mergesDies())
        return m_scene.layout.cell(address);
    const int perPackage = m_scene.layout.shape().gpusPerPackage;
    const int first = address.gpu / perPackage * perPackage;
    const int last = std::min(first + perPackage, m_scene.layout.shape().gpusPerNode) - 1;
    return m_scene.layout.cell({address.node, first}).united(m_scene.layout.cell({address.node, last}));
}

void HeatMapPainter::paintRing(QPainter& painter) const
{
    const qreal width = m_scene.focused ? 2 : 1.4;
    const QRectF around
        = QRectF(faceOf(*m_scene.current)).adjusted(-ringDistance, -ringDistance, ringDistance, ringDistance);
    painter.setPen(QPen(m_scene.focused ? m_accent : m_ink2, width));
    painter.setBrush(Qt::NoBrush);
    const int radius
        = m_scene.layout.level() == HeatMapLevel::Dense ? 2 : radiusOf(m_scene.layout.level()) + ringDistance;
    painter.drawRoundedRect(around, radius, radius);
}

} // namespace rankwright
