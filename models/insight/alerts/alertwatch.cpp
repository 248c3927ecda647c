// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertwatch.h"

#include "models/insight/alerts/alertrules.h"
#include "models/insight/alerts/failuretitle.h"
#include "models/insight/alerts/fleetcurve.h"
#include "models/insight/alerts/jobsnapshot.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/diagnosis/failuremoment.h"
#include "models/insight/telemetry/staleness.h"
#include "models/insight/telemetry/telemetryseries.h"

#include <algorithm>
#include <map>
#include <set>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 roundMs = 1000; ///< the rules look once a second
constexpr qint64 textMs = 30'000; ///< figures in a standing text are renewed so often: a text that flickers is not read
constexpr qint64 clockStepMs = 60'000; ///< a node's clock was set again
constexpr int mostGpus = TelemetrySeries::maxGpusPerNode;
constexpr int mostNodes = TelemetrySeries::maxNodes;
constexpr int mostShown = 64;
constexpr qint64 peersMs = 120'000; ///< from the first broken connection to the summary that names its cause
constexpr qint64 endReadMs = 60'000; ///< the output of a job that ends is read to its end within this

/// Something that was seen and is or will be reported.
struct Standing {
    Evidence evidence;
    qint64 firstMs = 0;
    qint64 lastMs = 0;
    qint64 raisedMs = 0; ///< 0: not reported yet
    qint64 textAtMs = 0;
    bool silenced = false;
};

bool isAboutTheSame(const Evidence& one, const Evidence& two)
{
    return one.gpus == two.gpus && one.nodes == two.nodes && one.rank == two.rank && one.kind == two.kind;
}

/// A collective that timed out is only how the others noticed: whom they wait for, once said, goes on being said.
bool isCauseOf(AlertKind kind, const Evidence& evidence)
{
    using enum AlertKind;
    return isVainWait(evidence.kind) && (kind == Hang || kind == DeadNode || kind == LostRank || kind == MissingRank);
}

QString filled(QString text, const JobExpectation& expectation)
{
    const QString launch
        = expectation.launchOption.isEmpty() ? u"one process for each GPU"_s : expectation.launchOption;
    const QString bind = expectation.bindOption.isEmpty() ? u"--cpu-bind=cores"_s : expectation.bindOption;
    return text.replace(u"%launch"_s, launch).replace(u"%bind"_s, bind);
}

} // namespace

struct AlertWatch::State {
    JobExpectation expectation;
    std::vector<QList<int>> wantedCpus;
    std::vector<NodeTrack> nodes;
    QHash<QString, int> rows;
    RankTracker ranks;
    StepPace pace;
    FleetCurve fleet;
    QList<Diagnosis> diagnoses;
    QHash<QString, SuspectedFailure> suspected; ///< by rule
    QHash<QString, qint64> foundMs; ///< by rule: when its line was first found
    JobEnding ending = JobEnding::None;
    std::map<std::pair<int, QString>, Standing> standing;
    qint64 startedAtMs = 0; ///< nodes' clock
    qint64 endedAtMs = 0;
    qint64 watchedMs = 0;
    qint64 heardMs = 0, resumedMs = 0; ///< a sample of any node: the newest; the first after none came for long
    qint64 lookedMs = 0;
    JobPhase phase;
    bool dirty = false;

    int rowOf(const QString& name);
    void orderRows(const QStringList& names);
    qint64 timeOf(NodeTrack& node, qint64 takenMs, qint64 nowMs);
    void addTick(const NodeTick& tick, qint64 nowMs);
    void setPhase(const JobSnapshot& snapshot);
    void evaluate(qint64 nowMs);
    void note(int rule, const Evidence& evidence, qint64 nowMs);
    void removePassed(qint64 nowMs);
    void silence();
    void end(qint64 atMs, JobEnding how);
    qint64 sinceMs(const Standing& one) const;
    Alert reported(const Standing& one) const;
};

int AlertWatch::State::rowOf(const QString& name)
{
    if (const auto known = rows.constFind(name); known != rows.constEnd())
        return *known;
    if (int(nodes.size()) >= mostNodes)
        return -1;
    rows.insert(name, int(nodes.size()));
    nodes.push_back({.name = name, .gpus = {}});
    return int(nodes.size()) - 1;
}

