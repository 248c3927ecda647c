// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/trainingprogress.h"

#include "models/insight/progresspatterns.h"
#include "models/insight/terminaltext.h"

#include <QtMath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestLine = 16 * 1024; ///< a longer one is cut into lines: memory stays bounded
constexpr qsizetype mostLosses = 4096;

/// Do these bytes end a piece of text? A backspace starts overwriting as a carriage return does (Keras 2).
bool endsPiece(char byte) { return byte == '\n' || byte == '\r' || byte == '\b'; }

void append(QList<LogLine>& lines, const LogLine& line)
{
    if (line.text.trimmed().isEmpty() && line.isProgress)
        return;
    if (line.isProgress && !lines.isEmpty() && lines.last().isProgress && lines.last().rank == line.rank)
        lines.last() = line;
    else
        lines.append(line);
}

} // namespace

std::optional<double> TrainingProgress::fraction() const
{
    std::optional<double> share;
    if (step && steps && *steps > 0)
        share = double(*step) / double(*steps);
    if (stepWithinEpoch)
        share = share && epoch && epochs && *epochs > 0 ? std::optional<double>((*epoch - 1 + *share) / *epochs)
                                                        : std::nullopt;
    else if (!share && epoch && epochs && *epochs > 0)
        share = *epoch / *epochs;
    return share ? std::optional<double>(qBound(0.0, *share, 1.0)) : std::nullopt;
}

QList<LogLine> TrainingLogReader::feed(const QByteArray& bytes)
{
    QList<LogLine> lines;
    m_bytesRead += bytes.size();
    m_pending += bytes;
    qsizetype begin = 0;
    for (qsizetype at = 0; at < m_pending.size(); ++at) {
        const char byte = m_pending.at(at);
        if (!endsPiece(byte) && at - begin < longestLine)
            continue;
        if (byte == '\r' && at + 1 == m_pending.size())
            break; // the next byte decides whether this is a line end of DOS
        const bool dosEnd = byte == '\r' && m_pending.at(at + 1) == '\n';
        const QByteArray piece = m_pending.mid(begin, at - begin);
        if (byte == '\n' || dosEnd || !piece.trimmed().isEmpty())
            append(lines, read(piece, byte == '\r' && !dosEnd));
        at += dosEnd ? 1 : 0;
        begin = endsPiece(byte) ? at + 1 : at;
        m_shown.clear();
    }
    m_pending.remove(0, begin);
    // A bar has no end until the next one comes: what stands there whole is told now.
    QByteArray open = m_pending.trimmed();
    if (open.endsWith(']') && open.contains("%|") && open != m_shown) {
        m_shown = open;
        const LogLine line = read(open, true);
        append(lines, line);
    }
    return lines;
}

void TrainingLogReader::finish()
{
    const qsizetype lastField = m_pending.lastIndexOf(" - ");
    const qsizetype bracket = m_pending.indexOf("] - ");
    if (bracket > 0 && lastField > bracket && m_pending.lastIndexOf('/', bracket) > 0)
        read(m_pending.left(lastField), true);
    m_pending.clear();
}

LogLine TrainingLogReader::read(const QByteArray& raw, bool overwritten)
{
    LogLine line;
    line.text = QString::fromUtf8(withoutControls(raw));
    while (line.text.endsWith(u' '))
        line.text.chop(1);
    line.rank = rankOf(line.text);
    const QList<ProgressHint> hints = progressHints(line.text);
    const bool hasBar = !hints.isEmpty() && hints.first().kind == ProgressHint::Kind::Bar;
    line.isProgress = overwritten || (hasBar && hints.size() == 1) || line.text.contains(u"%|"_s);
    line.isError = !line.isProgress && hints.isEmpty() && looksLikeError(line.text);
    take(hints);
    return line;
}

