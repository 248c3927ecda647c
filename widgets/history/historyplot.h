// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/picturetable.h"
#include "widgets/history/historypainter.h"

#include <QTimer>
#include <QWidget>

#include <memory>

namespace rankwright {

/// Curves of GPUs and nodes as aligned strips over one axis of time: mean and band, gaps hatched. One strip per
/// measure, several lines in it; or side by side, a strip per line. Zoom by wheel, by dragging a stretch, by keys;
/// double-click shows all. Fetches what it shows from a history, piece by piece; keeps no samples of its own.
class HistoryPlot final : public QWidget {
    Q_OBJECT
public:
    enum class Arrangement { Overlaid, SideBySide };
    enum class Range { Recent, All, Chosen };
    static constexpr qint64 recentMs = 600'000;
    static constexpr qint64 shortestMs = 10'000; ///< nothing is sampled that densely

    explicit HistoryPlot(QWidget* parent = nullptr);

    /// Null: nothing was recorded.
    void setHistory(std::shared_ptr<const TelemetryHistory> history, int gpusPerPackage);
    /// What the highest and lowest of a measure are; asked for when something changes.
    void setScales(std::function<MeasureScale(Measure)> scales);
    void setLines(const QList<HistoryLine>& lines);
    void setMeasures(const QList<Measure>& measures); ///< at least one
    void setArrangement(Arrangement arrangement);
    /// The value of a line at the moment that is shown; asked for when something changes and by refreshValues().
    void setValues(std::function<GpuValue(const HistorySubject&, Measure)> values, const QString& gpuWord);
    /// There are newer samples, or the moment is another: the figures at the left.
    void refreshValues();
    /// As shown at the left of the measure's strip; empty: not shown, or several lines.
    HistoryFigure figure(Measure measure) const;
    /// In which no node reported anything; spans up to `longerThanMs` do not count.
    void setGaps(const QList<TimeSpan>& gaps, qint64 longerThanMs);
    /// The moment of a replay; empty: live.
    void setMoment(std::optional<qint64> ms);
    /// The text in the place of the strips while there are no lines.
    void setInvitation(const QString& text);
    /// The history has grown: fetches again what is in sight.
    void refresh();

    const QList<HistoryLine>& lines() const { return m_lines; }
    const QList<Measure>& measures() const { return m_measures; }
    Arrangement arrangement() const { return m_arrangement; }
    Range range() const { return m_range; }
    void showRange(Range range);
    void showSpan(TimeSpan span); ///< chosen; kept within what was recorded
    TimeSpan span() const; ///< in sight now
    bool isComplete() const { return m_curves.isComplete(); }
    const HistoryCurves& curves() const { return m_curves; }

    QSize sizeHint() const override { return {320, 252}; }
    QSize minimumSizeHint() const override { return {240, 176}; }

signals:
    void momentPicked(qint64 ms); ///< a click: this moment
    void rangeChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Drag {
        QPointF from;
        TimeSpan span; ///< when it began
        bool moves = false; ///< pans instead of choosing a stretch
    };
    QRectF plot() const; ///< of all strips together
    TimeScale time() const;
    QList<HistoryStrip> strips() const;
    HistoryStyle currentStyle() const;
    void fetch(HistoryCurves::Fetch what);
    void fetchSome();
    void zoom(double factor, double aroundX);
    void pan(double share);
    void reportReaders();
    QString emptyText() const;

    std::shared_ptr<const TelemetryHistory> m_history;
    int m_gpusPerPackage = 1;
    std::function<MeasureScale(Measure)> m_scaleOf;
    QMap<Measure, MeasureScale> m_scales;
    QList<HistoryLine> m_lines;
    QList<Measure> m_measures{Measure::Utilization, Measure::Memory, Measure::Power, Measure::Temperature};
    Arrangement m_arrangement = Arrangement::Overlaid;
    QList<TimeSpan> m_gaps;
    qint64 m_gapLongerThanMs = freshMs;
    std::function<GpuValue(const HistorySubject&, Measure)> m_valueOf;
    QMap<HistoryCurves::Key, GpuValue> m_values;
    QString m_gpuWord;
    std::optional<qint64> m_moment;
    QString m_invitation;
    Range m_range = Range::Recent;
    TimeSpan m_chosen;
    HistoryCurves m_curves;
    PictureTable m_table; ///< what is in sight, for assistive tools
    QTimer m_fetching;
    std::optional<double> m_hoverX;
    std::optional<Drag> m_drag;
};

} // namespace rankwright
