// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/history/historyplot.h"

#include "widgets/base/theme.h"
#include "widgets/history/timestripaccessible.h"

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double labelWidth = 84;
constexpr double axisHeight = 20;
constexpr double stripGap = 9;
constexpr int sliceMs = 12; // of fetching between two turns of the event loop

/// Which category draws a measure when it stands alone.
int categoryOf(Measure measure)
{
    switch (measure) {
    case Measure::Utilization: return 0;
    case Measure::Memory: return 2;
    case Measure::Power: return 5;
    case Measure::Temperature: return 3;
    case Measure::Clock: return 1;
    case Measure::Processes: return 4;
    }
    return 0;
}

} // namespace

HistoryPlot::HistoryPlot(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("History"));
    m_table.columns = {tr("Value"), tr("Mean"), tr("Lowest"), tr("Highest")};
    describeAsTable(*this, [this] { return m_table; });
    m_fetching.setInterval(0);
    connect(&m_fetching, &QTimer::timeout, this, &HistoryPlot::fetchSome);
    connect(&themeOf(this), &Theme::changed, this, [this] { update(); });
}

void HistoryPlot::setHistory(std::shared_ptr<const TelemetryHistory> history, int gpusPerPackage)
{
    m_history = std::move(history);
    m_gpusPerPackage = gpusPerPackage;
    m_range = Range::Recent;
    m_curves.clear();
    fetch(HistoryCurves::Fetch::All);
    emit rangeChanged();
}

void HistoryPlot::setScales(std::function<MeasureScale(Measure)> scales)
{
    m_scaleOf = std::move(scales);
    fetch(HistoryCurves::Fetch::Missing);
}

void HistoryPlot::setLines(const QList<HistoryLine>& lines)
{
    if (lines == m_lines)
        return;
    m_lines = lines;
    fetch(HistoryCurves::Fetch::Missing);
}

void HistoryPlot::setMeasures(const QList<Measure>& measures)
{
    if (measures.isEmpty() || measures == m_measures)
        return;
    m_measures = measures;
    fetch(HistoryCurves::Fetch::Missing);
}

void HistoryPlot::setArrangement(Arrangement arrangement)
{
    m_arrangement = arrangement;
    fetch(HistoryCurves::Fetch::Missing);
}

void HistoryPlot::setValues(std::function<GpuValue(const HistorySubject&, Measure)> values, const QString& gpuWord)
{
    m_valueOf = std::move(values);
    m_gpuWord = gpuWord;
    refreshValues();
}

void HistoryPlot::refreshValues()
{
    QMap<HistoryCurves::Key, GpuValue> values;
    for (const HistoryLine& line : std::as_const(m_lines)) {
        for (const Measure measure : std::as_const(m_measures)) {
            if (m_valueOf)
                values.insert({line.subject, measure}, m_valueOf(line.subject, measure));
        }
    }
    if (values == m_values)
        return;
    m_values = values;
    update(QRect(0, 0, int(labelWidth), height()));
}

HistoryFigure HistoryPlot::figure(Measure measure) const
{
    for (const HistoryStrip& strip : strips()) {
        if (strip.measure == measure && strip.lines.size() == 1)
            return figureOf(strip, currentStyle());
    }
    return {};
}

void HistoryPlot::setGaps(const QList<TimeSpan>& gaps, qint64 longerThanMs)
{
    m_gaps = gaps;
    m_gapLongerThanMs = longerThanMs;
}

void HistoryPlot::setMoment(std::optional<qint64> ms)
{
    if (ms == m_moment)
        return;
    m_moment = ms;
    if (m_range == Range::Recent)
        fetch(HistoryCurves::Fetch::Missing);
    update();
}

void HistoryPlot::setInvitation(const QString& text)
{
    m_invitation = text;
    reportReaders();
    update();
}

void HistoryPlot::refresh() { fetch(HistoryCurves::Fetch::All); }

