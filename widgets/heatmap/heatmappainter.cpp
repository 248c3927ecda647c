// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmappainter.h"

#include "widgets/base/colourmap.h"
#include "widgets/base/theme.h"
#include "widgets/base/translate.h"
#include "widgets/heatmap/heatmapmarks.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int hatchStep = 7;

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

/// Diagonal lines as a texture: thousands of silent cells must not cost thousands of lines.
QBrush hatchBrush(const QColor& line, const QColor& background)
{
    QImage tile(4, 4, QImage::Format_RGB32);
    tile.fill(background);
    for (int at = 0; at < 4; ++at)
        tile.setPixelColor(at, 3 - at, line);
    return QBrush(tile);
}

} // namespace

HeatMapPainter::HeatMapPainter(const HeatMapScene& scene) : m_scene(scene)
{
    using Token = Theme::Token;
    const Theme& theme = scene.theme;
    m_panel = theme.colour(Token::Panel);
    m_line = theme.colour(Token::Line);
    m_foreground = theme.colour(Token::Foreground);
    m_ink2 = theme.colour(Token::Foreground2);
    m_ink3 = theme.colour(Token::Foreground3);
    m_warn = theme.colour(Token::Warn);
    m_accent = theme.colour(Token::Accent);
    m_card = Theme::mix(m_line, m_panel, 0.38);
    m_hatch = Theme::mix(m_ink3, m_panel, 0.38);
    m_staleBrush = hatchBrush(m_ink3, m_panel);
    const QRect cell = scene.layout.shape().nodes > 0 ? faceOf(0, 0) : QRect();
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

void HeatMapPainter::paintNode(QPainter& painter, int slot) const
{
    const Line line{slot, m_scene.rows.at(slot)};
    if (m_scene.layout.hasLabels())
        paintLabel(painter, line);
    const int perPackage = m_scene.layout.shape().gpusPerPackage;
    if (isDense())
        paintDense(painter, line);
    else {
        for (int package = 0; package * perPackage < m_scene.layout.shape().gpusPerNode; ++package)
            paintPackage(painter, line, package);
    }
    paintSigns(painter, line);
    if (m_scene.current && m_scene.current->node == line.row)
        paintRing(painter, line);
}

void HeatMapPainter::paintDense(QPainter& painter, Line line) const
{
    const int dies = mergesDies() ? m_scene.layout.shape().gpusPerPackage : 1;
    const bool grouped = groupKindOf(m_scene.overlay).has_value();
    for (int gpu = 0; gpu < m_scene.layout.shape().gpusPerNode; gpu += dies) {
        const QRect rect = faceOf(line.slot, gpu);
        paintPlain(painter, rect, m_scene.field.at({line.row, gpu}));
        if (grouped)
            paintGroup(painter, rect, {line.row, gpu});
    }
}

void HeatMapPainter::paintPlain(QPainter& painter, const QRect& rect, const GpuCell& cell) const
{
    if (cell.isTrusted() && !std::isnan(cell.value)) {
        painter.fillRect(
            rect, QColor::fromRgb(rampColour(rampOf(m_scene.measure), m_scene.scale.position(double(cell.value)))));
    } else if (cell.freshness == Freshness::Stale && !m_scene.vector) {
        painter.fillRect(rect, m_staleBrush);
    } else {
        // Silent from the start, or alive and silent about this measure: an empty frame, which is not a value.
        painter.fillRect(rect, cell.freshness == Freshness::Stale ? m_ink3 : m_hatch);
        if (rect.width() > 2 && rect.height() > 2)
            painter.fillRect(rect.adjusted(1, 1, -1, -1), m_panel);
        if (cell.freshness == Freshness::Stale) {
            painter.setPen(QPen(m_ink3, 1));
            painter.drawLine(rect.bottomLeft(), rect.topRight());
        }
    }
}

bool HeatMapPainter::mergesDies() const
{
    return m_scene.measure == Measure::Power && m_scene.layout.shape().gpusPerPackage > 1;
}

void HeatMapPainter::paintLabel(QPainter& painter, Line line) const
{
    QRect rect = m_scene.layout.label(line.slot).adjusted(0, 0, hasCards() ? -12 : -8, 0);
    const Freshness freshness = freshnessOf(m_scene.grid, line.row, m_scene.state);
    const bool quiet = freshness == Freshness::Stale || freshness == Freshness::Never;
    const QString name = m_scene.grid.series().nodes().value(line.row);
    if (m_scene.pins.contains({line.row})) {
        paintPin(painter, QPointF(rect.right() - 3, hasCards() ? rect.center().y() - 12 : rect.center().y() - 3), 10,
            m_scene.theme);
        rect.setRight(rect.right() - 10);
    }
    painter.setFont(m_name);
    painter.setPen(freshness == Freshness::Stale ? m_warn : hasCards() ? m_foreground : m_ink2);
    const QString shown = QFontMetrics(m_name).elidedText(name, Qt::ElideMiddle, rect.width());
    if (!hasCards()) {
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, shown);
        return;
    }
    QStringList captions{ranksOf(m_scene.grid, line.row)};
    if (freshness == Freshness::Stale)
        captions << tr("no fresh value") << tr("since %1").arg(clockText(newestArrival(m_scene.grid, line.row)));
    else if (freshness == Freshness::Never)
        captions << tr("nothing yet");
    const int nameHeight = QFontMetrics(m_name).height();
    const int lineHeight = QFontMetrics(m_caption).height();
    int top = rect.top() + std::max(0, (rect.height() - nameHeight - lineHeight * int(captions.size())) / 2);
    painter.drawText(QRect(rect.left(), top, rect.width(), nameHeight), Qt::AlignLeft, shown);
    top += nameHeight;
    painter.setFont(m_caption);
    for (qsizetype at = 0; at < captions.size(); ++at, top += lineHeight) {
        painter.setPen(quiet && at > 0 ? (freshness == Freshness::Stale ? m_warn : m_ink2) : m_ink3);
        painter.drawText(QRect(rect.left(), top, rect.width(), lineHeight), Qt::AlignLeft, captions.at(at));
    }
}

