// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/traininglogreader.h"

#include "models/insight/progress/progressclues.h"
#include "models/insight/progress/trainingfigures.h"

#include <QElapsedTimer>
#include <QtMath>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 slowMatchMs = 50; // of a pattern, for one line
constexpr int mostStrikes = 3;
constexpr qsizetype mostLosses = 4096;

/// Do these bytes end a piece of text? A backspace starts overwriting as a carriage return does (Keras 2).
bool endsPiece(char byte) { return byte == '\n' || byte == '\r' || byte == '\b'; }

/// One behind the last byte that ends a line; a carriage return at the very end may be half of a line end of DOS.
qsizetype behindLastLine(QByteArrayView all)
{
    qsizetype whole = all.size();
    while (whole > 0 && (!endsPiece(all[whole - 1]) || (whole == all.size() && all[whole - 1] == '\r')))
        --whole;
    return whole;
}

bool isBlank(QByteArrayView piece)
{
    return std::all_of(piece.begin(), piece.end(), [](char byte) { return byte == ' ' || byte == '\t'; });
}

/// Keras 3 prints a loss with four decimals: the last one is whole.
bool hasFourDecimals(const QByteArray& open)
{
    const QByteArray line = withoutControls(open.trimmed());
    const qsizetype point = line.lastIndexOf('.');
    return point > 0 && line.size() - point == 5
        && std::all_of(line.cbegin() + point + 1, line.cend(), [](char one) { return one >= '0' && one <= '9'; });
}

/// Ultralytics' bar ends in a time: "9.8s<14.4s", "1:02:10<2:01:05".
bool isWholeThinBar(const QByteArray& open)
{
    const QByteArray bar = open.trimmed();
    return bar.contains("% \xe2\x94\x81") && (bar.endsWith('s') || (bar.size() > 3 && bar.at(bar.size() - 3) == ':'));
}

LogLine shownLine(QByteArrayView raw)
{
    TerminalLine shown = terminalLine(raw);
    LogLine line;
    line.text = std::move(shown.text);
    line.spans = std::move(shown.spans);
    while (line.text.endsWith(u' '))
        line.text.chop(1);
    line.rank = rankOf(line.text);
    return line;
}

void append(QList<LogLine>& lines, const LogLine& line)
{
    if (line.isProgress && line.text.trimmed().isEmpty())
        return;
    if (line.isProgress && !lines.isEmpty() && lines.last().isProgress && lines.last().rank == line.rank)
        lines.last() = line;
    else
        lines.append(line);
}

} // namespace

void TrainingLogReader::startAt(qint64 offset, int file)
{
    m_pending.clear();
    m_scanned = 0;
    m_cut = 0;
    m_shown.clear();
    m_offset = offset;
    m_file = file;
    m_readFrom = offset;
    m_nth = 1;
}

QList<LogLine> TrainingLogReader::feed(const QByteArray& bytes)
{
    QList<LogLine> lines;
    m_bytesRead += bytes.size();
    m_pending += bytes;
    if (m_summaryOnly && m_patterns.isEmpty()) {
        const qsizetype whole = behindLastLine(m_pending);
        skim(QByteArrayView(m_pending).first(whole), LineEnd::Return);
        m_pending.remove(0, whole);
        m_cut = whole > 0 ? 0 : m_cut;
        m_scanned = whole > 0 ? 0 : m_scanned;
    }
    const QByteArrayView all(m_pending);
    qsizetype begin = 0;
    for (qsizetype at = m_scanned; at < all.size(); ++at) {
        const char byte = all[at];
        if (!endsPiece(byte))
            continue;
        if (byte == '\r' && at + 1 == all.size())
            break; // the next byte decides whether this is a line end of DOS
        const bool dosEnd = byte == '\r' && all[at + 1] == '\n';
        const qint64 length = at - begin;
        const QByteArrayView piece = all.sliced(begin, qMin<qsizetype>(length, longestLine));
        const bool overwritten = byte != '\n' && !dosEnd;
        if (m_summaryOnly)
            skim(piece, overwritten ? LineEnd::Return : LineEnd::Newline);
        else if (!overwritten || !isBlank(piece))
            append(lines,
                read(piece, byte == '\r' && !dosEnd ? LineEnd::Return : LineEnd::Newline,
                    m_cut + length - piece.size()));
        m_nth += overwritten ? 0 : 1;
        at += dosEnd ? 1 : 0;
        if (m_offset)
            *m_offset += at + 1 - begin + m_cut;
        begin = at + 1;
        m_cut = 0;
        m_shown.clear();
    }
    m_pending.remove(0, begin);
    const bool endsOpen = m_pending.endsWith('\r');
    if (m_pending.size() > longestLine + 1) {
        const qsizetype kept = longestLine + (endsOpen ? 1 : 0);
        m_cut += m_pending.size() - kept;
        m_pending.truncate(longestLine);
        if (endsOpen)
            m_pending += '\r';
    }
    m_scanned = m_pending.size() - (endsOpen ? 1 : 0);
    updatePace();
    if (m_summaryOnly)
        return lines;
    // A bar has no end until the next one comes: what is there whole is reported now.
    const QByteArray open = m_pending.size() < 2000 ? m_pending.trimmed() : QByteArray();
    if (open.endsWith(']') && open.contains("%|") && open != m_shown) {
        m_shown = open;
        append(lines, read(open, LineEnd::Return, 0));
        updatePace();
    }
    return lines;
}

