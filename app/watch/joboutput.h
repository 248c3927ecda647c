// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/log/logpiece.h"
#include "models/insight/log/logsearch.h"
#include "models/insight/log/logtail.h"
#include "models/insight/progress/rankbinding.h"
#include "models/insight/progress/traininglogreader.h"

#include <map>
#include <optional>

namespace rankwright {

/// All that a job writes: follows its files by one channel, reads lines, progress and failures as they come, and brings
/// other parts of a file when they are asked for. Memory does not grow with the files: what was read is handed on and
/// forgotten. Knows nothing of the job's state but what it is given. Lives on the GUI thread.
class JobOutput final : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 pieceBytes = 256 * 1024;

    explicit JobOutput(RemoteShell& shell, QObject* parent = nullptr);
    ~JobOutput() override;

    /// Users' expressions for progress; for what comes from now on.
    void setPatterns(const QList<UserPattern>& patterns);
    /// Starts following; asks the cluster once which files there are beside the output.
    void start(const JobRecord& job);
    /// Of a longer file only this many bytes from its end are read; before start().
    void setLastBytes(qint64 bytes) { m_lastBytes = bytes; }
    bool isStarted() const { return m_tail != nullptr || m_ended; }
    /// The job has ended so: of one that failed the part of the output that was never read is searched for the cause,
    /// and what was found stands; of one that completed no failure does.
    void finishUp(int graceMs, JobState state);
    /// The job waits again: what its ranks reported was of a run that is over.
    void forgetBinding();
    /// A rank or a node is dead: what the output says of failures stands (Diagnosis::confirmed).
    void confirmFailures();

    const TrainingProgress& progress() const { return m_progress; }
    const QList<LossPoint>& losses() const;
    /// Where the job's ranks say that they are.
    const RankBinding& binding() const { return m_binding; }
    /// Those that are not confirmed are lines that may mean a failure; a job that completed has none.
    const QList<Diagnosis>& diagnoses() const { return m_diagnoses; }
    QList<LogFileName> files() const;

    void askBefore(int file, qint64 offset);
    void askBehind(int file, qint64 offset);
    void askLatest(int file);
    void askAround(int file, qint64 offset);
    void search(int file, const LogQuery& query);
    void cancelSearch() { m_search.cancel(); }

signals:
    void filesChanged(const QList<rankwright::LogFileName>& files);
    void linesArrived(const QList<rankwright::LogLine>& lines);
    void pieceArrived(const rankwright::LogPiece& piece);
    /// The number of line feeds of this file before the byte at which a reading began.
    void linesCounted(int file, qint64 readFrom, qint64 linesBefore);
    void progressChanged(const rankwright::TrainingProgress& progress);
    void lossesChanged(const QList<rankwright::LossPoint>& losses);
    void bindingChanged(const rankwright::RankBinding& binding);
    void diagnosesChanged(const QList<rankwright::Diagnosis>& diagnoses);
    void searchFound(const QList<rankwright::LogHit>& hits);
    void searchChanged(const rankwright::LogSearchState& state);
    /// Empty: all is well again.
    void troubleChanged(const std::optional<rankwright::Error>& why);
    void ended();

private:
    struct Source {
        TrainingLogReader reader;
        qint64 startedAt = 0; ///< first byte that was read
        std::optional<qint64> linesBefore; ///< line feeds before it
    };
    void askOutputFiles(const JobRecord& job);
    void read(const QByteArray& bytes, int file);
    void handleSkip(qint64 offset, int file);
    void countLines(qint64 offset, int file);
    void setCounted(int file, qint64 offset, qint64 linesBefore);
    void numberPiece(const LogPiece& piece, const QByteArray& bytes);
    void followProgress(const Source& source, int file);
    enum class NewSteps { None, Some };
    void readRanks(const QList<LogLine>& lines, NewSteps steps);
    void askRanks(qint64 before, int file);
    void setBinding(const RankBinding& binding);
    /// `always`: what stands has changed, though no line has come.
    void refreshDiagnoses(bool always = false);
    void seekCause();
    void finish();
    void fetch(const LogPiece& piece);
    void deliverPiece(LogPiece piece, const QByteArray& bytes);

    RemoteShell& m_shell;
    qint64 m_lastBytes = LogTail::defaultLastBytes;
    std::unique_ptr<LogTail> m_tail;
    LogSearch m_search;
    QList<LogTail::Followed> m_lastFiles; ///< when the tail is gone
    std::map<int, Source> m_sources;
    std::map<std::pair<int, qint64>, qint64> m_counted; ///< line feeds before places of files, as far as known
    QList<UserPattern> m_patterns;
    LogDiagnoser m_diagnoser;
    quint64 m_seenRevision = 0;
    QList<Diagnosis> m_diagnoses;
    TrainingProgress m_progress;
    TrainingProgress m_read; ///< the same as the log says it
    StepMeter m_meter;
    RankBinding m_binding;
    std::optional<int> m_progressFile; ///< whose progress is followed
    QString m_patternTrouble;
    bool m_ended = false;
    bool m_failed = false;
    bool m_completed = false;
    bool m_isConfirmed = false;
    bool m_soughtCause = false;
};

} // namespace rankwright
