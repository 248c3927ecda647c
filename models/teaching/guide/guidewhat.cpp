// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidequestions.h"

#include "models/core/quantitytext.h"
#include "models/planner/estimate/network/modellist.h"
#include "models/planner/planning/estimatetext.h"

#include <array>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching::guideparts {

namespace {

struct Offered {
    QLatin1StringView preset;
    const char16_t* title;
    const char16_t* good; ///< what it is good for
};
constexpr std::array<Offered, 3> offered{{
    {QLatin1StringView("gpt-2-small"), u"A small language model",
        u"It learns to write sentences that look right, and shows within minutes whether a recipe works."},
    {QLatin1StringView("gpt-neo-1.3b"), u"A medium one",
        u"Large enough to be useful when it is fine-tuned, small enough for one GPU."},
    {QLatin1StringView("llama-3-8b"), u"A large one",
        u"What most people fine-tune today; with it one GPU is no longer enough."},
}};

/// What the model needs at least: said with a shape and a word, before anything was chosen about GPUs.
void assessModel(GuideAnswer& answer, const GuideTrial& trial)
{
    answer.spec = trial.spec;
    answer.estimate = trial.estimate;
    if (!trial.estimate) {
        answer.tone = Tone::Quiet;
        answer.verdict = u"Not known"_s;
        answer.figures = trial.estimate.error().what;
        return;
    }
    const QString word = trial.resolved.node.gpu.word;
    const double usable = trial.estimate->memory.usableBytes;
    const auto copy = wholeCopyBytes(trial);
    answer.figures = u"%1 parameters%2"_s.arg(EstimateText::parameters(double(trial.estimate->run.parameters.total)),
        copy ? u" · needs %1 to begin with"_s.arg(gibText(*copy)) : QString());
    if (!mayRun(trial.estimate->memory)) {
        answer.tone = Tone::Warn;
        answer.verdict = u"Too large here"_s;
    } else if (copy && *copy < usable) {
        answer.tone = Tone::Good;
        answer.verdict = u"A copy fits one %1"_s.arg(word);
    } else {
        answer.tone = Tone::Plain;
        answer.verdict = u"Has to be shared"_s;
    }
}

QString whyModel(const Offered* known, const GuideTrial& trial)
{
    if (!trial.estimate)
        return trial.estimate.error().oneLine();
    const QString word = trial.resolved.node.gpu.word;
    const double usable = trial.estimate->memory.usableBytes;
    const auto copy = wholeCopyBytes(trial);
    QString text = known ? QString::fromUtf16(known->good) + u' ' : QString();
    if (copy)
        text += u"Weights, gradients and optimiser take %1; one %2 has %3. "_s.arg(
            gibText(*copy), word, gibText(usable));
    text += u"The price: a step of %1 samples takes about %2 on %3."_s.arg(
        humanNumber(double(trial.estimate->run.layout.globalBatch()), 0),
        EstimateText::time(trial.estimate->step.seconds), sizeWords(trial.resolved));
    return text;
}

} // namespace

GuideQuestion askWhat(const GuideContext& context)
{
    GuideQuestion question;
    question.step = GuideStep::What;
    question.title = u"What do you train?"_s;
    question.text = u"The size of the model decides nearly everything: how much memory, how many GPUs, how long."_s;
    question.text += context.isPractice()
        ? u" On the practice cluster a small real training stands in for it; memory and times below are those of the "
          "model itself."_s
        : u" Choose one that is like yours; the exact figures can be given in Design later."_s;
    for (const Offered& one : offered) {
        GuideAnswer answer;
        answer.id = one.preset;
        answer.title = QString::fromUtf16(one.title);
        const ListedModel* listed = findListedModel(answer.id);
        answer.term = listed ? listed->title : answer.id;
        answer.termId = u"parameters"_s;
        answer.advised = one.preset == offered.at(1).preset;
        const ListedModel* own = findListedModel(context.spec.model.value(u"preset"_s).toString());
        const bool isOwn = own && listed && own->name == listed->name;
        const GuideTrial trial = tried(isOwn ? context.spec : withModel(context, {{u"preset"_s, answer.id}}),
            context.profile(), context.calibrations);
        assessModel(answer, trial);
        answer.why = whyModel(&one, trial);
        if (isOwn) {
            answer.spec = context.spec;
            question.chosen = int(question.answers.size());
        }
        question.answers.append(answer);
    }
    if (!question.chosen) {
        GuideAnswer answer;
        answer.id = u"own"_s;
        answer.title = context.spec.model.isEmpty() ? u"No model"_s : u"The model of your design"_s;
        answer.term = guideModelName(context.spec);
        const GuideTrial trial = tried(context.spec, context.profile(), context.calibrations);
        assessModel(answer, trial);
        answer.spec = context.spec;
        answer.why = whyModel(nullptr, trial);
        question.chosen = int(question.answers.size());
        question.answers.append(answer);
    }
    GuideEntry another;
    another.field = field::model;
    another.label = u"Another model"_s;
    another.placeholder = u"Qwen2.5 7B, 3B, 350M"_s;
    another.help = u"A name of the model list, or a number of parameters."_s;
    for (const ListedModel& model : listedModels())
        another.choices.append(model.title);
    question.entries = {another};
    if (context.isLocked(field::model))
        lock(question, context.settled.locks.value(QString(field::model)));
    return question;
}

} // namespace rankwright::inline teaching::guideparts