QList<LogLine> TrainingLogReader::finish()
{
    QList<LogLine> lines;
    m_repeated.flush([this](const QByteArray& raw, LineEnd end) { read(raw, end, 0); });
    const qsizetype lastField = m_pending.lastIndexOf(" - ");
    const qsizetype bracket = m_pending.indexOf("] - ");
    const qsizetype perStep = m_pending.indexOf("/step - "); // Keras 3
    const QByteArrayView open(m_pending);
    const bool isCounter = m_pending.contains("it/s") || m_pending.contains("s/it");
    const bool isBar = m_pending.contains("%|") || (isCounter && m_pending.contains(" ["));
    if (m_summaryOnly && isBar && m_pending.trimmed().endsWith(']')) {
        read(open, LineEnd::Return, 0); // a bar has no end until the next one comes
    } else if (m_summaryOnly && isWholeThinBar(m_pending)) {
        read(open, LineEnd::Return, 0);
    } else if (bracket > 0 && lastField > bracket && m_pending.lastIndexOf('/', bracket) > 0) {
        append(lines, read(open.first(lastField), LineEnd::Return, 0));
    } else if (perStep > 0 && (lastField > perStep + 1 || hasFourDecimals(m_pending))) {
        append(lines, read(hasFourDecimals(m_pending) ? open : open.first(lastField), LineEnd::Return, 0));
    } else if (!m_summaryOnly && !isBlank(open) && m_pending.trimmed() != m_shown) {
        // shown, not read: it may be cut
        LogLine line = shownLine(open.first(qMin<qsizetype>(open.size(), longestLine)));
        line.cutBytes = m_cut + qMax<qint64>(0, open.size() - longestLine);
        setPlace(line);
        line.isError = looksLikeError(line.text);
        append(lines, line);
    }
    if (m_offset)
        *m_offset += m_pending.size() + m_cut;
    m_cut = 0;
    m_scanned = 0;
    m_pending.clear();
    updatePace();
    return lines;
}

/// A line, or whole lines one after the other, of a log that is not shown: one pass for what may report something, and
/// of that only what nothing later outdates is read.
void TrainingLogReader::skim(QByteArrayView raw, LineEnd lineEnd)
{
    const auto readLater = [this](const QByteArray& bytes, LineEnd itsEnd) { read(bytes, itsEnd, 0); };
    if (!m_patterns.isEmpty()) {
        read(raw, lineEnd, 0);
        return;
    }
    for (qsizetype at = 0; at < raw.size();) {
        const qsizetype clue = m_table.isOpen() ? at : nextProgressClue(raw, at); // each line may be a row
        if (clue < 0)
            return;
        qsizetype begin = clue;
        while (begin > at && !endsPiece(raw[begin - 1]))
            --begin;
        qsizetype end = clue;
        while (end < raw.size() && !endsPiece(raw[end]))
            ++end;
        const LineEnd ofLine = end == raw.size() ? lineEnd : raw[end] == '\r' ? LineEnd::Return : LineEnd::Newline;
        const QByteArrayView line = raw.sliced(begin, qMin(end - begin, longestLine));
        at = end + 1;
        if (m_table.isOpen() || FigureTable::mayBegin(line)) {
            m_repeated.flush(readLater);
            read(line, ofLine, 0);
        } else {
            m_repeated.add(line, ofLine, readLater);
        }
    }
}

void TrainingLogReader::setPlace(LogLine& line) const
{
    line.offset = m_offset;
    line.file = m_file;
    line.readFrom = m_readFrom;
    line.nth = m_readFrom ? m_nth : 0;
}

