// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"

namespace rankwright::inline script {

/// "B:USR1@300" taken apart, as sbatch reads --signal.
struct SignalRequest {
    QString name; ///< without SIG: "USR1", or a number
    int seconds = 60; ///< before the time limit; sbatch's own default
    bool batchShellOnly = false; ///< B: the tasks get nothing
    bool operator==(const SignalRequest&) const = default;
};

/// Empty when sbatch would not take it.
std::optional<SignalRequest> parseSignal(const QString& text);

/// A shell condition that is true when a job continues an earlier one; empty when it never does, "true" when it always
/// does (R32, R35): requeued, a later task of an array that runs one at a time, after an afterany dependency.
QString continuationCondition(const ResolvedSpec& resolved);

/// An array whose tasks run one after the other: "1-10%1".
bool isChain(const QString& array);

/// Seconds after the start from which an end counts as caused by the time limit: no signal comes earlier. A training
/// that ends by itself before that is done.
qint64 limitReachedAfter(const ResolvedSpec& resolved);

/// Seconds after the start at which a job that still runs is queued again: after the signal, so that the program could
/// save, and before the limit, at which Slurm ends the batch script, too.
qint64 requeueAfter(const ResolvedSpec& resolved);

} // namespace rankwright::inline script
