// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/causeranking.h"

#include "models/insight/diagnosis/diagnosisorigin.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/diagnosis/failuremoment.h"

#include <QDateTime>

#include <algorithm>
#include <tuple>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 shortlyBefore = 200; ///< lines
constexpr qint64 longAgo = 500; ///< lines without a failure after an exception: it was caught

using Role = DiagnosisRule::Role;
using Findings = QList<const FoundFailure*>;

bool isWarning(const FoundFailure& found) { return found.rule->isWarning || found.isWarned; }

using Witness = FailureWitnesses::Witness;

/// Ended by a signal that is not an answer to lost peers (SIGABRT and SIGTERM are).
bool diedByItself(const Witness& one)
{
    static const QList<int> signalsOfOwn{-4, -7, -8, -9, -11};
    return !one.isEnding && signalsOfOwn.contains(one.exitCode.value_or(0));
}

/// Seconds from `a` to `b`, as torchrun writes times; nothing where one is missing.
std::optional<qint64> secondsBetween(const Witness& a, const Witness& b)
{
    const QDateTime from = torchrunTime(a.time), to = torchrunTime(b.time);
    return from.isValid() && to.isValid() ? std::optional(from.secsTo(to)) : std::nullopt;
}

/// The agents look at their ranks every 5 s (torchrun's --monitor-interval before PyTorch 2.4): a rank that died by
/// itself may be reported that much later than the peers that lost it.
constexpr qint64 monitorSeconds = 5;

/// Ended by its agent after another one had failed.
bool isEndedByAgent(const Witness& one) { return one.exitCode == -15 && one.isListed; }

/// The entry of the rank that died first, as far as the summaries alone can say; null: there is none. An agent calls
/// the first whom it saw first: a rank that a signal of its own ended comes before one that exits since it lost a peer.
const Witness* firstBlock(const FailureWitnesses& witnesses)
{
    const Witness* first = nullptr;
    for (const Witness& one : witnesses.rootCauses) {
        if (isEndedByAgent(one))
            continue;
        if (!first) {
            first = &one;
            continue;
        }
        const std::optional<qint64> later = secondsBetween(*first, one);
        if (diedByItself(one) != diedByItself(*first) && qAbs(later.value_or(0)) <= monitorSeconds) {
            if (diedByItself(one))
                first = &one;
        } else if (later.value_or(0) < 0 || (later.value_or(0) == 0 && first->isListed && !one.isListed)) {
            first = &one;
        }
    }
    return first;
}

qsizetype agentsHeard(const FailureWitnesses& witnesses)
{
    return std::count_if(
        witnesses.rootCauses.cbegin(), witnesses.rootCauses.cend(), [](const Witness& one) { return !one.isListed; });
}

/// Only says that a peer is gone: the rank that printed it need not be the one that failed.
bool isOfPeers(const FoundFailure& found) { return found.rule->role == Role::LostPeer; }

bool isCancelled(const DiagnosisRule& rule)
{
    return rule.role == Role::JobCancelled || rule.role == Role::StepCancelled;
}

/// The signal that ended the rank of torchrun's block; 0: it ended otherwise.
int signalOf(const FailureWitnesses& witnesses)
{
    const Witness* first = firstBlock(witnesses);
    return first && !first->isEnding ? std::max(0, -first->exitCode.value_or(0)) : 0;
}

bool showsFailure(const Findings& found, const FailureWitnesses& witnesses)
{
    return !witnesses.tasks.isEmpty() || std::any_of(found.cbegin(), found.cend(), [](const FoundFailure* one) {
        return !isWarning(*one) && !one->isSurvived && one->rule->repeats == 1;
    });
}

/// The log itself shows that a process has died, or that Slurm ends the job.
bool hasEnding(const Findings& found, const FailureWitnesses& witnesses)
{
    return !witnesses.tasks.isEmpty() || !witnesses.rootCauses.isEmpty()
        || std::any_of(found.cbegin(), found.cend(),
            [](const FoundFailure* one) { return !isWarning(*one) && one->rule->showsEnd; });
}

