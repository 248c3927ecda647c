// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/trainingtime.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr double gpuLifeSeconds = 45'600.0 * 3600; // 54 days x 16,384 GPUs / 466
constexpr double writtenByNode = 1e9; // bytes a second
constexpr double startSeconds = 300;

} // namespace

TrainingTime wholeTraining(
    double computing, double checkpointBytes, int nodes, int gpus, const std::optional<Seconds>& longestJob)
{
    TrainingTime time;
    if (!(computing > 0) || !std::isfinite(computing))
        return time;
    time.computing = computing;
    const double one = checkpointBytes / (writtenByNode * std::max(1, nodes));
    const double life = gpuLifeSeconds / std::max(1, gpus);
    const double between = std::max(std::sqrt(2 * one * life), 60.0); // Young's interval
    time.checkpoints = computing / between * one;
    const double failures = computing / life;
    double running = computing + time.checkpoints + failures * (between / 2 + startSeconds);
    if (longestJob && double(longestJob->count) > 2 * startSeconds)
        time.jobs = std::ceil(running / (double(longestJob->count) - startSeconds));
    running += time.jobs * startSeconds;
    time.restarts = running - computing - time.checkpoints;
    time.seconds = running;
    return time;
}

std::optional<double> spanSeconds(const QString& text)
{
    static const QRegularExpression form(
        u"^(?:([0-9.]+)\\s*w)?\\s*(?:([0-9.]+)\\s*d)?\\s*(?:([0-9.]+)\\s*h)?\\s*(?:([0-9.]+)\\s*m(?:in)?)?$"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QString words = text.trimmed();
    const QRegularExpressionMatch match = form.match(words);
    double seconds = 0;
    if (!words.isEmpty() && match.hasMatch()) {
        constexpr double units[] = {7 * 86400.0, 86400, 3600, 60};
        for (int i = 0; i < 4; ++i)
            seconds += match.captured(i + 1).toDouble() * units[i];
    } else if (words.contains(u':') || words.contains(u'-')) {
        if (const auto time = parseSlurmTime(words))
            seconds = double(time->count);
    }
    return seconds > 0 && std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

} // namespace rankwright::inline planner
