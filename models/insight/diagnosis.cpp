// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis.h"

#include "models/insight/diagnosisrules.h"
#include "models/insight/progresspatterns.h"
#include "models/insight/terminaltext.h"
#include "models/insight/wordfinder.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestPiece = 4096; ///< a longer line is examined in pieces: no expression runs on more
constexpr qsizetype longestEvidence = 400;
constexpr qsizetype mostWitnesses = 64;
constexpr qint64 streakGap = 50; ///< lines between two lines of a counted rule
constexpr int streakForGood = 20; ///< so many in a row are told even when it went on well after them

// What is no rule but helps to read one; numbers of the finder beyond the rules.
enum Helper { SrunTask = -1, RootCause = -2, Traceback = -3, IgnoredException = -4, RocmCollectives = -5 };

struct Compiled {
    QRegularExpression pattern;
    QRegularExpression unless;
};

QRegularExpression expression(const char* text)
{
    return QRegularExpression(QString::fromUtf8(text), QRegularExpression::CaseInsensitiveOption);
}

const QList<Compiled>& compiledRules()
{
    static const QList<Compiled> all = [] {
        QList<Compiled> list;
        for (const DiagnosisRule& rule : diagnosisRules())
            list.append({expression(rule.pattern), expression(rule.unless)});
        return list;
    }();
    return all;
}

const WordFinder& clues()
{
    static const WordFinder finder = [] {
        QList<std::pair<QByteArray, int>> words{{"srun: error: ", SrunTask}, {"root cause (first observed", RootCause},
            {"traceback (most recent", Traceback}, {"exception ignored in", IgnoredException},
            {"rccl", RocmCollectives}};
        for (qsizetype i = 0; i < diagnosisRules().size(); ++i) {
            const QList<QByteArray> own = QByteArray(diagnosisRules().at(i).clues).split('|');
            for (const QByteArray& word : own)
                words.append({word, int(i)});
        }
        return WordFinder(words);
    }();
    return finder;
}

std::optional<int> number(const QString& text)
{
    bool fine = false;
    const int value = text.toInt(&fine);
    return fine && value >= 0 ? std::optional<int>(value) : std::nullopt;
}

/// Does Slurm's list "0-7,12" hold this rank?
bool holds(const QString& tasks, int rank)
{
    for (const QString& part : tasks.split(u',')) {
        const int first = part.section(u'-', 0, 0).toInt();
        const int last = part.contains(u'-') ? part.section(u'-', 1, 1).toInt() : first;
        if (rank >= first && rank <= last)
            return true;
    }
    return false;
}

/// Rank, device and node that a line names beside what a rule's own groups found.
void readOrigin(const QString& text, Diagnosis& diagnosis)
{
    static const QRegularExpression tagged(uR"(^\[\d+,(\d+)\]<std(?:err|out)>)"_s); // Open MPI --tag-output
    static const QRegularExpression device(
        uR"(\bGPU (\d{1,3})\b(?= has a total|;)|\((?:GPU|device) (\d{1,3});|on (?:CUDA|GPU) device (\d{1,3})\b|\bcuda:(\d{1,3})\b)"_s);
    static const QRegularExpression nccl(uR"((?:^|\s)([A-Za-z][\w.-]*):\d+:\d+ \[(\d{1,3})\] NCCL)"_s);
    static const QRegularExpression task(uR"(srun: error: ([\w.-]+): tasks? (\d+): )"_s);
    static const QRegularExpression fabric(uR"(libfabric:\d+:\d+:.*<\w+> ([A-Za-z][\w.-]*): )"_s);
    if (!diagnosis.rank)
        diagnosis.rank = rankOf(text);
    if (const auto match = tagged.match(text); match.hasMatch() && !diagnosis.rank)
        diagnosis.rank = number(match.captured(1));
    if (const auto match = task.match(text); match.hasMatch() && !diagnosis.rank)
        diagnosis.rank = number(match.captured(2));
    if (const auto match = device.match(text); match.hasMatch() && !diagnosis.gpu)
        diagnosis.gpu = number(match.captured(match.lastCapturedIndex()));
    if (const auto match = nccl.match(text); match.hasMatch()) {
        if (diagnosis.node.isEmpty())
            diagnosis.node = match.captured(1);
        if (!diagnosis.gpu)
            diagnosis.gpu = number(match.captured(2));
    }
    if (const auto match = fabric.match(text); match.hasMatch() && diagnosis.node.isEmpty())
        diagnosis.node = match.captured(1);
}

/// Slurm ended the job for a reason that no process of it gave.
bool endsFromOutside(const DiagnosisRule& rule)
{
    const QByteArrayView kind(rule.kind);
    return kind == "time_limit" || kind == "node_failure" || kind == "preempted";
}

