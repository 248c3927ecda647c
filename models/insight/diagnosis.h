// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright {

struct DiagnosisRule; // diagnosisrules.h

/// A known failure found in a job's output. Empty = the log does not tell.
struct Diagnosis {
    QString kind; ///< class, for instance "oom_gpu" (docs/diagnosis.md lists them)
    QString rule; ///< id of the rule in the table
    std::optional<int> rank; ///< global rank that failed first
    std::optional<int> gpu; ///< device number as the program names it
    QString node;
    qint64 line = 0; ///< of the log, from 1; lines end with a line feed
    QString evidence; ///< the line itself without prefixes of colour, at most 400 characters around what was found
    QString advice; ///< what to change: the option or the field of the design
    QString source; ///< who documents the message
    bool operator==(const Diagnosis&) const = default;
};

/// Reads a job's output in pieces cut anywhere and keeps what points to a failure: one finding for each rule, so memory
/// does not grow with the log. A line without a clue costs one pass over its bytes. Value type without I/O.
class LogDiagnoser {
public:
    void feed(const QByteArray& bytes);
    /// The cause, not its consequences: empty for a healthy log. A fault of the training itself (loss not a number) is
    /// told after a cause that has nothing to do with it (time limit). A last line without line feed counts.
    QList<Diagnosis> diagnoses() const;
    qint64 linesRead() const { return m_line; }
    QString framework() const { return m_framework; } ///< "pytorch", "rccl", "transformers" by their messages; or empty

private:
    /// Who was seen to die: "srun: error: NODE: task N: ...", or torchrun's "Root Cause" block.
    struct Witness {
        QString node;
        QString tasks; ///< "3", "0-7"
        std::optional<int> rank;
    };
    struct Found {
        const DiagnosisRule* rule = nullptr;
        Diagnosis diagnosis;
        int streak = 0;
        qint64 lastLine = 0;
    };
    void take(QByteArrayView piece);
    void examine(const QByteArray& text, const QList<int>& candidates);
    void keep(const DiagnosisRule& rule, Diagnosis diagnosis);
    void readWitness(const QString& text);
    void readRootCause(const QString& text);
    bool counts(const Found& found) const;
    bool sawFailure() const;
    Diagnosis completed(const Found& found) const;

    QByteArray m_pending;
    qint64 m_line = 0; ///< line feeds so far
    QHash<const DiagnosisRule*, Found> m_found;
    QList<Witness> m_witnesses; ///< the first few
    std::optional<Witness> m_rootCause;
    int m_rootCauseLines = 0; ///< lines of torchrun's block still to be read
    bool m_ignoresTraceback = false; ///< "Exception ignored in": Python goes on
    bool m_inTraceback = false;
    QString m_framework;
};

/// A whole log at once.
QList<Diagnosis> diagnose(const QByteArray& log);

} // namespace rankwright
