// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/reservationfit.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <QLocale>

#include <algorithm>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

QString when(const QDateTime& time, const QDateTime& now)
{
    const QDateTime local = time.toLocalTime();
    const QDate today = now.toLocalTime().date();
    if (local.date() == today)
        return local.toString(u"HH:mm"_s);
    return QLocale::c().toString(
        local, local.date().year() == today.year() ? u"ddd d MMM, HH:mm"_s : u"d MMM yyyy, HH:mm"_s);
}

QDateTime beginOf(const ReservationFit& fit) { return fit.begin.isValid() ? fit.begin : fit.classBegin; }
QDateTime endOf(const ReservationFit& fit) { return fit.end.isValid() ? fit.end : fit.classEnd; }

} // namespace

std::optional<int> ReservationFit::attendees() const
{
    return nodes && nodesEach ? std::optional(peopleAtOnce(*nodes, *nodesEach)) : std::nullopt;
}

std::optional<int> ReservationFit::needed() const
{
    return nodesEach && people > 0 ? std::optional(nodesForPeople(people, *nodesEach)) : std::nullopt;
}

std::optional<ReservationFit> reservationFit(const ClassFile& file)
{
    if (!file.reservation)
        return {};
    ReservationFit fit;
    fit.name = file.reservation->name;
    fit.classBegin = file.reservation->begin;
    fit.classEnd = file.reservation->end;
    return fit;
}

std::optional<ReservationFit> reservationFit(
    const ClassFile& file, const Catalogue& catalogue, const SiteFacts& facts, int people)
{
    auto fit = reservationFit(file);
    const ClusterProfile* profile = catalogue.find(file.cluster);
    if (!fit || !profile)
        return fit;
    fit->people = people;
    if (const double each = nodesOfAttendee(file, *profile); each > 0)
        fit->nodesEach = each;
    if (!facts.reservations)
        return fit;
    const auto live = std::find_if(facts.reservations->cbegin(), facts.reservations->cend(),
        [&](const LiveReservation& one) { return one.name == fit->name; });
    if (live == facts.reservations->cend())
        return fit;
    fit->begin = live->begin;
    fit->end = live->end;
    fit->nodes = live->nodes;
    return fit;
}

QString reservationTitle(const ReservationFit& fit, const QDateTime& now)
{
    const QDateTime begin = beginOf(fit);
    const QDateTime end = endOf(fit);
    if (begin.isValid() && now < begin)
        return u"%1 from %2"_s.arg(fit.name, when(begin, now));
    if (!end.isValid())
        return fit.name;
    return (now < end ? u"%1 until %2"_s : u"%1 ended %2"_s).arg(fit.name, when(end, now));
}

QString reservationState(const ReservationFit& fit, const QDateTime& now)
{
    const QDateTime begin = beginOf(fit);
    const QDateTime end = endOf(fit);
    if (begin.isValid() && now < begin)
        return u"opens in %1"_s.arg(humanDuration(Seconds{now.secsTo(begin)}));
    if (!end.isValid())
        return begin.isValid() ? u"open now"_s : QString();
    return now < end ? u"open for %1"_s.arg(humanDuration(Seconds{now.secsTo(end)}))
                     : u"over: jobs in it do not start"_s;
}

QString reservationSize(const ReservationFit& fit)
{
    if (!fit.nodes)
        return u"size not reported"_s;
    const auto attendees = fit.attendees();
    return attendees ? u"%1: %2 at once"_s.arg(nodesText(*fit.nodes), counted(*attendees, u"attendee"_s))
                     : nodesText(*fit.nodes);
}

} // namespace rankwright::inline teaching
