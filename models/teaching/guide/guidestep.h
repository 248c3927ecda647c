// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/tone.h"
#include "models/planner/planning/designestimate.h"

#include <QHash>

#include <functional>
#include <optional>

namespace rankwright::inline teaching {

/// The steps of the guided first job, in their order: one question each.
enum class GuideStep { Where, What, HowMany, Fits, Script, Launch, Watch };
inline constexpr int guideSteps = 7;

/// As the line of steps names it: "How many GPUs".
QString guideStepName(GuideStep step);
/// Index of the step, from 0.
int guideStepIndex(GuideStep step);
/// The step that asks about a field; Launch for what no other step does.
GuideStep guideStepOf(const FieldPath& field);

/// Fields that a class file prescribes, each with the reason that is shown.
using GuideLocks = QHash<FieldPath, QString>;

/// What a class prescribes: fields, and what is allowed of the others.
struct GuideSettled {
    QString id; ///< of the class; with another one the guide begins again
    GuideLocks locks;
    std::function<JobSpec(const JobSpec&)> kept; ///< the design with all prescribed fields set; empty: unchanged
    std::function<QString(const JobSpec&)> refusal; ///< why such a design is not allowed, one sentence; empty: it is
};

/// One answer to a question, with all that is said of it. A value: choosing it is one edit of the design.
struct GuideAnswer {
    QString id; ///< stable within its question: "fsdp", "lumi"
    QString title; ///< plain words: "Share everything"
    QString term; ///< the field's word for it: "FSDP"; may be empty
    QString termId; ///< of the glossary; empty: none
    QString figures; ///< one line: "40.4 GiB, likely 36–45"
    Tone tone = Tone::Plain;
    QString verdict; ///< "Does not fit"; empty: none is given
    QString why; ///< two or three sentences with the design's own numbers, the price told, too
    QString obstacle; ///< why it cannot work, one sentence; empty: it can
    bool advised = false; ///< chosen for whoever has no wish of their own
    JobSpec spec; ///< the design with this answer
    Result<DesignEstimate> estimate
        = fail(Fault::Invalid, QStringLiteral("Nothing has been estimated yet.")); ///< of `spec`

    bool works() const { return obstacle.isEmpty(); }
};

/// A field that a step lets one type or choose beside its answers.
struct GuideEntry {
    FieldPath field;
    QString label;
    QString value;
    QString placeholder;
    QString help; ///< one sentence
    QStringList choices; ///< proposed; with `fixed` the only ones
    bool fixed = false;
    QString trouble; ///< why the value does not do; empty: it does
    bool operator==(const GuideEntry&) const = default;
};

/// What a step asks.
struct GuideQuestion {
    GuideStep step = GuideStep::Where;
    QString title; ///< "Does it fit?"
    QString text; ///< two or three sentences with the design's own numbers
    QList<GuideAnswer> answers; ///< two to four, or only the prescribed one; none at the last three steps
    std::optional<int> chosen; ///< which of them the design has; empty: none
    QList<GuideEntry> entries;
    QString lockedWhy; ///< who prescribes the answer; empty: it is open

    const GuideAnswer* answer(const QString& id) const; ///< null: there is none
    const GuideAnswer* chosenAnswer() const; ///< null: none
};

/// What one may go on with: the chosen answer works. Empty: go on; else why not.
QString guideObstacle(const GuideQuestion& question);

/// Where the guide is, as far as the words of its one button need it.
struct GuideNext {
    GuideStep step = GuideStep::Where;
    bool isWaiting = false; ///< for the cluster
    bool hasFailed = false; ///< the cluster did not come
    bool startsPractice = false; ///< the practice cluster is chosen and not running
    bool isLaunched = false; ///< this very design
    bool wasLaunched = false; ///< this design or an earlier one
    bool hasEnded = false; ///< the job
};
/// "Next: how many"; empty: no next step yet.
QString guideNextText(const GuideNext& at);

} // namespace rankwright::inline teaching
