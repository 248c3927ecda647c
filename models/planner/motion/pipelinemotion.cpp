// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/motion/motiondrawing.h"
#include "models/planner/motion/motions.h"
#include "models/planner/planning/pipelinetimeline.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostStages = 4;
constexpr int mostMicroBatches = 8;
constexpr double nameWidth = 150; // of 1000: "… stage 16" whole in a picture of 480 px
constexpr double backwardLength = 2; // of a forward pass: twice its FLOPs

/// The schedule as it is drawn: with few stages and micro-batches where there are many.
struct Sheet {
    int stages = 1;
    int microBatches = 1;
    bool fewerStages = false;
    bool fewerBatches = false;
    PipelineTimeline timeline;

    double rowHeight() const { return (motionSheet.height() - 20) / stages; }
    QRectF cell(int stage, double start, double length) const
    {
        const double unit = (motionSheet.width() - nameWidth - 10) / timeline.length;
        const QRectF row(nameWidth + start * unit, 10 + stage * rowHeight(), length * unit, rowHeight());
        return row.adjusted(1.5, 6, -1.5, -6);
    }
};

Sheet sheetOf(const MotionFigures& figures)
{
    Sheet sheet;
    sheet.stages = qMin(figures.pipeline, mostStages);
    sheet.microBatches = int(qMin<qint64>(figures.accumulation, mostMicroBatches));
    sheet.fewerStages = sheet.stages < figures.pipeline;
    sheet.fewerBatches = sheet.microBatches < figures.accumulation;
    sheet.timeline = pipelineTimeline(
        PipelineSchedule::OneForwardOneBackward, sheet.stages, sheet.microBatches, 1, backwardLength);
    return sheet;
}

/// What has begun by a moment; `idle`: with the time that stages wait.
QList<MotionBox> passesUntil(const Sheet& sheet, const MotionFigures& figures, double moment, bool idle)
{
    QList<MotionBox> boxes;
    for (int stage = 0; stage < sheet.stages; ++stage) {
        const bool last = stage + 1 == sheet.stages;
        const QString name
            = last && sheet.fewerStages ? u"… stage %1"_s.arg(figures.pipeline) : u"stage %1"_s.arg(stage + 1);
        boxes.append({u"name%1"_s.arg(stage), MotionRole::Mark,
            {2, 10 + stage * sheet.rowHeight(), nameWidth - 4, sheet.rowHeight()}, name, 0});
        boxes.append({u"row%1"_s.arg(stage), MotionRole::Rank, sheet.cell(stage, 0, sheet.timeline.length), {}});
        if (idle)
            boxes.append(
                {u"idle%1"_s.arg(stage), MotionRole::Waiting, sheet.cell(stage, 0, sheet.timeline.length), {}});
    }
    for (const PipelinePass& pass : sheet.timeline.passes) {
        if (pass.start >= moment)
            continue;
        const bool last = pass.microBatch + 1 == sheet.microBatches;
        const qint64 number = last && sheet.fewerBatches ? figures.accumulation : pass.microBatch + 1;
        boxes.append({u"%1-%2-%3"_s.arg(pass.backward ? u"b"_s : u"f"_s).arg(pass.stage).arg(pass.microBatch),
            pass.backward ? MotionRole::Backward : MotionRole::Forward, sheet.cell(pass.stage, pass.start, pass.length),
            QString::number(number)});
    }
    return boxes;
}

QString beginning(const MotionFigures& figures, const Sheet& sheet)
{
    QString cut = u"The layers"_s;
    if (figures.layers)
        cut = u"The %1 layers"_s.arg(humanNumber(*figures.layers));
    QString reduced;
    if (sheet.fewerStages || sheet.fewerBatches)
        reduced = u" (drawn: %1, %2)"_s.arg(
            counted(sheet.stages, u"stage"_s), counted(sheet.microBatches, u"micro-batch"_s, u"micro-batches"_s));
    return u"%1 are cut into %2, and a step takes %3 of %4 through all of them%5."_s.arg(cut,
        counted(figures.pipeline, u"stage"_s), counted(figures.accumulation, u"micro-batch"_s, u"micro-batches"_s),
        counted(figures.microBatch, u"sequence"_s), reduced);
}

QString bubble(const MotionFigures& figures, const Sheet& sheet)
{
    const int waits = figures.pipeline - 1;
    const QString formula = figures.virtualStages > 1
        ? u"(p − 1)/(v·m + p − 1) = %1/%2"_s.arg(
            humanNumber(waits), humanNumber(double(figures.accumulation * figures.virtualStages + waits)))
        : u"(p − 1)/(m + p − 1) = %1/%2"_s.arg(humanNumber(waits), humanNumber(double(figures.accumulation + waits)));
    // What is seen is another figure than what is said where less is drawn.
    QString drawn;
    if (sheet.fewerStages || sheet.fewerBatches)
        drawn = u" (in this smaller drawing %1)"_s.arg(shareText(sheet.timeline.idleShare));
    const double idle = pipelineIdleShare(figures.pipeline, figures.accumulation, figures.virtualStages);
    return u"The bubble: of its time a stage waits %1 = %2, less the more micro-batches a step has%3."_s.arg(
        formula, shareText(idle), drawn);
}

} // namespace

MotionPicture pipelineMotion(const MotionFigures& figures)
{
    MotionPicture picture{MotionKind::Pipeline, u"Pipeline: one forward, one backward"_s, {}};
    const Sheet sheet = sheetOf(figures);
    addFrame(picture, beginning(figures, sheet), passesUntil(sheet, figures, 0, false));
    const double length = sheet.timeline.length;
    if (figures.pipeline <= 1) {
        addFrame(picture, u"One stage: nothing is passed on, and no rank waits."_s,
            passesUntil(sheet, figures, length, false));
        return picture;
    }
    addFrame(picture, u"Micro-batch 1 goes forward through stage 1, and all later stages wait for it."_s,
        passesUntil(sheet, figures, 0.5, false));
    const QString output = figures.boundary ? u" (%1)"_s.arg(motionSize(*figures.boundary)) : QString();
    addFrame(picture,
        u"Stage 1 hands its output%1 on and takes the next, until the last stage has work too."_s.arg(output),
        passesUntil(sheet, figures, sheet.stages - 0.5, false));
    // From then on a forward and a backward pass of each stage in turn.
    const double steady = sheet.stages + backwardLength;
    addFrame(picture, u"The last stage goes straight back with micro-batch 1, and gradients travel towards stage 1."_s,
        passesUntil(sheet, figures, steady - 0.5, false));
    addFrame(picture,
        u"Each stage does one forward and one backward pass in turn (1F1B), so that it keeps activations of at most %1."_s
            .arg(counted(qMin<qint64>(figures.pipeline, figures.accumulation), u"micro-batch"_s, u"micro-batches"_s)),
        passesUntil(sheet, figures, (steady + length) / 2, false));
    addFrame(picture,
        u"The last micro-batches drain: later stages have nothing more to do while the earlier go back."_s,
        passesUntil(sheet, figures, length, false));
    addFrame(picture, bubble(figures, sheet), passesUntil(sheet, figures, length, true));
    return picture;
}

} // namespace rankwright::inline planner
