// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Watching a job: questions of LUMI's AI workshops (2024, 2025) on power and use, and of many help desks.
#include "models/teaching/learn/question.h"

#include "models/core/quantitytext.h"
#include "models/planner/planning/estimatetext.h"
#include "models/teaching/learn/acknowledgement.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

QString packageName(F f) { return f.node.gpu.packageName.isEmpty() ? f.node.gpu.model : f.node.gpu.packageName; }

QString halfPowerAnswer(F f)
{
    if (!f.knowsNode())
        return u"The nodes of %1 are not described here, so which reading is usual there is not known."_s.arg(
            f.siteName());
    const int each = qMax(1, f.node.gpu.perPackage);
    if (each == 1)
        return u"On %1 no: each %2 reports its own power, so one without a reading is worth a look."_s.arg(
            f.siteName(), f.word());
    const int readings = f.node.gpus / each;
    return u"No, it is there: one sensor serves the %1 of a package (%2). A node of %3 shows %4 for its %5, and the others show nothing, or 0. "
           u"Add the readings up, never average them over %6."_s.arg(f.gpus(each), packageName(f), f.siteName(),
               counted(readings, u"reading"_s), f.gpus(f.node.gpus), f.words());
}

/// MI250X packages that wait in collectives draw 90 to 140 W of 500 (LUMI), H100s 95 to 130 W of 700: under a third.
QString powerAnswer(F f)
{
    const auto watts = f.node.gpu.packagePowerWatts;
    if (!watts)
        return u"The power limit of a %1 of %2 is not published. Compare your %3 with each other: alike and steady is good, one lower "
               u"than the others is waiting or not used."_s.arg(f.word(), f.siteName(), f.words());
    QString answer
        = u"%1 of %2 may draw up to %3 W%4. Well-fed training is near that; full use below about %5 W means that ranks wait, "
          u"for data or for each other."_s.arg(withArticle(packageName(f)), f.siteName(), humanNumber(*watts, 0),
              f.node.gpu.perPackage > 1 ? u", for its %1 together"_s.arg(f.gpus(f.node.gpu.perPackage)) : QString(),
              humanNumber(*watts * 0.3, 0));
    for (const QString& remark : siteRemarks(f, u"live.power"_s))
        answer += u' ' + remark;
    return answer;
}

QString busyAnswer(F f)
{
    const QString rule = u"Look at three things together: use above 0, memory in use, and power."_s;
    return u"%1 This design should show %2 busy; on the Live page each is a tile, and one that stays dark belongs to a rank that is "
           u"missing or waits."_s.arg(rule, f.gpus(f.resolved.worldSize()));
}

QString fullUseAnswer(F f)
{
    const auto watts = f.node.gpu.packagePowerWatts;
    const QString rule
        = u"It means only that something ran all the time, and waiting for other ranks counts as running."_s;
    if (!watts)
        return rule
            + u" Compare the power of your %1: those that compute draw more than those that wait."_s.arg(f.words());
    return rule
        + u" Power tells: one %1 that computes comes near %2 W, one that only waits stays below about %3 W."_s.arg(
            packageName(f), humanNumber(*watts, 0), humanNumber(*watts * 0.3, 0));
}

QString slowerAnswer(F f)
{
    const QString rule
        = u"Each step ends with an exchange between all ranks; if the work between two exchanges is short, they wait. Give "
          u"each rank more to do (micro-batch), load data faster, and fill a node before taking the next."_s;
    const DesignEstimate* estimate = f.estimate();
    if (!estimate)
        return u"%1 What limits this design is not known yet: %2"_s.arg(rule, f.noEstimate());
    const TimeParts& parts = estimate->step.parts;
    const double total = parts.total();
    if (!(total > 0))
        return rule;
    return u"%1 In a step of this design about %2 of the time should go into computing and %3 into communication."_s
        .arg(rule, shareText(parts.compute / total), shareText(parts.communication / total));
}

