// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/jsonreader.h"
#include "models/insight/progress/trainingprogress.h"

namespace rankwright::inline insight {

/// The state of a training as `parse log` and `watch` print it and recordings keep it (docs/cli.md lists the members).
/// What the log does not say is null, so is a loss that is not finite; reward, KL, validation loss, tokens and samples
/// per second are there only where it says them.
QJsonObject progressJson(const TrainingProgress& progress);
/// Error: a member of another kind; it names the path. Further members are not an error.
Result<TrainingProgress> progressFromJson(JsonReader json);

} // namespace rankwright::inline insight
