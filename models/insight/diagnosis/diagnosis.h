// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/memorymessage.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline insight {

/// A known failure found in a job's output. Empty = the log does not say.
struct Diagnosis {
    QString kind; ///< class, for instance "oom_gpu" (docs/diagnosis.md lists them)
    QString rule; ///< id of the rule in the table
    std::optional<int> rank; ///< global rank that failed first
    std::optional<int> gpu; ///< device number as the program names it
    QString node;
    QStringList amongNodes; ///< one of the ranks of these nodes failed first, and it cannot be said which; else empty
    std::optional<qint64> line; ///< of its file, from 1; lines end with a line feed; empty: not known
    std::optional<qint64> offset; ///< of the line's piece in its file, bytes; empty: not known
    int file = 0; ///< which of several outputs
    QString evidence; ///< the line itself without prefixes of colour, at most 400 characters around what was found
    QString advice; ///< what to change: the option or the field of the design
    QString source; ///< who documents the message
    /// When the rank ended, as torchrun's summary prints it ("2026-11-24_10:15:02"): the node's clock, whose zone is
    /// not printed (failuremoment.h). Empty: no summary names the rank.
    QString printedTime;
    /// A dead process, Slurm or the job's end agrees with the line. Else it is a line that may mean this failure:
    /// programs print such lines and go on.
    bool confirmed = true;
    std::optional<MemoryMessage> memory = {}; ///< figures of a line that says that a GPU's memory is full
    bool operator==(const Diagnosis&) const = default;
};

/// "one of the ranks of n1 or n2", "one of the ranks of n1"; empty: the rank is known, or not even the node.
inline QString oneOfRanks(const Diagnosis& diagnosis)
{
    QStringList nodes = diagnosis.amongNodes;
    if (!diagnosis.node.isEmpty())
        nodes = {diagnosis.node};
    if (diagnosis.rank || nodes.isEmpty())
        return {};
    const QString last = nodes.takeLast();
    return QStringLiteral("one of the ranks of ")
        + (nodes.isEmpty() ? last : nodes.join(QStringLiteral(", ")) + QStringLiteral(" or ") + last);
}

/// Those that are failures: what else was found are lines that only may mean one.
inline QList<Diagnosis> confirmedOf(QList<Diagnosis> found)
{
    found.removeIf([](const Diagnosis& one) { return !one.confirmed; });
    return found;
}

/// The class of the first one that is a failure; empty: none is.
inline QString firstFailure(const QList<Diagnosis>& found)
{
    const QList<Diagnosis> failures = confirmedOf(found);
    return failures.isEmpty() ? QString() : failures.first().kind;
}

} // namespace rankwright::inline insight