void AlertWatch::State::orderRows(const QStringList& names)
{
    const int before = int(nodes.size());
    for (const QString& name : names)
        rowOf(name);
    QStringList order = names;
    for (const NodeTrack& node : nodes) {
        if (!rows.isEmpty() && !names.contains(node.name))
            order.append(node.name);
    }
    order.removeDuplicates();
    std::vector<int> newRow(nodes.size());
    bool moved = false;
    for (int place = 0; place < int(order.size()); ++place) {
        const int old = rows.value(order.at(place), -1);
        if (old < 0)
            continue;
        newRow[size_t(old)] = place;
        moved = moved || old != place;
    }
    if (!moved || order.size() != qsizetype(nodes.size()))
        return;
    std::vector<NodeTrack> sorted(nodes.size());
    for (size_t old = 0; old < nodes.size(); ++old)
        sorted[size_t(newRow[old])] = std::move(nodes[old]);
    nodes = std::move(sorted);
    for (int& row : rows)
        row = newRow[size_t(row)];
    if (before > 0)
        ranks.moveRows(newRow);
    standing.clear(); // addresses in there are of the old order
}

/// A sample's time by the caller's clock. A burst after a link that hung keeps the distances of the node's clock.
qint64 AlertWatch::State::timeOf(NodeTrack& node, qint64 takenMs, qint64 nowMs)
{
    if (takenMs <= 0)
        return nowMs;
    const qint64 offset = takenMs - nowMs;
    if (!node.hasOffset || offset > node.offsetMs || node.offsetMs - offset > clockStepMs) {
        node.offsetMs = offset;
        node.hasOffset = true;
    }
    return takenMs - node.offsetMs;
}

void AlertWatch::State::addTick(const NodeTick& tick, qint64 nowMs)
{
    const int row = rowOf(tick.node);
    if (row < 0)
        return;
    NodeTrack& node = nodes[size_t(row)];
    if (heardMs > 0 && nowMs - heardMs >= silentAfterMs(qint64(node.intervalMs.value_or(0))))
        resumedMs = nowMs;
    heardMs = nowMs;
    const qint64 ms = timeOf(node, tick.takenMs, nowMs);
    if (ms < node.lastMs)
        return;
    const qint64 gap = ms - node.lastMs;
    if (node.lastMs > 0 && gap > 100 && (!node.intervalMs || double(gap) < 5 * *node.intervalMs))
        node.intervalMs = node.intervalMs ? 0.8 * *node.intervalMs + 0.2 * double(gap) : double(gap);
    node.lastMs = ms;
    if (node.firstMs == 0)
        node.firstMs = ms;
    if (watchedMs == 0)
        watchedMs = ms;
    for (const GpuSample& sample : tick.gpus) {
        if (sample.index < 0 || sample.index >= mostGpus)
            continue;
        if (size_t(sample.index) >= node.gpus.size())
            node.gpus.resize(size_t(sample.index) + 1);
        node.gpus[size_t(sample.index)].addSample(sample, ms);
        if (sample.utilizationPercent)
            fleet.addUse(float(*sample.utilizationPercent), ms);
    }
}

/// Once it trains it does.
void AlertWatch::State::setPhase(const JobSnapshot& snapshot)
{
    JobPhase next = phaseOf(snapshot);
    if (next.kind == JobPhase::Kind::Training) {
        if (phase.kind == JobPhase::Kind::Training)
            return;
        const qint64 began = snapshot.workBeganMs() > 0 ? snapshot.workBeganMs() : snapshot.nowMs();
        if (phase.kind == JobPhase::Kind::Starting && snapshot.startedMs() > 0 && began > snapshot.startedMs())
            next.startUpMs = began - snapshot.startedMs();
    }
    phase = next;
}

void AlertWatch::State::evaluate(qint64 nowMs)
{
    lookedMs = nowMs;
    dirty = false;
    const qint64 offset = !nodes.empty() ? nodes.front().offsetMs : 0;
    const qint64 started = startedAtMs > 0 ? startedAtMs - offset : 0;
    const JobSnapshot snapshot({expectation, wantedCpus, nodes, ranks, pace, fleet, diagnoses, nowMs, started,
        watchedMs, suspected, ending, resumedMs});
    setPhase(snapshot);
    const QList<AlertRule>& rules = alertRules();
    QList<Evidence> found;
    for (int index = 0; index < int(rules.size()); ++index) {
        const AlertRule& rule = rules.at(index);
        if (endedAtMs > 0 && rule.evaluate != findOutput)
            continue;
        found.clear();
        rule.evaluate(rule, snapshot, found);
        for (const Evidence& evidence : std::as_const(found))
            note(index, evidence, nowMs);
    }
    removePassed(nowMs);
}

