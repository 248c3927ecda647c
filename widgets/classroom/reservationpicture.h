// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/reservationfit.h"

#include <QWidget>

namespace rankwright {

/// A class's reservation for its teacher: name, dates beside those of the class, its nodes with those that the people
/// expected need, and how many fit at once. What the cluster did not report is said to be unknown. Screen readers get a
/// table.
class ReservationPicture final : public QWidget {
    Q_OBJECT
public:
    explicit ReservationPicture(QWidget* parent = nullptr);

    void setFit(const ReservationFit& fit, const QDateTime& now);
    const ReservationFit& fit() const { return m_fit; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintHead(QPainter& painter) const;
    void paintTimes(QPainter& painter) const;
    void paintNodes(QPainter& painter) const;

    ReservationFit m_fit;
    QDateTime m_now;
};

} // namespace rankwright
