// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/logdiagnoser.h"

#include "models/insight/diagnosis/cluefinder.h"
#include "models/insight/diagnosis/diagnosisorigin.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/progress/progressline.h"
#include "models/insight/text/terminaltext.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

using Role = DiagnosisRule::Role;

constexpr qsizetype longestPiece = 4096; ///< a longer line is examined in pieces: no expression runs on more
constexpr qsizetype longestEvidence = 400;
constexpr qsizetype mostWitnesses = 64;
constexpr qsizetype mostRanks = 64;
constexpr qsizetype longestBehind = 16384; ///< bytes before a line in which the last words are looked for
constexpr qsizetype mostEntries = 512; ///< of torchrun's summaries
constexpr qint64 mostLinesToCpu = 20;
constexpr qint64 hydraLines = 3; ///< from the name of a process to how it ended
constexpr int blockLines = 12; ///< of torchrun's block, with those of another agent between them

bool endsPiece(char byte) { return byte == '\n' || byte == '\r' || byte == '\b'; }

bool isLabelled(const QString& text) { return withoutTaskLabel(text).size() != text.size(); }

/// The program itself calls the line a warning: glog's and c10d's mark, a logger's level; or says that it ignores it.
bool isWarnedOf(const QString& text)
{
    static const QRegularExpression ignored(
        uR"(\b(?:(?:will ignore|ignoring) (?:this |the )?(?:error|exception)|(?:error|exception) ignored|(?:is|was|will be) ignored)\b|[(]ignored[)]|, ignoring\W*$|\bignored\W*$)"
        uR"(|\bskipp(?:ed|ing) (?:this |the |bad )?(?:sample|batch|file|record|row|image|item|example|episode)s?\b)"_s,
        QRegularExpression::CaseInsensitiveOption);
    const bool maySay
        = text.contains(u"ignor"_s, Qt::CaseInsensitive) || text.contains(u"skipp"_s, Qt::CaseInsensitive);
    if (maySay && ignored.match(text).hasMatch())
        return true;
    static const QRegularExpression form(
        uR"(^(?:\[rank ?\d+\]:? ?)?(?:\[?W\d{4} \d\d:|\[W\d* |\[W |WARNING\b|\[WARNING\])"
        uR"(|\W{0,2}(?:Warnung|Avertissement|Attention (?=:)|Advertencia|Aviso|\x{8b66}\x{544a}|\x{041f}\x{0440}\x{0435}\x{0434}\x{0443}\x{043f}\x{0440}\x{0435}\x{0436}\x{0434}\x{0435}\x{043d}\x{0438}\x{0435})\s?[:\]\x{3011}])"
        uR"(|\[?\d{4}-\d\d-\d\d[T ][\d:.,]+\]?(?: [\w.\[\]-]+:?)? \[?WARN(?:ING)?\b))"_s);
    return form.match(withoutTaskLabel(text).trimmed()).hasMatch();
}

/// Are the last lines from after the end of the training? Then peers leave since they are done.
bool isBehindEnd(const QByteArray& before)
{
    constexpr qsizetype enough = 1024; // bytes
    return saysEndOfTraining(QString::fromUtf8(before.right(enough)));
}

Diagnosis diagnosisOf(const DiagnosisRule& rule)
{
    Diagnosis diagnosis;
    diagnosis.kind = rule.kind;
    diagnosis.rule = rule.id;
    diagnosis.advice = rule.advice;
    diagnosis.source = rule.source;
    return diagnosis;
}

/// Of the line after this number of line feeds; a line from elsewhere may come without its number.
std::optional<qint64> lineNumber(qint64 lineFeeds)
{
    return lineFeeds >= 0 ? std::optional(lineFeeds + 1) : std::nullopt;
}

qsizetype behindLastEnd(QByteArrayView text)
{
    qsizetype end = text.size();
    while (end > 0 && !endsPiece(text[end - 1]))
        --end;
    return end;
}

} // namespace

