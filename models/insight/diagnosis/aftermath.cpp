// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/aftermath.h"

#include "models/insight/progress/progressline.h"
#include "models/insight/text/repeatedlines.h"
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

/// Words with which a program says that an error does not end it; not Python's own "Exception ignored in", which it
/// says of what it takes down as well.
bool saysGoesOn(QByteArrayView piece)
{
    if (piece.startsWith(' ') || piece.startsWith('\t')) // a line of code in a report
        return false;
    static const QRegularExpression form(
        uR"(\b(?:continu(?:e|es|ing)\b(?! to )|(?:goes|going|carry|carries|carrying) on\b|(?:will (?:be )?)?(?:retry|retried)|retrying|skipp(?:ed|ing)\b|non-fatal|not fatal|sent later|ignor(?:ed|ing)\b(?! in\b)|proceed(?:s|ing) with(?:out)?))"
        uR"(|\bfall(?:s|ing) back (?:to|on)\b|\busing (?:another|the next|\S+ instead)\b)"_s,
        QRegularExpression::CaseInsensitiveOption);
    return form.match(QString::fromUtf8(withoutControls(piece))).hasMatch();
}

/// What was reported belongs to a search for the largest batch, which takes another one; or to a conversation that is
/// quoted, which goes on with the next speaker.
bool showsHarmless(QByteArrayView piece)
{
    static const QRegularExpression form(
        uR"(\b(?:trying|decreasing|reducing|lowering|using|continue with|run using)(?: the| a smaller)? (?:micro[- ]?)?batch[-_ ]?size(?: to| of)?:? *\d)"
        uR"(|^\W*<\|(?:im_start|im_end|user|assistant|system|start_header_id|eot_id|end)\|>)"_s,
        QRegularExpression::CaseInsensitiveOption);
    if (!piece.contains("atch") && !piece.contains("<|"))
        return false;
    return form.match(QString::fromUtf8(withoutControls(piece))).hasMatch();
}

std::optional<qint64> stepIn(const QList<ProgressHint>& hints)
{
    for (const ProgressHint& hint : hints) {
        if (hint.step && hint.kind != ProgressHint::Kind::Totals)
            return hint.step;
    }
    return {};
}

/// Behind the time and the level that a logger puts in front.
QByteArray withoutStamp(QByteArrayView line)
{
    static const QRegularExpression stamp(
        uR"(^[\[(]?[\d:.,TZ/ +-]*[\])]?[\s|:-]*(?:(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\b[\s|:-]*)?)"_s);
    QString text = QString::fromUtf8(withoutControls(line.first(std::min<qsizetype>(line.size(), 200))));
    return text.remove(stamp).toUtf8();
}

/// Do both begin alike, but for the digits? A piece of a line does as the line does.
bool beginsLike(QByteArrayView piece, QByteArrayView line)
{
    constexpr qsizetype enough = 4; // characters
    const QByteArray one = withoutStamp(piece), other = withoutStamp(line);
    const auto isDigit = [](char byte) { return byte >= '0' && byte <= '9'; };
    for (qsizetype i = 0; i < enough; ++i) {
        if (i >= one.size() || i >= other.size())
            return false;
        if (one.at(i) != other.at(i) && !(isDigit(one.at(i)) && isDigit(other.at(i))))
            return false;
    }
    return true;
}

/// The least block in which a standard library writes to a file or a pipe (C: st_blksize, 4096; Python: 8192).
constexpr qsizetype leastBlock = 4096;
constexpr qint64 wordsBytes = 1024; ///< behind an error in which the program may speak of it

/// The line itself speaks of a GPU in use.
bool speaksOfGpu(const QString& text)
{
    static const QRegularExpression form(
        uR"(\b(?:cuda|hip):\d|\bGiB\b|\bmax_mem|\bmemory: \d|\bgpu_?mem|\s\d+(?:\.\d+)?G\s|TFLOP)"_s,
        QRegularExpression::CaseInsensitiveOption);
    return form.match(text).hasMatch();
}

} // namespace

bool saysEndOfTraining(const QString& text)
{
    static const QRegularExpression form(
        uR"(\btraining (?:is )?(?:finished|complete[d]?|done)\b|`Trainer\.fit` stopped|['"]train_runtime['"])"_s,
        QRegularExpression::CaseInsensitiveOption);
    return form.match(text).hasMatch();
}

