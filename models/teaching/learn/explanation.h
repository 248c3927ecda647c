// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/learn/learnsearch.h"
#include "models/teaching/learn/question.h"
#include "models/teaching/learn/term.h"

namespace rankwright::inline teaching {

/// A term or a question as it is shown, in the words of a site.
struct Explanation {
    struct Link {
        QString id;
        QString name;
        bool operator==(const Link&) const = default;
    };
    LearnHit::Kind kind = LearnHit::Kind::Term;
    QString id;
    QString title; ///< the term's name, or the question
    QStringList alsoCalled; ///< of a term
    QString text; ///< of a term its two sentences; empty for a question
    QString numbers; ///< the design's own, or the answer; empty: no design is known
    TinyPicture picture = TinyPicture::Ranks;
    PictureFigures figures;
    QString code; ///< lines of Python to copy; empty: none, or no design is known
    QList<Link> related; ///< terms
    bool onNodes = false; ///< the node picture of the design shows it
    bool operator==(const Explanation&) const = default;
};

/// `derived` null: no cluster is chosen, so nothing is said about numbers.
Explanation explain(const Term& term, const Derived* derived);
Explanation explain(const Question& question, const Derived* derived);
/// Of a hit; empty: there is nothing of this id.
std::optional<Explanation> explain(LearnHit::Kind kind, const QString& id, const Derived* derived);

} // namespace rankwright::inline teaching
