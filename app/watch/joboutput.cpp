// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/joboutput.h"

#include "app/watch/outputfilesofjob.h"
#include "models/core/units.h"
#include "models/insight/diagnosis/cluefinder.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/log/followscript.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mostCounted = 8LL * 1024 * 1024 * 1024; ///< bytes up to which lines are counted
constexpr int causeSeconds = 60;
constexpr std::size_t mostPlaces = 4096; ///< whose lines are counted and kept

} // namespace

JobOutput::JobOutput(RemoteShell& shell, QObject* parent) : QObject(parent), m_shell(shell), m_search(shell)
{
    connect(&m_search, &LogSearch::found, this, &JobOutput::searchFound);
    connect(&m_search, &LogSearch::stateChanged, this, &JobOutput::searchChanged);
}

JobOutput::~JobOutput() = default;

void JobOutput::setPatterns(const QList<UserPattern>& patterns)
{
    m_patterns = patterns;
    m_patternTrouble.clear();
    for (auto& [file, source] : m_sources)
        source.reader.setPatterns(patterns);
}

void JobOutput::start(const JobRecord& job)
{
    if (isStarted() || job.standardOutput.isEmpty())
        return;
    m_diagnoser.setNodes(job.nodes);
    m_tail = std::make_unique<LogTail>(m_shell, outputFilesOf(job), m_lastBytes);
    connect(m_tail.get(), &LogTail::bytesArrived, this, &JobOutput::read);
    connect(m_tail.get(), &LogTail::troubleChanged, this, &JobOutput::troubleChanged);
    connect(m_tail.get(), &LogTail::skippedTo, this, &JobOutput::handleSkip);
    connect(m_tail.get(), &LogTail::ended, this, &JobOutput::finish);
    connect(m_tail.get(), &LogTail::fileFound, this, [this](int file) {
        m_diagnoser.setRank(m_tail->files().at(file).rank, file);
        emit filesChanged(files());
    });
    m_tail->start();
    askOutputFiles(job);
}

void JobOutput::askOutputFiles(const JobRecord& job)
{
    m_shell.run(outputQuestion(job), this, [this, job](const Result<CommandOutcome>& outcome) {
        if (outcome && m_tail)
            m_tail->add(outputFilesOf(job, outcome->output)); // without an answer the output alone is followed
    });
}

QList<LogFileName> JobOutput::files() const
{
    QList<LogFileName> names;
    const QList<LogTail::Followed>& known = m_tail ? m_tail->files() : m_lastFiles;
    for (qsizetype i = 0; i < known.size(); ++i) {
        const LogTail::Followed& file = known.at(i);
        if (file.offset)
            names.append({int(i), file.path, shortName(file.path, file.rank), file.rank});
    }
    return names;
}

void JobOutput::handleSkip(qint64 offset, int file)
{
    Source& source = m_sources[file];
    const bool isFirst = source.reader.bytesRead() == 0;
    if (offset == 0) { // the file was started again: a requeued job
        source.reader.reset();
        std::erase_if(m_counted, [file](const auto& place) { return place.first.first == file; });
    }
    source.reader.setPatterns(m_patterns);
    source.reader.startAt(offset, file);
    source.startedAt = offset;
    source.linesBefore.reset();
    m_diagnoser.startAt(offset, file);
    if (offset == 0 && !isFirst) {
        m_diagnoser.forget(file);
        refreshDiagnoses();
        forgetBinding();
    }
    LogLine note;
    note.isNote = true;
    note.file = file;
    note.offset = offset;
    note.text = offset == 0 ? u"… the file starts over"_s
        : isFirst           ? u"… %1 before this are on the cluster: scroll up"_s.arg(humanBytes(Bytes{offset}))
                            : u"… output came faster than it can be shown: it goes on here"_s;
    emit linesArrived({note});
    countLines(offset, file);
    if (offset > 0 && isFirst)
        askRanks(offset, file);
}

