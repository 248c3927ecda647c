// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/motion/motiondrawing.h"
#include "models/planner/motion/motions.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostWorkers = 6;
constexpr int queueLength = 4;

/// Workers at the left, the queue of batches in the middle, the GPU at the right.
QList<MotionBox> line(const MotionFigures& figures, int queued, bool computing)
{
    QList<MotionBox> boxes;
    const int cores = figures.cores.value_or(4);
    const int drawn = qMin(cores, mostWorkers);
    const double each = 340.0 / drawn;
    for (int i = 0; i < drawn; ++i) {
        const bool last = i + 1 == drawn && drawn < cores;
        boxes.append({u"worker%1"_s.arg(i), MotionRole::Forward, {10, 10 + i * each, 230, each - 8},
            last ? u"… worker %1"_s.arg(cores) : u"worker %1"_s.arg(i + 1), 0.5});
    }
    for (int i = 0; i < queueLength; ++i)
        boxes.append({u"batch%1"_s.arg(i), i < queued ? MotionRole::Samples : MotionRole::Rank,
            {340.0 + (queueLength - 1 - i) * 80, 140, 70, 80}, i < queued ? u"batch"_s : QString(),
            i < queued ? 1.0 : 0.0});
    boxes.append({u"gpu"_s, computing ? MotionRole::Backward : MotionRole::Waiting, {740, 60, 250, 240},
        computing ? figures.gpuWord + u" computes"_s : figures.gpuWord + u" waits"_s});
    return boxes;
}

QList<MotionArrow> toQueue() { return {{u"load"_s, MotionRole::Samples, {246, 180}, {334, 180}, 0}}; }
QList<MotionArrow> toGpu() { return {{u"take"_s, MotionRole::Samples, {656, 180}, {734, 180}, 0}}; }

QString secondsText(double seconds)
{
    return seconds < 1 ? humanNumber(1000 * seconds, 0) + u"\u2009ms"_s : humanNumber(seconds, 1) + u"\u2009s"_s;
}

} // namespace

MotionPicture loadingMotion(const MotionFigures& figures)
{
    MotionPicture picture{MotionKind::Loading, u"Data loading"_s, {}};
    const QString batch = counted(figures.microBatch, u"sequence"_s);
    const QString workers = figures.cores
        ? u"up to %1, one for each core of this %2,"_s.arg(counted(*figures.cores, u"worker"_s), figures.gpuWord)
        : u"some workers"_s;
    addFrame(picture,
        u"Beside each %1 %2 read and prepare batches of %3 ahead of time."_s.arg(figures.gpuWord, workers, batch),
        line(figures, 1, false), toQueue());
    addFrame(picture, u"Finished batches wait in a queue in the node's memory, two for each worker by default."_s,
        line(figures, queueLength, false), toQueue());
    // One pass: a data-parallel rank takes a micro-batch.
    std::optional<double> pass;
    if (figures.stepSeconds)
        pass = *figures.stepSeconds / double(qMax<qint64>(1, figures.accumulation));
    addFrame(picture,
        pass ? u"The %1 takes one every %2, and computes while the next are made."_s.arg(
            figures.gpuWord, secondsText(*pass))
             : u"The %1 takes one, and computes while the next are made."_s.arg(figures.gpuWord),
        line(figures, queueLength - 1, true), toGpu());
    addFrame(picture,
        pass && figures.cores
            ? u"The workers keep up as long as one of them needs at most %1 for a batch of %2 (%3 × %4)."_s.arg(
                secondsText(*pass * *figures.cores), batch, humanNumber(*figures.cores), secondsText(*pass))
            : u"The workers keep up as long as one needs at most the time of a pass × the number of workers."_s,
        line(figures, queueLength, true), toQueue() + toGpu());
    addFrame(picture,
        u"When they do not keep up the queue is empty and the %1 waits: utilisation falls to 0 and up again with each batch."_s
            .arg(figures.gpuWord),
        line(figures, 0, false), toQueue());
    addFrame(picture,
        u"Then more workers or cores help, or fewer and larger files, or data that was prepared before the job."_s,
        line(figures, 2, true), toQueue() + toGpu());
    return picture;
}

} // namespace rankwright::inline planner
