// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"
#include "models/teaching/learn/learnfigures.h"
#include "models/teaching/learn/tinypicture.h"

namespace rankwright::inline teaching {

/// One word of the field, explained. In texts {gpu} and {gpus} stand for the site's own word.
struct Term {
    QString id; ///< "world-size": what labels and links name it by, never changes
    QString name; ///< as people write it: "World size"
    QStringList alsoCalled; ///< other spellings and neighbours that people search for
    QString text; ///< two plain sentences
    TinyPicture picture = TinyPicture::Ranks;
    QStringList related; ///< ids
    bool onNodes = false; ///< the node picture of the design shows it
    /// One or two sentences with the design's figures, or one that says what is not known yet. Never empty.
    QString (*numbers)(const LearnFigures& figures) = nullptr;
};

/// All terms, by name. The table is built at the first call; its parts are the files `*terms.cpp`.
const QList<Term>& terms();
/// By id, name or another name of it, whatever the case, with blanks or hyphens, also in the plural; null: no such
/// term.
const Term* findTerm(const QString& word);

// The parts of the table, each in the file of its name.
QList<Term> hardwareTerms();
QList<Term> slurmTerms();
QList<Term> launchTerms();
QList<Term> trainingTerms();
QList<Term> strategyTerms();
QList<Term> runTerms();

/// The term that explains a field of the design, by its path; of a part ("model.preset") that of the nearest field
/// above it. Empty: the field needs none.
QString termOfField(const FieldPath& path);

} // namespace rankwright::inline teaching
