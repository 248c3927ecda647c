// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidestep.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

QString guideStepName(GuideStep step)
{
    switch (step) {
    case GuideStep::Where: return u"Where"_s;
    case GuideStep::What: return u"What"_s;
    case GuideStep::HowMany: return u"How many GPUs"_s;
    case GuideStep::Fits: return u"Does it fit?"_s;
    case GuideStep::Script: return u"Script"_s;
    case GuideStep::Launch: return u"Launch"_s;
    case GuideStep::Watch: break;
    }
    return u"Watch"_s;
}

int guideStepIndex(GuideStep step) { return int(step); }

GuideStep guideStepOf(const FieldPath& path)
{
    if (path == field::cluster)
        return GuideStep::Where;
    if (path == field::model || path.startsWith(u"training."_s))
        return GuideStep::What;
    if (path.startsWith(u"resources."_s) || path == field::partition || path == field::time)
        return GuideStep::HowMany;
    if (path.startsWith(u"parallel."_s))
        return GuideStep::Fits;
    return GuideStep::Launch;
}

const GuideAnswer* GuideQuestion::answer(const QString& id) const
{
    const auto found
        = std::find_if(answers.cbegin(), answers.cend(), [&id](const GuideAnswer& one) { return one.id == id; });
    return found == answers.cend() ? nullptr : &*found;
}

const GuideAnswer* GuideQuestion::chosenAnswer() const
{
    return chosen && *chosen < answers.size() ? &answers.at(*chosen) : nullptr;
}

QString guideObstacle(const GuideQuestion& question)
{
    if (question.answers.isEmpty())
        return {};
    const GuideAnswer* taken = question.chosenAnswer();
    return taken ? taken->obstacle : u"Choose one of the answers."_s;
}

QString guideNextText(const GuideNext& at)
{
    switch (at.step) {
    case GuideStep::Where:
        return at.isWaiting     ? u"Go on meanwhile"_s
            : at.hasFailed      ? u"Go on without it"_s
            : at.startsPractice ? u"Start the practice cluster"_s
                                : u"Next: what to train"_s;
    case GuideStep::What: return u"Next: how many"_s;
    case GuideStep::HowMany: return u"Next: does it fit?"_s;
    case GuideStep::Fits: return u"Next: the script"_s;
    case GuideStep::Script: return u"Next: launch"_s;
    case GuideStep::Launch: return at.isLaunched ? u"Next: watch"_s : at.wasLaunched ? u"Launch again"_s : u"Launch"_s;
    case GuideStep::Watch: break;
    }
    return at.hasEnded ? u"Go on in Design"_s : QString();
}

} // namespace rankwright::inline teaching
