// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/history/lossplot.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/plotting.h"
#include "widgets/base/theme.h"
#include "widgets/history/timestripaccessible.h"

#include <QBoxLayout>
#include <QMouseEvent>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double trendSteps = 100;

/// Mean loss of the points whose step lies in [from, to].
std::optional<double> meanLoss(const QList<LossPoint>& losses, double from, double to)
{
    double sum = 0;
    int count = 0;
    for (const LossPoint& point : losses) {
        if (point.step >= from && point.step <= to && std::isfinite(point.loss)) {
            sum += point.loss;
            ++count;
        }
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

/// Ticks with thin spaces in thousands, as everywhere in the window.
class HumanTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return humanNumber(tick, 3); }
};

/// The same for what comes in whole numbers.
class CountTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return humanNumber(tick, 0); }
    double getTickStep(const QCPRange& range) override
    {
        return std::max(1.0, std::floor(QCPAxisTicker::getTickStep(range)));
    }
};

} // namespace

std::optional<LossTrend> lossTrend(const QList<LossPoint>& losses)
{
    if (losses.size() < 8)
        return {};
    const double last = losses.last().step;
    const double span = std::min(trendSteps, last - losses.first().step);
    const double end = span * 0.15; // points averaged at either end
    const std::optional<double> now = meanLoss(losses, last - end, last);
    const std::optional<double> before = meanLoss(losses, last - span - end, last - span + end);
    if (span <= 0 || !now || !before)
        return {};
    return LossTrend{*now - *before, span};
}

LossPlot::LossPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    m_plot->setAccessibleName(tr("Loss over steps"));
    describeAsTable(*m_plot, [this] {
        // As many as one listens to, evenly chosen, the first and the last with them.
        constexpr qsizetype mostRows = 25;
        PictureTable table{{tr("Loss")}, {}};
        const QList<LossPoint> shown = shownLosses();
        const qsizetype rows = std::min(mostRows, shown.size());
        for (qsizetype row = 0; row < rows; ++row) {
            const LossPoint& point = shown.at(rows > 1 ? row * (shown.size() - 1) / (rows - 1) : 0);
            table.rows.append({tr("Step %1").arg(humanNumber(point.step, 0)),
                {std::isfinite(point.loss) ? humanNumber(point.loss, 4) : tr("not a number")}});
        }
        return table;
    });
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->addGraph();
    m_plot->graph(0)->setAdaptiveSampling(true);
    m_later = m_plot->addGraph();
    m_later->setAdaptiveSampling(true);
    m_cursor = new QCPItemStraightLine(m_plot);
    m_cursor->setVisible(false);
    m_plot->axisRect()->setMinimumMargins(QMargins(0, 6, 6, 0));
    m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new CountTicker));
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new HumanTicker));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->ticker()->setTickCount(5);
        axis->setSubTicks(false);
        axis->setLabelPadding(2);
        axis->setTickLabelPadding(5);
    }
    m_note = new QCPItemText(m_plot);
    m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_note->position->setCoords(0.5, 0.45);
    m_note->setText(tr("No loss in the log yet"));
    m_tracer = new QCPItemTracer(m_plot);
    m_tracer->setInterpolating(false);
    m_tracer->setStyle(QCPItemTracer::tsCircle);
    m_tracer->setSize(7);
    m_tracer->setVisible(false);
    m_value = new QCPItemText(m_plot);
    m_value->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_value->position->setCoords(1, 0);
    m_value->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    m_value->setVisible(false);
    connect(&themeOf(this), &Theme::changed, this, [this] { applyTheme(); });
    applyTheme();
}

void LossPlot::setLosses(const QList<LossPoint>& losses)
{
    m_losses = losses;
    m_dirty = true;
}

void LossPlot::setMoment(std::optional<double> step)
{
    if (step == m_moment)
        return;
    m_moment = step;
    m_dirty = true;
}

QList<LossPoint> LossPlot::shownLosses() const
{
    QList<LossPoint> shown = m_losses;
    if (m_moment)
        shown.removeIf([this](const LossPoint& point) { return point.step > *m_moment; });
    return shown;
}

qsizetype LossPlot::shownPoints() const { return shownLosses().size(); }

void LossPlot::flush()
{
    if (!m_dirty)
        return;
    m_dirty = false;
    QList<double> steps;
    QList<double> values;
    QList<double> laterSteps;
    QList<double> laterValues;
    for (const LossPoint& point : std::as_const(m_losses)) {
        const bool later = m_moment && point.step > *m_moment;
        (later ? laterSteps : steps).append(point.step);
        (later ? laterValues : values).append(point.loss); // NaN stays: the plot leaves a gap there
    }
    if (m_losses.isEmpty())
        m_tracer->setGraph(nullptr);
    m_plot->graph(0)->setData(steps, values);
    m_later->setData(laterSteps, laterValues);
    const bool reached = m_moment && std::isfinite(*m_moment);
    m_cursor->setVisible(reached);
    if (reached) {
        m_cursor->point1->setCoords(*m_moment, 0);
        m_cursor->point2->setCoords(*m_moment, 1);
    }
    const QList<LossPoint> shown = shownLosses();
    m_note->setText(m_losses.isEmpty() ? tr("No loss in the log yet") : tr("No loss was read by then"));
    m_note->setVisible(shown.isEmpty());
    m_plot->setAccessibleDescription(shown.isEmpty()
            ? m_note->text()
            : tr("%1, last: step %2, loss %3")
                  .arg(counted(shown.size(), tr("point")), humanNumber(shown.last().step, 0),
                      humanNumber(shown.last().loss, 4)));
    fitAxes();
    replot();
}

