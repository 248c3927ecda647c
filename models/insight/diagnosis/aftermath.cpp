// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/aftermath.h"

#include "models/insight/progress/progressline.h"
#include "models/insight/text/terminaltext.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 watchedBytes = 256 * 1024;
/// What a program printed and had not yet written when it ended comes behind its traceback: a buffer of stdio or two.
constexpr qint64 bufferBytes = 16 * 1024;
constexpr int enoughAdvances = 2;
constexpr int mostErrors = 64; ///< of an output that reports errors all the time
constexpr qsizetype mostLinesBefore = 12;

std::optional<qint64> stepIn(const QList<ProgressHint>& hints)
{
    for (const ProgressHint& hint : hints) {
        if (hint.step && hint.kind != ProgressHint::Kind::Totals)
            return hint.step;
    }
    return {};
}

std::optional<qint64> newestStep(QByteArrayView before)
{
    qsizetype end = before.size();
    for (qsizetype count = 0; count < mostLinesBefore && end > 0; ++count) {
        qsizetype begin = end;
        while (begin > 0 && before[begin - 1] != '\n' && before[begin - 1] != '\r')
            --begin;
        const QByteArrayView line = before.sliced(begin, end - begin);
        if (mayReportProgress(line)) {
            if (const auto step = stepIn(progressHints(QString::fromUtf8(withoutControls(line)))))
                return step;
        }
        end = begin - 1;
    }
    return {};
}

/// The line itself speaks of a GPU in use.
bool speaksOfGpu(const QString& text)
{
    static const QRegularExpression form(
        uR"(\b(?:cuda|hip):\d|\bGiB\b|\bmax_mem|\bmemory: \d|\bgpu_?mem|\s\d+(?:\.\d+)?G\s|TFLOP)"_s,
        QRegularExpression::CaseInsensitiveOption);
    return form.match(text).hasMatch();
}

} // namespace

void Aftermath::watchError(QByteArrayView before)
{
    const bool isWatchedAlready = m_errorBytes > 0; // one error has several lines
    if (!isWatchedAlready && ++m_errors > mostErrors)
        return;
    m_errorBytes = watchedBytes;
    m_sinceError = 0;
    m_advances = m_lateAdvances = 0;
    if (!isWatchedAlready)
        m_step = newestStep(before);
}

void Aftermath::watchLack(const Lack& lack)
{
    if (m_lackBytes > 0 && !m_lack.isOfTensorflow)
        return;
    m_lack = lack;
    m_lackBytes = watchedBytes;
}

bool Aftermath::isSurvived(QByteArrayView piece)
{
    // only a program that came to its end says so
    static const QRegularExpression ended(
        uR"(\btraining (?:is )?(?:finished|complete[d]?|done)\b|`Trainer\.fit` stopped|['"]train_runtime['"])"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QString text = QString::fromUtf8(withoutControls(piece));
    if (ended.match(text).hasMatch())
        return true;
    const QList<ProgressHint> hints = progressHints(text);
    const std::optional<qint64> step = stepIn(hints);
    if (!step)
        return false;
    // bars are written at once, as errors are; lines may have waited in a buffer
    const bool isBar = hints.first().kind == ProgressHint::Kind::Bar;
    // a rank that noticed nothing yet may take one more step
    if (*step > m_step.value_or(0)) {
        m_advances += isBar ? 1 : 0;
        m_lateAdvances += m_sinceError > bufferBytes ? 1 : 0;
    }
    m_step = step;
    return m_advances >= enoughAdvances || m_lateAdvances >= enoughAdvances;
}

Aftermath::Seen Aftermath::follow(QByteArrayView piece)
{
    const qint64 length = piece.size() + 1;
    m_errorBytes = std::max<qint64>(0, m_errorBytes - length);
    m_lackBytes = std::max<qint64>(0, m_lackBytes - length);
    m_sinceError += length;
    if (!mayReportProgress(piece) && !piece.contains("rain")) // "Training finished", "Trainer.fit"
        return Seen::Nothing;
    if (m_errorBytes > 0 && isSurvived(piece)) {
        m_errorBytes = 0;
        return Seen::Survived;
    }
    if (m_lackBytes == 0)
        return Seen::Nothing;
    const QString text = QString::fromUtf8(withoutControls(piece));
    const QList<ProgressHint> hints = progressHints(text);
    const std::optional<qint64> step = stepIn(hints);
    if (!step || *step == 0)
        return Seen::Nothing;
    const QString framework = hints.first().framework;
    const bool isTensorflow = framework == u"keras"_s || framework == u"tensorflow"_s;
    if (speaksOfGpu(text) || (m_lack.isOfTensorflow && !isTensorflow)) {
        m_lackBytes = 0;
        return Seen::Nothing;
    }
    m_lackBytes = 0;
    return Seen::TrainsWithoutGpu;
}

} // namespace rankwright::inline insight
