// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QCPGraph;
class QCPItemLine;
class QCPItemText;
class QCustomPlot;

namespace rankwright {

/// The expected speed-up over numbers of GPUs, as values.
struct SpeedupData {
    struct Point {
        double gpus = 1;
        double speedup = 1; ///< against the smallest number of GPUs that is shown
        double low = 1;
        double high = 1;
    };
    QList<Point> points; ///< ascending in GPUs
    double here = 0; ///< GPUs of the design; 0: none
    double useful = 0; ///< more GPUs won't help beyond; 0: still helps at the end of the curve
    QString gpuWord;
};

/// Expected speed-up with its band against the ideal line. Shows; computes nothing.
class SpeedupPlot final : public QWidget {
    Q_OBJECT
public:
    explicit SpeedupPlot(QWidget* parent = nullptr);

    void setData(const SpeedupData& shown);
    const SpeedupData& dataShown() const { return m_data; }
    QSize minimumSizeHint() const override { return {240, 150}; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyTheme();
    void handleHover(const QPoint& position, const QPoint& global);

    SpeedupData m_data;
    QCustomPlot* m_plot = nullptr;
    QCPGraph* m_ideal = nullptr;
    QCPGraph* m_low = nullptr;
    QCPGraph* m_high = nullptr;
    QCPGraph* m_curve = nullptr;
    QCPGraph* m_here = nullptr;
    QCPItemLine* m_limit = nullptr;
    QCPItemText* m_limitText = nullptr;
    QCPItemText* m_idealText = nullptr;
    QCPItemText* m_note = nullptr;
};

} // namespace rankwright