QString frameworkOf(const QString& text)
{
    static const QList<std::pair<QString, QString>> marks{{u"huggingface"_s, u"transformers"_s},
        {u"transformers"_s, u"transformers"_s}, {u"rccl"_s, u"rccl"_s}, {u"torch"_s, u"pytorch"_s},
        {u"c10d"_s, u"pytorch"_s}, {u"ProcessGroupNCCL"_s, u"pytorch"_s}, {u"tensorflow"_s, u"tensorflow"_s},
        {u"jax"_s, u"jax"_s}, {u"RuntimeError: CUDA "_s, u"pytorch"_s}, {u"RuntimeError: HIP "_s, u"pytorch"_s}};
    for (const auto& [word, name] : marks) {
        if (text.contains(word, Qt::CaseInsensitive))
            return name;
    }
    return {};
}

} // namespace

void LogDiagnoser::feed(const QByteArray& bytes)
{
    m_pending += bytes;
    qsizetype begin = 0;
    const char* data = m_pending.constData();
    const qsizetype size = m_pending.size();
    for (qsizetype at = 0; at < size; ++at) {
        const char byte = data[at];
        const bool ends = byte == '\n' || byte == '\r' || byte == '\b';
        if (!ends && at - begin < longestPiece)
            continue;
        if (at > begin)
            take(QByteArrayView(data + begin, at - begin));
        begin = ends ? at + 1 : at;
        m_line += byte == '\n' ? 1 : 0;
    }
    m_pending.remove(0, begin);
}

void LogDiagnoser::take(QByteArrayView piece)
{
    if (m_rootCauseLines > 0) {
        --m_rootCauseLines;
        readRootCause(QString::fromUtf8(piece));
    }
    const QList<int> candidates = clues().find(piece);
    if (!candidates.isEmpty())
        examine(withoutControls(piece.toByteArray()), candidates);
}

void LogDiagnoser::examine(const QByteArray& bytes, const QList<int>& candidates)
{
    const QString text = QString::fromUtf8(bytes).trimmed();
    for (const int candidate : candidates) {
        if (candidate < 0) {
            if (candidate == SrunTask)
                readWitness(text);
            else if (candidate == RootCause)
                m_rootCauseLines = 6;
            else if (candidate == Traceback)
                m_inTraceback = true;
            else if (candidate == IgnoredException)
                m_ignoresTraceback = true;
            else if (m_framework.isEmpty())
                m_framework = u"rccl"_s;
            continue;
        }
        const DiagnosisRule& rule = diagnosisRules().at(candidate);
        const Compiled& compiled = compiledRules().at(candidate);
        if (*rule.unless != 0 && compiled.unless.match(text).hasMatch()) {
            if (rule.repeats > 1 && m_found.contains(&rule) && m_found.value(&rule).streak < streakForGood)
                m_found.remove(&rule);
            continue;
        }
        const auto match = compiled.pattern.match(text);
        if (!match.hasMatch())
            continue;
        if (rule.tier == DiagnosisRule::Unexplained && qstrcmp(rule.id, "exception") == 0) {
            const bool isIgnored = m_ignoresTraceback || !m_inTraceback;
            m_ignoresTraceback = m_inTraceback = false;
            if (isIgnored)
                continue;
        }
        Diagnosis diagnosis;
        diagnosis.kind = QString::fromLatin1(rule.kind);
        diagnosis.rule = QString::fromLatin1(rule.id);
        diagnosis.line = m_line + 1;
        const qsizetype from = qMax<qsizetype>(0, match.capturedStart() - longestEvidence / 2);
        diagnosis.evidence = text.size() <= longestEvidence ? text : text.mid(from, longestEvidence);
        diagnosis.advice = QString::fromUtf8(rule.advice);
        diagnosis.source = QString::fromUtf8(rule.source);
        const QStringList groups = compiled.pattern.namedCaptureGroups();
        if (groups.contains(u"node"_s))
            diagnosis.node = match.captured(u"node"_s);
        if (groups.contains(u"rank"_s))
            diagnosis.rank = number(match.captured(u"rank"_s));
        if (groups.contains(u"gpu"_s))
            diagnosis.gpu = number(match.captured(u"gpu"_s));
        readOrigin(text, diagnosis);
        if (m_framework.isEmpty())
            m_framework = frameworkOf(text);
        keep(rule, diagnosis);
    }
}

