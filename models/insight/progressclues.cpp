// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progressclues.h"

#include "models/insight/wordfinder.h"

namespace rankwright {

namespace {

const WordFinder& clueFinder()
{
    static const WordFinder finder(
        {{"loss", LineClues::Loss}, {"step", LineClues::Step}, {"iter", LineClues::Iter}, {"epoch", LineClues::Epoch},
            {"train: ", LineClues::TrainColon}, {"/s", LineClues::PerSecond}, {"_per_second", LineClues::PerSecond},
            {"tps", LineClues::Tps}, {"time", LineClues::Time}, {"ms", LineClues::Milliseconds},
            {"ups=", LineClues::Ups}, {"train_step_timing", LineClues::StepTiming}, {"seconds:", LineClues::Seconds},
            {"time:", LineClues::Seconds}, {"eta", LineClues::Remaining}, {"remaining time", LineClues::Remaining},
            {"time left", LineClues::Remaining}, {"ms/step", LineClues::Remaining},
            {"starts at step", LineClues::StartsAt}, {"micro_step=", LineClues::MicroStep},
            {"total optimization steps", LineClues::Totals}, {"num epochs", LineClues::Totals},
            {"valid", LineClues::Evaluation}, {"eval", LineClues::Evaluation}, {"test", LineClues::Evaluation},
            {"predict", LineClues::Evaluation}, {"inference", LineClues::Evaluation}, {"sanity", LineClues::Evaluation},
            {"class", LineClues::Evaluation}, {"(val)", LineClues::Evaluation}, {"it [", LineClues::Counted},
            {"step [", LineClues::Counted}, {"steps [", LineClues::Counted}, {"batch [", LineClues::Counted},
            {"batches [", LineClues::Counted}, {"[titan]", LineClues::Titan}, {"mfu ", LineClues::Mfu},
            {"mmengine", LineClues::OpenMm}, {"mmdet", LineClues::OpenMm}, {"v_num=", LineClues::VersionNumber}});
    return finder;
}

} // namespace

LineClues::LineClues(const QString& line) : m_words(clueFinder().findBits(line.toUtf8())) { }

} // namespace rankwright
