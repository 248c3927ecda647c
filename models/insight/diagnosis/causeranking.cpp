// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/diagnosis/diagnosisorigin.h"
#include "models/insight/diagnosis/diagnosisrules.h"

#include <algorithm>
#include <tuple>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 longAgo = 500; ///< so many lines went well after an exception: somebody caught it

/// Slurm ended the job for a reason that no process of it gave.
bool endsFromOutside(const DiagnosisRule& rule)
{
    const QByteArrayView kind(rule.kind);
    return kind == "time_limit" || kind == "node_failure" || kind == "preempted";
}

} // namespace

// Which of the findings is the cause.

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
    const bool isOld = linesRead(found.diagnosis.file) - found.lastLine > longAgo && !found.isNumbered;
    if (isException(*found.rule) && isOld && m_witnesses.isEmpty() && !m_rootCause)
        return false;
    if (found.rule->repeats == 1 || found.streak >= streakForGood)
        return true;
    return found.streak >= found.rule->repeats && linesRead(found.diagnosis.file) - found.lastLine < streakGap;
}

Diagnosis LogDiagnoser::completed(const Found& found) const
{
    Diagnosis diagnosis = found.diagnosis;
    const Source source = m_files.value(diagnosis.file);
    if (!found.isNumbered)
        diagnosis.line = source.linesBefore ? diagnosis.line + *source.linesBefore : 0;
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
    // Who exits first need not be who failed. On one node the device's number is the task's, where tasks see all
    // devices; where each sees its own only, all say 0.
    const bool isOneNode = std::all_of(m_witnesses.begin(), m_witnesses.end(),
        [this](const Witness& witness) { return witness.node == m_witnesses.first().node; });
    if (!diagnosis.rank && diagnosis.gpu.value_or(0) > 0 && isOneNode && !m_hasAgent) {
        for (const Witness& witness : m_witnesses) {
            if (holds(witness.tasks, *diagnosis.gpu))
                diagnosis.rank = diagnosis.gpu;
        }
    }
    for (const Witness& witness : m_witnesses) {
        if (diagnosis.rank && !m_hasAgent && !holds(witness.tasks, *diagnosis.rank))
            continue;
        if (diagnosis.rank && m_hasAgent && m_witnesses.size() > 1)
            break; // which agent had this rank is not told
        if (diagnosis.node.isEmpty())
            diagnosis.node = witness.node;
        if (!diagnosis.rank && diagnosis.node == witness.node && !m_hasAgent)
            diagnosis.rank = witness.rank;
        break;
    }
    return diagnosis;
}

/// The rule's tier, or what the order of the findings makes of it.
int LogDiagnoser::weight(const Found& found, const QList<const Found*>& reported) const
{
    const auto orderOf = [&](const char* id) {
        const auto named = [&](const Found* other) { return qstrcmp(other->rule->id, id) == 0; };
        const auto place = std::find_if(reported.cbegin(), reported.cend(), named);
        return place == reported.cend() ? 0 : (*place)->order;
    };
    const DiagnosisRule::Tier tier = found.rule->tier;
    // A step is also cancelled because a task of it failed: then what was told of the task before counts. A job is not,
    // but somebody cancels what is left of it.
    const qint64 job = orderOf("cancelled"), exit = orderOf("exit");
    const bool hasFailed = job == 0 || (exit > 0 && exit < job);
    if (tier == DiagnosisRule::Unexplained && hasFailed && found.order < (job == 0 ? orderOf("step-cancelled") : job))
        return DiagnosisRule::Echo;
    // a job that made way begins again: what went wrong afterwards is its last run's
    const auto isLater = [&](const Found* other) {
        return other->order > found.order && other->rule->tier == DiagnosisRule::Cause && !other->rule->isWarning;
    };
    if (qstrcmp(found.rule->id, "preempted") == 0 && std::any_of(reported.cbegin(), reported.cend(), isLater))
        return DiagnosisRule::Communication;
    return tier;
}

QList<Diagnosis> LogDiagnoser::diagnoses() const
{
    const auto hasOpen = [](const Source& source) { return !source.pending.isEmpty(); };
    if (std::any_of(m_files.cbegin(), m_files.cend(), hasOpen)) { // a message without line feed at the end of the file
        LogDiagnoser whole = *this;
        for (auto file = whole.m_files.begin(); file != whole.m_files.end(); ++file) {
            const QByteArray last = std::exchange(file->pending, {});
            if (!last.isEmpty())
                whole.take(last, *file, file.key());
        }
        return whole.diagnoses();
    }
    QList<const Found*> reported;
    for (const Found& found : m_found) {
        if (counts(found))
            reported.append(&found);
    }
    const QList<const Found*> all = reported; // the list itself is in disorder while it is sorted
    const auto place = [&](const Found* found) {
        return std::tuple(
            weight(*found, all), found->rule->isHealth, found->rule->isWarning, found->order, found->rule);
    };
    std::sort(reported.begin(), reported.end(), [&](const Found* a, const Found* b) { return place(a) < place(b); });
    // Whoever notices that a process is gone is not the cause where an exception stands before.
    const auto own = std::find_if(reported.begin(), reported.end(),
        [&](const Found* found) { return isException(*found->rule) && found->order < reported.first()->order; });
    if (own != reported.end() && reported.first()->rule->tier == DiagnosisRule::Echo)
        std::rotate(reported.begin(), own, own + 1);
    QList<Diagnosis> answer;
    for (const Found* found : std::as_const(reported)) {
        // a bad loss and the job's own ending are two things; all else is consequence of the first
        const bool isApart = !answer.isEmpty() && reported.first()->rule->isHealth && endsFromOutside(*found->rule);
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
