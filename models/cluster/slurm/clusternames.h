// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"

#include <QList>
#include <QStringList>

namespace rankwright::inline cluster {

/// Names that a connected cluster knows and a script may use, beyond what its catalogue entry says. Empty: none, or it
/// did not report.
struct ClusterNames {
    struct Reservation {
        QString name;
        QString note; ///< state, users and accounts, end; in Slurm's words
        bool operator==(const Reservation&) const = default;
    };
    QStringList features; ///< of nodes, for --constraint
    QStringList qos; ///< that the user may ask for
    QList<Reservation> reservations;
    QStringList modules; ///< as `module avail` lists them, without its paths
    bool operator==(const ClusterNames&) const = default;
};

/// One command for all of it: sinfo(1) %f, sacctmgr(1) show assoc, scontrol(1) show reservation, and `module -t avail`
/// where modules exist, for at most 15 s. Never fails as a whole: a part that is not there is empty.
RemoteCommand namesCommand();
/// Reads its answer; any bytes are taken.
ClusterNames parseNames(const QByteArray& answer);

} // namespace rankwright::inline cluster
