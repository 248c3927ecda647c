// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/memorymodel.h"

#include <QWidget>

#include <optional>

class QCPGraph;
class QCPItemText;
class QCustomPlot;

namespace rankwright {

struct PictureTable;

/// One layout in the time-cost plot.
struct PlotPoint {
    QString id; ///< empty: a design that no search found
    double seconds = 0; ///< of a step
    double cost = 0;
    FitVerdict verdict = FitVerdict::Fits;
    bool front = false; ///< none is both faster and cheaper
    bool current = false; ///< the design is here
    QString summary; ///< shown when hovered
    QString name; ///< what it is, in some words: "FSDP on 2 nodes (16 GCDs)"
};

/// Layouts by time and cost, with the line of those that none beats in both. A click or Enter selects, a double click
/// chooses; arrow keys walk along the line; screen readers get a table. Shows; decides nothing.
class ParetoPlot final : public QWidget {
    Q_OBJECT
public:
    explicit ParetoPlot(QWidget* parent = nullptr);

    void setPoints(const QList<PlotPoint>& points, const QString& costLabel);
    void select(const QString& id); ///< does not emit
    QString selectedId() const { return m_selected; }
    const QList<PlotPoint>& points() const { return m_points; }
    QSize minimumSizeHint() const override { return {260, 170}; }

signals:
    void selected(const QString& id);
    void chosen(const QString& id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    PictureTable table() const;
    void applyTheme();
    void draw();
    void showMarks();
    void handleHover(const QPoint& position, const QPoint& global);
    bool handleKey(int key);
    std::optional<int> pointAt(const QPoint& position) const;
    std::optional<int> indexOf(const QString& id) const;
    QPointF pixelOf(const PlotPoint& point) const;

    QList<PlotPoint> m_points;
    QString m_selected;
    std::optional<int> m_hovered; ///< index into m_points
    QCustomPlot* m_plot = nullptr;
    QCPGraph* m_others = nullptr;
    QCPGraph* m_front = nullptr;
    QCPGraph* m_current = nullptr;
    QCPGraph* m_mark = nullptr;
    QCPItemText* m_note = nullptr;
    QCPItemText* m_here = nullptr;
};

} // namespace rankwright