bool counts(const FoundFailure& found, bool hasFailed, bool hasDied, const FailureWitnesses& witnesses)
{
    if (isWarning(found))
        return hasFailed;
    if (found.isSurvived && !hasDied)
        return false;
    const bool isOld = found.linesSince > longAgo && !found.isNumbered;
    if (found.rule->role == Role::Exception && isOld && witnesses.tasks.isEmpty() && witnesses.rootCauses.isEmpty())
        return false;
    if (found.rule->repeats == 1 || found.streak >= streakForGood)
        return true;
    // It still goes on: no longer silence than was usual between two of them.
    constexpr qint64 leastSilence = 8;
    const qint64 silence = qBound(leastSilence, 3 * found.widestGap, streakGap);
    return found.streak >= found.rule->repeats && found.linesSince < silence;
}

/// Whom the agents blame for a finding.
struct Blame {
    std::optional<Witness> witness; ///< one without a rank: one of the ranks of its node; empty: no rank can be named
    QStringList amongNodes; ///< then one of the ranks of these nodes
};

/// An agent whose ranks ended within a second names the one first that it checked first: not certain where some of
/// them only lost their peer.
Blame oneOfTheNode(const Witness& first, const FailureWitnesses& witnesses)
{
    Blame blame{first, {}};
    const bool hasRival
        = std::any_of(witnesses.rootCauses.cbegin(), witnesses.rootCauses.cend(), [&](const Witness& one) {
              return one.node == first.node && one.rank != first.rank && one.exitCode == first.exitCode
                  && !isEndedByAgent(one) && secondsBetween(first, one) == 0;
          });
    if (hasRival)
        blame.witness->rank.reset();
    return blame;
}

/// Of the agents' entries the one that belongs to a finding: each agent blames one of its own ranks, also where these
/// only lost a peer of another node. `node`: where the finding is known to be from; empty: it is not.
Blame blamedFor(const FoundFailure& found, const QString& node, const Findings& all, const FailureWitnesses& witnesses)
{
    const Witness* first = firstBlock(witnesses);
    if (!first)
        return {};
    if (diedByItself(*first))
        return {*first, {}};
    if (isOfPeers(found))
        return {};
    const bool hasPeers
        = std::any_of(all.cbegin(), all.cend(), [](const FoundFailure* other) { return isOfPeers(*other); });
    const qsizetype agents = agentsHeard(witnesses);
    const bool hasGpu = witnesses.hasAgent && found.diagnosis.gpu;
    if (agents < 2 && !(hasGpu && found.diagnosis.gpu != 0)) {
        if ((hasPeers && witnesses.nodes && agents < *witnesses.nodes) || (!node.isEmpty() && first->node != node))
            return {};
        return hasPeers && !hasGpu ? oneOfTheNode(*first, witnesses) : Blame{*first, {}};
    }
    QList<const Witness*> open;
    for (const Witness& one : witnesses.rootCauses) {
        if (!isEndedByAgent(one))
            open.append(&one);
    }
    const auto keep = [&open](const auto& fits) {
        QList<const Witness*> left;
        std::copy_if(open.cbegin(), open.cend(), std::back_inserter(left), fits);
        if (!left.isEmpty())
            open = left;
    };
    if (!node.isEmpty())
        keep([&](const Witness* one) { return one->node == node; });
    // torchrun's ranks see all devices of their node: the device of the message is the local rank
    if (hasGpu)
        keep([&](const Witness* one) { return one->localRank == found.diagnosis.gpu; });
    keep([&](const Witness* one) {
        const auto isOfRank = [&](const FoundFailure* other, bool echo) {
            const DiagnosisRule::Tier tier = other->rule->tier;
            const bool isLost = tier == DiagnosisRule::Communication || tier == DiagnosisRule::Echo;
            return (echo ? isLost : tier < DiagnosisRule::Communication) && !(other->isLabel && witnesses.hasAgent)
                && std::any_of(other->ranks.cbegin(), other->ranks.cend(),
                    [&](const Diagnosis& reported) { return reported.rank == one->rank; });
        };
        const auto some = [&](bool echo) {
            return std::any_of(
                all.cbegin(), all.cend(), [&](const FoundFailure* other) { return isOfRank(other, echo); });
        };
        return some(false) || !some(true);
    });
    const Witness* earliest = open.first();
    for (const Witness* one : std::as_const(open)) {
        const qint64 later = secondsBetween(*earliest, *one).value_or(0);
        if (later < 0 || (later == 0 && earliest->isListed && !one->isListed && one->node == earliest->node))
            earliest = one;
    }
    const bool isClear = std::all_of(open.cbegin(), open.cend(), [&](const Witness* one) {
        return one == earliest || one->node == earliest->node || secondsBetween(*earliest, *one).value_or(0) > 0;
    });
    if (hasPeers && witnesses.nodes && agents < *witnesses.nodes)
        return {};
    if (isClear)
        return hasPeers && open.size() > 1 ? oneOfTheNode(*earliest, witnesses) : Blame{*earliest, {}};
    QStringList among;
    for (const Witness* one : std::as_const(open)) {
        if (secondsBetween(*earliest, *one).value_or(0) == 0 && !one->node.isEmpty() && !among.contains(one->node))
            among.append(one->node);
    }
    return {std::nullopt, among};
}

