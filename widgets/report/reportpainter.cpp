// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/reportpainter.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/colourmap.h"
#include "widgets/base/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;

/// A line of one pixel on a screen whose text is 15 pixels high, and as thick on paper.
double hairline(double unit) { return unit / 15; }

/// One curve of the plot with its scale.
struct Track {
    QString name;
    QString top; ///< label of the upper end
    double most = 1;
    QColor colour;
    std::optional<double> (*of)(const CurvePoint&);
    std::optional<double> (*low)(const CurvePoint&) = nullptr;
    std::optional<double> (*high)(const CurvePoint&) = nullptr;
};

/// Up to 1, 2 or 5 times a power of ten.
double niceTop(double value)
{
    if (!(value > 0))
        return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0, 10.0}) {
        if (value <= step * power * 1.0001)
            return step * power;
    }
    return 10 * power;
}

QList<Track> tracksOf(const HistorySummary& seen, const ReportColours& foreground)
{
    double power = 0, memory = seen.memoryTotal ? seen.memoryTotal->inGib() : 0;
    for (const CurvePoint& point : seen.curve) {
        power = qMax(power, point.power.value_or(0));
        memory = qMax(memory, point.mostMemory.value_or(0) / bytesPerGib);
    }
    const double kilo = niceTop(power);
    return {{u"Use"_s, percentText(100), 100, foreground.use, [](const CurvePoint& p) { return p.use; },
                [](const CurvePoint& p) { return p.leastUse; }, [](const CurvePoint& p) { return p.mostUse; }},
        {u"Memory"_s, gibText(memory * bytesPerGib), memory * bytesPerGib, foreground.memory,
            [](const CurvePoint& p) { return p.memory; }, [](const CurvePoint& p) { return p.memory; },
            [](const CurvePoint& p) { return p.mostMemory; }},
        {u"Power, all"_s, kilo >= 2000 ? humanNumber(kilo / 1000) + u" kW"_s : humanNumber(kilo) + u" W"_s, kilo,
            foreground.power, [](const CurvePoint& p) { return p.power; }}};
}

void paintTrack(QPainter& painter, const QRectF& plot, const Track& track, const HistorySummary& seen, double unit)
{
    const double all = double(qMax<qint64>(1, seen.job.length()));
    const auto x = [&](qint64 ms) { return plot.left() + plot.width() * double(ms - seen.job.fromMs) / all; };
    const auto y = [&](double value) { return plot.bottom() - plot.height() * qBound(0.0, value / track.most, 1.0); };
    // a stretch is drawn as a step over its whole length, so that a gap is as wide as it was
    QPainterPath line;
    bool open = false;
    QColor band = track.colour;
    band.setAlphaF(0.22F);
    for (const CurvePoint& point : seen.curve) {
        const auto value = track.of(point);
        const double left = x(point.span.fromMs), right = x(point.span.toMs);
        if (!value) {
            // Slow sampling leaves stretches without a sample: only a gap parts the line.
            open = open && std::none_of(seen.gaps.begin(), seen.gaps.end(), [&](const TimeSpan& gap) {
                return gap.fromMs < point.span.toMs && gap.toMs > point.span.fromMs;
            });
            continue;
        }
        if (track.high) {
            const double high = track.high(point).value_or(*value), low = track.low(point).value_or(*value);
            painter.fillRect(QRectF(QPointF(left, y(high)), QPointF(right, y(low))), band);
        }
        if (open)
            line.lineTo(left, y(*value));
        else
            line.moveTo(left, y(*value));
        line.lineTo(right, y(*value));
        open = true;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(track.colour, hairline(unit) * 1.6));
    painter.drawPath(line);
}

/// Lines from corner to corner, as far apart on paper as on a screen: a brush's pattern would be dust on a printer.
void hatch(QPainter& painter, const QRectF& area, const ReportColours& foreground, double unit)
{
    painter.save();
    painter.setClipRect(area);
    painter.setPen(QPen(foreground.missing, hairline(unit)));
    for (double x = area.left() - area.height(); x < area.right(); x += unit * 0.55)
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x + area.height(), area.top()));
    painter.restore();
}

/// Where no GPU reported anything.
void hatchGaps(
    QPainter& painter, const QRectF& plot, const HistorySummary& seen, const ReportColours& foreground, double unit)
{
    const double all = double(qMax<qint64>(1, seen.job.length()));
    const auto x = [&](qint64 ms) { return plot.left() + plot.width() * double(ms - seen.job.fromMs) / all; };
    for (const TimeSpan& gap : seen.gaps) {
        const double left = x(gap.fromMs), right = x(gap.toMs);
        hatch(painter, QRectF(left, plot.top(), right - left, plot.height()), foreground, unit);
    }
}

