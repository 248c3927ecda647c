// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/planner/estimate/network/modelshape.h"

#include <QJsonObject>
#include <QString>

namespace rankwright::inline planner {

/// The model that a design file's member "model" names, in one of four forms (docs/planner.md, "Models"):
///   {"preset": "llama-3-8b"}       the model list
///   {"parameters": 7e9}            a typical decoder of that size; also "7B" as text
///   {"layers", "hidden", ...}      figures; what is left out is filled in as `note` says
///   {"hfConfig": PATH}             a Hugging Face config.json, or the folder it lies in; relative to `baseFolder`
/// The last form reads the file. Fails with one sentence and what to do: no form, two forms, a name that is not known
/// (with the three nearest), figures that make no sense, a file that cannot be read.
Result<ModelShape> chooseModel(const QJsonObject& model, const QString& baseFolder = {});

/// The member "model" with the path of an hfConfig made absolute: for a design that leaves its folder.
QJsonObject withAbsolutePath(QJsonObject model, const QString& baseFolder);

/// "7B", "1.3e9", "350 M" -> parameters; empty if it is not a count.
std::optional<double> parameterCountFrom(const QString& text);

} // namespace rankwright::inline planner
