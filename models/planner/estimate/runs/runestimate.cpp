// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runestimate.h"

#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/runs/runmemory.h"
#include "models/planner/estimate/stack/stacknames.h"

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

} // namespace rankwright::inline planner