void JobOutput::countLines(qint64 offset, int file)
{
    const QString path = (m_tail ? m_tail->files() : m_lastFiles).value(file).path;
    if (offset <= 0 || offset > mostCounted || path.isEmpty())
        return;
    m_shell.run(countLinesCommand(path, offset), this, [this, offset, file](const Result<CommandOutcome>& outcome) {
        bool fine = false;
        const qint64 lines = outcome ? outcome->output.trimmed().toLongLong(&fine) : 0;
        if (!fine)
            return;
        setCounted(file, offset, lines);
        Source& source = m_sources[file];
        if (source.startedAt != offset)
            return;
        source.linesBefore = lines;
        m_diagnoser.setFirstLine(lines, file);
        refreshDiagnoses();
    });
}

void JobOutput::setCounted(int file, qint64 offset, qint64 linesBefore)
{
    if (m_counted.size() >= mostPlaces)
        m_counted.clear();
    m_counted[{file, offset}] = linesBefore;
    emit linesCounted(file, offset, linesBefore);
}

/// What is known of a place gives its neighbours; else the cluster counts.
void JobOutput::numberPiece(const LogPiece& piece, const QByteArray& bytes)
{
    const qint64 feeds = bytes.count('\n');
    const auto begin = m_counted.find({piece.file, piece.begin});
    const auto end = m_counted.find({piece.file, piece.end});
    if (piece.begin == 0)
        setCounted(piece.file, piece.end, feeds); // the beginning needs no counting
    else if (begin != m_counted.end())
        setCounted(piece.file, piece.end, begin->second + feeds);
    else if (end != m_counted.end())
        setCounted(piece.file, piece.begin, end->second - feeds);
    else
        countLines(piece.begin, piece.file);
}

void JobOutput::read(const QByteArray& bytes, int file)
{
    const auto known = m_sources.find(file);
    Source& source = known != m_sources.end() ? known->second : m_sources[file];
    if (known == m_sources.end()) {
        source.reader.startAt(0, file);
        source.reader.setPatterns(m_patterns);
        source.linesBefore = 0;
    }
    const qsizetype points = source.reader.losses().size();
    QList<LogLine> lines = source.reader.feed(bytes);
    const auto rank = m_tail ? m_tail->files().at(file).rank : std::nullopt;
    for (LogLine& line : lines) {
        if (!line.rank)
            line.rank = rank;
    }
    if (!lines.isEmpty())
        emit linesArrived(lines);
    const auto step = m_progress.step;
    followProgress(source, file);
    const bool hasNewSteps = m_progress.step.value_or(0) > 0 && m_progress.step != step;
    readRanks(lines, hasNewSteps ? NewSteps::Some : NewSteps::None);
    if (file == m_progressFile && source.reader.losses().size() != points)
        emit lossesChanged(source.reader.losses());
    m_diagnoser.feed(bytes, file);
    refreshDiagnoses();
    if (!source.reader.patternTrouble().isEmpty() && m_patternTrouble != source.reader.patternTrouble()) {
        m_patternTrouble = source.reader.patternTrouble();
        emit troubleChanged(Error{Fault::Invalid, m_patternTrouble, {}, u"Simplify it."_s});
    }
}

void JobOutput::followProgress(const Source& source, int file)
{
    const TrainingProgress& reported = source.reader.progress();
    if (reported == TrainingProgress() || (file == m_progressFile && reported == m_read))
        return;
    if (m_progressFile && file > *m_progressFile && m_sources[*m_progressFile].reader.progress().step)
        return; // several files count: the first one is followed
    const bool changes = file != m_progressFile;
    m_progressFile = file;
    if (std::exchange(m_read, reported) == reported)
        return;
    if (changes)
        m_meter = StepMeter();
    m_meter.addProgress(reported, QDateTime::currentMSecsSinceEpoch());
    if (const LogTail::Followed at = m_tail ? m_tail->files().value(file) : LogTail::Followed();
        at.offset.value_or(-1) < at.size)
        m_meter.forgetArrivals(); // what was written before we came arrives faster than it was written
    m_progress = reported;
    m_progress.stepSeconds = m_meter.stepSeconds();
    emit progressChanged(m_progress);
    if (changes && !source.reader.losses().isEmpty())
        emit lossesChanged(source.reader.losses());
}

