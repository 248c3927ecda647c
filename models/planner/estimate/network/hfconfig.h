// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/planner/estimate/network/modelshape.h"

#include <QByteArray>

namespace rankwright::inline planner {

/// The model of a Hugging Face `config.json`: its model_type says which defaults (biases, norms, tied tables) hold that
/// the file does not; they are those of the class of that name in transformers. An unknown type with the usual members
/// is taken for a Llama-like decoder: `assumed` is set and `note` says so. `name` is used in errors. Fails with one
/// sentence that names the member which is missing or makes no sense.
Result<ModelShape> shapeFromHfConfig(const QByteArray& json, const QString& name = QStringLiteral("config.json"));

} // namespace rankwright::inline planner
