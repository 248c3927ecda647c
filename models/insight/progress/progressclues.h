// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <QRegularExpression>

namespace rankwright::inline insight {

inline constexpr auto noCase = QRegularExpression::CaseInsensitiveOption;

/// Which of the words that the patterns of progress need are in a line, in whatever case: found in one pass, so that
/// a regular expression that cannot match is not tried. A word that is found need not stand alone.
class LineClues {
public:
    enum Word {
        Loss,
        Step,
        Iter,
        Epoch,
        TrainColon, ///< "train: "
        PerSecond, ///< "/s", "_per_second"
        Tps,
        Time,
        Milliseconds, ///< "ms"
        Ups, ///< "ups="
        StepTiming, ///< "train_step_timing"
        Seconds, ///< "seconds:", "time:"
        Remaining, ///< "eta", "remaining time", "time left", "s/step"
        StartsAt, ///< "starts at step"
        MicroStep, ///< "micro_step="
        Totals, ///< "total optimization steps", "num epochs"
        Evaluation, ///< "valid", "eval", "test", "predict", "inference", "sanity", "class", "(val)"
        Counted, ///< "it [", "step [", "batches [" and so on
        Titan, ///< "[titan]"
        Mfu, ///< "mfu "
        OpenMm, ///< "mmengine", "mmdet"
        VersionNumber, ///< "v_num="
        BatchSize, ///< "batch size", "global batch", "micro-batch", "batch 32 per GPU"
    };
    explicit LineClues(const QString& line);
    bool has(Word word) const { return (m_words >> unsigned(word) & 1) != 0; }

private:
    quint64 m_words = 0; ///< a bit for each
};

/// The place, from `from` on, of something that may report progress; -1: nowhere.
qsizetype nextProgressClue(QByteArrayView text, qsizetype from);

} // namespace rankwright::inline insight
