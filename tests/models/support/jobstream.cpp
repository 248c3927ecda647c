// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/jobstream.h"

#include <algorithm>
#include <cmath>

namespace rankwright::test {

using namespace Qt::StringLiterals;
using Fault = JobPlan::Fault;

namespace {

constexpr int slowShellSeconds = 25;

constexpr qint64 epochMs = 1'772'460'000'000;
constexpr qint64 clockAhead = 3'700; ///< the nodes' clock before ours

enum class Does { Absent, Idle, Load, Compute, Wait };

class JobStream {
public:
    explicit JobStream(const JobPlan& plan) : m_plan(plan), m_random(plan.seed) { }

    QList<Reported> run();

private:
    bool faulty() const { return m_second >= m_plan.faultAt; }
    bool is(Fault fault) const { return m_plan.fault == fault; }
    int world() const;
    int chosen() const { return std::min(m_plan.nodes * m_plan.gpus - 1, m_plan.gpus + 3); } ///< the faulty rank
    bool exists(int rank) const;
    bool isStuck() const;
    bool isPaused() const;
    Does doing(int rank) const;
    void advance();
    NodeTick tick(int node);
    NodeProcesses processes(int node);
    NodeResources resources(const NodeProcesses& processes);
    RankSample rankSample(int rank);
    QString cpus(int rank) const;
    TrainingProgress progress() const;
    double noise(double size) { return std::normal_distribution<double>(0, size)(m_random); }