void LossPlot::fitAxes()
{
    double low = INFINITY;
    double high = -INFINITY;
    for (const LossPoint& point : std::as_const(m_losses)) {
        if (std::isfinite(point.loss)) {
            low = std::min(low, point.loss);
            high = std::max(high, point.loss);
        }
    }
    const bool any = std::isfinite(low) && !m_losses.isEmpty();
    const double room = any ? std::max((high - low) * 0.08, 0.01) : 0;
    m_plot->yAxis->setRange(any ? low - room : 0, any ? high + room : 1);
    const double first = any ? m_losses.first().step : 0;
    const double last = any ? m_losses.last().step : 1;
    m_plot->xAxis->setRange(first, std::max(last, first + 1));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLabels(any);
        axis->grid()->setVisible(any);
        axis->setLabel(!any ? QString() : axis == m_plot->xAxis ? tr("step") : tr("loss"));
    }
    m_plot->xAxis->setBasePen(any ? QPen(themeOf(this).colour(Theme::Token::Line)) : QPen(Qt::NoPen));
}

void LossPlot::applyTheme()
{
    const Theme& theme = themeOf(this);
    const QColor panel = theme.colour(Theme::Token::Panel);
    const QColor line = theme.colour(Theme::Token::Line);
    const QColor quiet = theme.colour(Theme::Token::Foreground3);
    m_plot->setBackground(panel);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        const bool across = axis == m_plot->xAxis;
        axis->setBasePen(across ? QPen(line) : QPen(Qt::NoPen));
        axis->setTickPen(QPen(Qt::NoPen));
        axis->setTickLabelColor(quiet);
        axis->setTickLabelFont(Theme::uiFont(11));
        axis->setLabelColor(quiet);
        axis->setLabelFont(Theme::uiFont(11));
        axis->grid()->setPen(across ? QPen(Qt::NoPen) : QPen(line));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    const QColor accent = theme.colour(Theme::Token::Accent);
    m_plot->graph(0)->setPen(QPen(accent, 1.7));
    m_later->setPen(QPen(Theme::mix(accent, panel, 0.35), 1.4));
    m_cursor->setPen(QPen(pastColour(theme), 2));
    QColor fill = accent;
    fill.setAlphaF(0.08F);
    m_plot->graph(0)->setBrush(QBrush(fill));
    m_note->setColor(theme.colour(Theme::Token::Foreground2));
    m_note->setFont(Theme::uiFont(13));
    m_tracer->setPen(QPen(panel, 1.5));
    m_tracer->setBrush(accent);
    m_value->setColor(theme.colour(Theme::Token::Foreground));
    m_value->setFont(Theme::uiFont(11, QFont::DemiBold));
    replot();
}

bool LossPlot::eventFilter(QObject* watched, QEvent* event)
{
    // A picture of the window resizes what is hidden too; a plot without pixels complains at each of its layers.
    if (watched == m_plot && event->type() == QEvent::Resize && static_cast<QResizeEvent*>(event)->size().isEmpty())
        return true;
    if (watched == m_plot && event->type() == QEvent::MouseMove)
        hover(static_cast<QMouseEvent*>(event)->pos());
    if (watched == m_plot && event->type() == QEvent::Leave)
        hover(QPoint(-1, -1));
    return QWidget::eventFilter(watched, event);
}

void LossPlot::hover(const QPoint& position)
{
    const bool inside = !m_losses.isEmpty() && m_plot->axisRect()->rect().contains(position);
    m_tracer->setVisible(inside);
    m_value->setVisible(inside);
    if (inside) {
        // Only now, and one with data: a tracer on another complains.
        m_tracer->setGraph(m_plot->graph(0)->data()->isEmpty() ? m_later : m_plot->graph(0));
        m_tracer->setGraphKey(m_plot->xAxis->pixelToCoord(position.x()));
        m_tracer->updatePosition();
        m_value->setText(
            tr("step %1 · loss %2")
                .arg(humanNumber(m_tracer->position->key(), 0), humanNumber(m_tracer->position->value(), 4)));
    }
    replot();
}

void LossPlot::replot()
{
    // The plot draws into a pixmap of its size, and complains about one without pixels.
    if (isVisible() && !m_plot->viewport().isEmpty())
        m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace rankwright
