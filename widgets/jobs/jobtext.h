// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/tone.h"

class QLabel;
class QWidget;

namespace rankwright {

/// The tone of a state; the word is always shown with it.
Tone toneOf(JobState state);
/// Sets word and tone of a state chip: "RUNNING 1 h 52 min".
/// With `asOfMs` it is what was reported at that time, and nothing newer is known: "RUNNING 1 h 52 min as of 14:03".
void showState(
    QLabel* chip, JobState state, std::optional<Seconds> elapsed, std::optional<qint64> asOfMs = std::nullopt);
/// "standard-g · 4 nodes · 32 GCDs"; what was not reported is left out.
QString allocationText(const JobRecord& job, const QString& gpuWord);
/// "2026-03-02 14:09" in local time; "–" when not reported.
QString momentText(const QDateTime& moment);
/// Asks whether to cancel; the question names the job and what is lost. True: yes.
bool confirmCancel(QWidget* parent, const JobRecord& job);

} // namespace rankwright