LogLine TrainingLogReader::read(QByteArrayView raw, LineEnd end, qint64 cut)
{
    LogLine line = shownLine(raw);
    line.cutBytes = cut;
    setPlace(line);
    const bool reports = !m_patterns.isEmpty() || m_table.isOpen() || mayReportProgress(raw);
    const QList<ProgressHint> hints = reports ? hintsOf(line.text, raw) : QList<ProgressHint>();
    const bool hasBar = !hints.isEmpty() && hints.first().kind == ProgressHint::Kind::Bar;
    line.isProgress = end == LineEnd::Return || (hasBar && hints.size() == 1) || line.text.contains(u"%|"_s);
    line.isError = !line.isProgress && hints.isEmpty() && mayReportError(raw) && looksLikeError(line.text);
    applyHints(hints);
    return line;
}

QList<ProgressHint> TrainingLogReader::hintsOf(const QString& text, QByteArrayView raw)
{
    if (m_patternTrouble.isEmpty()) {
        for (const UserPattern& pattern : std::as_const(m_patterns)) {
            QElapsedTimer clock;
            clock.start();
            bool gaveUp = false;
            auto hint = pattern.read(withoutTaskLabel(text), &gaveUp);
            if (gaveUp || clock.elapsed() > slowMatchMs) {
                if (++m_patternStrikes < mostStrikes)
                    continue;
                m_patternTrouble = QStringLiteral("The progress pattern %1 takes too long and is no longer used.")
                                       .arg(pattern.expression());
                break;
            }
            if (!hint)
                continue;
            m_patternMatched = true;
            hint->framework = QStringLiteral("pattern");
            return {*hint};
        }
    }
    return m_patternMatched ? QList<ProgressHint>() : knownHints(text, raw);
}

/// What a line says beside those above it: a row of a table, a figure below the heading of its step.
QList<ProgressHint> TrainingLogReader::knownHints(const QString& text, QByteArrayView raw)
{
    constexpr int mostHeadingLines = 40;
    // what is shown has blanks in the place of tabs
    if (const auto row = m_table.read(raw.contains('\t') ? QString::fromUtf8(raw) : text))
        return {*row};
    QList<ProgressHint> hints = progressHints(text);
    const auto isHeading = [](const ProgressHint& hint) { return hint.kind == ProgressHint::Kind::Step && !hint.loss; };
    const auto alone = hints.isEmpty() ? stepAlone(text) : std::nullopt;
    if (alone || std::any_of(hints.cbegin(), hints.cend(), isHeading)) {
        m_headingLines = mostHeadingLines;
        m_headingStep = alone;
    } else if (m_headingLines > 0) {
        --m_headingLines;
        const auto loss = hints.isEmpty() ? lossAlone(text) : std::nullopt;
        if (loss) {
            m_headingLines = 0;
            hints.append(ProgressHint());
            hints.last().step = std::exchange(m_headingStep, {});
            hints.last().kind = hints.last().step ? ProgressHint::Kind::Step : ProgressHint::Kind::Epoch;
            hints.last().loss = loss;
        }
    }
    return hints;
}

/// A bar that counts samples counts steps once the log has said its global batch; one of tokens never does.
void TrainingLogReader::applyBar(const ProgressHint& given)
{
    ProgressHint bar = given;
    if (bar.isOfRun)
        bar.epoch.reset(); // it says how far the run is, not what the steps belong to
    const Counted counted = countedBy(bar.rateUnit);
    const qint64 batch = counted == Counted::Samples ? m_progress.globalBatch.value_or(0) : 0;
    if (batch > 0) {
        for (std::optional<qint64>* count : {&bar.step, &bar.steps})
            *count = *count ? std::optional(**count / batch) : std::nullopt;
    }
    const bool isNested = !bar.epoch && m_sawBar && m_progress.step && m_progress.steps && bar.steps < m_progress.steps
        && m_progress.step < m_progress.steps;
    if (isNested) // a short bar inside an unfinished long one: an evaluation
        return;
    m_sawBar = true;
    m_progress.countsOthers = counted != Counted::Steps && batch == 0;
    m_progress.step = bar.step;
    m_progress.steps = bar.steps;
    m_progress.stepWithinEpoch = bar.epoch.has_value();
    m_progress.etaSeconds = bar.etaSeconds;
    if (bar.epoch) {
        m_stepsPerEpoch = qMax(m_stepsPerEpoch, bar.steps.value_or(0));
        const double epochsBefore = qMax(0.0, *bar.epoch - (bar.epochs ? 1 : 0)); // some count them from 0
        const qint64 before = qint64(epochsBefore * double(m_stepsPerEpoch));
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
            addLoss(double(global), *bar.loss);
    } else if (bar.loss) {
        addLoss(double(bar.step.value_or(0)), *bar.loss);
    }
    if (bar.rate) {
        m_progress.rate = bar.rate;
        m_progress.rateUnit = bar.rateUnit;
    }
}

