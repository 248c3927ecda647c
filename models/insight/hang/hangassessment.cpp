// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangassessment.h"

#include "models/core/numberranges.h"
#include "models/insight/hang/flightfusion.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

using Places = QList<qsizetype>;

constexpr qsizetype mostLastOperations = 64; ///< of those that are accused

class HangAssessment {
public:
    HangAssessment(const HangScene& scene, QStringList& conflicts)
        : m_ranks(scene.evidence.ranks), m_standings(scene.standings), m_evidence(scene.evidence),
          m_conflicts(conflicts), m_flight(flightFinding(scene.evidence.ranks))
    {
        for (qsizetype i = 0; i < m_standings.size(); ++i) {
            const RankStanding& standing = m_standings.at(i);
            (standing.isGone ? m_gone : m_alive).append(i);
            m_isSeenTwice = m_isSeenTwice || standing.moves.has_value();
            if (standing.rank)
                m_placeOfRank.insert(*standing.rank, i);
        }
        m_moves = jobMoves();
        m_isSeenTwice = m_isSeenTwice || m_moves.has_value() || m_alive.isEmpty(); // what has ended stands still
    }

    HangCase assess()
    {
        HangCase found = firstOf();
        found.isSeenOnce = !m_isSeenTwice && !found.odd.isEmpty() && found.cause != HangCause::Stopped
            && found.cause != HangCause::Gone;
        if (m_flight) {
            found.calledGroup = m_flight->group;
            found.called = m_flight->called;
        }
        addLastOperations(found);
        return found;
    }

private:
    /// Who is stopped or gone cannot be asked for its stack: what it did last is known from records.
    void addLastOperations(HangCase& found) const
    {
        QHash<int, qsizetype> placeOfRank; // of those without a record of their own
        for (const qsizetype i : found.odd.first(std::min(mostLastOperations, found.odd.size()))) {
            if (m_standings.at(i).meaning.shown)
                continue;
            if (const auto last = lastCalled(m_ranks.at(i)))
                found.last.insert(i, *last);
            else if (m_ranks.at(i).rank)
                placeOfRank.insert(*m_ranks.at(i).rank, i);
        }
        if (placeOfRank.isEmpty())
            return;
        const QSet<int> accused(placeOfRank.keyBegin(), placeOfRank.keyEnd());
        const QHash<int, LastOperation> tookPart = lastTookPart(accused, m_ranks);
        for (const auto& [rank, last] : tookPart.asKeyValueRange())
            found.last.insert(placeOfRank.value(rank), last);
    }

    HangCase firstOf()
    {
        if (m_standings.isEmpty())
            return {.cause = HangCause::Unknown};
        if (const auto found = stopped())
            return *found;
        if (m_moves.value_or(false))
            return {.cause = HangCause::Nothing};
        if (const auto found = gone())
            return *found;
        if (const auto found = recorded()) {
            compareWithOthers(*found);
            return *found;
        }
        if (const auto found = stacked()) {
            compareWithRas(*found);
            return *found;
        }
        if (const auto found = launched())
            return *found;
        if (const auto found = byProcess())
            return *found;
        return allTogether();
    }

    /// Does the job go on: a newer operation in a record or in RAS, or a waiting rank that came from elsewhere.
    std::optional<bool> jobMoves() const
    {
        std::optional<bool> moves = flightMoves(m_ranks);
        for (const NodeRas& node : m_evidence.ras) {
            if (!node.before || !node.now)
                continue;
            if (const auto launches = rasMoves(*node.before, *node.now))
                moves = moves.value_or(false) || *launches;
        }
        for (const qsizetype i : m_alive) {
            const RankStanding& standing = m_standings.at(i);
            if (waits(standing) && m_ranks.at(i).stacksBefore)
                moves = moves.value_or(false) || standing.isElsewhere;
            // Gloo waits for its peers on one condition variable; a thread that woke has been through, and waits again.
            if (standing.isInCollective() && standing.call == u"futex"_s && standing.isSameWait)
                moves = moves.value_or(false) || !*standing.isSameWait;
        }
        return moves;
    }
    static bool waits(const RankStanding& standing) { return standing.isInCollective() || standing.mayWait(); }
    bool goesOn(qsizetype i) const { return m_standings.at(i).moves.value_or(false); }