void TrainingLogReader::takeBar(const ProgressHint& bar)
{
    const bool isNested = !bar.epoch && m_sawBar && m_progress.step && m_progress.steps && bar.steps < m_progress.steps
        && m_progress.step < m_progress.steps;
    if (isNested) // a short bar inside an unfinished long one: an evaluation
        return;
    m_sawBar = true;
    m_progress.step = bar.step;
    m_progress.steps = bar.steps;
    m_progress.stepWithinEpoch = bar.epoch.has_value();
    m_progress.etaSeconds = bar.etaSeconds;
    if (bar.epoch) {
        m_stepsPerEpoch = qMax(m_stepsPerEpoch, bar.steps.value_or(0));
        const qint64 before = qint64((*bar.epoch - (bar.epochs ? 1 : 0)) * double(m_stepsPerEpoch));
        const qint64 global = before + bar.step.value_or(0);
        if (m_globalSteps > 0 && bar.epochs && bar.steps < m_globalSteps) {
            // the log also counts steps of the whole training: one count is shown, not two in turn
            m_progress.step = qMin(global, m_globalSteps);
            m_progress.steps = m_globalSteps;
            m_progress.stepWithinEpoch = false;
            const bool perSecond = bar.rateUnit == u"it/s"_s && bar.rate && *bar.rate > 0;
            m_progress.etaSeconds = perSecond
                ? std::optional<double>(double(m_globalSteps - *m_progress.step) / *bar.rate)
                : std::nullopt;
        }
        if (bar.loss)
            keepLoss(double(global), *bar.loss);
    } else if (bar.loss) {
        keepLoss(double(bar.step.value_or(0)), *bar.loss);
    }
    if (bar.rate) {
        m_progress.rate = bar.rate;
        m_progress.rateUnit = bar.rateUnit;
    }
}

void TrainingLogReader::take(const QList<ProgressHint>& hints)
{
    for (const ProgressHint& hint : hints) {
        if (!hint.framework.isEmpty()
            && (m_progress.framework.isEmpty() || m_progress.framework == u"tqdm"_s
                || m_progress.framework == u"generic"_s))
            m_progress.framework = hint.framework;
        if (hint.epochs)
            m_progress.epochs = hint.epochs;
        if (hint.epoch)
            m_progress.epoch = hint.epoch;
        if (hint.loss)
            m_progress.loss = hint.loss;
        switch (hint.kind) {
        case ProgressHint::Kind::Bar: takeBar(hint); break;
        case ProgressHint::Kind::Totals:
            if (hint.steps)
                m_progress.steps = hint.steps;
            break;
        case ProgressHint::Kind::Epoch:
            if (hint.loss)
                keepLoss(m_progress.step ? double(*m_progress.step) : hint.epoch.value_or(0), *hint.loss);
            break;
        case ProgressHint::Kind::Step: takeStep(hint); break;
        }
    }
}

void TrainingLogReader::takeStep(const ProgressHint& hint)
{
    const std::optional<double> epoch = hint.epoch || !hint.nameless ? hint.epoch : m_progress.epoch;
    if (!epoch && hint.steps)
        m_globalSteps = *hint.steps;
    m_progress.step = hint.step;
    if (hint.steps)
        m_progress.steps = hint.steps;
    m_progress.stepWithinEpoch = epoch && hint.steps;
    if ((hint.rate || hint.nameless) && !m_sawBar) { // a bar without a rate has none yet
        m_progress.rate = hint.rate;
        m_progress.rateUnit = hint.rateUnit;
    }
    if (hint.etaSeconds || !m_sawBar)
        m_progress.etaSeconds = hint.etaSeconds;
    const double before
        = m_progress.stepWithinEpoch ? (*epoch - (m_progress.epochs ? 1 : 0)) * double(*hint.steps) : 0.0;
    if (hint.loss)
        keepLoss(before + double(hint.step.value_or(0)), *hint.loss);
}

void TrainingLogReader::keepLoss(double step, double loss)
{
    if (!qIsFinite(loss))
        return;
    if (!m_losses.isEmpty() && m_losses.last().step == step) {
        m_losses.last().loss = loss;
        return;
    }
    m_losses.append({step, loss});
    if (m_losses.size() <= mostLosses)
        return;
    // every second point goes; the newest stays
    QList<LossPoint> thinned;
    for (qsizetype i = (m_losses.size() - 1) % 2; i < m_losses.size(); i += 2)
        thinned.append(m_losses.at(i));
    m_losses = thinned;
}

void TrainingLogReader::reset() { *this = TrainingLogReader(); }

} // namespace rankwright
