// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/launchlayout.h"

namespace rankwright::inline script {

/// One variable with the place where it has to be set and the reason for it.
struct PlannedVariable {
    QString name;
    QString value; ///< as a bash word, quoted
    QList<FieldPath> origins;
    QString reason;
    QString source;
    bool folder = false; ///< a node-local folder that the task has to create
    bool operator==(const PlannedVariable&) const = default;
};

/// Which variables a script sets, and where: what is equal everywhere in the batch shell, what differs by node or rank
/// in the task (R15, R19, R25). Knows nothing of launch lines.
struct EnvironmentPlan {
    QList<PlannedVariable> batch;
    QList<PlannedVariable> task;
    QStringList refused; ///< names of the design that cannot be exported
    bool operator==(const EnvironmentPlan&) const = default;
};

EnvironmentPlan planEnvironment(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// Module commands before the program can run, each a line of shell with its words quoted: the container's bindings, or
/// without a container the design's modules, or the site's.
QStringList moduleCommands(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// Whether srun itself starts the container, by NVIDIA's plugin pyxis: where the site's runner says so, and where a
/// site has no runner of its own for images that only pyxis can mean: a registry's name without a scheme
/// ("nvcr.io#nvidia/pytorch:24.01"), a squashed image (.sqsh). Source: github.com/NVIDIA/pyxis, README.
bool usesPyxis(const QString& container, const ClusterProfile& profile);

/// Whether srun starts the container from an environment definition file (CSCS's container engine): srun --environment.
bool usesEngineFile(const QString& container, const ClusterProfile& profile);
/// Whether a container's text names such a file ("own.toml", "pytorch") and not an image, for which the job writes one.
bool isEngineFile(const QString& container);

/// Whether the site's containers are started by shifter, which takes the image in a directive, too.
bool isShifter(const ClusterProfile& profile);

/// The activation script of the design's virtual environment as a word of bash; "~/" is the home directory.
QString venvScript(const ResolvedSpec& resolved);

/// Words in front of a program that put it into the container; empty without a container, and where srun starts it. The
/// image itself is "$SIF".
QStringList containerRunner(const ResolvedSpec& resolved, const ClusterProfile& profile);

} // namespace rankwright::inline script