    Places aliveThat(bool (*is)(const RankStanding&)) const
    {
        Places places;
        for (const qsizetype i : m_alive) {
            if (is(m_standings.at(i)))
                places.append(i);
        }
        return places;
    }
    Places without(const Places& all, const Places& some) const
    {
        const QSet<qsizetype> left(some.begin(), some.end());
        Places rest;
        for (const qsizetype i : all) {
            if (!left.contains(i))
                rest.append(i);
        }
        return rest;
    }

    std::optional<HangCase> stopped() const
    {
        const Places all = aliveThat([](const RankStanding& standing) { return standing.isStopped; });
        if (all.isEmpty())
            return {};
        HangCase found{.cause = HangCause::Stopped, .odd = all};
        nameOperation(found, without(aliveThat(waits), all));
        if (found.waiting.isEmpty() && !hasStacks())
            found.waiting = without(m_alive, all);
        return found;
    }

    bool hasStacks() const
    {
        return std::any_of(m_alive.begin(), m_alive.end(),
            [this](qsizetype i) { return m_standings.at(i).meaning.activity != StackActivity::Unknown; });
    }

    std::optional<HangCase> gone() const
    {
        if (m_gone.isEmpty() || m_alive.isEmpty())
            return {};
        const Places waiting = aliveThat(waits);
        const bool allStand = std::all_of(m_alive.begin(), m_alive.end(),
            [this](qsizetype i) { return m_standings.at(i).isSameWait.value_or(false); });
        if (waiting.isEmpty() && !allStand
            && (hasStacks() || std::any_of(m_alive.begin(), m_alive.end(), [this](qsizetype i) { return goesOn(i); })))
            return {}; // no rank waits for them
        HangCase found{.cause = HangCause::Gone, .source = HangCase::Source::Processes, .odd = m_gone};
        nameOperation(found, waiting.isEmpty() ? m_alive : waiting);
        if (m_gone.size() > m_alive.size() && !waiting.isEmpty()) {
            // Most have ended, a few wait in what the others never came to.
            found.cause = HangCause::Alone;
            found.odd = found.waiting;
            found.waiting.clear();
        }
        return found;
    }

    /// The operation, and where it was called, of most that wait.
    void nameOperation(HangCase& found, const Places& waiting) const
    {
        found.waiting = waiting;
        QHash<QString, int> votes;
        for (const qsizetype i : waiting) {
            const StackMeaning& meaning = m_standings.at(i).meaning;
            const QString name = meaning.activity == StackActivity::Backward ? u"backward"_s : meaning.collective;
            if (name.isEmpty())
                continue;
            const int vote = ++votes[name];
            if (found.operation.isEmpty() || vote > votes.value(found.operation)
                || (name == found.operation && !found.call)) {
                found.operation = name;
                found.call = meaning.shown;
            }
        }
        if (found.operation.isEmpty()) {
            const QList<Side> sides = sidesOf(waiting, true);
            if (!sides.isEmpty() && sides.first().ranks.size() * 2 > waiting.size())
                found.call = sides.first().call; // a call that is none of torch.distributed: a store, another library
        }
    }

    Places placesOf(const QList<int>& ranks) const
    {
        Places places;
        for (const int rank : ranks) {
            if (const auto at = m_placeOfRank.constFind(rank); at != m_placeOfRank.constEnd())
                places.append(*at);
        }
        return places;
    }

    std::optional<HangCase> recorded() const
    {
        using Kind = FlightFinding::Kind;
        if (!m_flight || m_flight->kind == Kind::AllWait || m_flight->kind == Kind::NotStarted)
            return {};
        HangCase found{.cause = HangCause::NotEntered, .source = HangCase::Source::Recorder};
        addFlight(found);
        if (m_flight->kind == Kind::WrongOrder)
            found.cause = HangCause::WrongOrder;
        else if (m_flight->kind == Kind::WrongSize)
            found.cause = HangCause::WrongSize;
        else if (m_flight->kind == Kind::WrongType)
            found.cause = HangCause::WrongType;
        if (found.odd.isEmpty())
            return {};
        found.isTie = m_flight->waiting.isEmpty() && found.cause != HangCause::NotEntered;
        if (found.cause == HangCause::NotEntered)
            return withoutThoseThatGoOn(found);
        return found;
    }

    void addFlight(HangCase& found) const
    {
        found.odd = placesOf(m_flight->odd);
        found.waiting = placesOf(m_flight->waiting);
        found.operation = m_flight->operation;
        found.oddOperation = m_flight->oddOperation;
        found.group = m_flight->group;
        found.sequence = m_flight->sequence;
        found.call = m_flight->call;
        found.oddCall = m_flight->oddCall;
        found.usual = m_flight->usual;
        found.deviating = m_flight->deviating;
    }

