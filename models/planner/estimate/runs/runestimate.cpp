// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runestimate.h"

#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/stack/stacknames.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

RunEstimate estimateRun(const RunRow& row)
{
    RunEstimate estimate;
    estimate.id = row.id;
    estimate.framework = row.stack;
    estimate.counter = row.counter;
    estimate.note = row.missing;
    if (!row.missing.isEmpty())
        return estimate;
    const GpuFigures gpu = gpuFigures(row.gpu);
    if (gpu.key.isEmpty()) {
        estimate.note = u"“%1” is not a GPU that the planner knows."_s.arg(row.hardware);
        return estimate;
    }
    if (const auto possible = checkLayout(row.workload, row.layout); !possible) {
        estimate.note = possible.error().what;
        return estimate;
    }
    const auto add = [&estimate](const QString& text) {
        if (!text.isEmpty() && !estimate.note.contains(text))
            estimate.note += estimate.note.isEmpty() ? text : u' ' + text;
    };
    const TrainingStack* stack = trainingStack(row.stack);
    if (stack == nullptr)
        stack = trainingStack(stackname::generic);
    if (const auto memory = memoryOfRun(row, *stack)) {
        estimate.memory = memory->estimate;
        estimate.memory->verdict = memory->worst.verdict; // the fullest rank decides, whoever was read
    } else {
        add(memory.error().what);
    }
    if (row.missingForTime.isEmpty())
        estimate.step = TimeModel(row.workload, *stack, gpu).estimate(row.layout);
    else
        add(row.missingForTime);
    add(row.note);
    return estimate;
}

QString toText(MemoryCounter counter)
{
    switch (counter) {
    case MemoryCounter::Allocated: return u"allocated"_s;
    case MemoryCounter::Reserved: return u"reserved"_s;
    case MemoryCounter::VendorTool: return u"smi"_s;
    }
    return {};
}

namespace {

/// What the allocator does not give back while the card has room: a published counter shows it, a layout needs none of
/// it, so it counts neither for the verdict nor in a design.
void keepCache(MemoryEstimate& estimate, const StackMemory& stack, const RunRow& row)
{
    const bool gathers = row.layout.sharding == Sharding::Full && row.layout.data > 1;
    const double ratio = gathers ? stack.keptRatioSharded : stack.keptRatio;
    if (ratio <= stack.reservedRatio)
        return;
    const double allocated = estimate.totalBytes - estimate.parts.overhead;
    const double room = std::max(0.0, estimate.usableBytes - estimate.totalBytes);
    const double kept = std::min(room, allocated * (ratio - stack.reservedRatio));
    const double grown = (estimate.totalBytes + kept) / estimate.totalBytes;
    estimate.totalBytes *= grown;
    estimate.lowBytes *= grown;
    estimate.highBytes *= grown;
    estimate.parts.overhead += kept;
}

} // namespace

Result<RunMemory> memoryOfRun(const RunRow& row)
{
    const TrainingStack* stack = trainingStack(row.stack);
    return memoryOfRun(row, stack != nullptr ? *stack : *trainingStack(stackname::generic));
}

Result<RunMemory> memoryOfRun(const RunRow& row, const TrainingStack& stack)
{
    const QString missing = row.missing.isEmpty() ? row.missingForMemory : row.missing;
    if (!missing.isEmpty())
        return fail(Fault::Invalid, missing, {}, u"Fill in what is missing."_s);
    if (const auto checked = checkLayout(row.workload, row.layout); !checked)
        return fail(checked.error());
    const MemoryModel model(row.workload, stack, gpuFigures(row.gpu));
    RunMemory memory;
    memory.worst = model.estimate(row.layout, row.counter);
    const bool ofOneStage = row.stage && *row.stage < row.layout.pipeline;
    memory.estimate = ofOneStage ? model.estimateStage(row.layout, *row.stage, row.counter) : memory.worst;
    if (row.counter != MemoryCounter::Allocated && !row.ofAMoment)
        keepCache(memory.estimate, stack.memory, row);
    if (row.lengthAssumed) { // from a quarter of the tokens to four times as many
        Workload other = row.workload;
        const auto bound = [&](qint64 tokens) {
            other.sequence = std::max<qint64>(16, tokens);
            return MemoryModel(other, stack, gpuFigures(row.gpu)).estimate(row.layout, row.counter);
        };
        memory.estimate.lowBytes = std::min(memory.estimate.lowBytes, bound(row.workload.sequence / 4).lowBytes);
        memory.estimate.highBytes = std::max(memory.estimate.highBytes, bound(row.workload.sequence * 4).highBytes);
    }
    return memory;
}

} // namespace rankwright::inline planner