TimeSpan HistoryPlot::span() const
{
    const TimeSpan all = m_history ? m_history->span() : TimeSpan();
    if (all.length() <= 0)
        return {};
    if (m_range == Range::All)
        return {all.fromMs, std::max(all.toMs, all.fromMs + shortestMs)};
    if (m_range == Range::Chosen)
        return m_chosen;
    // The last minutes; of a replay those around its moment, so that one sees what follows.
    if (m_moment)
        return {*m_moment - recentMs / 2, *m_moment + recentMs / 2};
    // A young job fills the width too; in steps, so that the axis stands still for a while.
    qint64 length = recentMs;
    for (const qint64 step : {recentMs / 2, recentMs / 5, recentMs / 10}) {
        if (all.length() <= step)
            length = step;
    }
    return {all.toMs - length, all.toMs};
}

void HistoryPlot::showRange(Range range)
{
    m_range = range;
    fetch(HistoryCurves::Fetch::Missing);
    emit rangeChanged();
}

void HistoryPlot::showSpan(TimeSpan span)
{
    const TimeSpan all = m_history ? m_history->span() : TimeSpan();
    if (all.length() <= 0)
        return;
    const qint64 room = std::max(all.length(), shortestMs);
    const qint64 length = std::clamp(span.length(), shortestMs, room);
    if (length >= room) {
        showRange(Range::All);
        return;
    }
    const qint64 from = std::clamp(span.fromMs, all.fromMs, all.fromMs + room - length);
    m_range = Range::Chosen;
    m_chosen = {from, from + length};
    fetch(HistoryCurves::Fetch::Missing);
    emit rangeChanged();
}

QRectF HistoryPlot::plot() const
{
    QRectF box = QRectF(rect()).adjusted(labelWidth, 2, -2, -axisHeight);
    if (m_lines.size() > 1 && m_arrangement == Arrangement::Overlaid)
        box.setBottom(box.bottom() - paintHistoryLegend(nullptr, QRectF(rect()), m_lines, themeOf(this)));
    return box;
}

TimeScale HistoryPlot::time() const { return {span(), plot().left(), plot().width()}; }

QList<HistoryStrip> HistoryPlot::strips() const
{
    QList<HistoryStrip> strips;
    const bool apart = m_arrangement == Arrangement::SideBySide && m_lines.size() > 1;
    if (apart) {
        const Measure measure = m_measures.first();
        for (const HistoryLine& line : m_lines)
            strips.append({measure, m_scales.value(measure), {line}, line.shortName, {}, {}});
    } else {
        for (const Measure measure : m_measures) {
            QList<HistoryLine> lines = m_lines;
            if (lines.size() == 1)
                lines.first().category = categoryOf(measure);
            strips.append({measure, m_scales.value(measure), lines, toText(measure), {}, {}});
        }
    }
    const QRectF all = plot();
    const double height = all.height() / double(std::max<qsizetype>(1, strips.size()));
    for (qsizetype place = 0; place < strips.size(); ++place) {
        HistoryStrip& strip = strips[place];
        strip.box = QRectF(all.left(), all.top() + double(place) * height, all.width(), height - stripGap);
        strip.label = QRectF(0, strip.box.top(), labelWidth - 8, strip.box.height());
    }
    return strips;
}

HistoryStyle HistoryPlot::currentStyle() const
{
    return {themeOf(this), m_curves, time(), m_gaps, m_gapLongerThanMs, m_values, m_gpuWord, m_hoverX};
}

void HistoryPlot::fetch(HistoryCurves::Fetch what)
{
    QList<HistoryCurves::Key> keys;
    for (const HistoryStrip& strip : strips()) {
        for (const HistoryLine& line : strip.lines)
            keys.append({line.subject, strip.measure});
        if (m_scaleOf)
            m_scales.insert(strip.measure, m_scaleOf(strip.measure));
    }
    refreshValues();
    // A bucket of two pixels: finer than that no eye sees a band.
    const int count = std::clamp(int(plot().width() / 2), 20, 600);
    m_curves.want(keys, span(), count, what);
    if (m_history && !m_curves.isComplete() && !m_fetching.isActive())
        m_fetching.start();
    update();
}

