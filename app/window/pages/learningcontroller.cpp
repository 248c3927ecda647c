// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/learningcontroller.h"

#include "app/base/settings.h"
#include "app/watch/jobwatch.h"
#include "models/script/document/design.h"

#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

std::optional<MeasuredRun> predictedRun(const JobSpec& design, const ClusterProfile* profile)
{
    if (profile == nullptr)
        return std::nullopt;
    const ResolvedSpec resolved = resolve(design, *profile);
    if (resolved.node.gpu.standIn)
        return std::nullopt; // nothing computes there: what it shows says nothing of a training
    // What the tables said, without what was learned meanwhile: else a calibration would calibrate itself.
    const auto estimate = estimateDesign(resolved, planBatch(resolved), *profile);
    if (!estimate)
        return std::nullopt;
    MeasuredRun run;
    run.cluster = profile->name;
    run.family = toText(estimate->run.workload.shape.family);
    run.stack = toText(estimate->run.stack);
    run.predictedBytes = estimate->memory.totalBytes;
    run.predictedSeconds = estimate->step.seconds;
    if (estimate->step.seconds > 0)
        run.timeSpread = estimate->step.highSeconds / estimate->step.seconds - 1;
    if (estimate->memory.totalBytes > 0)
        run.memorySpread = estimate->memory.highBytes / estimate->memory.totalBytes - 1;
    const MemoryParts& parts = estimate->memory.parts;
    run.exactBytes = parts.weights + parts.gradients + parts.optimizer;
    if (resolved.node.gpu.memory.count > 0)
        run.gpuBytes = double(resolved.node.gpu.memory.count);
    if (estimate->step.mfu > 0)
        run.shortestSeconds = estimate->step.seconds * estimate->step.mfu;
    return run;
}

LearningController::LearningController(Design& design, Database& database, Settings& settings, QObject* parent)
    : QObject(parent), m_design(design), m_runs(database), m_settings(settings)
{
    reload();
}

void LearningController::follow(JobWatch* watch, const QString& cluster)
{
    if (m_watch != nullptr) {
        m_watch->disconnect(this);
        m_watch->output().disconnect(this);
    }
    m_watch = watch;
    m_cluster = cluster;
    m_meter = RunMeter();
    if (watch == nullptr)
        return;
    connect(watch, &JobWatch::tickArrived, this, [this](const NodeTick& tick) { m_meter.addTick(tick); });
    connect(&watch->output(), &JobOutput::progressChanged, this,
        [this](const TrainingProgress& progress) { m_meter.addProgress(progress); });
    m_wasSeen = !hasEnded(watch->record().state);
    m_isKnown = watch->record().state != JobState::Unknown;
    connect(watch, &JobWatch::recordChanged, this, [this](const JobRecord& record) {
        if (!std::exchange(m_isKnown, record.state != JobState::Unknown || m_isKnown))
            m_wasSeen = !hasEnded(record.state);
    });
    connect(watch, &JobWatch::jobEnded, this, &LearningController::finish);
}

void LearningController::finish(const JobRecord& record)
{
    if (record.state != JobState::Completed && record.state != JobState::Timeout)
        return; // one that failed teaches nothing of a usual step
    if (!m_wasSeen)
        return; // its output came at once: nothing was measured
    const LaunchedJob& launched = m_watch->launched();
    if (!launched.spec)
        return; // not submitted from here: there was no prediction
    auto run = predictedRun(*launched.spec, m_design.catalogue().find(m_cluster));
    if (!run)
        return;
    run->measuredBytes = m_meter.peakBytes();
    run->measuredSeconds = m_meter.stepSeconds();
    if (!run->measuredBytes && !run->measuredSeconds)
        return;
    run->job = launched.name.isEmpty() ? record.id : record.id + u" · "_s + launched.name;
    run->when = QDateTime::currentDateTimeUtc();
    if (const QString why = contradiction(*run); !why.isEmpty()) {
        emit runRefused(*run, why);
        return;
    }
    if (const auto written = m_runs.add(*run); !written) {
        emit learningFailed(written.error());
        return;
    }
    reload();
    emit runLearned(*run);
}

void LearningController::clear()
{
    const auto before = m_runs.load();
    if (const auto gone = m_runs.clear(); !gone) {
        emit learningFailed(gone.error());
        reload();
        return;
    }
    reload();
    if (!before || before->runs.isEmpty())
        return; // what was forgotten before can still be had back
    m_cleared = before->runs;
    emit runsForgotten(int(m_cleared.size()));
}

void LearningController::putBack()
{
    const QList<MeasuredRun> runs = std::exchange(m_cleared, {});
    for (const MeasuredRun& run : runs) {
        if (const auto written = m_runs.add(run); !written) {
            emit learningFailed(written.error());
            break;
        }
    }
    reload();
}

void LearningController::use(bool on)
{
    m_settings.setOwnRunsUsed(on);
    reload();
}

void LearningController::reload()
{
    auto table = m_runs.load();
    if (!table) {
        emit learningFailed(table.error());
        return;
    }
    table->used = m_settings.ownRunsUsed();
    m_design.setCalibrations(*table);
}

} // namespace rankwright
