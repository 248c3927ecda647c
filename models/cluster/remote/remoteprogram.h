// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QMap>
#include <QString>

namespace rankwright::inline cluster {

/// A program of resources/remote ("lease.sh") as it is sent to a cluster: without its comments, its @NAMES@ replaced by
/// `values`. Read on first use. Ends this program where the file is missing or `values` are not its own: what is half
/// filled in must never run on a cluster.
QString remoteProgram(const QString& file, const QMap<QString, QString>& values = {});

/// Without the lines that are empty or hold a comment alone; "#!" in the first line stays.
QString withoutComments(const QString& program);

/// Each @NAME@ of a shell program replaced by its value as one quoted word. Error: a name without a value, a value
/// without a place.
Result<QString> withValues(const QString& program, const QMap<QString, QString>& values);

} // namespace rankwright::inline cluster