    JobPlan m_plan;
    std::mt19937 m_random;
    int m_second = 0;
    double m_steps = 0;
};

int JobStream::world() const
{
    const int all = m_plan.nodes * m_plan.gpus;
    if (is(Fault::IdleGpus))
        return all / 2;
    if (is(Fault::IdleNode))
        return all - m_plan.gpus;
    return all;
}

bool JobStream::exists(int rank) const
{
    const int local = rank % m_plan.gpus;
    if (is(Fault::IdleGpus) && local >= m_plan.gpus / 2)
        return false;
    if (is(Fault::IdleNode) && rank / m_plan.gpus == m_plan.nodes - 1)
        return false;
    if (is(Fault::Unstarted) && rank == chosen())
        return false;
    if (is(Fault::LostRank) && rank == chosen() && faulty())
        return false;
    return !(m_plan.endsEarly && m_second >= m_plan.seconds - 5 && rank % 3 <= m_second - (m_plan.seconds - 5));
}

bool JobStream::isStuck() const
{
    if (is(Fault::Unstarted) || is(Fault::Unjoined))
        return true;
    return faulty()
        && (is(Fault::HangOne) || is(Fault::HangAll) || is(Fault::LostRank) || is(Fault::DeadNode)
            || is(Fault::Stalled));
}

bool JobStream::isPaused() const
{
    const int since = m_second - m_plan.warmup;
    const auto in = [since](int every, int length) { return every > 0 && since >= every && since % every < length; };
    return in(m_plan.checkpointEvery, m_plan.checkpointSeconds) || in(m_plan.evaluateEvery, m_plan.evaluateSeconds);
}

Does JobStream::doing(int rank) const
{
    if (!exists(rank))
        return Does::Absent;
    if (m_second < m_plan.warmup + rank % 3 || is(Fault::Unstarted))
        return Does::Load;
    if (is(Fault::Unjoined))
        return rank == chosen() ? Does::Absent : Does::Load;
    const bool first = rank == 0;
    if (m_second < m_plan.warmup + 6) // the first compilation: rank 0 is the last to be ready
        return first ? Does::Load : Does::Wait;
    const int since = m_second - m_plan.warmup;
    if (faulty() && is(Fault::Stalled))
        return Does::Load;
    if (faulty() && (is(Fault::HangAll) || is(Fault::LostRank) || is(Fault::DeadNode)))
        return Does::Wait;
    if (faulty() && is(Fault::HangOne))
        return rank == chosen() ? Does::Load : Does::Wait;
    if (m_plan.checkpointEvery > 0 && since >= m_plan.checkpointEvery
        && since % m_plan.checkpointEvery < m_plan.checkpointSeconds)
        return first ? Does::Load : Does::Wait;
    if (m_plan.evaluateEvery > 0 && since >= m_plan.evaluateEvery
        && since % m_plan.evaluateEvery < m_plan.evaluateSeconds)
        return first ? Does::Compute : Does::Wait;
    if (m_plan.dipEvery > 0 && since % m_plan.dipEvery == 0)
        return Does::Idle;
    if (is(Fault::Waves) && faulty() && m_second % 4 < 2)
        return Does::Load;
    return Does::Compute;
}

void JobStream::advance()
{
    ++m_second;
    const bool works = m_second >= m_plan.warmup + 6 && !isStuck() && !isPaused();
    const double slower = faulty() && (is(Fault::Straggler) || is(Fault::Starved)) ? 3 : 1;
    if (works)
        m_steps += 1 / (m_plan.stepSeconds * slower);
}

NodeTick JobStream::tick(int node)
{
    NodeTick tick{u"nid%1"_s.arg(5001 + node, 6, 10, QLatin1Char('0')), epochMs + clockAhead + m_second * 1000, {}};
    struct State {
        double use = 0, compute = 0, wait = 0;
        int held = 0;
        double memory = 0;
    };
    std::vector<State> states(size_t(m_plan.gpus));
    for (int local = 0; local < m_plan.gpus; ++local) {
        const int rank = node * m_plan.gpus + local;
        const Does does = doing(rank);
        if (does == Does::Absent)
            continue;
        State& state = states[is(Fault::Crowded) ? 0 : size_t(local)];
        ++state.held;
        const bool joined = m_second >= m_plan.warmup;
        double share = joined && does != Does::Load ? m_plan.memoryShare : m_plan.memoryShare / 4;
        if (m_second > m_plan.warmup + 20)
            share = m_plan.memoryShare;
        if (is(Fault::Unstarted) || is(Fault::Unjoined))
            share = 0.02;
        if (is(Fault::Leak))
            share = std::min(0.995, 0.94 + 0.00025 * m_second);
        state.memory += share;
        double compute = does == Does::Compute ? 1 : 0;
        double wait = does == Does::Wait ? 1 : 0;
        if (does == Does::Compute && faulty()) {
            if (is(Fault::Straggler) && rank != chosen())
                compute = 1.0 / 3;
            if (is(Fault::Collective))
                compute = 0.08;
            if (is(Fault::HungryRank))
                compute = 0.35;
            if (is(Fault::Starved))
                compute = 0.3;
            if (is(Fault::SmallWork))
                compute = 0.3;
            if (is(Fault::Stages) && node == m_plan.nodes - 1)
                compute = 0.45;
            const bool pauses
                = is(Fault::Starved) || is(Fault::SmallWork) || (is(Fault::HungryRank) && rank == chosen());
            wait = pauses ? 0 : 1 - compute;
        }
        state.compute += compute;
        state.wait += wait;
    }
    for (int local = 0; local < m_plan.gpus; ++local) {
        GpuSample sample;
        sample.index = local;
        State& state = states[size_t(local)];
        state.compute = std::min(1.0, state.compute);
        state.wait = std::min(1.0 - state.compute, state.wait);
        const double busy = state.compute + state.wait;
        sample.utilizationPercent = std::clamp(std::round(busy * 99
                                                   + (busy > 0              ? noise(1)
                                                           : state.held > 0 ? std::abs(noise(1))
                                                                            : 0)),
            0.0, 100.0);
        const double total = m_plan.mi250 ? 68702699520.0 : 42949672960.0;
        sample.memoryTotalBytes = qint64(total);
        sample.memoryUsedBytes
            = qint64(std::min(0.998, state.memory * (1 + (is(Fault::Leak) ? 0 : noise(0.002)))) * total + 11e6);
        const int dies = m_plan.mi250 ? 2 : 1;
        if (local % dies == 0) {
            double compute = 0;
            double wait = 0;
            double held = 0;
            for (int die = local; die < std::min(local + dies, m_plan.gpus); ++die) {
                compute += std::min(1.0, states[size_t(die)].compute);
                wait += states[size_t(die)].wait;
                held += states[size_t(die)].held > 0 ? 1 : 0;
            }
            const double watts = m_plan.mi250 ? 88 + 15 * held + 8 * wait + 190 * m_plan.level * compute
                                              : 54 + 9 * held + 36 * wait + 285 * m_plan.level * compute;
            sample.powerWatts = std::round(std::max(40.0, watts * (1 + noise(0.03))));
            sample.powerCapWatts = m_plan.mi250 ? 500 : 400;
        } else {
            sample.secondaryDie = true;
        }
        const bool hot = is(Fault::Hot) && faulty() && node * m_plan.gpus + local == chosen();
        sample.temperatureCelsius = hot ? 104 : 45 + 15 * state.compute + noise(1);
        sample.clockMhz = hot ? 900 : 1650 + noise(15);
        if (!m_plan.mi250)
            sample.throttle = hot     ? Throttles(Throttle::Thermal)
                : state.compute > 0.9 ? Throttles(Throttle::Power)
                                      : Throttles();
        if (m_plan.reportsProcesses)
            sample.processes = state.held;
        tick.gpus.append(sample);
    }
    return tick;
}

QString JobStream::cpus(int rank) const
{
    int local = rank % m_plan.gpus;
    if (is(Fault::OneCore))
        return u"0"_s;
    if (is(Fault::SameCores) && local == 3)
        local = 2;
    if (is(Fault::WrongCores))
        local = m_plan.gpus - 1 - local;
    if (is(Fault::SlowShell) && rank == 0 && m_second < slowShellSeconds)
        return u"0-%1"_s.arg(7 * m_plan.gpus - 1);
    return u"%1-%2"_s.arg(local * 7).arg(local * 7 + 6);
}

RankSample JobStream::rankSample(int rank)
{
    RankSample sample;
    sample.pid = 4000 + rank;
    sample.rank = is(Fault::IdleGpus) ? rank / m_plan.gpus * (m_plan.gpus / 2) + rank % m_plan.gpus : rank;
    sample.localRank = rank % m_plan.gpus;
    sample.worldSize = world();
    sample.cpus = cpus(rank);
    const Does does = doing(rank);
    const bool sleeps = (is(Fault::Unstarted) || is(Fault::Unjoined))
        ? m_second > 12
        : (faulty() && (is(Fault::Stalled) || (is(Fault::HangOne) && rank == chosen())));
    sample.cpuPercent = sleeps ? std::abs(noise(0.5)) : does == Does::Wait ? 100 : 60 + 30 * std::abs(noise(0.3));
    sample.state = sleeps ? 'S' : does == Does::Load && isPaused() ? 'D' : 'R';
    const bool isShell = is(Fault::SlowShell) && rank == 0 && m_second < slowShellSeconds;
    sample.residentBytes = isShell ? 3'600'000 : 4'000'000'000;
    return sample;
}

NodeProcesses JobStream::processes(int node)
{
    NodeProcesses reported;
    reported.node = u"nid%1"_s.arg(5001 + node, 6, 10, QLatin1Char('0'));
    reported.takenMs = epochMs + clockAhead + m_second * 1000;
    reported.cpus = 7 * m_plan.gpus;
    reported.hostMemoryTotalBytes = 512LL << 30;
    reported.hostMemoryAvailableBytes = 300LL << 30;
    for (int local = 0; local < m_plan.gpus; ++local) {
        const int rank = node * m_plan.gpus + local;
        if (exists(rank))
            reported.ranks.append(rankSample(rank));
    }
    if (m_plan.reportsResources)
        reported.resources = resources(reported);
    return reported;
}

NodeResources JobStream::resources(const NodeProcesses& processes)
{
    NodeResources resources;
    resources.network = NetworkKind::Slingshot;
    resources.links = 4;
    resources.capacity = 100'000'000'000;
    resources.received = resources.sent = qint64(1e11 * m_plan.linkShare * (0.9 + 0.1 * std::abs(noise(0.5))));
    resources.processes = 3 * int(processes.ranks.size());
    resources.waiting = int(std::count_if(
        processes.ranks.begin(), processes.ranks.end(), [](const RankSample& rank) { return rank.state == 'D'; }));
    const bool slow = m_plan.waitsForFiles && m_second >= m_plan.faultAt;
    if (slow && m_second % 4 != 0)
        resources.waiting = 2;
    if (resources.waiting > 0)
        resources.waitsIn = u"cl_sync_io_wait"_s;
    resources.pressureOf = m_plan.pressureOf;
    resources.memoryOf = ResourceScope::Job;
    resources.someWait = slow ? 0.7 : 0.05;
    resources.allWait = 0.01;
    resources.memoryLimit = 480LL << 30;
    resources.anonymous = 150LL << 30;
    resources.shared = 4LL << 30;
    resources.cached = 320LL << 30; // full, and no shortage
    return resources;
}

TrainingProgress JobStream::progress() const
{
    TrainingProgress reported;
    reported.step = qint64(m_steps) / m_plan.logEvery * m_plan.logEvery;
    const double stepsInAll = (m_plan.seconds - m_plan.warmup) / m_plan.stepSeconds;
    reported.steps = qint64(is(Fault::Late) || !m_plan.endsEarly ? 4 * stepsInAll : stepsInAll);
    reported.loss = is(Fault::Nan) && faulty() ? std::nan("") : 2.0 + 1.0 / (1 + m_steps);
    return reported;
}

QList<Reported> JobStream::run()
{
    QList<Reported> reported;
    AlertWatch watch;
    watch.expect(expectationOf(m_plan));
    watch.started(epochMs + clockAhead);
    qint64 lastStep = 0;
    int pieces = 0;
    while (m_second < m_plan.seconds) {
        advance();
        const qint64 now = epochMs + m_second * 1000;
        const bool silent = (is(Fault::DeadNode) || is(Fault::SilentNode)) && faulty();
        for (int node = 0; node < m_plan.nodes; ++node) {
            if (silent && node == m_plan.nodes - 1)
                continue;
            if (m_second % m_plan.intervalSeconds == 0)
                watch.feed(tick(node), now);
            if (m_plan.reportsRanks && (m_second + node) % 3 == 0)
                watch.feed(processes(node), now);
        }
        // A piece is handed on when it is full; of a job that stands still nothing comes.
        const bool full = m_plan.pieceSeconds == 0 || int(m_steps * m_plan.stepSeconds) / m_plan.pieceSeconds > pieces;
        if (const TrainingProgress news = progress(); m_plan.reportsProgress && full && *news.step > lastStep) {
            pieces = m_plan.pieceSeconds > 0 ? int(m_steps * m_plan.stepSeconds) / m_plan.pieceSeconds : 0;
            lastStep = *news.step;
            watch.feed(news, now);
        }
        for (const Alert& alert : watch.alerts(now)) {
            const bool known = std::any_of(
                reported.begin(), reported.end(), [&](const Reported& one) { return one.kind == alert.kind; });
            if (!known)
                reported.append({alert.kind, alert.level, m_second, alert});
        }
    }
    return reported;
}

} // namespace

QList<Reported> watchJob(const JobPlan& plan) { return JobStream(plan).run(); }

JobExpectation expectationOf(const JobPlan& plan)
{
    JobExpectation expectation;
    for (int node = 0; node < plan.nodes; ++node)
        expectation.nodes.append(u"nid%1"_s.arg(5001 + node, 6, 10, QLatin1Char('0')));
    expectation.gpusPerNode = plan.gpus;
    expectation.gpusPerPackage = plan.mi250 ? 2 : 1;
    expectation.gpuWord = plan.mi250 ? u"GCD"_s : u"GPU"_s;
    expectation.launchOption = u"--ntasks-per-node=%1"_s.arg(plan.gpus);
    expectation.strategy = plan.fault == Fault::Stages ? u"pipeline"_s : u"ddp"_s;
    expectation.pipelineStages = plan.fault == Fault::Stages ? plan.nodes : 1;
    for (int rank = 0; rank < plan.nodes * plan.gpus; ++rank) {
        const int local = rank % plan.gpus;
        RankPlace place{.rank = rank, .node = rank / plan.gpus, .localRank = local, .gpu = local};
        place.stage = plan.fault == Fault::Stages ? place.node : 0;
        if (plan.fault == Fault::WrongCores || plan.fault == Fault::SlowShell)
            for (int core = local * 7; core < local * 7 + 7; ++core)
                place.cores.append(core);
        expectation.placement.append(place);
    }
    if (plan.fault == Fault::IdleGpus || plan.fault == Fault::IdleNode)
        expectation.placement.clear();
    if (plan.fault == Fault::Late)
        expectation.timeLimitSeconds = 300;
    if (plan.fault == Fault::Unpaid)
        expectation.billedGpuUnits = 2 * plan.nodes * plan.gpus;
    return expectation;
}

JobPlan healthyPlan(unsigned seed)
{
    std::mt19937 random(seed);
    const auto pick = [&random](std::initializer_list<int> values) {
        return *(values.begin()
            + std::uniform_int_distribution<std::ptrdiff_t>(0, std::ptrdiff_t(values.size()) - 1)(random));
    };
    const auto share
        = [&random](double least, double most) { return std::uniform_real_distribution<double>(least, most)(random); };
    JobPlan plan;
    plan.seed = seed;
    plan.mi250 = pick({0, 1}) == 1;
    plan.nodes = pick({1, 1, 2, 4});
    plan.gpus = plan.mi250 ? pick({1, 2, 4, 8}) : pick({1, 2, 4});
    plan.reportsProgress = pick({0, 1, 1, 1}) == 1;
    plan.reportsRanks = pick({0, 1, 1}) == 1;
    plan.reportsProcesses = pick({0, 1}) == 1;
    plan.intervalSeconds = pick({1, 1, 1, 2, 5});
    plan.stepSeconds = share(0.3, 6);
    plan.logEvery = pick({1, 1, 5, 10});
    plan.warmup = pick({5, 20, 45, 90});
    plan.level = share(0.6, 1);
    plan.memoryShare = share(0.4, 0.97);
    if (pick({0, 1}) == 1) {
        plan.checkpointEvery = pick({60, 100, 170});
        plan.checkpointSeconds = pick({3, 8, 20, 40});
    }
    if (pick({0, 0, 1}) == 1) {
        plan.evaluateEvery = pick({90, 130});
        plan.evaluateSeconds = pick({5, 15, 30});
    }
    plan.dipEvery = pick({0, 0, 17, 30});
    plan.seconds = pick({120, 280, 400});
    plan.endsEarly = pick({0, 1}) == 1;
    plan.pieceSeconds = pick({0, 0, 0, 17});
    return plan;
}

} // namespace rankwright::test
