// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"

namespace rankwright::inline script {

/// The commands of a script that look like its training.
struct LaunchChoice {
    QList<Launch> launches; ///< in the order of the text, all as likely as one another; empty: none
    QString note; ///< what the job may start beside them; empty: nothing is known of it
    QString doubt; ///< why none of several is the training; empty: there is one at most

    const Launch* only() const { return launches.size() == 1 && doubt.isEmpty() ? &launches.first() : nullptr; }
};

/// In: a script taken apart. Where no step and no Python is started: the last program that the batch shell runs.
LaunchChoice chooseLaunch(const BatchText& batch);

} // namespace rankwright::inline script
