// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"

namespace rankwright::inline cluster {

/// Below, samples come before everything else, and a job's output is read from its end only.
inline constexpr double slowLineBytesPerSecond = 64 * 1024;

/// What the window shows of one cluster's connection; figures unknown are empty.
struct LinkInfo {
    QString cluster; ///< catalogue name
    QString title;
    LinkState state = LinkState::Offline;
    QString user;
    std::optional<double> latencyMs;
    std::optional<Error> error; ///< why Offline or Lost; empty: as it was asked to be
    bool waitsForPerson = false; ///< it was lost, and is opened again only when somebody asks for it
    QList<std::pair<QString, QString>> banners = {}; ///< host, what it says to everybody who logs in
    QString hint = {}; ///< what a person should do or know about the login: "Touch your security key now."
    QString activity; ///< "starting slurmctld (3 of 9)", while something long goes on
    std::optional<double> activityFraction;
    QString account; ///< chosen account
    std::optional<double> lineBytesPerSecond; ///< what the line can carry; for a fast one a lower bound
    int openChannels = 0;
    std::optional<double> bytesPerSecond;
    std::optional<double> commandsPerMinute;
    QString slurmVersion;
    QString way = {}; ///< whose connection it is (ClusterLink::way); empty: this program's own
};

} // namespace rankwright::inline cluster