    /// A rank that goes on is not accused: others wait for it, which is not a hang.
    HangCase withoutThoseThatGoOn(HangCase found) const
    {
        Places still;
        for (const qsizetype i : std::as_const(found.odd)) {
            if (!goesOn(i))
                still.append(i);
        }
        if (still.isEmpty()) {
            found.cause = HangCause::Slow;
            found.slow = found.odd;
        }
        found.odd = still;
        return found;
    }

    struct Side {
        QString operation;
        std::optional<PythonFrame> call;
        Places ranks;
    };

    /// Ranks by the operation in which they wait, and, where that is one, by the place of the call; largest first.
    QList<Side> sidesOf(const Places& waiting, bool byPlace) const
    {
        QList<Side> sides;
        for (const qsizetype i : waiting) {
            const StackMeaning& meaning = m_standings.at(i).meaning;
            const QString operation = meaning.activity == StackActivity::Collective ? meaning.collective
                : meaning.activity == StackActivity::Backward                       ? u"backward"_s
                : meaning.activity == StackActivity::DeviceWait                     ? u"synchronize"_s
                                                                                    : QString();
            const auto same = [&](const Side& side) {
                return side.operation == operation && (!byPlace || side.call == meaning.shown);
            };
            const auto known = std::find_if(sides.begin(), sides.end(), same);
            if (known != sides.end())
                known->ranks.append(i);
            else
                sides.append({operation, meaning.shown, {i}});
        }
        std::stable_sort(
            sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.ranks.size() > b.ranks.size(); });
        return sides;
    }

    std::optional<HangCase> stacked() const
    {
        if (!hasStacks())
            return {};
        Places waiting = aliveThat(waits);
        const Places known = aliveThat(
            [](const RankStanding& standing) { return standing.meaning.activity != StackActivity::Unknown; });
        Places outside = without(known, waiting);
        for (const qsizetype i : m_alive) {
            // without a stack of its own: a file system that lets it wait is enough
            if (m_standings.at(i).meaning.activity == StackActivity::Unknown && m_standings.at(i).waitsForFiles)
                outside.append(i);
        }
        if (waiting.isEmpty())
            return outOfHerd(outside);
        if (!outside.isEmpty())
            return notThere(waiting, outside);
        return differentCalls(waiting);
    }

    /// No rank is seen in a call of torch.distributed: most stand in one place (where the GPU is waited for), a few
    /// elsewhere.
    std::optional<HangCase> outOfHerd(const Places& all) const
    {
        const QList<Side> sides = sidesOf(all, true);
        if (sides.size() < 2 || sides.first().ranks.size() * 2 <= all.size())
            return {};
        const Places herd = sides.first().ranks;
        if (std::any_of(herd.begin(), herd.end(), [this](qsizetype i) { return m_standings.at(i).isElsewhere; }))
            return {};
        HangCase found{.cause = HangCause::NotEntered,
            .source = HangCase::Source::Stacks,
            .odd = without(all, herd),
            .waiting = herd,
            .call = sides.first().call};
        return withoutThoseThatGoOn(found);
    }

    std::optional<HangCase> notThere(const Places& waiting, const Places& outside) const
    {
        HangCase found{.cause = HangCause::NotEntered, .source = HangCase::Source::Stacks, .odd = outside};
        nameOperation(found, waiting);
        const bool haveEnded
            = std::all_of(outside.begin(), outside.end(), [this](qsizetype i) { return m_standings.at(i).isEnding(); });
        if (haveEnded && outside.size() > waiting.size()) {
            found.cause = HangCause::Alone;
            found.odd = waiting;
            found.waiting.clear();
            return found;
        }
        return withoutThoseThatGoOn(found);
    }

    std::optional<HangCase> differentCalls(const Places& waiting) const
    {
        QList<Side> sides = sidesOf(waiting, false);
        if (sides.size() < 2)
            sides = sidesOf(waiting, true);
        if (sides.size() < 2)
            return {};
        if (m_flight && m_flight->kind == FlightFinding::Kind::AllWait && m_flight->silent.isEmpty())
            return {}; // the record knows their groups: they are different ones
        HangCase found{.cause = HangCause::WrongOrder, .source = HangCase::Source::Stacks};
        found.operation = sides.at(0).operation;
        found.call = sides.at(0).call;
        found.oddOperation = sides.at(1).operation;
        found.oddCall = sides.at(1).call;
        found.isTie = sides.at(0).ranks.size() == sides.at(1).ranks.size();
        found.waiting = found.isTie ? Places() : sides.at(0).ranks;
        found.odd = found.isTie ? waiting : without(waiting, sides.at(0).ranks);
        const bool isOddCall = std::all_of(
            found.odd.begin(), found.odd.end(), [this](qsizetype i) { return m_standings.at(i).isInCollective(); });
        if (!isOddCall && !found.isTie)
            found.cause = HangCause::NotEntered; // in what may wait for others, in a place of its own
        return found;
    }

    /// Ranks of the evidence that RAS means; by process, and where that is several, by node too.
    Places placesOf(const QList<RasRank>& behind) const
    {
        QHash<qint64, Places> byPid;
        for (qsizetype i = 0; i < m_ranks.size(); ++i) {
            if (m_ranks.at(i).pid)
                byPid[*m_ranks.at(i).pid].append(i);
        }
        Places places;
        for (const RasRank& rank : behind) {
            Places same = rank.pid ? byPid.value(*rank.pid) : Places();
            if (same.size() > 1) {
                Places there;
                for (const qsizetype i : std::as_const(same)) {
                    const QString& node = m_ranks.at(i).node;
                    if (!node.isEmpty() && (node == rank.host || rank.host.startsWith(node + u'.')))
                        there.append(i);
                }
                same = there;
            }
            if (same.size() == 1 && !places.contains(same.first()))
                places.append(same.first());
        }
        std::sort(places.begin(), places.end());
        return places;
    }

    QList<RasStandstill> standstills() const
    {
        QList<RasStandstill> all;
        for (const NodeRas& node : m_evidence.ras) {
            if (node.before && node.now)
                all += rasStandstills(*node.before, *node.now);
        }
        std::stable_sort(all.begin(), all.end(), [](const RasStandstill& a, const RasStandstill& b) {
            return qint64(a.behindCount) * qMax(1, b.members) < qint64(b.behindCount) * qMax(1, a.members);
        });
        return all;
    }

    std::optional<HangCase> launched() const
    {
        for (const RasStandstill& standstill : standstills()) {
            const Places behind = placesOf(standstill.behind);
            if (behind.isEmpty())
                continue;
            HangCase found{.cause = HangCause::NotEntered, .source = HangCase::Source::Ras, .odd = behind};
            found.waiting = without(m_alive, behind);
            found.operation = standstill.collective;
            found.sequence = standstill.least + 1;
            found.usual = QString::number(standstill.most);
            found.deviating = QString::number(standstill.least);
            return withoutThoseThatGoOn(found);
        }
        return {};
    }

    /// Without stacks and records: a file system that lets a few wait, or a few in another call of the kernel.
    std::optional<HangCase> byProcess() const
    {
        HangCase found{.cause = HangCause::NotEntered, .source = HangCase::Source::Processes};
        found.odd = aliveThat([](const RankStanding& standing) { return standing.waitsForFiles; });
        if (!found.odd.isEmpty()) {
            found.waiting = without(m_alive, found.odd);
            return withoutThoseThatGoOn(found);
        }
        if (hasStacks() || m_alive.size() < 3)
            return {};
        QHash<QString, Places> byCall;
        for (const qsizetype i : m_alive) {
            const RankStanding& standing = m_standings.at(i);
            if (!standing.moves || *standing.moves || (standing.call.isEmpty() && standing.channel.isEmpty()))
                return {}; // somebody goes on, or nothing is known
            byCall[standing.call.isEmpty() ? standing.channel : standing.call].append(i);
        }
        const auto largest = std::max_element(
            byCall.begin(), byCall.end(), [](const Places& a, const Places& b) { return a.size() < b.size(); });
        if (byCall.size() < 2 || largest->size() * 3 < m_alive.size() * 2)
            return {};
        // Who woke and waits again has been through: the others of a slow rank look like that, too.
        if (std::any_of(largest->begin(), largest->end(),
                [this](qsizetype i) { return !m_standings.at(i).isSameWait.value_or(true); }))
            return {};
        found.waiting = *largest;
        found.odd = without(m_alive, *largest);
        return found;
    }

    HangCase allTogether() const
    {
        const bool goesSomebodyOn
            = std::any_of(m_alive.begin(), m_alive.end(), [this](qsizetype i) { return goesOn(i); });
        if (m_flight && m_flight->kind == FlightFinding::Kind::NotStarted) {
            HangCase found{.cause = HangCause::NotStarted, .source = HangCase::Source::Recorder};
            addFlight(found);
            if (!found.odd.isEmpty())
                return withoutThoseThatGoOn(found);
        }
        const Places waiting = aliveThat(waits);
        const bool doAllWait = !waiting.isEmpty() && waiting.size() == m_alive.size();
        // who waits for its GPU uses its processor: where records tell that nothing came or ended, it has not gone on
        const bool standsByRecord = m_flight && (!goesSomebodyOn || !m_moves.value_or(true));
        if (standsByRecord || doAllWait) {
            HangCase found{.cause = HangCause::AllWait, .source = HangCase::Source::Stacks};
            if (m_flight) {
                found.source = HangCase::Source::Recorder;
                addFlight(found);
                found.odd.clear();
            } else {
                nameOperation(found, waiting);
            }
            return found;
        }
        return {.cause = isSeenToGoOn() ? HangCause::Nothing : HangCause::Unknown};
    }

    /// Is there more to say than that no rank is known to hold up the others? Processor time alone does not prove it:
    /// who waits for its GPU uses some, too.
    bool isSeenToGoOn() const
    {
        if (m_alive.isEmpty())
            return false;
        qsizetype goOn = 0, compute = 0;
        for (const qsizetype i : m_alive) {
            const RankStanding& standing = m_standings.at(i);
            goOn += standing.reads || standing.isElsewhere || !standing.isSameWait.value_or(true) ? 1 : 0;
            compute += standing.computes ? 1 : 0;
        }
        if (!hasStacks())
            return goOn * 2 >= m_alive.size();
        return goOn > 0 || (compute > 0 && sidesOf(m_alive, true).size() > 1);
    }

    QString ranksText(const Places& places) const
    {
        QList<int> ranks;
        for (const qsizetype i : places) {
            if (m_ranks.at(i).rank)
                ranks.append(*m_ranks.at(i).rank);
        }
        return (ranks.size() == 1 ? u"rank "_s : u"ranks "_s) + numberRangesForPeople(ranks);
    }

    void compareWithOthers(const HangCase& found) const
    {
        const auto other = stacked();
        if (other && !other->odd.isEmpty() && !found.odd.isEmpty()) {
            const bool isShared = std::any_of(
                other->odd.begin(), other->odd.end(), [&found](qsizetype i) { return found.odd.contains(i); });
            if (!isShared)
                m_conflicts.append(u"Sources disagree: by the Flight Recorder it is %1, by the Python stacks %2."_s.arg(
                    ranksText(found.odd), ranksText(other->odd)));
        }
        compareWithRas(found);
    }

    void compareWithRas(const HangCase& found) const
    {
        bool isCompared = false;
        for (const NodeRas& node : m_evidence.ras)
            isCompared = isCompared || (node.before && node.now && !node.now->communicators.isEmpty());
        if (!isCompared || found.odd.isEmpty())
            return;
        Places behind;
        const QList<RasStandstill> all = standstills();
        for (const RasStandstill& standstill : all)
            behind += placesOf(standstill.behind);
        if (all.isEmpty()) {
            m_conflicts.append(
                u"RAS sees no rank behind the others: it counts what was launched, not what has ended."_s);
            return;
        }
        const bool isShared
            = std::any_of(behind.begin(), behind.end(), [&found](qsizetype i) { return found.odd.contains(i); });
        if (!behind.isEmpty() && !isShared)
            m_conflicts.append(
                u"Sources disagree: by RAS %1 launched fewer operations than the others."_s.arg(ranksText(behind)));
    }

    const QList<RankEvidence>& m_ranks;
    const QList<RankStanding>& m_standings;
    const HangEvidence& m_evidence;
    QStringList& m_conflicts;
    std::optional<FlightFinding> m_flight;
    Places m_alive, m_gone;
    QHash<int, qsizetype> m_placeOfRank;
    std::optional<bool> m_moves; ///< of the whole job
    bool m_isSeenTwice = false;
};

} // namespace

HangCase assessHang(const HangScene& scene, QStringList& conflicts)
{
    return HangAssessment(scene, conflicts).assess();
}

} // namespace rankwright::inline insight
