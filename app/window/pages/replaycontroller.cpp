// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/replaycontroller.h"

#include "models/insight/telemetry/history/samplegaps.h"
#include "models/insight/telemetry/history/serieshistory.h"
#include "widgets/heatmap/gpureading.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/live/livepage.h"

#include <QDateTime>
#include <QElapsedTimer>

#include <algorithm>

namespace rankwright {

namespace {

constexpr int liveBeatMs = 1000;
constexpr int playBeatMs = 50; // 20 pictures a second
constexpr int curveBuckets = 480;
constexpr int builtGpus = 64; ///< of a large job's recorded past, spread evenly: its overview needs no more
constexpr int builtBuckets = 1024;
constexpr int sliceMs = 10;
constexpr qint64 gapsEveryMs = 10'000;
constexpr qint64 meansMs = 12'000; ///< of samples before the moment, for what looks at means
constexpr int meansGpus = 512; ///< larger jobs: the moment's picture alone

} // namespace

ReplayController::ReplayController(GpuGrid& live, LivePage& page, QObject* parent)
    : QObject(parent), m_live(live), m_page(page), m_wall([] { return QDateTime::currentMSecsSinceEpoch(); })
{
    setHistory({});
    m_beat.setInterval(liveBeatMs);
    connect(&m_beat, &QTimer::timeout, this, &ReplayController::beat);
    m_builder.setInterval(0);
    connect(&m_builder, &QTimer::timeout, this, &ReplayController::buildCurve);
    m_alertTimer.setInterval(0);
    connect(&m_alertTimer, &QTimer::timeout, this, &ReplayController::evaluatePast);
    connectPage();
}

ReplayController::~ReplayController() = default;

void ReplayController::connectPage()
{
    TimeSlider& slider = m_page.slider();
    const auto seek = [this](qint64 ms) {
        m_clock.seek(ms);
        apply();
    };
    connect(&slider, &TimeSlider::momentPicked, this, seek);
    connect(&m_page, &LivePage::momentPicked, this, seek);
    connect(&slider, &TimeSlider::stepped, this, [this](qint64 byMs) {
        if (m_clock.isLive() && byMs > 0)
            return;
        m_clock.step(byMs);
        apply();
    });
    connect(&slider, &TimeSlider::endWanted, this, [this] {
        m_clock.goToEnd();
        apply();
    });
    connect(&slider, &TimeSlider::playToggled, this, [this] {
        if (m_clock.mode() == ReplayClock::Mode::Held)
            m_clock.play(m_wall());
        else
            m_clock.hold();
        apply();
    });
    connect(&slider, &TimeSlider::speedStepped, this, [this](int by) {
        m_clock.stepSpeed(by);
        apply();
    });
    connect(&slider, &TimeSlider::speedChosen, this, [this](double speed) {
        m_clock.setSpeed(speed);
        apply();
    });
    connect(&m_page.heatMap(), &HeatMapView::measureChanged, this, &ReplayController::refreshOverview);
}

void ReplayController::begin(const JobRecord& job, Subject subject)
{
    m_job = {};
    m_watched = subject == Subject::Watched;
    m_clock = {};
    m_curve.clear();
    m_progress.clear();
    m_marks.clear();
    m_bindings.clear();
    m_gaps.clear();
    m_gapsAskedMs = 0;
    m_clockKnown = false;
    m_clockLead = 0;
    m_shownMs.reset();
    m_builder.stop();
    m_alertTimer.stop();
    m_expectation = {};
    m_alertReplay = {};
    m_past.reset({}, 0, 1, m_live.gpuWord());
    setRecord(job);
    setHistory({});
    m_beat.start(liveBeatMs);
}

void ReplayController::setHistory(std::shared_ptr<const TelemetryHistory> history)
{
    const bool newest = showsNewest();
    m_recorded = history != nullptr;
    if (!m_recorded)
        history = std::make_shared<SeriesHistory>(m_live.series(), [this] { return m_live.nowMs(); });
    m_history = std::move(history);
    restartEvaluation();
    m_page.setHistory(m_history);
    m_toBuild.clear();
    if (!m_recorded)
        return;
    m_buildSpan = m_history->span();
    const int nodes = int(m_history->nodes().size());
    const int each = m_history->gpusPerNode();
    const int step = std::max(1, nodes * each / builtGpus);
    for (const Measure measure : allMeasures) {
        for (int gpu = 0; gpu < nodes * each && m_buildSpan.length() > 0; gpu += step)
            m_toBuild.append({measure, {gpu / each, gpu % each}});
    }
    m_curve.clear();
    if (!m_toBuild.isEmpty())
        m_builder.start();
    refreshSpan();
    if (newest)
        m_clock.goToEnd();
    apply();
}

void ReplayController::buildCurve()
{
    QElapsedTimer clock;
    clock.start();
    while (!m_toBuild.isEmpty() && clock.elapsed() < sliceMs) {
        const auto [measure, gpu] = m_toBuild.takeFirst();
        m_curve.add(measure, m_history->buckets(gpu, measure, m_buildSpan, builtBuckets));
    }
    if (!m_toBuild.isEmpty())
        return;
    m_builder.stop();
    refreshOverview();
}

void ReplayController::setPast(const QList<ProgressTrack::Entry>& progress, const QList<TimelineMark>& marks,
    const QList<FoundFailures>& failures, const QList<BindingAt>& bindings)
{
    for (const ProgressTrack::Entry& entry : progress)
        m_progress.add(entry);
    for (const TimelineMark& mark : marks)
        m_marks.add(mark);
    for (const FoundFailures& found : failures)
        m_alertReplay.report(found);
    for (const BindingAt& reported : bindings)
        addBinding(reported);
    refreshOverview();
}

void ReplayController::goTo(qint64 ms)
{
    m_clock.seek(ms);
    apply();
}

void ReplayController::expect(const JobExpectation& expectation)
{
    if (expectation == m_expectation)
        return;
    m_expectation = expectation;
    restartEvaluation();
    if (m_shownMs)
        showMoment();
}

void ReplayController::restartEvaluation()
{
    m_alertReplay.expect(m_expectation, m_job.started.isValid() ? m_job.started.toMSecsSinceEpoch() : 0);
}

void ReplayController::evaluatePast()
{
    QElapsedTimer clock;
    clock.start();
    bool more = true;
    while (more && clock.elapsed() < sliceMs)
        more = m_alertReplay.feedNext(*m_history, m_progress);
    if (more)
        return;
    m_alertTimer.stop();
    if (m_shownMs)
        reportMoment();
}

void ReplayController::setRecord(const JobRecord& job)
{
    const JobState before = m_job.state;
    const bool startKnown = m_job.started == job.started;
    m_job = job;
    if (!startKnown) {
        restartEvaluation();
        if (job.started.isValid() && !isWaiting(job.state))
            m_marks.addState(tr("began to run"), job.started.toMSecsSinceEpoch());
    }
    if (job.state == before)
        return;
    if (hasEnded(job.state) && job.ended.isValid())
        m_marks.addState(tr("ended: %1").arg(toText(job.state)), job.ended.toMSecsSinceEpoch());
    else if (isActive(before) && isWaiting(job.state))
        m_marks.addState(tr("requeued, waits to run again"), toNodeClock(m_wall()));
    else if (isActive(before) && isActive(job.state) && startKnown)
        m_marks.addState(toText(job.state), toNodeClock(m_wall()));
    if (hasEnded(job.state))
        endWatch();
}

void ReplayController::endWatch()
{
    m_watched = false;
    refreshSpan();
    apply();
}

void ReplayController::addTick(const NodeTick& tick, qint64 arrivedMs)
{
    if (tick.takenMs > 0 && arrivedMs > 0 && m_recorded) {
        // The quickest way a sample took is the nearest to the clocks' true difference.
        const qint64 lead = arrivedMs - tick.takenMs;
        m_clockLead = m_clockKnown ? std::min(m_clockLead, lead) : lead;
        m_clockKnown = true;
    }
    NodeTick timed = tick;
    if (!m_recorded)
        timed.takenMs = 0; // without a recording all runs on our clock
    m_curve.add(timed, arrivedMs);
}

void ReplayController::addProgress(const TrainingProgress& progress, std::optional<double> lossStep, qint64 nowMs)
{
    m_progress.add({toNodeClock(nowMs), progress, lossStep});
}

void ReplayController::addDiagnoses(const QList<Diagnosis>& diagnoses, qint64 nowMs)
{
    m_alertReplay.report({toNodeClock(nowMs), diagnoses});
}

void ReplayController::addBinding(const RankBinding& binding, qint64 nowMs)
{
    addBinding({toNodeClock(nowMs), binding});
}

void ReplayController::addBinding(const BindingAt& reported)
{
    const auto later = std::upper_bound(m_bindings.begin(), m_bindings.end(), reported.atMs,
        [](qint64 ms, const BindingAt& one) { return ms < one.atMs; });
    m_bindings.insert(later, reported);
}

std::optional<RankBinding> ReplayController::bindingAt(qint64 ms) const
{
    const auto later = std::upper_bound(
        m_bindings.cbegin(), m_bindings.cend(), ms, [](qint64 at, const BindingAt& one) { return at < one.atMs; });
    return later == m_bindings.cbegin() ? std::nullopt : std::optional(std::prev(later)->binding);
}

void ReplayController::setAlerts(const QList<Alert>& alerts, qint64 nowMs)
{
    // What is found in the output after the end happened before it.
    const qint64 ended = hasEnded(m_job.state) && m_job.ended.isValid() ? m_job.ended.toMSecsSinceEpoch() : 0;
    m_marks.setAlerts(alerts, ended > 0 ? std::min(ended, toNodeClock(nowMs)) : toNodeClock(nowMs));
}

bool ReplayController::showsNewest() const
{
    return m_clock.isLive()
        || (!m_clock.isGrowing() && m_clock.mode() == ReplayClock::Mode::Held
            && m_clock.moment() >= m_clock.span().toMs);
}

void ReplayController::beat()
{
    const bool moved = m_clock.advance(m_wall());
    const qint64 now = m_wall();
    if (now - m_overviewMs >= liveBeatMs || now < m_overviewMs) {
        refreshSpan();
        refreshOverview();
    }
    if (moved || m_clock.isLive())
        apply();
}

void ReplayController::refreshSpan()
{
    const bool reports = m_watched && !hasEnded(m_job.state);
    m_clock.setSpan(m_history->span(), reports ? ReplayClock::Job::Reporting : ReplayClock::Job::Ended);
}

void ReplayController::apply()
{
    const bool playing = m_clock.mode() == ReplayClock::Mode::Playing;
    if (m_beat.isActive() && m_beat.interval() != (playing ? playBeatMs : liveBeatMs))
        m_beat.start(playing ? playBeatMs : liveBeatMs);
    TimeSlider::State state;
    state.momentMs = m_clock.moment();
    state.live = m_clock.isLive();
    state.playing = playing;
    state.growing = m_clock.isGrowing();
    state.speed = m_clock.speed();
    m_page.slider().setState(state);
    if (showsNewest()) {
        m_shownMs.reset();
        m_page.showLive();
    } else if (m_shownMs != state.momentMs) {
        showMoment();
    }
}

void ReplayController::showMoment()
{
    const qint64 ms = m_clock.moment();
    fillPast(ms);
    m_shownMs = ms;
    m_alertReplay.seek(ms, int(m_past.nodeCount()) * m_past.gpusPerNode());
    if (!m_alertReplay.isDone())
        m_alertTimer.start();
    reportMoment();
}

void ReplayController::reportMoment()
{
    const qint64 ms = *m_shownMs;
    PastMoment past;
    past.ms = ms;
    past.job = jobAt(ms);
    if (const ProgressTrack::Entry* entry = m_progress.at(ms)) {
        past.progress = entry->progress;
        past.lossStep = entry->lossStep;
    }
    past.alerts = m_alertReplay.alerts();
    past.binding = bindingAt(ms);
    past.isEvaluating = !m_alertReplay.isDone();
    m_page.showPast(past, m_past);
}

JobRecord ReplayController::jobAt(qint64 ms) const
{
    JobRecord job = m_job;
    const qint64 started = m_job.started.isValid() ? m_job.started.toMSecsSinceEpoch() : 0;
    const qint64 ended = m_job.ended.isValid() && hasEnded(m_job.state) ? m_job.ended.toMSecsSinceEpoch() : 0;
    if (ended > 0 && ms >= ended)
        return job;
    job.state = JobState::Running; // samples come from nodes that run it
    job.elapsed.reset();
    if (started > 0 && ms >= started)
        job.elapsed = Seconds{(ms - started) / 1000};
    return job;
}

void ReplayController::fillPast(qint64 ms)
{
    const QStringList nodes = m_live.series().nodes();
    const int each = std::max(m_live.gpusPerNode(), m_history->gpusPerNode());
    if (m_past.series().nodes() != nodes || m_past.gpusPerNode() != each
        || m_past.gpusPerPackage() != m_live.gpusPerPackage())
        m_past.reset(nodes, each, m_live.gpusPerPackage(), m_live.gpuWord());
    else
        m_past.forgetValues();
    if (m_past.placement() != m_live.placement())
        m_past.setPlacement(m_live.placement());
    if (nodes.size() * each <= meansGpus) {
        m_history->forEachTick({ms - meansMs, ms}, [this](const NodeTick& tick) {
            if (m_past.series().rowOf(tick.node) >= 0)
                m_past.store(tick, tick.takenMs);
        });
        for (const NodeProcesses& processes : m_history->processesAt(ms)) {
            if (ms - processes.takenMs <= TelemetryHistory::shownForMs)
                m_past.store(processes);
        }
    }
    for (const NodeTick& tick : m_history->frameAt(ms, TelemetryHistory::shownForMs)) {
        const int row = m_past.series().rowOf(tick.node);
        const bool isKnown = std::any_of(tick.gpus.begin(), tick.gpus.end(), [&](const GpuSample& gpu) {
            return m_past.series().latestArrival({row, gpu.index}) >= tick.takenMs;
        });
        if (row >= 0 && !isKnown) // a sample counts once in a mean
            m_past.store(tick, tick.takenMs);
    }
    m_past.flush(ms);
}

void ReplayController::refreshOverview()
{
    m_overviewMs = m_wall();
    TimeOverview overview;
    overview.span = m_history->span();
    overview.measure = m_page.heatMap().measure();
    overview.curve = m_curve.curve(overview.measure, overview.span, curveBuckets);
    overview.high = scaleOf(m_live, overview.measure).high;
    if (m_overviewMs - m_gapsAskedMs >= gapsEveryMs || m_gapsAskedMs == 0) {
        m_gapMs = gapLongerThanMs(usualIntervalMs(*m_history));
        m_gaps = gapsWithin(*m_history, {}, m_gapMs);
        m_gapsAskedMs = m_overviewMs;
        m_clock.setGaps(m_gaps);
    }
    overview.gaps = m_gaps;
    overview.gapLongerThanMs = m_gapMs;
    overview.marks = m_marks.marks();
    for (const ProgressTrack::Entry& entry : m_progress.entries()) {
        if (const std::optional<double> share = entry.progress.fraction())
            overview.progress.append({entry.atMs, *share});
    }
    m_page.setOverview(overview);
}

} // namespace rankwright
