// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace rankwright {

/// What a sketch of a cluster shows.
struct SketchData {
    QString title; ///< "LUMI"
    bool here = false; ///< it runs on this machine
    int nodes = 0; ///< of the job, at most a few are drawn
    int gpusPerNode = 0;
    int used = 0; ///< of a node's GPUs by the job
    QString gpuWord;
    bool operator==(const SketchData&) const = default;
};

/// The path of a job: this machine, the login node with Slurm's queue, nodes with GPUs. Shows; computes nothing.
class ClusterSketch final : public QWidget {
    Q_OBJECT
public:
    explicit ClusterSketch(QWidget* parent = nullptr);

    void setData(const SketchData& shown);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {480, heightForWidth(480)}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int columns(int width) const;
    static double boxWidth(double width);
    static double arrowWidth(double width);
    QString nodesCaption() const;
    double captionHeight(double width) const;
    enum class BoxLook { Plain, Accent };
    void paintBox(QPainter& painter, const QRectF& box, const QString& caption, BoxLook look) const;
    void paintArrow(QPainter& painter, QPointF from, QPointF to) const;
    void paintNodes(QPainter& painter, const QRectF& room) const;

    SketchData m_data;
};

} // namespace rankwright