/// `steps`: among these lines, or before them, are steps of the training; where ranks report in the same lines, only a
/// bar behind them shows that these steps are not of the run before.
void JobOutput::readRanks(const QList<LogLine>& lines, NewSteps steps)
{
    RankBinding binding = m_binding;
    bool reports = false, behind = false;
    for (const LogLine& line : lines) {
        if (const auto report = readRankReport(line.text)) {
            binding.addReport(*report);
            reports = true;
            behind = false;
        } else {
            behind = behind || line.isProgress;
        }
    }
    if (steps == NewSteps::Some && (!reports || behind))
        binding.begin();
    setBinding(binding);
}

void JobOutput::setBinding(const RankBinding& binding)
{
    if (m_binding == binding)
        return;
    m_binding = binding;
    emit bindingChanged(m_binding);
}

void JobOutput::forgetBinding()
{
    RankBinding binding = m_binding;
    binding.forget();
    setBinding(binding);
}

/// Ranks report before all else: in a long file, before what is read of it.
void JobOutput::askRanks(qint64 before, int file)
{
    const QString path = (m_tail ? m_tail->files() : m_lastFiles).value(file).path;
    if (path.isEmpty())
        return;
    RemoteCommand command = rankLinesCommand(path, before);
    command.deadlineSeconds = causeSeconds;
    m_shell.run(command, this, [this](const Result<CommandOutcome>& outcome) {
        if (!outcome || m_binding.isReported()) // those of a later start are known
            return;
        RankBinding binding;
        for (const QByteArray& line : outcome->output.split('\n')) {
            if (const auto report = readRankReport(QString::fromUtf8(line).remove(u'\r')))
                binding.addReport(*report);
        }
        if (m_completed || m_progress.step.value_or(0) > 0)
            binding.begin();
        setBinding(binding);
    });
}

const QList<LossPoint>& JobOutput::losses() const
{
    static const QList<LossPoint> none;
    const auto source = m_progressFile ? m_sources.find(*m_progressFile) : m_sources.end();
    return source == m_sources.end() ? none : source->second.reader.losses();
}

void JobOutput::refreshDiagnoses(bool always)
{
    if (!always && m_diagnoser.revision() == m_seenRevision)
        return;
    m_seenRevision = m_diagnoser.revision();
    QList<Diagnosis> found = m_diagnoser.diagnoses();
    if (m_completed)
        found.removeIf([](const Diagnosis& one) { return !isHealthRule(one.rule); });
    for (Diagnosis& one : found)
        one.confirmed = one.confirmed || m_failed || m_isConfirmed;
    if (found == m_diagnoses)
        return;
    m_diagnoses = std::move(found);
    emit diagnosesChanged(m_diagnoses);
}

void JobOutput::confirmFailures()
{
    if (std::exchange(m_isConfirmed, true))
        return;
    refreshDiagnoses(true);
}

void JobOutput::finishUp(int graceMs, JobState state)
{
    m_completed = state == JobState::Completed;
    m_failed = hasEnded(state) && !m_completed && state != JobState::Cancelled;
    refreshDiagnoses(true);
    if (m_tail)
        m_tail->finishUp(graceMs);
    else
        QTimer::singleShot(0, this, &JobOutput::finish);
}

void JobOutput::finish()
{
    if (m_ended)
        return;
    m_ended = true;
    for (auto& [file, source] : m_sources) {
        const QList<LogLine> lines = source.reader.finish();
        if (!lines.isEmpty())
            emit linesArrived(lines);
        followProgress(source, file);
        readRanks(lines, NewSteps::None);
    }
    if (m_completed) { // by then every rank has looked
        RankBinding binding = m_binding;
        binding.begin();
        setBinding(binding);
    }
    refreshDiagnoses(true); // a last line without its end counts now
    if (m_tail) {
        m_lastFiles = m_tail->files();
        m_tail->disconnect(this);
        m_tail.release()->deleteLater(); // we may be inside one of its signals
    }
    if (m_failed)
        seekCause();
    emit ended();
}