/// The node of an agent by the number of its task, which a launcher's label or the name of its output gives.
QString nodeOfLabel(const FoundFailure& found, const FailureWitnesses& witnesses)
{
    if (!found.isLabel || !witnesses.hasAgent || !found.diagnosis.rank)
        return {};
    for (const Witness& one : witnesses.tasks) {
        if (holds(one.tasks, *found.diagnosis.rank))
            return one.node;
    }
    return {};
}

/// With what the other findings and the witnesses know of where it happened.
Diagnosis completed(const FoundFailure& found, const Findings& all, const FailureWitnesses& witnesses)
{
    Diagnosis diagnosis = found.diagnosis;
    const QString labelled = nodeOfLabel(found, witnesses);
    if (found.isLabel && witnesses.hasAgent)
        diagnosis.rank.reset();
    // the same failure reported by another program: slurmstepd knows what, srun knows where
    for (const FoundFailure* other : all) {
        const bool isSame = other->rule != found.rule && other->rule->kind == found.rule->kind
            && (!other->diagnosis.rank || !diagnosis.rank || other->diagnosis.rank == diagnosis.rank);
        if (!isSame || (other->isLabel && witnesses.hasAgent))
            continue;
        if (diagnosis.node.isEmpty())
            diagnosis.node = other->diagnosis.node;
        if (!diagnosis.rank)
            diagnosis.rank = other->diagnosis.rank;
    }
    if (found.rule->isHealth || found.rule->isFromOutside || isCancelled(*found.rule))
        return diagnosis;
    // torchrun's block names the rank that died first; it wins over those that noticed it, and over the first of
    // several that reported the same.
    if (isOfPeers(found)) {
        diagnosis.rank.reset();
        diagnosis.gpu.reset();
        diagnosis.node.clear();
    }
    const Blame blame = blamedFor(found, labelled, all, witnesses);
    const std::optional<Witness>& blamed = blame.witness;
    const bool blames = blamed && blamed->rank && !blamed->isEnding;
    if (blames && diagnosis.rank && diagnosis.rank != blamed->rank) {
        const auto own = std::find_if(
            found.ranks.cbegin(), found.ranks.cend(), [&](const Diagnosis& one) { return one.rank == blamed->rank; });
        if (own != found.ranks.cend()) {
            diagnosis = *own;
        } else if (found.rule->tier > DiagnosisRule::Cause) {
            diagnosis.rank.reset();
            diagnosis.gpu.reset();
            diagnosis.node.clear();
        }
    }
    if (blamed && (!diagnosis.rank || diagnosis.rank == blamed->rank)) {
        diagnosis.rank = blamed->rank;
        if (diagnosis.node.isEmpty())
            diagnosis.node = blamed->node;
    }
    const auto listed = std::find_if(witnesses.rootCauses.cbegin(), witnesses.rootCauses.cend(),
        [&](const Witness& one) { return diagnosis.rank && one.rank == diagnosis.rank; });
    if (listed != witnesses.rootCauses.cend() && diagnosis.node.isEmpty())
        diagnosis.node = listed->node;
    if (!diagnosis.rank && diagnosis.node.isEmpty())
        diagnosis.node = labelled;
    if (!diagnosis.rank && diagnosis.node.isEmpty())
        diagnosis.amongNodes = blame.amongNodes;
    if (!blamed && !witnesses.rootCauses.isEmpty())
        return diagnosis; // one of several nodes: the agent that exits first need not have it
    if (isOfPeers(found))
        return diagnosis;
    // The first to exit need not be the one that failed. On one node the device's number is the task's, where tasks see
    // all devices; where each sees its own only, all say 0.
    const auto isOnFirst = [&](const Witness& one) { return one.node == witnesses.tasks.first().node; };
    const bool isOneNode = std::all_of(witnesses.tasks.begin(), witnesses.tasks.end(), isOnFirst);
    if (!diagnosis.rank && diagnosis.gpu.value_or(0) > 0 && isOneNode && !witnesses.hasAgent) {
        for (const Witness& witness : witnesses.tasks) {
            if (holds(witness.tasks, *diagnosis.gpu))
                diagnosis.rank = diagnosis.gpu;
        }
    }
    for (const Witness& witness : witnesses.tasks) {
        if (diagnosis.rank && !witnesses.hasAgent && !holds(witness.tasks, *diagnosis.rank))
            continue;
        if (diagnosis.rank && witnesses.hasAgent && witnesses.tasks.size() > 1)
            break; // which agent had this rank is not reported
        if (diagnosis.node.isEmpty())
            diagnosis.node = witness.node;
        if (!diagnosis.rank && diagnosis.node == witness.node && !witnesses.hasAgent)
            diagnosis.rank = witness.rank;
        break;
    }
    return diagnosis;
}

