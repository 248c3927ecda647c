// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/learn/learnfigures.h"
#include "models/teaching/learn/tinypicture.h"

namespace rankwright::inline teaching {

/// A question that learners ask, answered from catalogue and design. {gpu} and {gpus} stand for the site's own word.
struct Question {
    QString id; ///< "billed-for-cores", never changes
    QString text; ///< as one asks it
    QStringList words; ///< that it should be found by
    TinyPicture picture = TinyPicture::Ranks;
    QStringList related; ///< ids of terms
    /// The answer for this design on its cluster, one to five sentences; says what is not known. Never empty.
    QString (*answer)(const LearnFigures& figures) = nullptr;
    /// Lines of Python that do it, with the design's own figures, to be copied; null: it is not done in the program.
    QString (*code)(const LearnFigures& figures) = nullptr;
};

/// All questions, by subject. The parts of the table are the files `*questions.cpp`.
const QList<Question>& questions();
/// By id; null: no such question.
const Question* findQuestion(const QString& id);

// The parts of the table, each in the file of its name.
QList<Question> resourceQuestions();
QList<Question> launchQuestions();
QList<Question> trainingQuestions();
QList<Question> runQuestions();

/// What the catalogue remarks on a subject of this site, as sentences, with `word` in them where one is given.
QStringList siteRemarks(const LearnFigures& figures, const QString& subject, const QString& word = {});

} // namespace rankwright::inline teaching
