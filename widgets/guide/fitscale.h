// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/stackedbar.h"

namespace rankwright {

/// What one answer needs, for a scale that all answers share.
struct ScaleRow {
    QString name; ///< "Share everything (FSDP)"
    QString note; ///< at the right: "40.4 GiB, likely 36–45"
    QList<StackedBarData::Part> parts;
    double low = 0; ///< of the sum; equal to high: no range is drawn
    double high = 0;
    bool chosen = false;
    double total() const;
};
struct ScaleData {
    QList<ScaleRow> rows;
    double limit = 0; ///< where one GPU is full; 0: not known
    QString limitText; ///< "63.9 GiB: one GCD is full"
    QString unit;
};

/// All answers on one scale against the line where a GPU is full; what lies beyond is hatched. Shows; computes nothing.
class FitScale final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FitScale)
public:
    explicit FitScale(const QString& name, QWidget* parent = nullptr);

    void setData(const ScaleData& shown);
    const ScaleData& dataShown() const { return m_data; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {480, heightForWidth(480)}; }
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct LegendItem {
        QString text;
        int category = 0;
        QRectF box;
    };
    double line() const;
    double rowHeight() const;
    double most() const;
    bool isStacked(int width) const; ///< name and note have a line each
    QList<LegendItem> legendFor(int width, double top) const;
    void paintRow(QPainter& painter, const ScaleRow& row, double top, double scale) const;
    void paintLimit(QPainter& painter, double scale, double bottom) const;

    ScaleData m_data;
};

} // namespace rankwright
