// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/aftermath.h"
#include "models/insight/diagnosis/causeranking.h"

#include <QByteArray>
#include <QHash>

#include <functional>

namespace rankwright::inline insight {

/// Reads a job's output in pieces cut anywhere and keeps what points to a failure: one finding for each rule, so memory
/// does not grow with the log. Several outputs of one job (one per rank, say) are read side by side under numbers of
/// the caller's. A line without a clue costs one pass over its bytes. Value type without I/O.
class LogDiagnoser {
public:
    void feed(const QByteArray& bytes, int file = 0);
    /// The next byte of this output is the one at `offset`; lines have no numbers until setFirstLine(), unless it is 0.
    void startAt(qint64 offset, int file = 0);
    /// This output begins again (a requeued job): what was found in it no longer counts.
    void forget(int file);
    /// The number of line feeds before the offset given to startAt().
    void setFirstLine(qint64 linesBefore, int file = 0);
    /// Lines that name no rank are this one's: the output of one task.
    void setRank(std::optional<int> rank, int file = 0) { m_files[file].rank = rank; }
    /// Of the job: while not all of torchrun's agents have reported, the ranks of one may only have lost a peer.
    void setNodes(std::optional<int> nodes);
    /// A single line from elsewhere in the output (found by a search); without its number when 0.
    void feedLine(const QByteArray& line, qint64 offset, qint64 number, int file = 0);

    /// The cause, not its consequences: empty for a healthy log. A fault of the training itself (loss not a number) is
    /// reported after a cause that has nothing to do with it (time limit). A last line without line feed counts.
    QList<Diagnosis> diagnoses() const;
    /// Grows with everything that may change diagnoses().
    quint64 revision() const { return m_revision; }
    qint64 linesRead(int file = 0) const { return m_files.value(file).line; }
    QString framework() const { return m_framework; } ///< "pytorch", "rccl", "transformers" by their messages; or empty

private:
    /// One output.
    struct Source {
        QByteArray pending;
        qint64 line = 0; ///< line feeds so far, from where reading began
        qint64 offset = 0; ///< of the first pending byte
        std::optional<qint64> linesBefore = 0;
        std::optional<int> rank;
        std::optional<int> blockRank; ///< a launcher repeats what this rank wrote
        int rootCauseLines = 0; ///< lines of torchrun's block still to be read
        bool ignoresTraceback = false; ///< "Exception ignored in": Python goes on
        bool inTraceback = false;
        bool isOfThread = false; ///< the report that follows is a thread's: the program goes on
        bool reportsOfThread = false; ///< the line that is examined is the last one of such a report
        struct {
            std::optional<int> rank;
            QString node;
            qint64 line = 0;
        } hydra; ///< the process that MPICH's launcher named last
        Aftermath aftermath;
        bool isRequeued = false; ///< Slurm took the job off and may start it again
        std::optional<qint64> lacksGpuAt; ///< the line that reported no GPU
        QByteArray behind; ///< the end of what was read, for the last words of whoever exits
        bool isElsewhere = false; ///< a single line whose number is reported, not counted
    };
    void readPiece(QByteArrayView piece, Source& source, int file);
    void examine(const QByteArray& text, const QList<int>& candidates, Source& source, int file);
    /// True: the line shows this failure.
    bool examineRule(const QString& text, int rule, Source& source, int file);
    void applyHelper(const QString& text, int helper, Source& source, int file);
    void watchLack(const QString& text, Source& source);
    void follow(QByteArrayView piece, Source& source, int file);
    struct LineTraits {
        bool isNumbered = false, isWarned = false, isLabel = false; ///< as of FoundFailure
    };
    void addDiagnosis(const DiagnosisRule& rule, Diagnosis diagnosis, LineTraits line);
    bool followsNoGpu(const Source& source) const;
    void readWitness(const QString& text);
    bool readRootCause(const QString& text); ///< true: a field of a listed failure
    void quoteLastWords(Diagnosis& diagnosis, const Source& source) const;

    QHash<int, Source> m_files;
    QHash<const DiagnosisRule*, FoundFailure> m_found;
    FailureWitnesses m_witnesses; ///< of srun's tasks the first few
    struct Block {
        static constexpr int begun = 0, closed = -1; ///< no entry yet, none at the moment
        bool isListed = false; ///< "Failures", not "Root Cause"
        int entry = begun; ///< number of the one that is being read
    };
    QHash<QString, Block> m_blocks; ///< of torchrun's summaries that are being read, by the label of their lines
    int m_entriesBegun = 0;
    qint64 m_findings = 0;
    quint64 m_revision = 0;
    bool m_isEnding = false; ///< Slurm has begun to end what still runs
    QString m_framework;
    std::function<QByteArray()> m_behind; ///< of the line that is examined, while one is
};

/// A whole log at once.
QList<Diagnosis> diagnose(const QByteArray& log);

} // namespace rankwright::inline insight
