// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/outputcontroller.h"

#include "app/base/settings.h"
#include "app/base/whendone.h"
#include "widgets/log/joblogview.h"
#include "widgets/log/patterndialog.h"

#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int previewLines = 300;
constexpr int slowMs = 1000;

struct FoundInText {
    QList<LogHit> hits;
    LogSearchState state;
};

/// "step 40 of 90, loss 1.5, 8.5 it/s, 30 s left"
QString inWords(const ProgressHint& hint)
{
    QStringList parts;
    const auto count = [&](const QString& name, const auto& value, const auto& total) {
        if (!value && !total)
            return;
        const QString first = value ? QString::number(double(*value), 'g', 12) : u"?"_s;
        parts.append(total
                ? OutputController::tr("%1 %2 of %3").arg(name, first, QString::number(double(*total), 'g', 12))
                : u"%1 %2"_s.arg(name, first));
    };
    count(OutputController::tr("step"), hint.step, hint.steps);
    count(OutputController::tr("epoch"), hint.epoch, hint.epochs);
    if (hint.loss)
        parts.append(OutputController::tr("loss %1").arg(*hint.loss));
    if (hint.rate)
        parts.append(
            OutputController::tr("rate %1 %2").arg(QString::number(*hint.rate, 'g', 8), hint.rateUnit).trimmed());
    if (hint.etaSeconds)
        parts.append(OutputController::tr("%1 left").arg(humanDuration(Seconds{qint64(*hint.etaSeconds)})));
    return parts.join(u", "_s);
}

void preview(PatternDialog& dialog, const QString& expression, const QStringList& lines)
{
    const auto pattern = UserPattern::from(expression);
    if (!pattern) {
        dialog.showPreview({}, int(lines.size()), pattern.error().what);
        return;
    }
    QList<PatternDialog::Row> rows;
    int strikes = 0;
    for (const QString& line : lines) {
        bool gaveUp = false;
        if (const auto hint = pattern->read(withoutTaskLabel(line), &gaveUp))
            rows.append({line, inWords(*hint)});
        strikes += gaveUp ? 1 : 0;
        if (strikes >= 3) {
            dialog.showPreview({}, int(lines.size()),
                OutputController::tr("This pattern tries too many combinations on a line: simplify it."));
            return;
        }
    }
    dialog.showPreview(rows, int(lines.size()), {});
}

} // namespace

OutputController::OutputController(JobLogView& view, QObject* parent) : QObject(parent), m_view(view)
{
    m_slow.setInterval(slowMs);
    connect(&m_slow, &QTimer::timeout, this, &OutputController::sayHowFar);
    connectView();
}

OutputController::~OutputController()
{
    if (m_reading)
        m_reading->dropped = true;
}

void OutputController::setSettings(Settings* settings)
{
    m_settings = settings;
    if (!settings)
        return;
    m_patterns = settings->userPatterns();
    m_view.setLineNumbers(settings->lineNumbers());
}

void OutputController::connectView()
{
    const auto forward = [this](auto signal, auto method) {
        connect(&m_view, signal, this, [this, method](auto... values) {
            if (m_output)
                (m_output->*method)(values...);
        });
    };
    forward(&JobLogView::beforeWanted, &JobOutput::askBefore);
    forward(&JobLogView::behindWanted, &JobOutput::askBehind);
    forward(&JobLogView::latestWanted, &JobOutput::askLatest);
    forward(&JobLogView::aroundWanted, &JobOutput::askAround);
    forward(&JobLogView::searchWanted, &JobOutput::search);
    forward(&JobLogView::searchCancelled, &JobOutput::cancelSearch);
    connect(&m_view, &JobLogView::latestWanted, this, [this](int file) { showText(file, {}); });
    connect(&m_view, &JobLogView::aroundWanted, this, &OutputController::showText);
    connect(&m_view, &JobLogView::searchWanted, this, &OutputController::searchText);
    connect(&m_view, &JobLogView::searchCancelled, this, &OutputController::cancelSearch);
    connect(&m_view, &JobLogView::lineNumbersToggled, this, [this](bool on) {
        if (m_settings)
            m_settings->setLineNumbers(on);
    });
    connect(&m_view, &JobLogView::patternWanted, this, &OutputController::askPattern);
}

void OutputController::forget()
{
    if (m_output)
        for (QObject* shown : {static_cast<QObject*>(&m_view), static_cast<QObject*>(this)})
            disconnect(m_output, nullptr, shown, nullptr);
    m_output.clear();
    m_texts.clear();
    m_slow.stop();
    if (m_reading)
        m_reading->dropped = true;
    m_reading.reset();
    ++m_jump;
    ++m_search;
    emit diagnosed({});
}

