// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/palette/paletteentry.h"

#include <QList>

#include <functional>

class QMenuBar;

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright::inline tables {
class JobModel;
struct JobRow;
} // namespace rankwright::inline tables

namespace rankwright {

class Connections;
class MainWindow;

/// An entry of the command palette, and what it does.
struct PaletteCommand {
    PaletteEntry entry;
    std::function<void()> run;
};

// What the palette offers, one function for each kind. What they are given must outlive what they return.

/// Every action of the menus, whichever they are; one that is off says why by its property "whyOff", or its tool tip.
QList<PaletteCommand> menuCommands(const QMenuBar& bar);
/// To the field of the form.
QList<PaletteCommand> fieldCommands(MainWindow& window);
/// Use a cluster for the design (by `use`), connect to it or disconnect, look at it.
QList<PaletteCommand> clusterCommands(
    MainWindow& window, Connections& connections, const std::function<void(const QString& cluster)>& use);
/// The newest jobs that are known.
QList<PaletteCommand> jobCommands(const JobModel& jobs, const std::function<void(const JobRow& row)>& watch,
    const std::function<void(const JobRow& row)>& report, const std::function<void(const JobRow& row)>& jobFile);
/// The job that the Live page shows.
struct ShownJob {
    JobRecord job; ///< id empty: none is shown
    QString cluster;
    QString title; ///< of the cluster
    bool isOnline = false; ///< it is connected
};
struct ShownJobActions {
    std::function<void()> where; ///< it hangs
    std::function<void()> ports;
    std::function<void(const QString& node)> shell;
    std::function<void()> results;
    std::function<void()> folder;
};
/// Where it hangs, ports of it, a shell on each of its nodes (the first few), its results, the folder that it runs in.
/// What cannot be now says why.
QList<PaletteCommand> shownJobCommands(const ShownJob& shown, const ShownJobActions& actions);
/// Name a model of the list, as one step that can be undone.
QList<PaletteCommand> modelCommands(MainWindow& window, Design& design);
/// Begin with a template; one that the design's cluster cannot run says why.
QList<PaletteCommand> templateCommands(const Design& design, const std::function<void(const QString& id)>& begin);
/// Open the glossary at a term or a question.
QList<PaletteCommand> wordCommands(const Design& design, const std::function<void(const QString& id)>& open);

} // namespace rankwright
