// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangverdict.h"
#include "widgets/base/picturetable.h"

#include <QWidget>

class QPainter;

namespace rankwright {

/// How far each rank came in one group, by its Flight Recorder: ranks from left to right, a lane for each number of the
/// last operation that was called, the lowest on top. Whoever is odd is crossed, not only coloured. A click, Left and
/// Right, Home and End choose a rank, Up and Down the odd ones, Return the one that is framed (else the first) once
/// more. As a table for screen readers: a row for each lane.
class HangLanes final : public QWidget {
    Q_OBJECT
public:
    explicit HangLanes(QWidget* parent = nullptr);

    /// Hides itself where no Flight Recorder tells of any rank.
    void setVerdict(const HangVerdict& verdict);
    /// Frames a rank; empty: none.
    void setCurrent(std::optional<qsizetype> row);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void rowPicked(qsizetype row); ///< its place in HangVerdict::rows

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Mark {
        int rank = 0;
        qsizetype row = 0;
        int lane = 0;
        bool isOdd = false;
    };
    struct Lane {
        QString title; ///< "4 811", "from 4 818 on", "no record"
        int ranks = 0;
        QList<int> some = {}; ///< the first of them
    };
    int labelWidth() const;
    QRectF boxOf(const Mark& mark) const;
    std::optional<qsizetype> markAt(QPointF point) const;
    void paintNumbers(QPainter& painter, const QRectF& axis) const;
    void chooseOdd(int direction);
    PictureTable table() const;
    QString tipOf(const Mark& mark) const;

    QString m_group;
    QList<Mark> m_marks; ///< by rank
    QList<Lane> m_lanes;
    std::optional<int> m_silentLane; ///< of ranks without a record
    int m_ranks = 1; ///< highest rank and one
    std::optional<qsizetype> m_current; ///< place in m_marks
};

} // namespace rankwright