void HistoryPlot::fetchSome()
{
    QElapsedTimer clock;
    clock.start();
    while (m_history && m_curves.fetchNext(*m_history, m_gpusPerPackage)) {
        if (clock.elapsed() >= sliceMs)
            break;
    }
    if (!m_history || m_curves.isComplete()) {
        m_fetching.stop();
        reportReaders();
    }
    update();
}

QString HistoryPlot::emptyText() const
{
    return m_lines.isEmpty() ? m_invitation : tr("Nothing has been recorded yet.");
}

void HistoryPlot::reportReaders()
{
    m_table.rows.clear();
    QStringList lines;
    for (const HistoryStrip& strip : strips()) {
        for (const HistoryLine& line : strip.lines) {
            const QString name = u"%1, %2"_s.arg(line.name, toText(strip.measure));
            const GpuValue value = m_values.value({line.subject, strip.measure});
            const QString made = howMade(value, m_gpuWord);
            const QString shown
                = figureWithUnit(strip.measure, value.value) + (made.isEmpty() ? QString() : u" ("_s + made + u')');
            const QList<HistoryBucket> curve = m_curves.curve({line.subject, strip.measure});
            QList<QList<HistoryBucket>> single;
            for (const HistoryBucket& bucket : curve)
                single.append(QList<HistoryBucket>{bucket});
            const QList<HistoryBucket> whole = mergedBuckets(single);
            if (whole.isEmpty() || whole.first().samples == 0) {
                m_table.rows.append({name, {shown}});
                lines.append(tr("%1: not reported").arg(name));
                continue;
            }
            const auto figure = [&](float value) { return figureWithUnit(strip.measure, double(value)); };
            const QStringList figures{
                shown, figure(whole.first().mean), figure(whole.first().least), figure(whole.first().most)};
            m_table.rows.append({name, figures});
            const QString all = tr("mean of %1 %2, %3 to %4")
                                    .arg(spanText(span().length()), figures.at(1), figures.at(2), figures.at(3));
            lines.append(value.value ? u"%1: %2; %3"_s.arg(name, shown, all) : u"%1: %2"_s.arg(name, all));
        }
    }
    setAccessibleDescription(lines.isEmpty() ? emptyText() : lines.join(u'\n'));
}

void HistoryPlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    const HistoryStyle style = this->currentStyle();
    if (m_lines.isEmpty() || style.time.span.length() <= 0) {
        painter.setPen(theme.colour(Theme::Token::Foreground3));
        painter.setFont(Theme::uiFont(13));
        painter.drawText(rect().adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    for (const HistoryStrip& strip : strips())
        paintHistoryStrip(painter, strip, style);
    const QRectF all = plot();
    paintHistoryAxis(painter, QRectF(all.left(), all.bottom() - 4, all.width(), axisHeight - 2), style);
    if (m_lines.size() > 1 && m_arrangement == Arrangement::Overlaid)
        paintHistoryLegend(&painter, QRectF(0, all.bottom() + axisHeight - 2, width(), height()), m_lines, theme);
    const double bottom = all.bottom() - stripGap;
    if (m_moment && *m_moment >= style.time.span.fromMs && *m_moment <= style.time.span.toMs)
        painter.fillRect(QRectF(style.time.x(*m_moment) - 1, all.top(), 2, bottom - all.top()), pastColour(theme));
    if (m_hoverX) {
        painter.fillRect(QRectF(*m_hoverX, all.top(), 1, bottom - all.top()), theme.colour(Theme::Token::Foreground3));
        const QString clock = clockText(style.time.ms(*m_hoverX));
        painter.setFont(Theme::uiFont(11, QFont::DemiBold));
        const double wide = QFontMetricsF(painter.font()).horizontalAdvance(clock) + 8;
        const QRectF chip(
            std::clamp(*m_hoverX - wide / 2, all.left(), all.right() - wide), all.bottom() - 6, wide, axisHeight - 3);
        painter.fillRect(chip, theme.colour(Theme::Token::Panel));
        painter.setPen(theme.colour(Theme::Token::Foreground));
        painter.drawText(chip, Qt::AlignCenter, clock);
    }
    if (m_drag && !m_drag->moves && m_hoverX) {
        QColor veil = theme.colour(Theme::Token::Accent);
        veil.setAlphaF(0.18F);
        painter.fillRect(QRectF(QPointF(m_drag->from.x(), all.top()), QPointF(*m_hoverX, bottom)).normalized(), veil);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.colour(Theme::Token::Accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(all.left() - 2, all.top() - 1, all.width() + 3, bottom - all.top() + 2), 4, 4);
    }
}

void HistoryPlot::resizeEvent(QResizeEvent*) { fetch(HistoryCurves::Fetch::Missing); }

} // namespace rankwright