void LogDiagnoser::keep(const DiagnosisRule& rule, Diagnosis diagnosis)
{
    Found& found = m_found[&rule];
    const bool isAnew = found.rule == nullptr || (rule.repeats > 1 && diagnosis.line - found.lastLine > streakGap);
    if (isAnew) {
        found = {&rule, diagnosis, 1, diagnosis.line};
        return;
    }
    ++found.streak;
    found.lastLine = diagnosis.line;
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

void LogDiagnoser::readWitness(const QString& text)
{
    static const QRegularExpression form(uR"(srun: error: ([\w.-]+): tasks? ([\d,-]+): (.+))"_s);
    const auto match = form.match(text);
    if (!match.hasMatch() || m_witnesses.size() >= mostWitnesses)
        return;
    const QString how = match.captured(3);
    if (how.startsWith(u"Terminated"_s) || how.startsWith(u"Killed"_s))
        return; // ended by Slurm after the one that failed
    m_witnesses.append({match.captured(1), match.captured(2), number(match.captured(2))});
}

void LogDiagnoser::readRootCause(const QString& text)
{
    static const QRegularExpression host(uR"(\bhost\s*: ([\w.-]+))"_s);
    static const QRegularExpression rank(uR"(\brank\s*: (\d+) \(local_rank)"_s);
    if (const auto match = host.match(text); match.hasMatch()) {
        m_rootCause = Witness();
        m_rootCause->node = match.captured(1);
    }
    if (const auto match = rank.match(text); match.hasMatch()) {
        if (!m_rootCause)
            m_rootCause = Witness();
        m_rootCause->rank = number(match.captured(1));
    }
}

bool LogDiagnoser::sawFailure() const
{
    return !m_witnesses.isEmpty() || std::any_of(m_found.cbegin(), m_found.cend(), [](const Found& found) {
        return !found.rule->isWarning && found.rule->repeats == 1;
    });
}

bool LogDiagnoser::counts(const Found& found) const
{
    if (found.rule->isWarning)
        return sawFailure();
    if (found.rule->repeats == 1 || found.streak >= streakForGood)
        return true;
    return found.streak >= found.rule->repeats && m_line - found.lastLine < streakGap;
}

Diagnosis LogDiagnoser::completed(const Found& found) const
{
    Diagnosis diagnosis = found.diagnosis;
    // the same failure told by another program: slurmstepd knows what, srun knows where
    for (const Found& other : m_found) {
        const bool isSame = other.rule != found.rule && qstrcmp(other.rule->kind, found.rule->kind) == 0
            && (!other.diagnosis.rank || !diagnosis.rank || other.diagnosis.rank == diagnosis.rank);
        if (!isSame)
            continue;
        if (diagnosis.node.isEmpty())
            diagnosis.node = other.diagnosis.node;
        if (!diagnosis.rank)
            diagnosis.rank = other.diagnosis.rank;
    }
    if (found.rule->isHealth || endsFromOutside(*found.rule) || diagnosis.kind == u"cancelled"_s)
        return diagnosis;
    if (m_rootCause && (!diagnosis.rank || diagnosis.rank == m_rootCause->rank)) {
        diagnosis.rank = m_rootCause->rank;
        if (diagnosis.node.isEmpty())
            diagnosis.node = m_rootCause->node;
    }
    for (const Witness& witness : m_witnesses) {
        if (diagnosis.rank && !holds(witness.tasks, *diagnosis.rank))
            continue;
        if (diagnosis.node.isEmpty())
            diagnosis.node = witness.node;
        if (!diagnosis.rank && diagnosis.node == witness.node)
            diagnosis.rank = witness.rank;
        break;
    }
    return diagnosis;
}

QList<Diagnosis> LogDiagnoser::diagnoses() const
{
    if (!m_pending.isEmpty()) { // a message without line feed at the end of the file
        LogDiagnoser whole = *this;
        whole.m_pending.clear();
        whole.take(m_pending);
        return whole.diagnoses();
    }
    QList<const Found*> told;
    for (const Found& found : m_found) {
        if (counts(found))
            told.append(&found);
    }
    const auto place = [](const Found* found) {
        return std::tuple(
            int(found->rule->tier), found->rule->isHealth, found->rule->isWarning, found->diagnosis.line, found->rule);
    };
    std::sort(told.begin(), told.end(), [&](const Found* a, const Found* b) { return place(a) < place(b); });
    QList<Diagnosis> answer;
    for (const Found* found : std::as_const(told)) {
        // a bad loss and the job's own ending are two things; all else is consequence of the first
        const bool isApart = !answer.isEmpty() && told.first()->rule->isHealth && endsFromOutside(*found->rule);
        if (answer.isEmpty() || (isApart && answer.size() == 1))
            answer.append(completed(*found));
    }
    return answer;
}

QList<Diagnosis> diagnose(const QByteArray& log)
{
    LogDiagnoser diagnoser;
    diagnoser.feed(log);
    return diagnoser.diagnoses();
}

} // namespace rankwright
