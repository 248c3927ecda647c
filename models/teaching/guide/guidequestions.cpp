// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidequestions.h"

#include "models/core/quantitytext.h"
#include "models/planner/planning/estimatetext.h"
#include "models/teaching/guide/guideclosing.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

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
    question.text = u"Slurm puts the job into its queue and starts it when %1 are free. It is sent once, when you "
                    "press Launch; this was checked before:"_s.arg(guideparts::sizeWords(resolved));
    return question;
}

GuideQuestion askWatch()
{
    GuideQuestion question;
    question.step = GuideStep::Watch;
    question.title = u"Watch"_s;
    question.text = guideWatchText(GuideStage::NotLaunched);
    return question;
}

GuideQuestion ask(GuideStep step, const GuideContext& context)
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

/// Is an answer still what it says, once prescribed fields were put back?
bool isSameAnswer(const JobSpec& answer, const JobSpec& kept, const ClusterProfile& profile)
{
    if (answer.cluster != kept.cluster || answer.model != kept.model
        || answer.training.optimizer != kept.training.optimizer)
        return false;
    const ResolvedSpec one = resolve(answer, profile), other = resolve(kept, profile);
    return one.nodes == other.nodes && one.gpusPerNode == other.gpusPerNode && one.strategy == other.strategy
        && one.tensor == other.tensor && one.pipeline == other.pipeline
        && one.activationCheckpointing == other.activationCheckpointing;
}

/// The reason for the field that a step asks for.
QString lockOf(GuideStep step, const GuideLocks& locks)
{
    for (const QLatin1StringView path :
        {field::cluster, field::model, field::nodes, field::gpusPerNode, field::strategy}) {
        if (guideStepOf(path) == step && locks.contains(QString(path)))
            return locks.value(QString(path));
    }
    return {};
}

/// What would be put back or is not allowed is not offered. What is chosen stays, with what is wrong with it.
void offerAllowed(GuideQuestion& question, const GuideContext& context)
{
    question.entries.removeIf(
        [&context](const GuideEntry& entry) { return context.settled.locks.contains(entry.field); });
    const QList<GuideAnswer> all = std::exchange(question.answers, {});
    const std::optional<int> chosen = std::exchange(question.chosen, std::nullopt);
    QString why = lockOf(question.step, context.settled.locks);
    for (int i = 0; i < all.size(); ++i) {
        GuideAnswer answer = all.at(i);
        const JobSpec kept = context.settled.kept(answer.spec);
        const QString refused = context.settled.refusal(kept);
        if (i == chosen) {
            question.chosen = int(question.answers.size());
            if (answer.obstacle.isEmpty() && !refused.isEmpty()) {
                answer.obstacle = refused;
                answer.tone = Tone::Bad;
                answer.verdict = u"Not allowed here"_s;
            }
            question.answers.append(answer);
        } else if (refused.isEmpty() && isSameAnswer(answer.spec, kept, context.profile())) {
            answer.spec = kept;
            question.answers.append(answer);
        } else if (why.isEmpty()) {
            why = refused;
        }
    }
    if (question.answers.size() == 1 && all.size() > 1)
        question.lockedWhy = why;
}

} // namespace

GuideQuestion guideQuestion(GuideStep step, const GuideContext& context)
{
    GuideQuestion question = ask(step, context);
    if (context.settled.kept && context.settled.refusal)
        offerAllowed(question, context);
    return question;
}

namespace guideparts {

void assess(GuideAnswer& answer, const GuideTrial& trial)
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

} // namespace rankwright::inline teaching
