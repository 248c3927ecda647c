// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/plancontroller.h"

#include "app/base/whendone.h"
#include "models/planner/design/layoutsearch.h"
#include "models/planner/estimate/scalingcurve.h"
#include "models/planner/estimate/stack/trainingstack.h"
#include "widgets/design/designpage.h"
#include "widgets/plan/planpage.h"
#include "widgets/plan/plantext.h"
#include "widgets/window/mainwindow.h"

#include <QtConcurrent>

#include <chrono>

namespace rankwright {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What one search brings.
struct PlanFindings {
    Result<SearchResult> layouts;
    ScalingCurve curve;
};

namespace {

constexpr int mostNodes = 1024; // where a partition names no limit

/// On a thread of the pool, over copies alone.
PlanFindings find(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    SearchLimits limits, const CalibrationTable& calibrations, const std::shared_ptr<std::atomic_bool>& cancelled)
{
    limits.cancelled = cancelled.get();
    PlanFindings found{searchLayouts(resolved, batch, profile, limits, calibrations), {}};
    // The curve is of the design itself: the same layout, more data-parallel ranks.
    const auto estimate = estimateDesign(resolved, batch, profile, calibrations);
    const TrainingStack* stack = estimate ? trainingStack(toText(estimate->run.stack)) : nullptr;
    if (stack) {
        const int most = resolved.partitionInfo.maxNodes.value_or(mostNodes) * qMax(1, resolved.node.gpus);
        const MemoryModel memory(estimate->run.workload, *stack, estimate->run.gpu);
        found.curve = scalingCurve(TimeModel(estimate->run.workload, *stack, estimate->run.gpu), estimate->run.layout,
            Scaling::Strong, most, resolved.node.gpu.word, &memory);
    }
    return found;
}

} // namespace

PlanController::PlanController(
    Design& design, MainWindow& window, PlanPage& page, DesignPage& designPage, QObject* parent)
    : QObject(parent), m_design(design), m_page(page)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(120ms);
    connect(&m_pause, &QTimer::timeout, this, &PlanController::search);
    connect(&m_page, &PlanPage::searchWanted, this, [this] {
        cancel();
        m_page.showBusy(true);
        m_pause.start();
    });
    connect(&m_page, &PlanPage::cancelRequested, this, [this] {
        m_pause.stop();
        cancel();
        m_page.showBusy(false);
    });
    connect(&m_page, &PlanPage::modelWanted, &window, [&window, &designPage] {
        window.showPage(MainWindow::Page::Design);
        designPage.focusField(field::model);
    });
    connect(&designPage, &DesignPage::layoutsWanted, &window, [&window] { window.showPage(MainWindow::Page::Plan); });
}

PlanController::~PlanController() { cancel(); }

void PlanController::cancel()
{
    ++m_request;
    if (m_running)
        m_running->store(true);
    m_running.reset();
}

void PlanController::search()
{
    cancel();
    const quint64 request = m_request;
    m_running = std::make_shared<std::atomic_bool>(false);
    const Derived& derived = m_design.derived();
    // Copies: the design goes on changing while the search runs.
    const QFuture<PlanFindings> finding = QtConcurrent::run(
        find, derived.resolved, derived.batch, *derived.profile, m_page.limits(), m_design.calibrations(), m_running);
    whenDone(finding, this, [this, request](const PlanFindings& found) { handleFound(request, found); });
}

void PlanController::handleFound(quint64 request, const PlanFindings& found)
{
    if (request != m_request)
        return;
    m_running.reset();
    m_page.showBusy(false);
    m_page.showResult(found.layouts);
    m_page.showSpeedup(speedupFigures(found.curve, m_design.derived()), found.curve.sentence);
}

} // namespace rankwright
