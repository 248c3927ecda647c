// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/plotstyle.h"

#include "models/core/units.h"
#include "widgets/base/theme.h"

#include <cmath>

namespace rankwright {

namespace {

class HumanTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return humanNumber(tick, 4); }
};

/// 1, 2, 5, 10, 20 ...: the round numbers of a logarithmic axis.
class RoundLogTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return humanNumber(tick, 6); }
    QVector<double> createTickVector(double, const QCPRange& range) override
    {
        QVector<double> ticks;
        if (range.lower <= 0)
            return ticks;
        const bool wide = range.upper / range.lower > 3000;
        for (double power = std::pow(10.0, std::floor(std::log10(range.lower))); power <= range.upper; power *= 10) {
            for (const double factor : {1.0, 2.0, 5.0}) {
                const double tick = power * factor;
                if (tick >= range.lower && tick <= range.upper && (!wide || factor == 1.0))
                    ticks.append(tick);
            }
        }
        return ticks;
    }
};

/// QCustomPlot shows what it drew last: what changed while it was hidden is drawn when it comes into view.
class ReplotOnShow final : public QObject {
public:
    explicit ReplotOnShow(QCustomPlot& plot) : QObject(&plot), m_plot(plot)
    {
        setObjectName(name);
        plot.installEventFilter(this);
    }
    static constexpr QLatin1StringView name{"replotOnShow"};

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == &m_plot && event->type() == QEvent::Show)
            QMetaObject::invokeMethod(
                this, [this] { replotIfShown(m_plot); }, Qt::QueuedConnection);
        return QObject::eventFilter(watched, event);
    }

private:
    QCustomPlot& m_plot;
};

} // namespace

void stylePlot(QCustomPlot& plot, const Theme& theme)
{
    using T = Theme::Token;
    if (!plot.findChild<QObject*>(ReplotOnShow::name, Qt::FindDirectChildrenOnly))
        new ReplotOnShow(plot);
    plot.setBackground(theme.colour(T::Panel));
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(theme.colour(T::Line)));
        axis->setTickPen(QPen(Qt::NoPen));
        axis->setSubTickPen(QPen(Qt::NoPen));
        axis->setTickLabelColor(theme.colour(T::Foreground3));
        axis->setTickLabelFont(Theme::uiFont(11));
        axis->setLabelColor(theme.colour(T::Foreground2));
        axis->setLabelFont(Theme::uiFont(11));
        axis->setLabelPadding(3);
        axis->setTickLabelPadding(5);
        axis->grid()->setPen(QPen(theme.colour(T::Line)));
        axis->grid()->setSubGridVisible(false);
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
}

void fitAxis(QCPAxis& axis, double low, double high)
{
    const bool wide = low > 0 && high / low > 6;
    if (wide) {
        axis.setScaleType(QCPAxis::stLogarithmic);
        axis.setTicker(QSharedPointer<QCPAxisTicker>(new RoundLogTicker));
        const double room = std::pow(high / low, 0.06);
        axis.setRange(low / room, high * room);
        return;
    }
    axis.setScaleType(QCPAxis::stLinear);
    axis.setTicker(QSharedPointer<QCPAxisTicker>(new HumanTicker));
    axis.ticker()->setTickCount(5);
    const double room = qMax((high - low) * 0.08, high * 0.02);
    axis.setRange(qMax(0.0, low - room), high + room);
}

void replotIfShown(QCustomPlot& plot)
{
    if (plot.isVisible() && !plot.viewport().isEmpty())
        plot.replot(QCustomPlot::rpQueuedReplot);
}

} // namespace rankwright
