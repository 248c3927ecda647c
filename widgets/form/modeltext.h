// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QJsonObject>

namespace rankwright {

/// A design's model as the one line that a person types, and back:
/// "Llama 3 8B" (a title or name of the model list), "7B" or "350 million" (parameters), "layers=32 hidden=4096
/// heads=32 ..." (figures), "~/model/config.json" (a Hugging Face configuration). Empty: no model.
QString writeModel(const QJsonObject& model);
/// Fails with one sentence on figures that cannot be read. A name that no list has is taken as it is: the planner says
/// that it does not know it.
Result<QJsonObject> readModel(const QString& text);

/// Titles of the listed models that look most like a name that no list has; empty: nothing is misspelt.
QStringList nearestTitles(const QJsonObject& model);

/// "7B", "1.3B", "350M": a number of parameters as people write it.
QString writeParameters(double count);

} // namespace rankwright
