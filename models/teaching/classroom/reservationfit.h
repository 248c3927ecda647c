// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classsite.h"

#include <optional>

namespace rankwright::inline teaching {

/// A class's reservation as a figure: when it is, how large, and how many attendees fit into it at once.
struct ReservationFit {
    QString name;
    QDateTime begin, end; ///< of the reservation; invalid: not known
    QDateTime classBegin, classEnd; ///< as the class says; invalid: it does not
    std::optional<int> nodes; ///< empty: not known
    std::optional<double> nodesEach; ///< of one attendee in the exercise with most; empty: not known
    int people = 0; ///< that are expected at once; 0: not said
    /// Empty: the size, or what one needs, is not known.
    std::optional<int> attendees() const;
    /// Nodes that the people expected need; empty: not known.
    std::optional<int> needed() const;
    bool operator==(const ReservationFit&) const = default;
};
/// As the class alone says it: its own dates, no size. Empty: the class has no reservation.
std::optional<ReservationFit> reservationFit(const ClassFile& file);
/// The same with what the cluster reports of it. Without an answer of the cluster the reservation's dates and size are
/// not known.
std::optional<ReservationFit> reservationFit(
    const ClassFile& file, const Catalogue& catalogue, const SiteFacts& facts, int people);

/// "AI_workshop until 17:00", "AI_workshop from Mon 7 Dec, 09:00": in local time, of the reservation, else of the
/// class.
QString reservationTitle(const ReservationFit& fit, const QDateTime& now);
/// "open now", "opens in 2 h", "over: jobs in it do not start"; empty: no dates are known.
QString reservationState(const ReservationFit& fit, const QDateTime& now);
/// "16 nodes: 32 attendees at once"
QString reservationSize(const ReservationFit& fit);

} // namespace rankwright::inline teaching