/// The rule's tier, or what the order of the findings makes of it.
int weight(const FoundFailure& found, const Findings& reported, const FailureWitnesses& witnesses)
{
    const auto orderOf = [&](Role role) {
        const auto place = std::find_if(reported.cbegin(), reported.cend(),
            [role](const FoundFailure* other) { return other->rule->role == role; });
        return place == reported.cend() ? 0 : (*place)->order;
    };
    const DiagnosisRule::Tier tier = found.rule->tier;
    // a launcher names the rank that exited before it repeats what that rank wrote
    const auto isOfSameRank = [&](const FoundFailure* other) {
        return other->rule->role == Role::Exception && !other->isSurvived && found.diagnosis.rank
            && other->diagnosis.rank == found.diagnosis.rank;
    };
    if (found.rule->role == Role::Exit && std::any_of(reported.cbegin(), reported.cend(), isOfSameRank))
        return DiagnosisRule::Unexplained + 1;
    // Others may have gone on for a moment, and then noticed; long before, it was something else.
    if (found.isSurvived)
        return found.linesSince < shortlyBefore ? DiagnosisRule::Communication : DiagnosisRule::Unexplained + 1;
    const int signal = signalOf(witnesses);
    const bool isFromOutside = std::any_of(
        reported.cbegin(), reported.cend(), [](const FoundFailure* other) { return other->rule->isFromOutside; });
    if (signal != 0 && !isFromOutside && found.rule->signal == signal)
        return DiagnosisRule::Cause; // behind those that say why, by its order
    // A step is also cancelled because a task of it failed: then what was reported of the task before counts. A job is
    // not, but somebody cancels what is left of it.
    const qint64 job = orderOf(Role::JobCancelled), exit = orderOf(Role::Exit);
    const bool hasFailed = job == 0 || (exit > 0 && exit < job);
    if (tier == DiagnosisRule::Unexplained && hasFailed
        && found.order < (job == 0 ? orderOf(Role::StepCancelled) : job))
        return DiagnosisRule::Echo;
    // a job that made way begins again: what went wrong afterwards is its last run's
    const auto isLater = [&](const FoundFailure* other) {
        return other->order > found.order && other->rule->tier == DiagnosisRule::Cause && !other->rule->isWarning;
    };
    if (found.rule->role == Role::Preempted && std::any_of(reported.cbegin(), reported.cend(), isLater))
        return DiagnosisRule::Communication;
    return tier;
}