/// A cause may be far before what was read: after it come the other ranks' messages. The cluster looks for it.
void JobOutput::seekCause()
{
    if (std::exchange(m_soughtCause, true))
        return;
    for (const auto& [file, source] : m_sources) {
        if (source.startedAt <= 0)
            continue;
        RemoteCommand command = causeCommand(m_lastFiles.value(file).path, source.startedAt);
        command.deadlineSeconds = causeSeconds;
        m_shell.run(command, this, [this, number = file](const Result<CommandOutcome>& outcome) {
            if (!outcome)
                return;
            for (const QByteArray& line : outcome->output.split('\n')) {
                const qsizetype colon = line.indexOf(':');
                bool fine = false;
                const qint64 offset = line.left(qMax<qsizetype>(0, colon)).toLongLong(&fine);
                if (fine)
                    m_diagnoser.feedLine(line.mid(colon + 1), offset, 0, number);
            }
            refreshDiagnoses();
        });
    }
}

void JobOutput::askBefore(int file, qint64 offset)
{
    LogPiece piece;
    piece.file = file;
    piece.place = LogPiece::Place::Before;
    piece.begin = qMax<qint64>(0, offset - pieceBytes);
    piece.end = offset;
    if (offset > 0)
        fetch(piece);
}

void JobOutput::askBehind(int file, qint64 offset)
{
    LogPiece piece;
    piece.file = file;
    piece.place = LogPiece::Place::Behind;
    piece.begin = offset;
    piece.end = offset + pieceBytes;
    fetch(piece);
}

void JobOutput::askLatest(int file)
{
    const qint64 size = (m_tail ? m_tail->files() : m_lastFiles).value(file).offset.value_or(0);
    LogPiece piece;
    piece.file = file;
    piece.begin = qMax<qint64>(0, size - pieceBytes);
    piece.end = qMax<qint64>(0, size);
    fetch(piece);
}

void JobOutput::askAround(int file, qint64 offset)
{
    LogPiece piece;
    piece.file = file;
    piece.begin = qMax<qint64>(0, offset - pieceBytes / 2);
    piece.end = offset + pieceBytes / 2;
    piece.focus = offset;
    fetch(piece);
}

void JobOutput::search(int file, const LogQuery& query)
{
    m_search.start((m_tail ? m_tail->files() : m_lastFiles).value(file).path, file, query);
}

void JobOutput::fetch(const LogPiece& piece)
{
    const QString path = (m_tail ? m_tail->files() : m_lastFiles).value(piece.file).path;
    if (path.isEmpty())
        return;
    m_shell.run(rangeCommand(path, piece.begin, piece.end - piece.begin), this,
        [this, piece](const Result<CommandOutcome>& outcome) {
            if (outcome && outcome->succeeded())
                deliverPiece(piece, outcome->output);
            else if (!outcome)
                emit troubleChanged(outcome.error().within(u"That part of the output could not be read"_s));
        });
}

/// Cuts a piece at line ends, so that the next one goes on where it stops.
void JobOutput::deliverPiece(LogPiece piece, const QByteArray& bytes)
{
    const auto isEnd = [](char byte) { return byte == '\n' || byte == '\r'; };
    const qint64 known = (m_tail ? m_tail->files() : m_lastFiles).value(piece.file).offset.value_or(0);
    qsizetype begin = 0;
    qsizetype end = bytes.size();
    piece.reachesEnd = piece.begin + end >= known;
    if (piece.begin > 0 && piece.place != LogPiece::Place::Behind) {
        while (begin < end && !isEnd(bytes.at(begin)))
            ++begin;
        begin = begin < end ? begin + 1 : 0; // one line fills it all: it is cut
    }
    if (piece.place != LogPiece::Place::Before) {
        qsizetype last = end;
        while (last > begin && !isEnd(bytes.at(last - 1)))
            --last;
        if (last > begin)
            end = last;
    }
    TrainingLogReader reader;
    reader.startAt(piece.begin + begin, piece.file);
    piece.lines = reader.feed(bytes.mid(begin, end - begin));
    piece.lines += reader.finish();
    const auto rank = (m_tail ? m_tail->files() : m_lastFiles).value(piece.file).rank;
    for (LogLine& line : piece.lines) {
        if (!line.rank)
            line.rank = rank;
    }
    piece.end = piece.begin + end;
    piece.begin += begin;
    emit pieceArrived(piece);
    numberPiece(piece, bytes.mid(begin, end - begin));
}

} // namespace rankwright