void HeatMapPainter::paintPackage(QPainter& painter, Line line, int package) const
{
    const HeatMapLayout& layout = m_scene.layout;
    const int perPackage = layout.shape().gpusPerPackage;
    const int first = package * perPackage;
    const int end = std::min(first + perPackage, layout.shape().gpusPerNode);
    if (hasCards()) {
        const QRectF card = layout.package(line.slot, package);
        painter.setPen(QPen(m_line, 1));
        painter.setBrush(m_card);
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    }
    if (mergesDies()) {
        const QRect face = faceOf(line.slot, first);
        paintCell(painter, face, {line.row, first}, ranksOfPackage(line.row, first, end));
        paintGroup(painter, face, {line.row, first});
    } else {
        for (int gpu = first; gpu < end; ++gpu) {
            const QRect rect = layout.cell({line.slot, gpu});
            paintCell(painter, rect, {line.row, gpu}, ranksOfPackage(line.row, gpu, gpu + 1));
            paintGroup(painter, rect, {line.row, gpu});
        }
    }
    if (layout.hasSide())
        paintSide(painter, line, package);
}

QString HeatMapPainter::ranksOfPackage(int row, int first, int end) const
{
    QStringList ranks;
    for (int gpu = first; gpu < end; ++gpu) {
        if (const std::optional<int> rank = rankOf(m_scene.grid, {row, gpu}))
            ranks.append(QString::number(*rank));
    }
    if (ranks.isEmpty())
        return m_scene.grid.knowsRanks() ? tr("no rank") : u"%1 %2"_s.arg(m_scene.grid.gpuWord()).arg(first);
    return ranks.size() > 1 ? tr("ranks %1").arg(ranks.join(u" · "_s)) : tr("rank %1").arg(ranks.first());
}

