// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidenext.h"

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

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
