// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/motion/motions.h"

#include "models/core/units.h"
#include "models/planner/motion/motiondrawing.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

QList<MotionKind> motionsFor(const MotionFigures& figures)
{
    QList<MotionKind> kinds;
    // The rarer way of sharing first: it is what the strategy is called after.
    if (figures.pipeline > 1)
        kinds.append(MotionKind::Pipeline);
    if (figures.tensor > 1)
        kinds.append(MotionKind::Tensor);
    if (figures.data > 1)
        kinds.append(figures.sharding == Sharding::None ? MotionKind::AllReduce : MotionKind::Sharding);
    if (figures.accumulation > 1 && figures.pipeline == 1)
        kinds.append(MotionKind::Accumulation);
    kinds.append(MotionKind::Loading);
    return kinds;
}

QString motionName(MotionKind kind)
{
    switch (kind) {
    case MotionKind::AllReduce: return u"All-reduce"_s;
    case MotionKind::Sharding: return u"Shards"_s;
    case MotionKind::Tensor: return u"Tensor"_s;
    case MotionKind::Pipeline: return u"Pipeline"_s;
    case MotionKind::Accumulation: return u"Accumulation"_s;
    case MotionKind::Loading: return u"Data loading"_s;
    }
    return {};
}

MotionPicture motionPicture(MotionKind kind, const MotionFigures& figures)
{
    switch (kind) {
    case MotionKind::AllReduce: return allReduceMotion(figures);
    case MotionKind::Sharding: return shardingMotion(figures);
    case MotionKind::Tensor: return tensorMotion(figures);
    case MotionKind::Pipeline: return pipelineMotion(figures);
    case MotionKind::Accumulation: return accumulationMotion(figures);
    case MotionKind::Loading: return loadingMotion(figures);
    }
    return {};
}

QString motionSize(double bytes)
{
    const double mib = bytes / 1048576.0;
    if (mib < 1)
        return humanNumber(bytes / 1024.0, 1) + u"\u2009KiB"_s;
    if (mib < 1024)
        return humanNumber(mib, mib < 10 ? 1 : 0) + u"\u2009MiB"_s;
    const double gib = bytes / bytesPerGib;
    return humanNumber(gib, gib < 100 ? 1 : 0) + u"\u2009GiB"_s;
}

double ringAllReduceBytes(double bytes, int ranks) { return ranks <= 1 ? 0 : 2 * bytes * (ranks - 1) / ranks; }

} // namespace rankwright::inline planner
