// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guidedesign.h"

namespace rankwright::inline teaching {

/// What a step asks of a design: its answers with their verdicts and reasons, one of them chosen. Pure; well under a
/// frame. Script, Launch and Watch have no answers.
GuideQuestion guideQuestion(GuideStep step, const GuideContext& context);

namespace guideparts {
inline constexpr int mostAnswers = 4; ///< of one question

GuideQuestion askWhere(const GuideContext& context);
GuideQuestion askWhat(const GuideContext& context);
GuideQuestion askHowMany(const GuideContext& context);
GuideQuestion askFits(const GuideContext& context);

/// Verdict, its tone and, where it will not fit, the obstacle of an answer from the estimate of its design.
void assess(GuideAnswer& answer, const GuideTrial& trial);
/// Of the ways that askFits() offers at the design's size the first that fits; empty: none does.
std::optional<JobSpec> firstThatFits(const GuideContext& context);
/// "16 GCDs on 2 nodes", "1 GCD".
QString sizeWords(const ResolvedSpec& resolved);
/// If the answer is prescribed: the chosen one alone.
void lock(GuideQuestion& question, const QString& why);
} // namespace guideparts

} // namespace rankwright::inline teaching