void HeatMapPainter::paintCell(QPainter& painter, const QRect& rect, GpuAddress gpu, const QString& ranks) const
{
    const GpuReading reading = readGpu(m_scene.grid, gpu, m_scene.measure, m_scene.state);
    const bool trusted = reading.freshness == Freshness::Fresh || reading.freshness == Freshness::Last;
    if (!trusted || !reading.value) {
        // Known to live but silent about this measure: an empty frame. Silent altogether: hatched. Neither is a 0.
        paintHatched(painter, rect, reading.freshness);
        paintCellText(painter, rect, reading, ranks, reading.freshness == Freshness::Stale ? m_ink2 : m_ink3);
        return;
    }
    const QColor background
        = QColor::fromRgb(rampColour(rampOf(m_scene.measure), m_scene.scale.position(*reading.value)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(background);
    const int corner = radius();
    painter.drawRoundedRect(rect, corner, corner);
    paintCellText(painter, rect, reading, ranks, inkOnRamp(background));
}

void HeatMapPainter::paintCellText(QPainter& painter, const QRect& rect, const GpuReading& reading,
    const QString& ranks, const QColor& foreground) const
{
    const int width = rect.width() - 4;
    const bool ranksFirst = m_scene.overlay == HeatMapOverlay::Ranks;
    const QString number = ranks.section(u' ', -1);
    painter.setPen(foreground);
    painter.setFont(m_value);
    const QString bare = figureOf(m_scene.measure, reading.value);
    if (!hasCards()) {
        painter.drawText(rect, Qt::AlignCenter, fitting(m_value, width, {ranksFirst ? number : bare}));
        return;
    }
    const QString figure
        = m_scene.measure == Measure::Processes ? bare : figureWithUnit(m_scene.measure, reading.value);
    const QString text
        = ranksFirst ? fitting(m_value, width, {ranks, number}) : fitting(m_value, width, {figure, bare});
    const int valueHeight = QFontMetrics(m_value).height();
    const int rankHeight = QFontMetrics(m_small).height();
    const int top = rect.top() + (rect.height() - valueHeight - rankHeight) / 2;
    painter.drawText(QRect(rect.left(), top, rect.width(), valueHeight), Qt::AlignCenter, text);
    painter.setFont(m_small);
    painter.drawText(QRect(rect.left(), top + valueHeight, rect.width(), rankHeight), Qt::AlignCenter,
        ranksFirst ? fitting(m_small, width, {figure, bare}) : fitting(m_small, width, {ranks, number}));
}

void HeatMapPainter::paintHatched(QPainter& painter, const QRect& rect, Freshness freshness) const
{
    const bool ever = freshness == Freshness::Stale;
    const QRectF frame = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
    const int corner = radius();
    painter.setPen(ever ? QPen(m_hatch, 1) : QPen(m_hatch, 1, Qt::DashLine));
    painter.setBrush(m_panel);
    painter.drawRoundedRect(frame, corner, corner);
    if (!ever)
        return;
    painter.save();
    painter.setClipRect(rect.adjusted(1, 1, -1, -1), Qt::IntersectClip);
    painter.setPen(QPen(m_hatch, 1));
    for (int x = rect.left() - rect.height(); x < rect.right(); x += hatchStep)
        painter.drawLine(QPointF(x, rect.bottom() + 1), QPointF(x + rect.height(), rect.top()));
    painter.restore();
}

void HeatMapPainter::paintSide(QPainter& painter, Line line, int package) const
{
    const int perPackage = m_scene.layout.shape().gpusPerPackage;
    const QRect rect = m_scene.layout.side(line.slot, package);
    const GpuAddress first{line.row, package * perPackage};
    const std::optional<Alert::Level> mark = worstMark(m_scene.marks, first, first.gpu + perPackage);
    const bool standsOut = mark && *mark >= Alert::Level::Warning;
    QStringList figures;
    QStringList captions;
    const GpuReading power = readGpu(m_scene.grid, first, Measure::Power, m_scene.state);
    const bool trusted = power.freshness != Freshness::Stale;
    if (m_scene.measure == Measure::Power) {
        // The cell itself says the power; utilisation beside it, since only both together distinguish work from
        // waiting.
        figures = useOf(line.row, package);
        captions = {tr("in use")};
    } else {
        figures = {figureWithUnit(Measure::Power, power.value), figureOf(Measure::Power, power.value)};
        const std::optional<double> cap = powerCapOf(m_scene.grid, first);
        captions = {cap ? tr("of %1").arg(figureOf(Measure::Power, cap)) : tr("power")};
    }
    if (!trusted)
        captions = {tr("last value"), tr("last")};
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

QStringList HeatMapPainter::useOf(int row, int package) const
{
    const int perPackage = m_scene.layout.shape().gpusPerPackage;
    std::optional<double> low;
    std::optional<double> high;
    for (int gpu = package * perPackage; gpu < std::min((package + 1) * perPackage, m_scene.layout.shape().gpusPerNode);
         ++gpu) {
        const GpuReading use = readGpu(m_scene.grid, {row, gpu}, Measure::Utilization, m_scene.state);
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

} // namespace rankwright

// What HeatMapPainter draws over the measure's colours: groups, group members, alerts, pins, the current GPU.
namespace rankwright {

namespace {

constexpr int ringDistance = 2;

} // namespace

QRect HeatMapPainter::faceOf(int slot, int gpu) const
{
    if (!mergesDies())
        return m_scene.layout.cell({slot, gpu});
    const int perPackage = m_scene.layout.shape().gpusPerPackage;
    const int first = gpu / perPackage * perPackage;
    const int last = std::min(first + perPackage, m_scene.layout.shape().gpusPerNode) - 1;
    return m_scene.layout.cell({slot, first}).united(m_scene.layout.cell({slot, last}));
}

void HeatMapPainter::paintGroup(QPainter& painter, const QRect& rect, GpuAddress gpu) const
{
    const std::optional<GroupKind> kind = groupKindOf(m_scene.overlay);
    const RankPlace* place = kind ? m_scene.grid.placeAt(gpu) : nullptr;
    const std::optional<int> group = place ? place->groupOf(*kind) : std::nullopt;
    if (!group)
        return;
    const QColor colour = Theme::category(*group);
    const int bar = hasCards() ? 5 : isDense() ? (rect.height() >= 8 ? 3 : 0) : 4;
    if (bar == 0)
        return;
    painter.fillRect(QRect(rect.left(), rect.bottom() + 1 - bar, rect.width(), bar), colour);
    // A hairline keeps the group's colour apart from the measure's.
    painter.fillRect(QRect(rect.left(), rect.bottom() - bar, rect.width(), 1), m_panel);
    if (!hasCards())
        return;
    const QString number = QString::number(*group);
    const int width = QFontMetrics(m_small).horizontalAdvance(number) + 8;
    const QRect badge(rect.left() - 2, rect.top() - 2, width, 14);
    painter.setPen(QPen(m_panel, 1));
    painter.setBrush(colour);
    painter.drawRoundedRect(badge, 4, 4);
    painter.setFont(m_small);
    painter.setPen(Theme::foregroundOn(colour));
    painter.drawText(badge, Qt::AlignCenter, number);
}

void HeatMapPainter::paintSigns(QPainter& painter, Line line) const
{
    const HeatMapLayout& layout = m_scene.layout;
    const int gpus = layout.shape().gpusPerNode;
    const int perPackage = layout.shape().gpusPerPackage;
    for (auto mate = m_scene.groupMembers.lower_bound({line.row, 0});
         mate != m_scene.groupMembers.end() && mate->node == line.row && mate->gpu < gpus; ++mate) {
        painter.setPen(QPen(m_foreground, hasCards() ? 2 : 1.4));
        painter.setBrush(Qt::NoBrush);
        const int corner = isDense() ? 1 : radius();
        painter.drawRoundedRect(QRectF(faceOf(line.slot, mate->gpu)).adjusted(-0.5, -0.5, 0.5, 0.5), corner, corner);
    }
    for (auto mark = m_scene.marks.lower_bound({line.row, 0});
         mark != m_scene.marks.end() && mark->first.node == line.row && mark->first.gpu < gpus; ++mark) {
        const QRectF box = layout.package(line.slot, mark->first.gpu / perPackage);
        painter.setPen(QPen(colourOf(mark->second, m_scene.theme), 1.6));
        painter.setBrush(Qt::NoBrush);
        const qreal out = hasCards() ? -0.5 : 1.5;
        painter.drawRoundedRect(box.adjusted(-out, -out, out, out), hasCards() ? 8 : 3, hasCards() ? 8 : 3);
        const QRectF face = faceOf(line.slot, mark->first.gpu);
        const qreal size = hasCards() ? 13 : isDense() ? 7 : 9;
        const qreal inset = hasCards() ? 9 : 0;
        paintMark(painter, face.topRight() + QPointF(-inset, inset), size, mark->second, m_scene.theme);
    }
    for (auto pin = m_scene.pins.lower_bound({line.row, 0});
         pin != m_scene.pins.end() && pin->node == line.row && *pin->gpu < gpus; ++pin) {
        const QRectF face = faceOf(line.slot, *pin->gpu);
        paintPin(painter, face.topLeft() + QPointF(isDense() ? 1 : 5, isDense() ? 0 : 3), hasCards() ? 12 : 8,
            m_scene.theme);
    }
}

void HeatMapPainter::paintRing(QPainter& painter, Line line) const
{
    const qreal width = m_scene.focused ? 2 : 1.4;
    const QRectF around = QRectF(faceOf(line.slot, m_scene.current->gpu))
                              .adjusted(-ringDistance, -ringDistance, ringDistance, ringDistance);
    painter.setPen(QPen(m_scene.focused ? m_accent : m_ink2, width));
    painter.setBrush(Qt::NoBrush);
    const int corner = isDense() ? 2 : radius() + ringDistance;
    painter.drawRoundedRect(around, corner, corner);
}

} // namespace rankwright