void LogDiagnoser::feed(const QByteArray& bytes, int file)
{
    Source& source = m_files[file];
    const QByteArray all = source.pending.isEmpty() ? bytes : source.pending + bytes;
    source.pending.clear();
    const QByteArrayView text(all);
    qsizetype at = 0;
    const auto goOn = [&](qsizetype to) {
        source.offset += to - at;
        source.line += std::count(text.begin() + at, text.begin() + to, '\n');
        at = to;
    };
    // One pass of the finder over all whole lines; only a line with a clue is cut out and examined.
    const qsizetype whole = behindLastEnd(text);
    const QByteArray before = std::exchange(source.behind, {});
    const auto behind = [&](qsizetype to) -> QByteArray {
        const qsizetype from = qMax<qsizetype>(0, to - longestBehind);
        return before.right(longestBehind - (to - from)) + all.mid(from, to - from);
    };
    // Colours may be within a word: a line with an escape is examined without them.
    qsizetype word = -1, escape = -1; // the next ones; `whole`: none
    const auto orWhole = [whole](qsizetype found) { return found < 0 ? whole : found; };
    while (at < whole) {
        if (word < at)
            word = orWhole(diagnosisClues().firstAt(text.first(whole), at));
        if (escape < at)
            escape = orWhole(text.first(whole).indexOf('\x1b', at));
        const bool isFollowed = source.rootCauseLines > 0 || source.aftermath.isWatching();
        const qsizetype clue = isFollowed ? at : qMin(word, escape);
        if (clue == whole)
            break;
        qsizetype begin = clue;
        while (begin > at && !endsPiece(text[begin - 1]))
            --begin;
        qsizetype end = clue;
        while (end < whole && !endsPiece(text[end]))
            ++end;
        goOn(begin);
        while (at < end) {
            const qsizetype length = qMin(longestPiece, end - at);
            m_behind = [&behind, at] { return behind(at); };
            readPiece(text.sliced(at, length), source, file);
            goOn(at + length);
        }
        goOn(qMin(end + 1, whole));
    }
    goOn(whole);
    while (text.size() - at >= longestPiece) { // a line without end
        readPiece(text.sliced(at, longestPiece), source, file);
        goOn(at + longestPiece);
    }
    m_behind = nullptr;
    source.behind = behind(at);
    source.pending = all.mid(at);
}

void LogDiagnoser::startAt(qint64 offset, int file)
{
    Source fresh;
    fresh.rank = m_files.value(file).rank;
    fresh.offset = offset;
    fresh.linesBefore = offset == 0 ? std::optional<qint64>(0) : std::nullopt;
    m_files.insert(file, fresh);
}

void LogDiagnoser::setFirstLine(qint64 linesBefore, int file)
{
    m_files[file].linesBefore = linesBefore;
    ++m_revision;
}

void LogDiagnoser::setNodes(std::optional<int> nodes)
{
    m_revision += std::exchange(m_witnesses.nodes, nodes) == nodes ? 0 : 1;
}

void LogDiagnoser::feedLine(const QByteArray& line, qint64 offset, qint64 number, int file)
{
    Source elsewhere;
    elsewhere.isElsewhere = true;
    elsewhere.offset = offset;
    elsewhere.line = number - 1;
    elsewhere.rank = m_files.value(file).rank;
    elsewhere.inTraceback = true; // a search shows no lines before it
    readPiece(QByteArrayView(line).first(qMin(line.size(), longestPiece)), elsewhere, file);
}

void LogDiagnoser::readPiece(QByteArrayView piece, Source& source, int file)
{
    if (source.rootCauseLines > 0) {
        --source.rootCauseLines;
        if (readRootCause(QString::fromUtf8(piece)))
            source.rootCauseLines = blockLines; // others may follow in the list
    }
    if (source.aftermath.isWatching())
        follow(piece, source, file);
    const bool isColoured = piece.contains('\x1b');
    const QByteArray plain = isColoured ? withoutControls(piece) : QByteArray();
    const QList<int> candidates = diagnosisClues().find(isColoured ? QByteArrayView(plain) : piece);
    if (!candidates.isEmpty())
        examine(isColoured ? plain : withoutControls(piece), candidates, source, file);
}

