// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/tone.h"
#include "models/core/troublesource.h"
#include "models/insight/alerts/alert.h"
#include "models/insight/progress/rankbinding.h"
#include "models/insight/progress/trainingprogress.h"
#include "models/tables/grid/gpugrid.h"

#include <QMap>

namespace rankwright {

/// One statement about the job for people: what was seen, since when, what it means, what to do.
struct AlertText {
    Tone tone = Tone::Quiet;
    QString word; ///< what the tone says, for those who do not see colours: "Failure"; empty: none
    QString title;
    QString text; ///< the evidence in figures, and since when
    QString meaning; ///< why it matters
    QString advice; ///< what to change
    std::optional<GpuAddress> gpu; ///< to be shown on a click
    QString gpuAction; ///< that click's label
    QString failure; ///< class of a failure whose line in the output is shown on a click; empty: none
    QString field; ///< of the design, to be opened on a click; empty: none
    QString option; ///< to be copied on a click: "--ntasks-per-node=8"; empty: none
    QString source;
    /// Why a click cannot look for the hang now; empty text: it can. No value: no hang, or nothing runs.
    std::optional<QString> inspectionObstacle = {};
    bool operator==(const AlertText&) const = default;
};

/// What findings are derived from; nothing else may enter, so that none of them can be a guess. What is wrong with the
/// job is decided by AlertWatch, here it is only put into words.
struct AlertFacts {
    const GpuGrid& grid;
    const JobRecord& job;
    const TrainingProgress& progress;
    QMap<TroubleSource, Error> troubles;
    QList<Alert> alerts; ///< worst first
    QStringList lines = {}; ///< classes of failures whose line in the output can be shown
    std::optional<qint64> asOfMs = {}; ///< the cluster does not answer since then; empty: it does
    std::optional<RankBinding> binding = {}; ///< where the ranks report to be; empty: the output is not read
};

/// Findings, worst first. Never empty while a job is shown.
QList<AlertText> alertTexts(const AlertFacts& facts);
/// One alert in the words of the page; `lines` as AlertFacts.
AlertText alertText(const Alert& alert, const QStringList& lines = {});
/// It may be a hang, or a rank that others wait for: a look at the ranks tells more.
bool mayHang(const Alert& alert);
/// It speaks of a failure that was found in the job's output.
bool isOfOutput(const Alert& alert);
/// The first option with a value in an advice ("--exclude=nid005001"); empty: none.
QString optionIn(const QString& advice);

} // namespace rankwright