void AlertWatch::State::note(int rule, const Evidence& evidence, qint64 nowMs)
{
    auto [place, isNew] = standing.try_emplace({rule, evidence.key});
    Standing& one = place->second;
    if (isNew)
        one.firstMs = nowMs;
    if (isNew || one.raisedMs == 0 || !isAboutTheSame(one.evidence, evidence) || nowMs - one.textAtMs >= textMs) {
        const qint64 since = one.raisedMs > 0 ? one.evidence.sinceMs : evidence.sinceMs;
        one.evidence = evidence;
        one.evidence.sinceMs = since;
        one.textAtMs = nowMs;
    }
    one.lastMs = nowMs;
    const qint64 lasts = evidence.lastsMs.value_or(evidence.rule->lastsMs);
    if (one.raisedMs == 0 && nowMs - one.firstMs >= lasts)
        one.raisedMs = nowMs;
}

void AlertWatch::State::removePassed(qint64 nowMs)
{
    std::erase_if(standing, [&](const auto& pair) {
        const Standing& one = pair.second;
        if (one.lastMs == nowMs)
            return false;
        if (one.raisedMs == 0)
            return true; // it did not last
        return endedAtMs == 0 && nowMs - one.lastMs > one.evidence.rule->staysMs;
    });
    silence();
}

void AlertWatch::State::silence()
{
    std::set<AlertKind> explained;
    std::map<AlertKind, qint64> noticedMs; // explained but for what was said before
    for (const auto& [key, one] : standing) {
        // What is about to be reported already holds back what it would explain.
        for (const AlertKind kind : one.evidence.rule->silences) {
            if (isCauseOf(kind, one.evidence))
                noticedMs.try_emplace(kind, one.firstMs);
            else
                explained.insert(kind);
        }
    }
    for (auto& [key, one] : standing) {
        const auto noticed = noticedMs.find(one.evidence.rule->kind);
        const bool isLater = noticed != noticedMs.end() && (one.raisedMs == 0 || one.raisedMs >= noticed->second);
        one.silenced = isLater || explained.contains(one.evidence.rule->kind);
    }
}

void AlertWatch::State::end(qint64 atMs, JobEnding how)
{
    endedAtMs = std::max<qint64>(1, atMs);
    ending = how;
    dirty = true;
    // The output is checked once more; ranks that leave one after the other are not a failure.
    std::erase_if(standing, [&](const auto& pair) {
        const AlertRule& rule = *pair.second.evidence.rule;
        const bool ofOutput = rule.evaluate == findOutput || rule.evaluate == findSuspicion;
        return ofOutput
            || (how == JobEnding::Completed && rule.level == Alert::Level::Failure
                && rule.evaluate != findLossNotANumber);
    });
}

/// When it happened, caller's clock; 0: not known. A line is found when the output is read, which of a job that has
/// ended may be days later.
qint64 AlertWatch::State::sinceMs(const Standing& one) const
{
    const AlertRule& rule = *one.evidence.rule;
    if (one.evidence.sinceMs > 0)
        return one.evidence.sinceMs;
    if (rule.evaluate != findOutput && rule.evaluate != findSuspicion)
        return one.firstMs;
    const QString& key = one.evidence.key;
    qint64 found = foundMs.value(key, one.firstMs);
    for (auto peers = foundMs.cbegin(); peers != foundMs.cend();
         ++peers) { // a rank that lost a partner reports it first
        if (isLostPeerRule(peers.key()) && peers.value() < found && found - peers.value() <= peersMs)
            found = peers.value();
    }
    if (endedAtMs == 0 || found <= endedAtMs)
        return found;
    for (const Diagnosis& diagnosis : diagnoses) {
        if (diagnosis.rule != key)
            continue;
        if (const std::optional<qint64> printed = failureMoment(diagnosis.printedTime, endedAtMs))
            return *printed;
    }
    return found - endedAtMs <= endReadMs ? endedAtMs : 0;
}

