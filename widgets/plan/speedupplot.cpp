// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/speedupplot.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/plotstyle.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QToolTip>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;

/// Powers of two: what numbers of GPUs are made of.
class DoublingTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return humanNumber(tick, 2); }
    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        QVector<double> ticks;
        if (range.lower <= 0)
            return ticks;
        const double octaves = std::log2(range.upper / range.lower);
        const int step = octaves > 9 ? 2 : 1;
        const int last = int(std::floor(std::log2(range.upper)));
        for (int power = int(std::ceil(std::log2(range.lower))); power <= last; power += step)
            ticks.append(std::exp2(power));
        return ticks;
    }
};

} // namespace

SpeedupPlot::SpeedupPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    m_plot->setAccessibleName(tr("Expected speed-up"));
    describeAsTable(*m_plot, [this] {
        const auto times
            = [](double value) { return std::isfinite(value) ? tr("%1 times").arg(humanNumber(value, 2)) : QString(); };
        PictureTable table{{tr("Speed-up"), tr("Likely from"), tr("to"), tr("Ideal")}, {}};
        for (const SpeedupData::Point& point : std::as_const(m_data.points))
            table.rows.append({gpusText(qRound64(point.gpus), m_data.gpuWord),
                {times(point.speedup), times(point.low), times(point.high),
                    times(point.gpus / m_data.points.first().gpus)}});
        return table;
    });
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->axisRect()->setMinimumMargins(QMargins(0, 8, 10, 0));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new DoublingTicker));
    }
    m_plot->yAxis->setLabel(tr("times as fast"));
    m_low = m_plot->addGraph();
    m_high = m_plot->addGraph();
    m_ideal = m_plot->addGraph();
    m_curve = m_plot->addGraph();
    m_here = m_plot->addGraph();
    m_here->setLineStyle(QCPGraph::lsNone);
    m_high->setChannelFillGraph(m_low);
    m_limit = new QCPItemLine(m_plot);
    m_limit->start->setTypeX(QCPItemPosition::ptPlotCoords);
    m_limit->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_limit->end->setTypeX(QCPItemPosition::ptPlotCoords);
    m_limit->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_limitText = new QCPItemText(m_plot);
    m_limitText->position->setTypeX(QCPItemPosition::ptPlotCoords);
    m_limitText->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_limitText->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_limitText->setPadding(QMargins(0, 0, 5, 3));
    m_idealText = new QCPItemText(m_plot);
    m_idealText->position->setType(QCPItemPosition::ptPlotCoords);
    m_idealText->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_idealText->setPadding(QMargins(0, 0, 8, 0));
    m_idealText->setText(tr("ideal"));
    m_note = new QCPItemText(m_plot);
    m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_note->position->setCoords(0.5, 0.45);
    m_note->setText(tr("No curve yet"));
    connect(&themeOf(this), &Theme::changed, this, [this] { applyTheme(); });
    applyTheme();
    setData({});
}

void SpeedupPlot::setData(const SpeedupData& shown)
{
    m_data = shown;
    QVector<double> gpus;
    QVector<double> ideal;
    QVector<double> speedup;
    QVector<double> low;
    QVector<double> high;
    for (const auto& point : shown.points) {
        gpus.append(point.gpus);
        ideal.append(point.gpus / shown.points.first().gpus);
        speedup.append(point.speedup);
        low.append(point.low);
        high.append(point.high);
    }
    const bool any = gpus.size() > 1;
    m_note->setVisible(!any);
    m_ideal->setData(gpus, ideal);
    m_curve->setData(gpus, speedup);
    m_low->setData(gpus, low);
    m_high->setData(gpus, high);
    m_here->data()->clear();
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLabels(any);
        axis->grid()->setVisible(any);
    }
    m_plot->xAxis->setLabel(pluralOf(shown.gpuWord.isEmpty() ? tr("GPU") : shown.gpuWord));
    m_limit->setVisible(any && shown.useful > 0);
    m_limitText->setVisible(m_limit->visible());
    m_idealText->setVisible(any);
    if (any) {
        m_plot->xAxis->setRange(gpus.first() / 1.15, gpus.last() * 1.15);
        m_plot->yAxis->setRange(0.85, qMax(2.0, ideal.last()) * 1.2);
        m_limit->start->setCoords(shown.useful, 0);
        m_limit->end->setCoords(shown.useful, 1);
        m_limitText->position->setCoords(shown.useful, 1);
        m_limitText->setText(tr("%1 %2s").arg(humanNumber(shown.useful), shown.gpuWord));
        // Left of the line, two thirds up.
        const qsizetype at = gpus.size() * 2 / 3;
        m_idealText->position->setCoords(gpus.at(at), ideal.at(at));
        for (const auto& point : shown.points) {
            if (point.gpus == shown.here)
                m_here->addData(point.gpus, point.speedup);
        }
    }
    m_plot->setAccessibleDescription(any
            ? tr("%1 times as fast with %2 as with %3")
                  .arg(humanNumber(speedup.last(), 1), gpusText(qRound64(gpus.last()), shown.gpuWord),
                      humanNumber(gpus.first()))
            : m_note->text());
    replotIfShown(*m_plot);
}

void SpeedupPlot::applyTheme()
{
    const Theme& theme = themeOf(this);
    stylePlot(*m_plot, theme);
    const QColor panel = theme.colour(T::Panel);
    const QColor accent = theme.colour(T::Accent);
    m_ideal->setPen(QPen(theme.colour(T::Foreground3), 1.2, Qt::DashLine));
    m_curve->setPen(QPen(accent, 2));
    for (QCPGraph* edge : {m_low, m_high})
        edge->setPen(QPen(Theme::mix(accent, panel, 0.35), 1));
    m_high->setBrush(QBrush(Theme::mix(accent, panel, 0.16)));
    m_here->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(panel, 1), QBrush(theme.colour(T::Foreground)), 13));
    m_limit->setPen(QPen(theme.colour(T::Warn), 1.5, Qt::DashDotLine));
    m_limitText->setColor(theme.colour(T::Warn));
    m_limitText->setFont(Theme::uiFont(11, QFont::DemiBold));
    m_idealText->setColor(theme.colour(T::Foreground2));
    m_idealText->setFont(Theme::uiFont(11));
    m_note->setColor(theme.colour(T::Foreground2));
    m_note->setFont(Theme::uiFont(13));
    replotIfShown(*m_plot);
}

void SpeedupPlot::handleHover(const QPoint& position, const QPoint& global)
{
    const SpeedupData::Point* nearest = nullptr;
    double least = 18;
    for (const auto& point : m_data.points) {
        const double away = std::abs(m_plot->xAxis->coordToPixel(point.gpus) - position.x());
        if (away < least) {
            least = away;
            nearest = &point;
        }
    }
    if (!nearest || m_data.points.size() < 2 || !m_plot->axisRect()->rect().contains(position)) {
        QToolTip::hideText();
        return;
    }
    const double ideal = nearest->gpus / m_data.points.first().gpus;
    QToolTip::showText(global,
        richToolTip(tr("%1: %2 times as fast (%3–%4), %5 of ideal")
                        .arg(gpusText(qRound64(nearest->gpus), m_data.gpuWord), humanNumber(nearest->speedup, 1),
                            humanNumber(nearest->low, 1), humanNumber(nearest->high, 1),
                            percentText(100 * nearest->speedup / ideal, 0))),
        m_plot);
}

bool SpeedupPlot::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::Resize && static_cast<QResizeEvent*>(event)->size().isEmpty())
        return true;
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        handleHover(mouse->pos(), mouse->globalPosition().toPoint());
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankwright
