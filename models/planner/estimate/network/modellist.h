// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/planner/estimate/network/modelshape.h"

#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace rankwright::inline planner {

/// A published model that a design can name.
struct ListedModel {
    QString name; ///< stable, as a design file has it: "llama-3-8b"
    QString title; ///< "Llama 3/3.1 8B"
    QString family; ///< "Llama 3"
    QStringList aliases; ///< further spellings that people use
    ModelShape shape; ///< name and source are filled in
    std::optional<qint64> published; ///< parameters as its makers say
    bool exact = false; ///< `published` is exact to the last digit, not rounded
};

/// All of them in the order of resources/planner/models.json, read once.
const QList<ListedModel>& listedModels();

/// By name, title or a usual spelling: case, blanks, dashes, a maker in front ("meta-llama/") and words behind that
/// change no figure ("-hf", "-instruct", "-base") do not count. Null: no such model.
const ListedModel* findListedModel(const QString& text);

/// Names of the three models that look most like a misspelt one, the nearest first.
QStringList nearestModels(const QString& text);

/// The reader behind listedModels(), for tests: every fault names the model and the member.
Result<QList<ListedModel>> readModelList(const QJsonObject& document, const QString& name);

} // namespace rankwright::inline planner