Alert AlertWatch::State::reported(const Standing& one) const
{
    const Evidence& evidence = one.evidence;
    const AlertRule& rule = *evidence.rule;
    Alert alert;
    alert.kind = evidence.kind.isEmpty() ? nameOf(rule.kind).toString() : evidence.kind;
    alert.rule = rule.kind;
    alert.level = rule.level;
    alert.title = evidence.title;
    alert.seen = evidence.seen;
    const int row = evidence.nodes.isEmpty() ? 0 : rows.value(evidence.nodes.first(), 0);
    const qint64 offset = size_t(row) < nodes.size() ? nodes[size_t(row)].offsetMs : 0;
    const qint64 since = sinceMs(one);
    if (since > 0 && since + offset > 0) {
        // found after the job's end, but not true later than that
        alert.sinceMs = endedAtMs > 1 ? std::min(since + offset, endedAtMs) : since + offset;
    }
    alert.meaning = evidence.meaning.isEmpty() ? QString::fromUtf8(rule.meaning) : evidence.meaning;
    alert.advice = filled(evidence.advice.isEmpty() ? QString::fromUtf8(rule.advice) : evidence.advice, expectation);
    alert.field = QString::fromLatin1(rule.field);
    alert.source = evidence.source.isEmpty() ? QString::fromUtf8(rule.source) : evidence.source;
    alert.gpus = evidence.gpus.mid(0, mostShown);
    alert.nodes = evidence.nodes;
    alert.rank = evidence.rank;
    return alert;
}

AlertWatch::AlertWatch() : m_state(std::make_unique<State>()) { }
AlertWatch::~AlertWatch() = default;
AlertWatch::AlertWatch(AlertWatch&&) noexcept = default;
AlertWatch& AlertWatch::operator=(AlertWatch&&) noexcept = default;

void AlertWatch::expect(const JobExpectation& expectation)
{
    State& state = *m_state;
    state.expectation = expectation;
    state.wantedCpus.clear();
    state.wantedCpus.reserve(size_t(expectation.placement.size()));
    for (const RankPlace& rank : expectation.placement)
        state.wantedCpus.push_back(rank.cores);
    if (!expectation.nodes.isEmpty())
        state.orderRows(expectation.nodes);
}

void AlertWatch::feed(const NodeTick& tick, qint64 nowMs)
{
    m_state->addTick(tick, nowMs);
    if (nowMs - m_state->lookedMs >= roundMs)
        m_state->evaluate(nowMs);
}

void AlertWatch::feed(const NodeProcesses& processes, qint64 nowMs)
{
    const int row = m_state->rowOf(processes.node);
    if (row < 0)
        return;
    m_state->ranks.addProcesses(processes, row, m_state->timeOf(m_state->nodes[size_t(row)], processes.takenMs, nowMs));
}

void AlertWatch::feed(const TrainingProgress& progress, qint64 nowMs) { m_state->pace.addProgress(progress, nowMs); }

void AlertWatch::feed(const QList<Diagnosis>& diagnoses, qint64 nowMs)
{
    QHash<QString, SuspectedFailure> suspected;
    for (const Diagnosis& one : diagnoses)
        suspected.insert(one.rule, m_state->suspected.value(one.rule, {nowMs, m_state->pace.updates()}));
    noteFound(diagnoses, nowMs);
    m_state->suspected = suspected;
    m_state->diagnoses = diagnoses;
    m_state->dirty = true;
}

void AlertWatch::noteFound(const QList<Diagnosis>& diagnoses, qint64 atMs)
{
    for (const Diagnosis& one : diagnoses) {
        const qint64 known = m_state->foundMs.value(one.rule, atMs);
        m_state->foundMs.insert(one.rule, std::min(known, atMs));
    }
}

void AlertWatch::started(qint64 atMs) { m_state->startedAtMs = atMs; }

JobPhase AlertWatch::phase() const { return m_state->phase; }

void AlertWatch::ended(qint64 atMs) { m_state->end(atMs, JobEnding::Otherwise); }

void AlertWatch::completed(qint64 atMs) { m_state->end(atMs, JobEnding::Completed); }

QList<Alert> AlertWatch::alerts(qint64 nowMs) const
{
    State& state = *m_state;
    if (nowMs - state.lookedMs >= roundMs || state.dirty)
        state.evaluate(nowMs);
    QList<Alert> alerts;
    for (const auto& [key, one] : state.standing) {
        if (one.raisedMs > 0 && !one.silenced)
            alerts.append(state.reported(one));
    }
    std::stable_sort(
        alerts.begin(), alerts.end(), [](const Alert& one, const Alert& two) { return one.level > two.level; });
    return alerts;
}

} // namespace rankwright::inline insight