/// With torchrun's time of the end of its rank.
Diagnosis withPrintedTime(Diagnosis diagnosis, const FailureWitnesses& witnesses)
{
    for (const Witness& one : witnesses.rootCauses) {
        if (diagnosis.rank && one.rank == diagnosis.rank && torchrunTime(one.time).isValid())
            diagnosis.printedTime = one.time;
    }
    return diagnosis;
}

} // namespace

QList<Diagnosis> rankCauses(const QList<FoundFailure>& findings, const FailureWitnesses& witnesses)
{
    Findings all, reported;
    for (const FoundFailure& one : findings)
        all.append(&one);
    std::sort(all.begin(), all.end(), [](const FoundFailure* a, const FoundFailure* b) { return a->order < b->order; });
    const bool isAgreed = hasEnding(all, witnesses);
    const bool hasFailed = showsFailure(all, witnesses);
    std::copy_if(all.cbegin(), all.cend(), std::back_inserter(reported),
        [&](const FoundFailure* one) { return counts(*one, hasFailed, isAgreed, witnesses); });
    const Findings unsorted = reported; // the list itself is in disorder while it is sorted
    const auto place = [&](const FoundFailure* found) {
        const bool isMere = found->rule->tier > DiagnosisRule::Cause; // made a cause by what else is known
        return std::tuple(weight(*found, unsorted, witnesses), isMere, found->rule->isHealth, isWarning(*found),
            found->order, found->rule);
    };
    std::sort(reported.begin(), reported.end(),
        [&](const FoundFailure* a, const FoundFailure* b) { return place(a) < place(b); });
    // Whoever notices that a process is gone is not the cause where an exception comes before.
    const auto own = std::find_if(reported.begin(), reported.end(), [&](const FoundFailure* found) {
        return found->rule->role == Role::Exception && !found->isSurvived && found->order < reported.first()->order;
    });
    // Nor is one that waited in vain for a rank that had left with an exception.
    const auto waitedFor = [](const FoundFailure& gone, const FoundFailure& waiting) {
        const auto isOther = [&](const Diagnosis& one) { return one.rank != gone.diagnosis.rank; };
        return waiting.rule->id == u"collective-timeout"_s && gone.diagnosis.rank && !gone.isLabel
            && std::all_of(waiting.ranks.cbegin(), waiting.ranks.cend(), isOther);
    };
    if (own != reported.end()
        && (reported.first()->rule->tier == DiagnosisRule::Echo || waitedFor(**own, *reported.first())))
        std::rotate(reported.begin(), own, own + 1);
    QList<Diagnosis> answer;
    for (const FoundFailure* found : std::as_const(reported)) {
        // a bad loss and the job's own ending are two things; all else is consequence of the first
        const bool isApart = !answer.isEmpty() && reported.first()->rule->isHealth && found->rule->isFromOutside;
        if (!answer.isEmpty() && (!isApart || answer.size() > 1))
            continue;
        answer.append(withPrintedTime(completed(*found, all, witnesses), witnesses));
        answer.last().confirmed = isAgreed || found->rule->isHealth;
    }
    return answer;
}

} // namespace rankwright::inline insight