void TrainingLogReader::applyHints(const QList<ProgressHint>& hints)
{
    for (const ProgressHint& hint : hints) {
        if (!hint.framework.isEmpty()
            && (m_progress.framework.isEmpty() || m_progress.framework == u"tqdm"_s
                || m_progress.framework == u"generic"_s || hint.framework == u"pattern"_s))
            m_progress.framework = hint.framework;
        if (hint.epochs)
            m_progress.epochs = hint.epochs;
        if (hint.epoch)
            m_progress.epoch = hint.epoch;
        if (hint.loss)
            m_progress.loss = hint.loss;
        if (hint.microBatch && *hint.microBatch > 0)
            m_progress.microBatch = hint.microBatch;
        if (hint.globalBatch && *hint.globalBatch > 0)
            m_progress.globalBatch = hint.globalBatch;
        applyFigures(hint);
        switch (hint.kind) {
        case ProgressHint::Kind::Bar: applyBar(hint); break;
        case ProgressHint::Kind::Totals:
            if (hint.steps)
                m_progress.steps = hint.steps;
            break;
        case ProgressHint::Kind::Epoch:
            // a figure on a line of its own
            if (hint.rate && !m_sawBar && (!m_progress.rate || m_progress.rateUnit == hint.rateUnit)) {
                m_progress.rate = hint.rate;
                m_progress.rateUnit = hint.rateUnit;
            }
            if (hint.etaSeconds && !m_sawBar)
                m_progress.etaSeconds = hint.etaSeconds;
            if (hint.loss)
                addLoss(m_progress.step ? double(*m_progress.step) : hint.epoch.value_or(0), *hint.loss);
            break;
        case ProgressHint::Kind::Step: applyStep(hint); break;
        case ProgressHint::Kind::Figures: break;
        }
        if (!hint.rate || m_progress.rate != hint.rate)
            continue;
        if (const auto seconds = stepSecondsByRate(m_progress)) {
            m_meter.report(*seconds);
            m_hasReport = true;
        }
    }
}

void TrainingLogReader::applyFigures(const ProgressHint& hint)
{
    const auto keep = [](std::optional<double>& figure, const std::optional<double>& reported) {
        figure = reported ? reported : figure;
    };
    keep(m_progress.reward, hint.reward);
    keep(m_progress.kl, hint.kl);
    keep(m_progress.evalLoss, hint.evalLoss);
    keep(m_progress.tokensPerSecond, hint.tokensPerSecond);
    keep(m_progress.samplesPerSecond, hint.samplesPerSecond);
}

void TrainingLogReader::updatePace()
{
    if (std::exchange(m_hasReport, false))
        m_progress.stepSeconds = m_meter.stepSeconds();
}

void TrainingLogReader::applyStep(const ProgressHint& hint)
{
    if (m_sawBar && !hint.loss && !hint.steps) // of the library under the program (DeepSpeed): the bar counts
        return;
    if (hint.isRow && m_sawBar && hint.step <= m_progress.step) {
        if (hint.loss)
            addLoss(double(hint.step.value_or(0)), *hint.loss);
        return;
    }
    std::optional<double> epoch = hint.epoch || !hint.nameless ? hint.epoch : m_progress.epoch;
    if (hint.isOfRun)
        epoch.reset();
    if (!epoch && hint.steps)
        m_globalSteps = *hint.steps;
    m_progress.countsOthers = false;
    m_progress.step = hint.step;
    if (!hint.steps && m_progress.steps && hint.step > m_progress.steps)
        m_progress.steps.reset(); // it was that of something else
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
        addLoss(before + double(hint.step.value_or(0)), *hint.loss);
}

void TrainingLogReader::addLoss(double step, double loss)
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

void TrainingLogReader::reset()
{
    const bool summaryOnly = m_summaryOnly;
    QList<UserPattern> patterns = std::move(m_patterns);
    *this = TrainingLogReader();
    m_patterns = std::move(patterns);
    m_summaryOnly = summaryOnly;
}

} // namespace rankwright::inline insight