void OutputController::showDiagnoses(const QList<Diagnosis>& diagnoses)
{
    const QList<Diagnosis> sure = confirmedOf(diagnoses);
    m_view.showDiagnoses(sure);
    emit diagnosed(sure);
}

void OutputController::showTexts(const QList<OutputText>& texts, const JobRecord& job)
{
    forget();
    m_texts = texts;
    m_view.setFiles(namesOf(texts));
    for (int file = 0; file < int(texts.size()); ++file) {
        if (!texts.at(file).isCut())
            m_view.setLinesBefore(file, 0, 0);
    }
    if (texts.isEmpty()) {
        showDiagnoses({});
        return;
    }
    m_view.setEmptyText(tr("Reading the output …"));
    m_reading = std::make_shared<TextsReading>();
    m_slow.start();
    const QFuture<ShownTexts> reading = QtConcurrent::run(
        [texts, job, reading = m_reading] { return shownTexts(texts, job, JobLogView::maxLines, *reading); });
    whenDone(reading, this, [this, reading = m_reading](const ShownTexts& shown) {
        if (reading == m_reading) // else: something else is shown
            showRead(shown);
    });
}

void OutputController::showRead(const ShownTexts& shown)
{
    m_slow.stop();
    m_reading.reset();
    m_view.addRanks(shown.ranks);
    m_view.append(shown.lines);
    showDiagnoses(shown.diagnoses);
    m_view.setEmptyText(
        shown.lines.isEmpty() ? tr("The job wrote nothing.") : tr("No line passes what is chosen above."));
}

void OutputController::sayHowFar()
{
    if (m_reading)
        m_view.setEmptyText(
            tr("The output is read: %1 of %2 files …").arg(m_reading->filesRead.load()).arg(m_texts.size()));
}

/// One of the kept texts, whole.
void OutputController::showText(int file, std::optional<qint64> focus)
{
    if (file < 0 || file >= m_texts.size())
        return;
    const auto reading = QtConcurrent::run([text = m_texts.at(file), file, focus] {
        LogPiece piece;
        piece.file = file;
        piece.begin = text.from();
        piece.end = piece.begin + text.bytes.size();
        piece.reachesEnd = true;
        piece.focus = focus;
        piece.lines = linesOf(text, file);
        return piece;
    });
    whenDone(reading, this, [this, jump = ++m_jump](const LogPiece& piece) {
        if (jump == m_jump)
            m_view.showPiece(piece);
    });
}

void OutputController::searchText(int file, const LogQuery& query)
{
    if (file < 0 || file >= m_texts.size())
        return;
    const auto searching = QtConcurrent::run([text = m_texts.at(file), file, query] {
        FoundInText found;
        found.hits = hitsIn(text, file, query, found.state);
        return found;
    });
    whenDone(searching, this, [this, search = ++m_search](const FoundInText& found) {
        if (search != m_search)
            return;
        m_view.addHits(found.hits);
        m_view.showSearch(found.state);
    });
}

/// Of an output that is followed, that one says so.
void OutputController::cancelSearch()
{
    ++m_search;
    if (m_texts.isEmpty())
        return;
    LogSearchState stopped;
    stopped.isCutShort = true;
    m_view.showSearch(stopped);
}

void OutputController::follow(JobOutput& output)
{
    if (m_output != &output)
        forget();
    m_output = &output;
    if (const auto patterns = userPatterns(m_patterns))
        output.setPatterns(*patterns);
    connect(&output, &JobOutput::linesArrived, &m_view, &JobLogView::append);
    connect(&output, &JobOutput::filesChanged, &m_view, &JobLogView::setFiles);
    connect(&output, &JobOutput::pieceArrived, &m_view, &JobLogView::showPiece);
    connect(&output, &JobOutput::linesCounted, &m_view, &JobLogView::setLinesBefore);
    connect(&output, &JobOutput::diagnosesChanged, this, &OutputController::showDiagnoses);
    connect(&output, &JobOutput::searchFound, &m_view, &JobLogView::addHits);
    connect(&output, &JobOutput::searchChanged, &m_view, &JobLogView::showSearch);
}

void OutputController::askPattern()
{
    PatternDialog dialog(m_patterns.value(0), &m_view);
    const QStringList lines = m_view.newestLines(previewLines);
    connect(&dialog, &PatternDialog::edited, &dialog,
        [&](const QString& expression) { preview(dialog, expression, lines); });
    preview(dialog, dialog.expression(), lines);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString expression = dialog.expression().trimmed();
    m_patterns = expression.isEmpty() ? QStringList() : QStringList{expression};
    if (m_settings)
        m_settings->setProgressPatterns(m_patterns);
    const auto patterns = userPatterns(m_patterns);
    if (m_output && patterns)
        m_output->setPatterns(*patterns);
}

} // namespace rankwright
