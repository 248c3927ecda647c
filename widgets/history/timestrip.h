// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/timeline.h"
#include "widgets/base/timescale.h"

#include <QWidget>

namespace rankwright {

/// What the strip below the header shows of a job's whole time, as plain values.
struct TimeOverview {
    TimeSpan span; ///< of what was recorded; empty: nothing yet
    Measure measure = Measure::Utilization; ///< of the curve
    QList<HistoryBucket> curve; ///< equal buckets over `span`, of all GPUs
    double high = 100; ///< of the curve's scale, in the measure's unit
    QList<TimeSpan> gaps; ///< in which no node reported anything (gapsWithin)
    qint64 gapLongerThanMs = freshMs; ///< less is none
    QList<TimelineMark> marks;
    QList<std::pair<qint64, double>> progress; ///< moment, share done 0..1
    bool operator==(const TimeOverview&) const = default;
};

/// A job's whole time in one strip: the curve of all GPUs (mean and band), gaps hatched, what happened as marks, how
/// far the training was, and the moment that is shown. A slider for mouse and keyboard. Shows and asks; moves nothing
/// by itself.
class TimeStrip final : public QWidget {
    Q_OBJECT
public:
    explicit TimeStrip(QWidget* parent = nullptr);

    void setOverview(const TimeOverview& overview);
    const TimeOverview& overview() const { return m_overview; }
    enum class Shown { Past, Live }; ///< live: the newest is shown and the job goes on
    void setMoment(qint64 ms, Shown shown);
    qint64 moment() const { return m_moment; }
    bool isLive() const { return m_live; }
    TimeScale scale() const;
    /// What stands at a moment in words: time, curve, marks; for tool tip and screen reader.
    QString describe(qint64 ms) const;
    QSize sizeHint() const override { return {480, 58}; }
    QSize minimumSizeHint() const override { return {160, 58}; }

signals:
    void momentPicked(qint64 ms);
    void stepped(qint64 byMs);
    void endWanted(); ///< the newest moment
    void playToggled();
    void speedStepped(int by);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF plot() const;
    void paintCurve(QPainter& painter, const TimeScale& scale, const QRectF& box) const;
    void paintProgress(QPainter& painter, const TimeScale& scale, const QRectF& box) const;
    void paintMarks(QPainter& painter, const TimeScale& scale, const QRectF& box) const;
    void paintHandle(QPainter& painter, const TimeScale& scale, const QRectF& box) const;
    void paintAxis(QPainter& painter, const TimeScale& scale, const QRectF& box) const;
    qint64 coarseStep() const;

    TimeOverview m_overview;
    qint64 m_moment = 0;
    bool m_live = true;
    std::optional<double> m_hoverX;
};

} // namespace rankwright
