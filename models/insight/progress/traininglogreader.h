// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/figuretable.h"
#include "models/insight/progress/logline.h"
#include "models/insight/progress/stepmeter.h"
#include "models/insight/progress/trainingprogress.h"
#include "models/insight/progress/userpattern.h"
#include "models/insight/text/repeatedlines.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// Reads a job's output as it arrives, in pieces cut anywhere: lines, progress, loss curve. Constant memory but for
/// the loss curve, which is thinned beyond 4096 points. Value type without I/O.
class TrainingLogReader {
public:
    /// A line is cut after this many bytes (LogLine::cutBytes).
    static constexpr qsizetype longestLine = 16 * 1024;

    /// Users' own expressions; where one has matched, the known layouts are no longer looked for.
    void setPatterns(const QList<UserPattern>& patterns) { m_patterns = patterns; }
    /// Only the newest state is wanted, of a log that may be long: feed() gives no lines, and lines that later ones
    /// outdate are not read. progress() is true after finish().
    void setSummaryOnly(bool on) { m_summaryOnly = on; }
    /// The next byte is this one of its file; lines carry it on.
    void startAt(qint64 offset, int file = 0);

    /// Returns the lines completed (or bars renewed) by these bytes.
    QList<LogLine> feed(const QByteArray& bytes);
    /// The output has ended, or rests: what is open is shown. A Keras bar is read, its last field left out (it may
    /// be cut). Any other line without an end adds no point to the curve.
    QList<LogLine> finish();
    const TrainingProgress& progress() const { return m_progress; }
    const QList<LossPoint>& losses() const { return m_losses; }
    qint64 bytesRead() const { return m_bytesRead; }
    /// A sentence when a pattern of the user was switched off because it takes too long; else empty.
    const QString& patternTrouble() const { return m_patternTrouble; }
    /// Forgets what was read; patterns stay.
    void reset();

private:
    LogLine read(QByteArrayView raw, LineEnd end, qint64 cut);
    void setPlace(LogLine& line) const;
    void skim(QByteArrayView raw, LineEnd end);
    QList<ProgressHint> hintsOf(const QString& text, QByteArrayView raw);
    QList<ProgressHint> knownHints(const QString& text, QByteArrayView raw);
    void applyHints(const QList<ProgressHint>& hints);
    void applyBar(const ProgressHint& bar);
    void applyStep(const ProgressHint& hint);
    void applyFigures(const ProgressHint& hint);
    void addLoss(double step, double loss);
    void updatePace();

    QByteArray m_pending;
    qsizetype m_scanned = 0; ///< bytes of m_pending that hold no line end
    qint64 m_cut = 0; ///< bytes of the open line that were left out already
    std::optional<qint64> m_offset; ///< of the first pending byte; empty: not known
    int m_file = 0;
    std::optional<qint64> m_readFrom; ///< byte of its file; empty: not known
    qint64 m_nth = 1; ///< line that is open
    QByteArray m_shown; ///< the bar without line end that was reported last
    qint64 m_globalSteps = 0; ///< of the whole training, from "step 30/600" lines
    qint64 m_stepsPerEpoch = 0; ///< from bars that name their epoch
    bool m_sawBar = false;
    bool m_summaryOnly = false;
    RepeatedLines m_repeated;
    FigureTable m_table;
    int m_headingLines = 0; ///< below the heading of a step in which its loss may stand alone
    std::optional<qint64> m_headingStep; ///< of a heading that counts only with its loss
    QList<UserPattern> m_patterns;
    bool m_patternMatched = false;
    int m_patternStrikes = 0;
    QString m_patternTrouble;
    TrainingProgress m_progress;
    StepMeter m_meter; ///< of the log's own reports
    bool m_hasReport = false; ///< since stepSeconds was brought up to date
    QList<LossPoint> m_losses;
    qint64 m_bytesRead = 0;
};

} // namespace rankwright::inline insight
