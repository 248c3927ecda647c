// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/clusternames.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/teaching/classroom/classfile.h"

namespace rankwright::inline teaching {

/// A reservation as the live cluster reports it.
struct LiveReservation {
    QString name;
    std::optional<int> nodes;
    QDateTime begin, end;
    QStringList accounts, users; ///< empty: not reported
    QString partition;
    bool operator==(const LiveReservation&) const = default;
};
/// What became of the solutions of a class when they were tried (`rankwright-cli class run`).
struct SolutionsTried {
    QString cluster;
    QDateTime at;
    int exercises = 0;
    QStringList failed; ///< ids of exercises of which not every check was seen
    bool operator==(const SolutionsTried&) const = default;
};
/// What is asked before a class; and what comes back. Empty optional: the cluster did not say.
struct SiteFacts {
    ClusterFacts cluster;
    std::optional<QList<LiveReservation>> reservations; ///< all that are there
    std::optional<QStringList> closedImages = {}; ///< of classImages(): those that cannot be read there
    std::optional<SolutionsTried> tried = {}; ///< of this very file; kept on this machine
};
/// Container images that the class's designs name, each once.
QStringList classImages(const ClassFile& file);
/// `scontrol --oneliner show reservation`, and how its answer is read; any bytes are taken.
RemoteCommand reservationsCommand();
QList<LiveReservation> parseReservations(const QByteArray& answer);

/// Nodes that one attendee needs at once: of the exercise with most. On shared nodes a part of one.
double nodesOfAttendee(const ClassFile& file, const ClusterProfile& profile);
/// Nodes for `people` at once, each of whom needs `each` nodes (above 0). No attendee's GPUs are spread over two half
/// nodes.
int nodesForPeople(int people, double each);
/// People for whom this many nodes are enough at once.
int peopleAtOnce(int nodes, double each);

enum class SiteState { Good, Bad, Unknown };
struct SiteVerdict {
    SiteState state = SiteState::Unknown;
    QString subject; ///< "Project", "Reservation", "Size", "Dates", "Partition", "Container", "Solutions"
    QString text; ///< one sentence
    bool operator==(const SiteVerdict&) const = default;
};
/// Is the class possible there for `people` at once? Project known to the user, partition up, reservation there, open
/// to the project, large enough for people x the exercise with most nodes, and covering the class's dates; containers
/// readable; every exercise's solution passed its own checks where it was tried.
QList<SiteVerdict> checkClassSite(
    const ClassFile& file, const Catalogue& catalogue, const SiteFacts& facts, int people);

} // namespace rankwright::inline teaching
