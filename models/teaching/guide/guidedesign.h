// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/planner/design/resolve.h"
#include "models/planner/estimate/calibration.h"
#include "models/teaching/guide/guidestep.h"

namespace rankwright::inline teaching {

/// What the questions are asked of.
struct GuideContext {
    const Catalogue& catalogue;
    JobSpec spec;
    CalibrationTable calibrations = {};
    QStringList knownClusters = {}; ///< that were connected to before, newest first
    std::optional<ClusterFacts> facts = {}; ///< what the design's cluster reported of itself; empty: it was not asked
    GuideSettled settled = {};

    /// Of the design's cluster; an empty profile where the catalogue has none.
    const ClusterProfile& profile() const;
    bool isPractice() const;
    bool isLocked(QLatin1StringView field) const { return settled.locks.contains(QString(field)); }
    /// Why all of these fields are prescribed; empty: one of them is open.
    QString lockedWhy(std::initializer_list<QLatin1StringView> fields) const;
};

/// The design that the guide begins with: a model of medium size; size and strategy open, so that the model decides.
JobSpec guidedDesign(const QString& cluster, const Catalogue& catalogue);
/// The same design for another cluster: names and sizes of the one before mean nothing there.
JobSpec movedTo(JobSpec spec, const QString& cluster, const Catalogue& catalogue);
/// Brings into line what follows from the answers and no resolver fills in: a batch that all ranks share evenly, and
/// the practice cluster's program with this batch. Locked fields stay.
JobSpec settled(JobSpec spec, const Catalogue& catalogue, const GuideLocks& locks);

/// The design with another model: what was chosen for the one before is open again, unless it is locked, and what the
/// new one needs to fit is prescribed.
JobSpec withModel(const GuideContext& context, const QJsonObject& model);
/// The same design, or the least change of it with which its model fits; locked fields stay. What nothing helps stays
/// as it is.
JobSpec fitted(const JobSpec& spec, const GuideContext& context);

/// A design and what is expected of it, for the texts of an answer.
struct GuideTrial {
    JobSpec spec;
    ResolvedSpec resolved;
    Result<DesignEstimate> estimate = fail(Fault::Invalid, QStringLiteral("Nothing has been estimated yet."));
};
GuideTrial tried(const JobSpec& spec, const ClusterProfile& profile, const CalibrationTable& calibrations);

/// What the design's billing account pays: for an hour and for the time limit; empty: no formula is published.
struct GuidePrice {
    double perHour = 0;
    double amount = 0;
    QString unit;
};
std::optional<GuidePrice> guidePrice(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// "4 GPU-hours for each hour"; "what an hour costs is not published".
QString priceWords(const std::optional<GuidePrice>& price);

/// The name of the trained model as one says it: "Llama 3 8B", "a model of 7 billion parameters", "no model".
QString guideModelName(const JobSpec& spec);
/// The parts of one whole copy on one GPU, nothing shared.
MemoryParts wholeCopyParts(const DesignEstimate& estimate);
/// Bytes that one whole copy holds before it has read a sample: weights, gradients, optimiser. Empty: not known.
std::optional<double> wholeCopyBytes(const GuideTrial& trial);

/// The user's own words as one edit of the design: a model, an account, a program, a folder, a cluster by its title.
Result<JobSpec> withEntry(const GuideContext& context, const FieldPath& field, const QString& text);

} // namespace rankwright::inline teaching