/// Marks along the time axis: at most six.
qint64 timeStep(qint64 seconds)
{
    for (const qint64 step :
        {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400}) {
        if (seconds / step <= 6)
            return step;
    }
    return 7 * 86400;
}

void paintTimes(
    QPainter& painter, const QRectF& plot, const HistorySummary& seen, const ReportColours& foreground, double unit)
{
    const qint64 seconds = qMax<qint64>(1, seen.job.length() / 1000);
    const qint64 step = timeStep(seconds);
    for (qint64 at = 0; at <= seconds; at += step) {
        const double x = plot.left() + plot.width() * double(at) / double(seconds);
        painter.setPen(QPen(foreground.line, hairline(unit)));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(foreground.quiet);
        const bool last = x > plot.right() - 2 * unit;
        painter.drawText(QRectF(last ? x - 8 * unit : x - 4 * unit, plot.bottom() + unit * 0.2, 8 * unit, unit * 1.2),
            (last ? Qt::AlignRight

                  : Qt::AlignHCenter)
                | Qt::AlignTop,
            at == 0 ? u"0"_s : humanDuration(Seconds{at}));
    }
}

int nodeColumns(const HistorySummary& seen, double width, double unit)
{
    const double one = unit * 6.5 + qMax(1, seen.gpusPerNode) * unit * 1.3 + unit;
    return qBound(1, int(width / one), qMax(1, int(seen.nodes.size())));
}

int nodeRows(const HistorySummary& seen, double width, double unit)
{
    const int columns = nodeColumns(seen, width, unit);
    return (int(qMin<qsizetype>(seen.nodes.size(), 512)) + columns - 1) / columns;
}

} // namespace

ReportColours ReportColours::of(bool dark)
{
    const auto scheme = dark ? Theme::Scheme::Dark : Theme::Scheme::Light;
    return {Theme::colour(T::Panel, scheme), Theme::colour(T::Line, scheme), Theme::colour(T::Foreground, scheme),
        Theme::colour(T::Foreground2, scheme), Theme::category(0), Theme::category(2), Theme::category(5),
        Theme::colour(T::Foreground3, scheme)};
}

void paintCurve(
    QPainter& painter, const QRectF& area, const HistorySummary& seen, const ReportColours& foreground, double unit)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QList<Track> tracks = tracksOf(seen, foreground);
    const double labels = unit * 6.2, footer = unit * 1.6, gap = unit * 0.9;
    const double height = (area.height() - footer - gap * double(tracks.size() - 1)) / double(tracks.size());
    QRectF plot(area.left() + labels, area.top(), area.width() - labels - unit * 0.6, height);
    const QRectF whole(plot.left(), area.top(), plot.width(), area.height() - footer);
    paintTimes(painter, whole, seen, foreground, unit);
    for (const Track& track : tracks) {
        if (plot.bottom() + gap < whole.bottom()) // below the last one are the times
            painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), gap), foreground.background);
        painter.setPen(QPen(foreground.line, hairline(unit)));
        painter.drawLine(plot.bottomLeft(), plot.bottomRight());
        painter.drawLine(plot.topLeft(), plot.topRight());
        hatchGaps(painter, plot, seen, foreground, unit);
        paintTrack(painter, plot, track, seen, unit);
        painter.setPen(foreground.foreground);
        const QRectF label(area.left(), plot.top() - unit * 0.2, labels - unit * 0.5, height);
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, track.name);
        painter.setPen(foreground.quiet);
        painter.drawText(label, Qt::AlignRight | Qt::AlignTop, track.top);
        painter.drawText(label.translated(0, unit * 0.5), Qt::AlignRight | Qt::AlignBottom, u"0"_s);
        plot.translate(0, height + gap);
    }
    painter.restore();
}

double mapHeight(const HistorySummary& seen, double width, double unit)
{
    return nodeRows(seen, width, unit) * unit * 1.45 + unit * 1.6;
}

