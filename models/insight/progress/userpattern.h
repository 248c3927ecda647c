// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/insight/progress/progressline.h"

#include <QRegularExpression>

namespace rankwright::inline insight {

/// A regular expression (Perl's language) whose named groups say what a line of a log reports: step, steps, epoch,
/// epochs, loss, rate, eta. As users give it for programs that we don't know: `tick (?<step>\d+) of (?<steps>\d+)`. A
/// match is bounded: an expression that tries too many ways gives up on the line instead of standing still.
class UserPattern {
public:
    static constexpr qsizetype longestExpression = 1000;
    static constexpr qsizetype longestLine = 2000; ///< characters of a line that are read

    /// One sentence if it is not a valid expression, or has no known group, or an unknown one.
    static Result<UserPattern> from(const QString& expression);

    const QString& expression() const { return m_expression; }
    /// What the line reports; empty: it does not match, or no group held a number. `gaveUp` is set where the bound
    /// ended the search.
    std::optional<ProgressHint> read(const QString& line, bool* gaveUp = nullptr) const;
    bool operator==(const UserPattern& other) const { return m_expression == other.m_expression; }

private:
    QString m_expression;
    QRegularExpression m_form;
    QStringList m_groups;
};

/// All of them, or the sentence for the first that is wrong.
Result<QList<UserPattern>> userPatterns(const QStringList& expressions);

} // namespace rankwright::inline insight
