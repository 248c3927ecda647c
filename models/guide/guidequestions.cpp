// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/guide/guidequestions.h"

#include "models/core/quantitytext.h"
#include "models/planning/estimatetext.h"

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

GuideQuestion askScript(const GuideContext& context)
{
    const ResolvedSpec resolved = resolve(context.spec, context.profile());
    GuideQuestion question;
    question.step = GuideStep::Script;
    question.title = u"Look at the script"_s;
    question.text
        = u"This text is all that Slurm is given: your answers, as lines of bash. It starts %1 on %2. Nothing "
          "in it needs this program: it can be copied, kept and sent by hand."_s.arg(
              counted(resolved.worldSize(), u"process"_s, u"processes"_s), nodesText(resolved.nodes));
    return question;
}

GuideQuestion askLaunch(const GuideContext& context)
{
    const ResolvedSpec resolved = resolve(context.spec, context.profile());
    GuideQuestion question;
    question.step = GuideStep::Launch;
    question.title = u"Launch"_s;
    question.text = u"Slurm puts the job into its queue and starts it when %1 are free. It is asked once; what is "
                    "checked before stands below."_s.arg(guideparts::sizeWords(resolved));
    return question;
}

GuideQuestion askWatch()
{
    GuideQuestion question;
    question.step = GuideStep::Watch;
    question.title = u"Watch"_s;
    question.text = u"The job is Slurm's now: it goes on, whatever happens to this window. You may leave this page and "
                    "come back."_s;
    return question;
}

} // namespace

GuideQuestion guideQuestion(GuideStep step, const GuideContext& context)
{
    switch (step) {
    case GuideStep::Where: return guideparts::askWhere(context);
    case GuideStep::What: return guideparts::askWhat(context);
    case GuideStep::HowMany: return guideparts::askHowMany(context);
    case GuideStep::Fits: return guideparts::askFits(context);
    case GuideStep::Script: return askScript(context);
    case GuideStep::Launch: return askLaunch(context);
    case GuideStep::Watch: break;
    }
    return askWatch();
}

namespace guideparts {

void judge(GuideAnswer& answer, const GuideTrial& trial)
{
    answer.spec = trial.spec;
    answer.estimate = trial.estimate;
    if (!trial.estimate) {
        answer.tone = Tone::Quiet;
        answer.verdict = u"Not known"_s;
        return;
    }
    const MemoryEstimate& memory = trial.estimate->memory;
    answer.verdict = EstimateText::verdict(memory.verdict);
    switch (memory.verdict) {
    case FitVerdict::Fits: answer.tone = Tone::Good; break;
    case FitVerdict::Probably: answer.tone = Tone::Good; break;
    case FitVerdict::Borderline: answer.tone = Tone::Warn; break;
    case FitVerdict::DoesNotFit:
        answer.tone = Tone::Bad;
        answer.obstacle
            = u"Each %1 would need %2, and %3 can be used: the job would end in its first steps, out of memory."_s.arg(
                trial.resolved.node.gpu.word, gibText(memory.totalBytes), gibText(memory.usableBytes));
        break;
    }
}

QString sizeWords(const ResolvedSpec& resolved)
{
    const QString gpus = gpusText(resolved.worldSize(), resolved.node.gpu.word);
    return resolved.nodes > 1 ? u"%1 on %2"_s.arg(gpus, nodesText(resolved.nodes)) : gpus;
}

void lock(GuideQuestion& question, const QString& why)
{
    question.lockedWhy = why;
    question.entries.clear();
    if (const GuideAnswer* taken = question.chosenAnswer()) {
        question.answers = {*taken};
        question.chosen = 0;
        question.answers.first().advised = false;
    }
}

} // namespace guideparts

} // namespace rankwright