/// What a line that may mean a failure is worth shows in what follows.
void LogDiagnoser::follow(QByteArrayView piece, Source& source, int file)
{
    switch (source.aftermath.follow(piece)) {
    case Aftermath::Seen::Survived:
        for (FoundFailure& found : m_found) {
            const bool isOfFile = found.diagnosis.file == file && found.rule->isSurvivable;
            m_revision += isOfFile && !found.isSurvived ? 1 : 0;
            found.isSurvived = found.isSurvived || isOfFile;
        }
        break;
    case Aftermath::Seen::TrainsWithoutGpu: {
        const Aftermath::Lack& lack = source.aftermath.lack();
        const auto rule = std::find_if(diagnosisRules().cbegin(), diagnosisRules().cend(),
            [](const DiagnosisRule& one) { return one.role == Role::Processor; });
        Diagnosis diagnosis = diagnosisOf(*rule);
        diagnosis.line = lack.line;
        diagnosis.offset = lack.offset;
        diagnosis.file = file;
        diagnosis.evidence = lack.text.left(longestEvidence);
        readOrigin(lack.text, diagnosis);
        if (!diagnosis.rank)
            diagnosis.rank = source.rank;
        addDiagnosis(*rule, diagnosis, {source.isElsewhere, false, false});
        break;
    }
    case Aftermath::Seen::Nothing: break;
    }
}