void paintMap(
    QPainter& painter, const QRectF& area, const HistorySummary& seen, const ReportColours& foreground, double unit)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const int columns = nodeColumns(seen, area.width(), unit), rows = nodeRows(seen, area.width(), unit);
    const double cell = unit * 1.2, pitch = unit * 1.3, name = unit * 6.5;
    const double wide = qMin(area.width() / columns, name + qMax(1, seen.gpusPerNode) * pitch + unit);
    for (qsizetype node = 0; node < qMin<qsizetype>(seen.nodes.size(), 512); ++node) {
        painter.setPen(foreground.quiet);
        const QPointF at(area.left() + double(node / rows) * wide, area.top() + double(node % rows) * unit * 1.45);
        painter.drawText(QRectF(at, QSizeF(name - unit * 0.5, cell)), Qt::AlignRight | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(seen.nodes.at(node), Qt::ElideLeft, int(name - unit * 0.5)));
    }
    for (const GpuSummary& gpu : seen.gpus) {
        if (gpu.address.node >= 512)
            continue;
        const QRectF box(area.left() + double(gpu.address.node / rows) * wide + name + gpu.address.gpu * pitch,
            area.top() + double(gpu.address.node % rows) * unit * 1.45, cell, cell);
        if (!gpu.meanUse) {
            hatch(painter, box, foreground, unit);
            continue;
        }
        const QColor background = QColor::fromRgb(rampColour(Ramp::Magnitude, *gpu.meanUse / 100));
        painter.fillRect(box, background);
        painter.setPen(inkOnRamp(background));
        if (gpu.idleShare.value_or(0) > 0.99)
            painter.drawText(box, Qt::AlignCenter, u"×"_s);
        else
            painter.drawText(box, Qt::AlignCenter, QString::number(qRound(*gpu.meanUse)));
    }
    const QRectF scale(area.left() + name, area.top() + rows * unit * 1.45 + unit * 0.5, unit * 10, unit * 0.5);
    for (int i = 0; i < 100; ++i)
        painter.fillRect(
            QRectF(scale.left() + scale.width() * i / 100, scale.top(), scale.width() / 100 + 0.5, scale.height()),
            QColor::fromRgb(rampColour(Ramp::Magnitude, i / 100.0)));
    painter.setPen(foreground.quiet);
    painter.drawText(QRectF(scale.right() + unit * 0.6, scale.top() - unit * 0.4, unit * 26, unit * 1.3),
        Qt::AlignLeft | Qt::AlignVCenter, u"mean use, 0 to 100\u2009%   × never at work"_s);
    painter.restore();
}

void paintSpeedup(
    QPainter& painter, const QRectF& area, const SpeedupTable& table, const ReportColours& foreground, double unit)
{
    if (table.points.size() < 2)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot(area.left() + unit * 3, area.top() + unit, area.width() - unit * 5, area.height() - unit * 4);
    const double first = table.points.first().gpus, last = table.points.last().gpus;
    double top = last / first;
    for (const SpeedupPoint& point : table.points)
        top = qMax(top, point.speedup);
    const double spanX = std::log2(last / first), spanY = std::log2(top) + 0.15;
    const auto x = [&](double gpus) { return plot.left() + plot.width() * std::log2(gpus / first) / spanX; };
    const auto y = [&](double times) { return plot.bottom() - plot.height() * qMax(-0.05, std::log2(times)) / spanY; };
    painter.setPen(QPen(foreground.line, hairline(unit)));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    for (double times = 1; times <= top * 1.1; times *= 2) {
        painter.setPen(QPen(foreground.line, hairline(unit)));
        painter.drawLine(QPointF(plot.left(), y(times)), QPointF(plot.right(), y(times)));
        painter.setPen(foreground.quiet);
        painter.drawText(QRectF(area.left(), y(times) - unit * 0.7, unit * 2.6, unit * 1.4),
            Qt::AlignRight | Qt::AlignVCenter, humanNumber(times) + u"×"_s);
    }
    painter.setPen(QPen(foreground.quiet, hairline(unit) * 1.2, Qt::DashLine));
    painter.drawLine(QPointF(x(first), y(1)), QPointF(x(last), y(last / first)));
    QPolygonF line;
    for (const SpeedupPoint& point : table.points)
        line.append(QPointF(x(point.gpus), y(point.speedup)));
    painter.setPen(QPen(foreground.use, hairline(unit) * 2));
    painter.drawPolyline(line);
    for (qsizetype i = 0; i < line.size(); ++i) {
        painter.setBrush(foreground.use);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(line.at(i), unit * 0.3, unit * 0.3);
        painter.setPen(foreground.quiet);
        painter.drawText(QRectF(line.at(i).x() - unit * 3, plot.bottom() + unit * 0.3, unit * 6, unit * 1.3),
            Qt::AlignHCenter | Qt::AlignTop, QString::number(table.points.at(i).gpus));
    }
    painter.drawText(QRectF(plot.left(), plot.bottom() + unit * 1.6, plot.width(), unit * 1.3), Qt::AlignHCenter,
        pluralOf(table.gpuWord) + u"   (dashed: ideal)"_s);
    painter.restore();
}

} // namespace rankwright