bool Aftermath::Place::isBeyond(const Place& other) const
{
    if (step)
        return *step > other.step.value_or(0);
    return epoch && !other.step && *epoch > other.epoch.value_or(0);
}

Aftermath::Place Aftermath::placeIn(QByteArrayView piece)
{
    const QList<ProgressHint> hints = progressHints(QString::fromUtf8(withoutControls(piece)));
    if (const auto step = stepIn(hints))
        return {step, {}};
    for (const ProgressHint& hint : hints) {
        if (hint.kind == ProgressHint::Kind::Epoch && hint.epoch && hint.loss)
            return {{}, hint.epoch};
    }
    return {};
}

/// The newest step, and whether lines are written at once. A program that fills a buffer first has written nothing
/// before its first block is full, and ends a block within a line: then the last line is cut, or another is glued to
/// it, and it is no longer like the one before.
void Aftermath::readBefore(QByteArrayView before, qint64 offset)
{
    m_place = {};
    std::optional<quint64> shape; // of the newest line that names a place
    QList<QByteArrayView> behind; // lines between that one and the error
    bool isCut = false, isWhole = false;
    qsizetype end = before.size();
    for (qsizetype count = 0; count < mostLinesBefore && end > 0 && !isWhole; ++count) {
        qsizetype begin = end;
        while (begin > 0 && before[begin - 1] != '\n' && before[begin - 1] != '\r')
            --begin;
        const QByteArrayView line = before.sliced(begin, end - begin);
        end = begin - 1;
        const Place place = mayReportProgress(line) ? placeIn(line) : Place();
        if (!place.isKnown()) {
            behind.append(line);
            continue;
        }
        const quint64 own = RepeatedLines::shapeOf(line);
        isWhole = shape == own;
        if (shape)
            continue;
        m_place = place;
        shape = own;
        isCut = std::any_of(
            behind.cbegin(), behind.cend(), [line](QByteArrayView other) { return beginsLike(other, line); });
    }
    const bool isFirstBlock = offset == before.size() && offset < leastBlock;
    m_isPrompt = m_place.isKnown() && (isFirstBlock || (isWhole && !isCut));
}

void Aftermath::watchError(QByteArrayView before, qint64 offset)
{
    const bool isWatchedAlready = m_errorBytes > 0; // one error has several lines
    if (!isWatchedAlready && ++m_errors > mostErrors)
        return;
    m_errorBytes = watchedBytes;
    m_sinceError = 0;
    m_advances = m_lateAdvances = 0;
    if (isWatchedAlready)
        return;
    m_isSaid = false;
    readBefore(before, offset);
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
    const QString text = QString::fromUtf8(withoutControls(piece));
    if (saysEndOfTraining(text))
        return true;
    const Place place = placeIn(piece);
    if (!place.isKnown())
        return false;
    // bars are written at once, as errors are; lines may have waited in a buffer
    const bool isBar = place.step && progressHints(text).first().kind == ProgressHint::Kind::Bar;
    // a rank that noticed nothing yet may take one more step
    if (place.isBeyond(m_place)) {
        m_advances += isBar || m_isPrompt || m_isSaid ? 1 : 0;
        m_lateAdvances += m_sinceError > bufferBytes ? 1 : 0;
    }
    m_place = place;
    return m_advances >= enoughAdvances || m_lateAdvances >= enoughAdvances;
}

Aftermath::Seen Aftermath::follow(QByteArrayView piece)
{
    const qint64 length = piece.size() + 1;
    m_errorBytes = std::max<qint64>(0, m_errorBytes - length);
    m_lackBytes = std::max<qint64>(0, m_lackBytes - length);
    if (m_errorBytes > 0 && m_sinceError < wordsBytes)
        m_isSaid = m_isSaid || saysGoesOn(piece);
    const bool isHarmless = m_errorBytes > 0 && m_sinceError < wordsBytes && showsHarmless(piece);
    m_sinceError += length;
    if (isHarmless) {
        m_errorBytes = 0;
        return Seen::Survived;
    }
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