// How a HistoryPlot is worked with: mouse, wheel, keys.

namespace rankwright {

namespace {

constexpr double clickRoom = 4; // less is a click, more a stretch
constexpr double zoomStep = 1.25;

} // namespace

void HistoryPlot::zoom(double factor, double aroundX)
{
    const TimeScale now = time();
    if (now.span.length() <= 0)
        return;
    const qint64 around = now.ms(aroundX);
    const double before = double(around - now.span.fromMs) * factor;
    const double after = double(now.span.toMs - around) * factor;
    showSpan({around - qint64(before), around + qint64(after)});
}

void HistoryPlot::pan(double share)
{
    const TimeSpan now = span();
    const qint64 by = qint64(double(now.length()) * share);
    showSpan({now.fromMs + by, now.toMs + by});
}

void HistoryPlot::mousePressEvent(QMouseEvent* event)
{
    const bool middle = event->button() == Qt::MiddleButton;
    if ((event->button() != Qt::LeftButton && !middle) || !plot().contains(event->position()))
        return;
    m_drag = Drag{event->position(), span(), middle || (event->modifiers() & Qt::ShiftModifier) != 0};
}

void HistoryPlot::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF box = plot();
    const double x = std::clamp(event->position().x(), box.left(), box.right());
    m_hoverX = m_drag || box.contains(event->position()) ? std::optional(x) : std::nullopt;
    if (m_drag && m_drag->moves && box.width() > 0) {
        const double share = (m_drag->from.x() - event->position().x()) / box.width();
        const qint64 by = qint64(share * double(m_drag->span.length()));
        showSpan({m_drag->span.fromMs + by, m_drag->span.toMs + by});
    }
    update();
}

void HistoryPlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_drag)
        return;
    const Drag drag = *m_drag;
    m_drag.reset();
    const TimeScale now = time();
    const double moved = std::abs(event->position().x() - drag.from.x());
    if (!drag.moves && moved > clickRoom) {
        const auto [left, right] = std::minmax(drag.from.x(), event->position().x());
        showSpan({now.ms(left), now.ms(right)});
    } else if (!drag.moves && now.span.length() > 0) {
        emit momentPicked(now.ms(drag.from.x()));
    }
    update();
}

void HistoryPlot::mouseDoubleClickEvent(QMouseEvent*)
{
    m_drag.reset();
    showRange(Range::All);
}

void HistoryPlot::leaveEvent(QEvent*)
{
    m_hoverX.reset();
    update();
}

void HistoryPlot::wheelEvent(QWheelEvent* event)
{
    const double turns = event->angleDelta().y() / 120.0;
    if (turns != 0)
        zoom(std::pow(zoomStep, -turns), event->position().x());
    event->accept();
}

void HistoryPlot::keyPressEvent(QKeyEvent* event)
{
    const double share = event->modifiers() & Qt::ShiftModifier ? 0.5 : 0.1;
    const double middle = plot().center().x();
    switch (event->key()) {
    case Qt::Key_Left: pan(-share); return;
    case Qt::Key_Right: pan(share); return;
    case Qt::Key_Up:
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1 / zoomStep, middle); return;
    case Qt::Key_Down:
    case Qt::Key_Minus: zoom(zoomStep, middle); return;
    case Qt::Key_0:
    case Qt::Key_Home: showRange(Range::All); return;
    case Qt::Key_End: showRange(Range::Recent); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace rankwright