QString startAnswer(F f)
{
    return u"Only %1's Slurm knows; a dry run asks it without queueing. This design waits for %2 for %3: fewer nodes or a shorter limit fit "
           u"into more gaps. Once it is queued, Jobs shows the reason why it waits, in words."_s.arg(
               f.siteName(), nodesText(f.resolved.nodes), humanDuration(f.resolved.time));
}

QString lookInAnswer(F f)
{
    if (!f.site.login.nodeLogin)
        return u"With srun --overlap --jobid=JOB --pty bash you are on its first node. Rankwright's Live page does the like for all %1 of "
               u"this design, without disturbing the job."_s.arg(nodesText(f.resolved.nodes));
    if (*f.site.login.nodeLogin)
        return u"On %1 you may log in by SSH to a node while your job runs there, or use srun --overlap --jobid=JOB --pty bash. The Live "
               u"page shows all %2 of this design at once."_s.arg(f.siteName(), nodesText(f.resolved.nodes));
    return u"Compute nodes of %1 take no SSH: srun --overlap --jobid=JOB --pty bash brings you to the first one. The Live page shows all %2 "
           u"of this design at once."_s.arg(f.siteName(), nodesText(f.resolved.nodes));
}

QString emptyLogAnswer(F f)
{
    const QString why = u"Python keeps lines back until some kilobytes are full."_s;
    if (!f.scriptValue(u"PYTHONUNBUFFERED"_s).isEmpty())
        return why
            + u" The script of this design sets PYTHONUNBUFFERED, so lines come at once; an empty file then means that nothing "
              u"was printed yet."_s;
    return why
        + u" The script of this design does not set PYTHONUNBUFFERED=1: set it among the variables, or start python3 -u."_s;
}

QString logNameAnswer(F f)
{
    const auto& output = f.resolved.spec.options.output;
    const QString rule
        = u"--output takes Slurm's own patterns: %j is the job's number, %x its name, %A_%a an array's. Variables of the "
          u"shell such as $HOME are not read in #SBATCH lines."_s;
    if (output && !output->isEmpty())
        return rule + u" This design writes "_s + *output + u'.';
    return rule + u" This design names no file of its own; Jobs finds the output all the same."_s;
}

QString queuedCodeAnswer(F f)
{
    return u"The script is kept as it was when you submitted it; your program is read when the job starts, so what you edit in between "
           u"runs. Upload into a folder of its own before a launch, and the %1 of this design run what you meant."_s
               .arg(f.ranks());
}

QString mailAnswer(F f)
{
    const auto mail = f.site.launch.mailWorks;
    if (!mail)
        return u"Whether Slurm's mail works on %1 is not published; Rankwright itself says when a job that it follows starts, ends or "
               u"fails."_s.arg(f.siteName());
    return *mail
        ? u"Yes, %1 sends Slurm's mail: name an address and END,FAIL among the options of the design."_s.arg(
            f.siteName())
        : u"Not by mail, %1 has none; Rankwright itself says when a job that it follows starts, ends or fails."_s.arg(
            f.siteName());
}

QString speedUpAnswer(F f)
{
    const int all = f.resolved.worldSize();
    return u"Run the same training with fewer %1, divide the times of a step: that is the speed-up. Divided by how many times as many %1 "
           u"there are it is the efficiency; 3.81 times on 4 is 95.2 %.%2"_s.arg(f.words(),
               all == 1 ? QString()
                        : u" For this design's %1 %2 times would be perfect."_s.arg(f.gpus(all), humanNumber(all, 0)));
}

QString thanksAnswer(F f)
{
    const Acknowledgement thanks = acknowledgement(f.site);
    if (thanks.known)
        return u"%1 asks for this sentence: %2"_s.arg(f.siteName(), thanks.text);
    return u"The wording that %1 asks for is not in the catalogue; look it up on its pages. Until then: %2"_s.arg(
        f.siteName(), thanks.text);
}

} // namespace

