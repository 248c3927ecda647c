// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/progress/trainingprogress.h"

#include <QJsonObject>

namespace rankwright {

// What a job's output tells, as `parse log` and `watch` print it (docs/cli.md). Unknown is null.

QJsonObject progressJson(const TrainingProgress& progress);
QJsonObject diagnosisJson(const Diagnosis& diagnosis);

} // namespace rankwright