/// A program that says that it has no GPU, or takes the processor: reported once it trains.
void LogDiagnoser::watchLack(const QString& text, Source& source)
{
    static const QRegularExpression certain( // says itself that it goes on without
        uR"(falling back to CPU|Setting accelerator to CPU|GPU available: False, used: False)"
        uR"(|could not retrieve ROCM device count|device_type of '(?:cuda|hip)', but CUDA is not available|(?:CUDA|HIP) initialization: (?:No (?:CUDA)"
        uR"(|HIP) GPUs are available|Found no NVIDIA driver))"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression tensorflow(
        u"GPU will not be used|Skipping registering GPU devices|Cannot dlopen some GPU libraries"_s);
    const bool isOfTensorflow = tensorflow.match(text).hasMatch();
    if (isOfTensorflow || certain.match(text).hasMatch())
        source.aftermath.watchLack({text, lineNumber(source.line), source.offset, isOfTensorflow});
}

void LogDiagnoser::applyHelper(const QString& text, int helper, Source& source, int file)
{
    static const QRegularExpression caught(
        uR"(\b(?:warn(?:ing)?|skip(?:ped|ping)?|ignor(?:ed|ing)|caught|retry(?:ing)?)\b)"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression lacks( // the GPU itself, not "No GPU Direct RDMA support"
        uR"(no (?:(?:CUDA|HIP|ROCm|NVIDIA|AMD|visible|usable) )*GPUs? (?:devices? )?(?:(?:was|were|is)"
        uR"(|are) )?(?:found|available|detected|visible)|(?:CUDA|GPU) (?:is )?not (?:available|found))"
        uR"(|no CUDA runtime is found)"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression blockOfRank(
        uR"((?:\bBegin|\b(End)) global rank (\d{1,6}) STD)"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression ofHydra( // MPICH, src/pm/hydra: "=   RANK 3 PID 41232 RUNNING AT gpu014"
        uR"(^=\s+RANK (\d{1,6}) PID \d+ RUNNING AT ([\w.-]+)\s*$)"_s);
    static const QRegularExpression takenOff(uR"(\*\*\* JOB \S+ ON \S+ CANCELLED AT )"_s);
    switch (helper) {
    case SrunTask: readWitness(text); break;
    case RootCause:
        source.rootCauseLines = blockLines;
        m_blocks.insert(taskLabelOf(text), {});
        break;
    case Failures:
        if (m_witnesses.hasAgent && withoutTaskLabel(text).trimmed() == u"Failures:"_s) {
            source.rootCauseLines = blockLines;
            m_blocks.insert(taskLabelOf(text), {.isListed = true});
        }
        break;
    case NoGpu:
        if (lacks.match(text).hasMatch())
            source.lacksGpuAt = source.line;
        watchLack(text, source);
        break;
    case ThreadException: source.isOfThread = true; break;
    case Traceback:
        source.inTraceback = true;
        source.ignoresTraceback = source.ignoresTraceback || caught.match(text).hasMatch();
        break;
    case Requeued: source.isRequeued = source.isRequeued || takenOff.match(text).hasMatch(); break;
    case Begun:
        if (std::exchange(source.isRequeued, false))
            forget(file);
        break;
    case IgnoredException: source.ignoresTraceback = true; break;
    case Agent: m_witnesses.hasAgent = true; break;
    case RankBlock:
        if (const auto match = blockOfRank.match(text); match.hasMatch())
            source.blockRank = match.captured(1).isEmpty() ? numberIn(match.captured(2)) : std::nullopt;
        break;
    case HydraProcess:
        if (const auto match = ofHydra.match(text); match.hasMatch())
            source.hydra = {numberIn(match.captured(1)), match.captured(2), source.line};
        break;
    case EndOfStep: m_isEnding = true; break;
    default:
        if (m_framework.isEmpty())
            m_framework = u"rccl"_s;
    }
}

void LogDiagnoser::examine(const QByteArray& bytes, const QList<int>& candidates, Source& source, int file)
{
    // what a script says that it does ("set -x", a setting, an echo) has not happened; guesses and questions are not
    // reports
    static const QRegularExpression guesses(uR"(\b(?:potential|possible|common) (?:root )?(?:causes?|reasons?)\b)"
                                            uR"(|^(?:why|how|what|when|does|did|can|could|should)\b.*\?$)"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression spoken(uR"(^(?:\d+: )?(?:\++ \S|export \w+=|echo |#SBATCH ))"_s);
    const QString text = QString::fromUtf8(bytes).trimmed();
    if (spoken.match(text).hasMatch() || isQuotedCode(text) || isRowOfCells(text) || isTextAboutFailures(text)
        || guesses.match(text).hasMatch())
        return;
    const auto reports = std::find_if(candidates.cbegin(), candidates.cend(),
        [](int candidate) { return candidate >= 0 && diagnosisRules().at(candidate).role == Role::Exception; });
    const int exception = reports == candidates.cend() ? -1 : *reports;
    source.reportsOfThread = exception >= 0 && source.inTraceback && source.isOfThread;
    bool isExplained = false;
    for (const int candidate : candidates) {
        if (candidate < 0)
            applyHelper(text, candidate, source, file);
        else if (candidate != exception && examineRule(text, candidate, source, file))
            isExplained = isExplained || !diagnosisRules().at(candidate).isWarning;
    }
    if (exception >= 0 && isExplained)
        source.ignoresTraceback = source.inTraceback = source.isOfThread = false;
    else if (exception >= 0)
        examineRule(text, exception, source, file);
}

bool LogDiagnoser::examineRule(const QString& text, int number, Source& source, int file)
{
    const DiagnosisRule& rule = diagnosisRules().at(number);
    if (!rule.unless.pattern().isEmpty() && rule.unless.match(text).hasMatch()) {
        if (rule.repeats > 1 && m_found.contains(&rule) && m_found.value(&rule).streak < streakForGood) {
            m_found.remove(&rule);
            ++m_revision;
        }
        return false;
    }
    const auto match = rule.pattern.match(text);
    if (!match.hasMatch() || (rule.isBeforeEnding && m_isEnding))
        return false;
    if (rule.role == Role::Processor && !followsNoGpu(source))
        return false;
    const bool isOfThread = source.reportsOfThread;
    if (rule.role == Role::Exception) {
        const bool isReport = source.inTraceback || text.contains(u"ray.exceptions."_s); // Ray has a heading of its own
        const bool isIgnored = source.ignoresTraceback || !isReport;
        source.ignoresTraceback = source.inTraceback = source.isOfThread = false;
        if (isIgnored)
            return false;
    }
    Diagnosis diagnosis = diagnosisOf(rule);
    diagnosis.line = lineNumber(source.line);
    diagnosis.offset = source.offset;
    diagnosis.file = file;
    const qsizetype from = qMax<qsizetype>(0, match.capturedStart() - longestEvidence / 2);
    diagnosis.evidence = text.size() <= longestEvidence ? text : text.mid(from, longestEvidence);
    diagnosis.memory = readMemoryMessage(text);
    const auto group = [&](QStringView name) {
        const QString wanted = name.toString();
        return rule.groups.contains(wanted) ? match.captured(wanted) : QString();
    };
    diagnosis.node = group(u"node");
    diagnosis.rank = numberIn(group(u"rank"));
    diagnosis.gpu = numberIn(group(u"gpu"));
    readOrigin(text, diagnosis);
    if (source.hydra.rank && text.startsWith(u'=') && source.line - source.hydra.line <= hydraLines) {
        diagnosis.rank = source.hydra.rank;
        diagnosis.node = source.hydra.node;
    }
    const bool isNamed = diagnosis.rank && (!isLabelled(text) || rankOf(withoutTaskLabel(text)));
    if (!diagnosis.rank)
        diagnosis.rank = source.blockRank ? source.blockRank : source.rank;
    if (rule.role == Role::Exit)
        quoteLastWords(diagnosis, source);
    if (m_framework.isEmpty())
        m_framework = frameworkOf(text);
    const bool isFarewell = rule.role == Role::LostPeer && isBehindEnd(m_behind ? m_behind() : source.behind);
    const bool isWarned = isOfThread || isFarewell || isWarnedOf(text);
    addDiagnosis(rule, diagnosis, {source.isElsewhere, isWarned, diagnosis.rank && !isNamed});
    if (rule.isSurvivable && !source.isElsewhere)
        source.aftermath.watchError(m_behind ? m_behind() : source.behind, source.offset);
    return true;
}

void LogDiagnoser::addDiagnosis(const DiagnosisRule& rule, Diagnosis diagnosis, LineTraits line)
{
    ++m_revision;
    FoundFailure& found = m_found[&rule];
    const bool isSameFile = found.rule != nullptr && found.diagnosis.file == diagnosis.file;
    const qint64 at = diagnosis.line.value_or(0);
    const bool isNewStreak = found.rule == nullptr
        || (rule.repeats > 1 && isSameFile && at - found.lastLine > streakGap)
        || (isSameFile && found.isSurvived) // this one may be another
        || (isSameFile && diagnosis.offset && diagnosis.offset < found.diagnosis.offset);
    const bool isOwn = diagnosis.rank && !line.isLabel;
    if (isNewStreak) {
        const QList<Diagnosis> ranks = std::exchange(found.ranks, {});
        found = {&rule, diagnosis, found.streak + 1, at, 0, ++m_findings, line.isNumbered, line.isWarned, false,
            line.isLabel, ranks, 0};
        if (isOwn && ranks.size() < mostRanks)
            found.ranks.append(diagnosis);
        if (rule.repeats > 1)
            found.streak = 1;
        return;
    }
    ++found.streak;
    if (isSameFile)
        found.widestGap = qMax(found.widestGap, at - found.lastLine);
    found.isWarned = found.isWarned && line.isWarned;
    const auto isKnown = [&](const Diagnosis& known) { return known.rank == diagnosis.rank; };
    if (isOwn && found.ranks.size() < mostRanks && std::none_of(found.ranks.cbegin(), found.ranks.cend(), isKnown))
        found.ranks.append(diagnosis);
    if (isSameFile)
        found.lastLine = at;
    // a later line of the same failure may name what the first left open
    Diagnosis& first = found.diagnosis;
    const bool isSameRank = !first.rank || !diagnosis.rank || first.rank == diagnosis.rank;
    if (isSameRank && first.node.isEmpty()) {
        first.node = diagnosis.node;
        if (!first.rank)
            first.rank = diagnosis.rank;
    }
    if (isSameRank && !first.gpu)
        first.gpu = diagnosis.gpu;
}

/// The job began again: what its last run said explains nothing any more.
void LogDiagnoser::forget(int file)
{
    m_found.removeIf(
        [&](QHash<const DiagnosisRule*, FoundFailure>::iterator found) { return found->diagnosis.file == file; });
    m_witnesses.tasks.clear();
    m_witnesses.rootCauses.clear();
    m_blocks.clear();
    m_isEnding = false;
    ++m_revision;
}

void LogDiagnoser::readWitness(const QString& text)
{
    static const QRegularExpression form(uR"(srun: error: ([\w.-]+): tasks? ([\d,-]+): (.+))"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || m_witnesses.tasks.size() >= mostWitnesses)
        return;
    const QString how = match.captured(3);
    if (how.startsWith(u"Terminated"_s) || how.startsWith(u"Killed"_s))
        return; // ended by Slurm after the one that failed
    ++m_revision;
    m_witnesses.tasks.append({match.captured(1), match.captured(2), numberIn(match.captured(2)), {}, {}, m_isEnding});
}

/// A word of the CPU means the training soon after a word of no GPU, and before it began: later the CPU is where
/// checkpoints and metrics go.
bool LogDiagnoser::followsNoGpu(const Source& source) const
{
    if (!source.lacksGpuAt || source.line - *source.lacksGpuAt > mostLinesToCpu)
        return false;
    QByteArray behind = m_behind ? m_behind() : source.behind;
    const QList<QByteArray> lines = behind.replace('\r', '\n').split('\n');
    const qsizetype between = qMin<qsizetype>(lines.size(), source.line - *source.lacksGpuAt + 1);
    return std::none_of(lines.cend() - between, lines.cend(), [](const QByteArray& line) {
        const QList<ProgressHint> hints = progressHints(QString::fromUtf8(withoutControls(line)));
        return std::any_of(
            hints.cbegin(), hints.cend(), [](const ProgressHint& hint) { return hint.step.has_value(); });
    });
}

/// An entry begins with its time. Lines of another agent between them are not heard: each field counts once.
bool LogDiagnoser::readRootCause(const QString& text)
{
    static const QRegularExpression field(
        uR"(\b(?<name>time|host|rank|exitcode)\s*: (?<value>[\w.:-]+)(?: \(local_rank: (?<local>\d+))?)"_s);
    const QString label = taskLabelOf(text);
    const auto block = m_blocks.find(label);
    if (block == m_blocks.end())
        return false;
    if (text.contains(u"traceback :"_s)) { // its last line; what follows may look like a field of it
        if (block->isListed)
            block->entry = Block::closed;
        else
            m_blocks.erase(block);
        return false;
    }
    const auto match = field.match(text);
    if (!match.hasMatch())
        return false;
    const QString name = match.captured(u"name"), value = match.captured(u"value");
    QList<FailureWitnesses::Witness>& all = m_witnesses.rootCauses;
    const bool begins = block->entry == Block::begun || (block->entry == Block::closed && name == u"time");
    if (begins && all.size() < mostEntries) {
        block->entry = ++m_entriesBegun;
        all.append(FailureWitnesses::Witness());
        all.last().number = block->entry;
        all.last().isListed = block->isListed;
        all.last().isEnding = m_isEnding;
    }
    const auto entry = std::find_if(
        all.begin(), all.end(), [&](const FailureWitnesses::Witness& one) { return one.number == block->entry; });
    if (entry == all.end())
        return false;
    if (name == u"time" && entry->time.isEmpty()) {
        entry->time = value;
    } else if (name == u"host" && entry->node.isEmpty()) {
        entry->node = value;
    } else if (name == u"rank" && !match.captured(u"local").isEmpty() && !entry->rank) {
        entry->rank = numberIn(value);
        entry->localRank = numberIn(match.captured(u"local"));
    } else if (name == u"exitcode" && !entry->exitCode) {
        entry->exitCode = value.toInt();
    }
    ++m_revision;
    return block->isListed;
}

/// Of a process that exits without a known message: what it, or anybody, wrote last before. Launchers report exits;
/// they are not heard.
void LogDiagnoser::quoteLastWords(Diagnosis& diagnosis, const Source& source) const
{
    static const QRegularExpression noise(
        uR"(^(?:srun|slurmstepd|sbatch|prolog|epilog)\S*: |^\s*[-=*_~#.]+\s*$|%\||^\s*\++ )"
        uR"(|^[\[\]IWE]*[IWE]\d{4} |torch[./]distributed[./](?:elastic|run)|ChildFailedError|^\s*(?:Failures:)"
        uR"(|<NO_OTHER|Root Cause|\[\d+\]:|time\s+:|host\s+:|rank\s+:|exitcode\s*:|error_file|traceback :))"
        uR"(|^(?:File "|[~^]+$|raise |Traceback \()|^\s*(?:return|raise) |CANCELLED AT|FAILED$)"_s);
    static const QRegularExpression launcherReports(u"(?:CalledProcessError|ChildFailedError|SignalException)\\b"_s);
    static const QRegularExpression rankLabel(u"^\\[rank ?\\d+\\]: ?"_s);
    const QByteArray text = m_behind ? m_behind() : source.behind;
    const QList<QByteArray> lines = text.split('\n');
    const qsizetype first = text.size() < longestBehind ? 0 : 1; // it may be cut
    const auto words = [&](bool own) {
        bool isReport = false; // in Python's report of an exception, read from its end
        for (qsizetype i = lines.size() - 1; i >= first; --i) {
            const QString line = QString::fromUtf8(withoutControls(lines.at(i)));
            if (own && diagnosis.rank && rankOf(line) != diagnosis.rank)
                continue;
            QString said = withoutTaskLabel(line);
            said.remove(rankLabel);
            const bool isFrame = said.startsWith(u"  "_s) && (isReport || said.trimmed().startsWith(u"File \""_s));
            isReport = isFrame || launcherReports.match(said).hasMatch();
            said = said.trimmed();
            if (!isReport && !said.isEmpty() && !noise.match(said).hasMatch())
                return said;
        }
        return QString();
    };
    QString said = words(true);
    if (said.isEmpty())
        said = words(false);
    if (said.isEmpty())
        return;
    diagnosis.evidence = said.left(longestEvidence);
    diagnosis.advice
        = u"A process ended with an error; the line shown is the last that was written before. If it does not "
          u"say why, look into the output of its rank, or run it once with PYTHONFAULTHANDLER=1 and "
          u"TORCH_SHOW_CPP_STACKTRACES=1."_s;
}

QList<Diagnosis> LogDiagnoser::diagnoses() const
{
    const auto hasOpen = [](const Source& source) { return !source.pending.isEmpty(); };
    if (std::any_of(m_files.cbegin(), m_files.cend(), hasOpen)) { // a message without line feed at the end of the file
        LogDiagnoser whole = *this;
        for (auto file = whole.m_files.begin(); file != whole.m_files.end(); ++file) {
            const QByteArray last = std::exchange(file->pending, {});
            if (!last.isEmpty())
                whole.readPiece(last, *file, file.key());
        }
        return whole.diagnoses();
    }
    QList<FoundFailure> all = m_found.values();
    for (FoundFailure& found : all) {
        Diagnosis& diagnosis = found.diagnosis;
        const Source source = m_files.value(diagnosis.file);
        found.linesSince = source.line - found.lastLine;
        if (found.isNumbered)
            continue;
        const auto number = [&source](Diagnosis& one) {
            if (one.line && source.linesBefore)
                *one.line += *source.linesBefore;
            else
                one.line.reset();
        };
        number(diagnosis);
        std::for_each(found.ranks.begin(), found.ranks.end(), number);
    }
    return rankCauses(all, m_witnesses);
}

QList<Diagnosis> diagnose(const QByteArray& log)
{
    LogDiagnoser diagnoser;
    diagnoser.feed(log);
    return diagnoser.diagnoses();
}

} // namespace rankwright::inline insight