QList<Question> runQuestions()
{
    return {
        {u"half-the-power"_s, u"Is half of the power missing?"_s,
            {u"power"_s, u"0 W"_s, u"N/A"_s, u"rocm-smi"_s, u"secondary die"_s, u"no power"_s, u"every second GCD"_s},
            TinyPicture::Power, {u"power-draw"_s, u"package"_s, u"gcd"_s}, halfPowerAnswer},
        {u"normal-power"_s, u"What draw of power is normal?"_s,
            {u"watts"_s, u"300 W"_s, u"500 W"_s, u"power"_s, u"energy"_s, u"idle"_s}, TinyPicture::Power,
            {u"power-draw"_s, u"utilisation"_s, u"straggler"_s}, powerAnswer},
        {u"all-gpus-used"_s, u"Are all my {gpus} used?"_s,
            {u"in use"_s, u"busy"_s, u"idle"_s, u"reserved several"_s, u"utilisation"_s, u"check"_s}, TinyPicture::Node,
            {u"utilisation"_s, u"world-size"_s, u"power-draw"_s}, busyAnswer},
        {u"hundred-percent"_s, u"Use is 100 %: is it doing anything?"_s,
            {u"100 %"_s, u"utilization"_s, u"waiting"_s, u"spinning"_s, u"GPU use"_s}, TinyPicture::Gauge,
            {u"utilisation"_s, u"power-draw"_s, u"mfu"_s}, fullUseAnswer},
        {u"more-is-slower"_s, u"Why are more {gpus} not faster?"_s,
            {u"slower"_s, u"scaling"_s, u"speed-up"_s, u"communication"_s, u"efficiency"_s}, TinyPicture::Curve,
            {u"speed-up"_s, u"all-reduce"_s, u"data-loader"_s}, slowerAnswer},
        {u"compute-speed-up"_s, u"How do I compute speed-up and efficiency?"_s,
            {u"speedup"_s, u"efficiency"_s, u"95.2"_s, u"3.81"_s, u"scaling"_s}, TinyPicture::Curve,
            {u"speed-up"_s, u"throughput"_s}, speedUpAnswer},
        {u"when-does-it-start"_s, u"When does my job start?"_s,
            {u"pending"_s, u"waiting"_s, u"queue"_s, u"priority"_s, u"PD"_s, u"reason"_s}, TinyPicture::Queue,
            {u"queue"_s, u"backfill"_s, u"dry-run"_s}, startAnswer},
        {u"look-inside"_s, u"How do I look into a running job?"_s,
            {u"ssh to node"_s, u"srun --overlap"_s, u"rocm-smi"_s, u"nvidia-smi"_s, u"compute node"_s},
            TinyPicture::Network, {u"login-node"_s, u"node"_s}, lookInAnswer},
        {u"log-is-empty"_s, u"Why is my log empty?"_s,
            {u"buffered"_s, u"output"_s, u"PYTHONUNBUFFERED"_s, u"nothing printed"_s}, TinyPicture::Script,
            {u"rank-zero"_s, u"sbatch"_s}, emptyLogAnswer},
        {u"name-of-the-log"_s, u"How do I name the output file?"_s,
            {u"--output"_s, u"%j"_s, u"%x"_s, u"variables in directives"_s, u"slurm-.out"_s}, TinyPicture::Script,
            {u"sbatch"_s, u"job-array"_s}, logNameAnswer},
        {u"edited-code"_s, u"Which version of my code runs when the job had to wait?"_s,
            {u"edited"_s, u"freeze"_s, u"upload"_s, u"old version"_s}, TinyPicture::Script, {u"sbatch"_s, u"queue"_s},
            queuedCodeAnswer},
        {u"notify-me"_s, u"Can I be told when the job ends?"_s,
            {u"mail"_s, u"notification"_s, u"e-mail"_s, u"--mail-type"_s}, TinyPicture::Clock, {u"job"_s}, mailAnswer},
        {u"acknowledge"_s, u"How do I acknowledge the cluster in my paper?"_s,
            {u"acknowledgement"_s, u"acknowledgment"_s, u"cite"_s, u"thank"_s, u"publication"_s, u"paper"_s},
            TinyPicture::Script, {u"account"_s}, thanksAnswer},
    };
}

} // namespace rankwright::inline teaching
