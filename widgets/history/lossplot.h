// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/trainingprogress.h"

#include <QWidget>

#include <limits>

class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCPItemTracer;
class QCustomPlot;

namespace rankwright {

/// How the loss moved: its change over the last `steps` steps, from means of a few points at either end so that noise
/// does not decide the sign. Empty when there are too few points.
struct LossTrend {
    double change = 0;
    double steps = 0;
    bool operator==(const LossTrend&) const = default;
};
std::optional<LossTrend> lossTrend(const QList<LossPoint>& losses);

/// Loss over steps as the log reported it, with a cursor at the moment that is shown. Shows points; neither reads logs
/// nor smooths.
class LossPlot final : public QWidget {
    Q_OBJECT
public:
    explicit LossPlot(QWidget* parent = nullptr);
    void setLosses(const QList<LossPoint>& losses);
    static constexpr double beforeTheFirst = -std::numeric_limits<double>::infinity();
    /// How far the curve reached at the moment that is shown, `beforeTheFirst` where nothing was reported; what came
    /// later is dimmed. Empty: all of it.
    void setMoment(std::optional<double> step);
    /// Draws what changed since the last call; the page's clock calls it.
    void flush();
    qsizetype shownPoints() const; ///< until that moment
    QSize minimumSizeHint() const override { return {220, 130}; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyTheme();
    void fitAxes();
    void replot();
    void hover(const QPoint& position);
    QList<LossPoint> shownLosses() const;

    QList<LossPoint> m_losses;
    QCustomPlot* m_plot = nullptr;
    QCPItemText* m_note = nullptr;
    QCPItemTracer* m_tracer = nullptr;
    QCPItemText* m_value = nullptr;
    QCPGraph* m_later = nullptr; ///< what came after the moment that is shown
    QCPItemStraightLine* m_cursor = nullptr;
    std::optional<double> m_moment;
    bool m_dirty = true;
};

} // namespace rankwright
