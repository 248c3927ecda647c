// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: PaLM (arXiv 2204.02311, section 4.1) for MFU, the manuals of nvidia-smi and rocm-smi, LUMI's AI courses on
// power.
#include "models/teaching/learn/term.h"

#include "models/core/quantitytext.h"
#include "models/planner/planning/estimatetext.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

QString mfuNumbers(F f)
{
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u"What this design would reach is not known yet: "_s + f.noEstimate();
    if (!(estimate->step.mfu > 0))
        return u"What this design would reach is not known: the peak of its %1 is not published."_s.arg(f.word());
    QString text = u"This design should reach about %1"_s.arg(shareText(estimate->step.mfu));
    if (f.node.gpu.bf16Teraflops)
        text += u": %1 of the %2 TFLOP/s that one %3 can do in bf16"_s.arg(
            humanNumber(estimate->step.teraflopsPerGpu), humanNumber(*f.node.gpu.bf16Teraflops), f.word());
    return text + u'.';
}

QString powerNumbers(F f)
{
    const auto watts = f.node.gpu.packagePowerWatts;
    if (!watts)
        return u"The power limit of a %1 of %2 is not published, so compare your %3 with each other."_s.arg(
            f.word(), f.siteName(), f.words());
    const QString name = f.node.gpu.packageName.isEmpty() ? f.node.gpu.model : f.node.gpu.packageName;
    if (f.node.gpu.perPackage > 1)
        return u"%1 of %2 may draw %3 W, for its %4 together: a node shows one reading for each package."_s.arg(
            withArticle(name), f.siteName(), humanNumber(*watts, 0), f.gpus(f.node.gpu.perPackage));
    return u"The limit of one %1 of %2 is %3 W."_s.arg(name, f.siteName(), humanNumber(*watts, 0));
}

QString utilisationNumbers(F f)
{
    return u"This design should show %1 busy on the Live page; look at their power as well."_s.arg(
        f.gpus(f.resolved.worldSize()));
}

QString stragglerNumbers(F f)
{
    if (f.resolved.worldSize() == 1)
        return u"This design has one rank, so it waits for nobody."_s;
    return u"In this design one slow rank makes %1 wait in every step."_s.arg(
        counted(f.resolved.worldSize() - 1, u"other"_s));
}

QString throughputNumbers(F f)
{
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u"What this design would reach is not known yet: "_s + f.noEstimate();
    return u"This design should reach about %1 %2 a second on each %3, %4 on all."_s.arg(
        EstimateText::rate(estimate->step.tokensPerSecondPerGpu), EstimateText::sampleWord(estimate->run.workload),
        f.word(), EstimateText::rate(estimate->step.tokensPerSecondPerGpu * f.resolved.worldSize()));
}

QString dryRunNumbers(F f)
{
    return u"For this design it asks %1 whether %2 for %3 would be taken in %4."_s.arg(
        f.siteName(), f.size(), humanDuration(f.resolved.time), f.partition());
}

QString speedUpNumbers(F f)
{
    const int all = f.resolved.worldSize();
    if (all == 1)
        return u"This design has one %1: it is the measure for all larger ones."_s.arg(f.word());
    return u"This design has %1: perfect would be %2 times the speed of one."_s.arg(f.gpus(all), humanNumber(all, 0));
}

} // namespace

QList<Term> runTerms()
{
    return {
        {u"mfu"_s, u"MFU"_s,
            {u"model FLOPs utilisation"_s, u"model flops utilization"_s, u"efficiency"_s, u"TFLOP/s"_s},
            u"MFU is the share of the {gpu}'s peak arithmetic that goes into the model itself. Large language models reach 30 to "
            u"50 percent; small models and small batches much less."_s,
            TinyPicture::Gauge, {u"throughput"_s, u"utilisation"_s, u"precision"_s}, false, mfuNumbers},
        {u"utilisation"_s, u"Utilisation"_s, {u"utilization"_s, u"GPU%"_s, u"GPU use"_s, u"busy"_s, u"occupancy"_s},
            u"Utilisation is the share of time in which anything ran on the {gpu}, however small. 100 % only says that it was "
            u"not idle: waiting for other ranks counts, too."_s,
            TinyPicture::Gauge, {u"power-draw"_s, u"mfu"_s, u"straggler"_s}, true, utilisationNumbers},
        {u"power-draw"_s, u"Power draw"_s, {u"power"_s, u"watts"_s, u"W"_s, u"energy"_s, u"TDP"_s},
            u"The power that a {gpu} draws shows how hard it really computes. High use at low power means that it waits, for "
            u"data or for other ranks."_s,
            TinyPicture::Power, {u"utilisation"_s, u"package"_s, u"straggler"_s}, true, powerNumbers},
        {u"straggler"_s, u"Straggler"_s, {u"slow rank"_s, u"slow node"_s, u"outlier"_s},
            u"A straggler is a rank that is slower than the others. Since all meet in every step, everyone waits for it: the others then show full use at low power."_s,
            TinyPicture::Straggler, {u"all-reduce"_s, u"power-draw"_s, u"step"_s}, true, stragglerNumbers},
        {u"throughput"_s, u"Throughput"_s, {u"tokens per second"_s, u"samples per second"_s, u"speed"_s},
            u"Throughput is how many tokens or samples a second are trained. Compare it for each {gpu}: what falls there as "
            u"the job grows is lost to communication."_s,
            TinyPicture::Gauge, {u"mfu"_s, u"speed-up"_s, u"step"_s}, false, throughputNumbers},
        {u"speed-up"_s, u"Speed-up, efficiency"_s,
            {u"speedup"_s, u"scaling"_s, u"scaling efficiency"_s, u"strong scaling"_s},
            u"The speed-up compares a job with the same one on fewer {gpus}; divided by how many times as many there are it is the efficiency. 4 {gpus} that are 3.8 times as fast have an efficiency of 95 percent."_s,
            TinyPicture::Curve, {u"throughput"_s, u"global-batch"_s, u"network"_s}, false, speedUpNumbers},
        {u"dry-run"_s, u"Dry run"_s, {u"--test-only"_s, u"test only"_s},
            u"A dry run asks Slurm whether it would take the job, and when it might start. Nothing is queued and nothing is "
            u"billed."_s,
            TinyPicture::Queue, {u"queue"_s, u"sbatch"_s}, false, dryRunNumbers},
    };
}

} // namespace rankwright::inline teaching
