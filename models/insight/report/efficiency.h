// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobusage.h"
#include "models/insight/alerts/alert.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/progress/rankbinding.h"
#include "models/insight/report/historysummary.h"
#include "models/insight/report/memoryshortage.h"

namespace rankwright::inline insight {

/// What a piece of advice would change of the next request. A hint names no change.
enum class AdviceKind { Time, Memory, Cpus, Gpus, Nodes, MicroBatch, Design, Hint };

/// As JSON has it in "kind" (docs/cli.md): "microBatch". Empty: no kind has that number.
QStringView wordOf(AdviceKind kind);

/// What the site and the design say about a request, in plain figures. Everything may be unknown.
struct RequestRules {
    QString gpuWord = QStringLiteral("GPU"); ///< what the site calls one
    QString packageWord; ///< "MI250X": whose power is one figure; empty: each GPU reports its own
    int cpusPerCore = 1; ///< the accounting's CPUs in one that a design asks for (hardware threads: 2)
    bool wholeNodes = false; ///< the partition gives whole nodes: fewer cores or less memory save nothing
    bool memoryFollowsGpus = false; ///< the site gives memory with the GPUs: no --mem
    std::optional<int> coresPerGpu; ///< fair share that comes with a GPU
    std::optional<Bytes> memoryPerGpu; ///< the same
    std::optional<Bytes> nodeMemory; ///< the most that a job gets of one node
    std::optional<Seconds> longestTime; ///< of the partition
    std::optional<int> tasksPerNode; ///< of the job's main step
    std::optional<qint64> microBatch; ///< of the design
    bool passesMicroBatch = false; ///< another one in the design reaches the program
    /// What the site bills, by its own published formula.
    struct BillingAccount {
        QString name; ///< empty for the only one
        QString unit;
        double used = 0; ///< for the time that it ran
        std::optional<double> asked; ///< for the whole time limit
        QString decidedBy; ///< what the largest share counts, in words: "GCDs", "cores"; empty: not known
        QString source;
        bool operator==(const BillingAccount&) const = default;
    };
    QList<BillingAccount> billingAccounts; ///< empty: no formula published
    bool operator==(const RequestRules&) const = default;
};

/// What was expected before it was submitted. `low` and `high`: nine of ten lie between.
struct JobPrediction {
    struct Band {
        double value = 0, low = 0, high = 0;
        bool operator==(const Band&) const = default;
    };
    std::optional<Band> stepSeconds;
    std::optional<Band> memoryBytes; ///< of the fullest GPU, as the vendor's tool shows it
    std::optional<Band> tokensPerSecond; ///< of the whole job; samples where `perSample`
    bool perSample = false;
    bool operator==(const JobPrediction&) const = default;
};

/// What the training itself reported (its log, or the program while it watched).
struct MeasuredTraining {
    std::optional<double> stepSeconds; ///< a usual optimiser step
    std::optional<double> samplesPerSecond; ///< of the whole job
    std::optional<double> tokensPerSecond; ///< of the whole job
    std::optional<qint64> step, steps; ///< reached, of all
    QString source; ///< "the job's log", "measured while watching"
    bool operator==(const MeasuredTraining&) const = default;
};

/// "Next time ask for ...". One change of the request, or a hint that names none.
struct ReportAdvice {
    AdviceKind kind = AdviceKind::Hint;
    QString text; ///< one sentence: what to ask for
    QString reason; ///< what was seen, with figures and the margin
    QString option; ///< "--time=01:30:00"; empty: nothing to write
    QString field; ///< of the design: "time", "resources.memoryPerNode"; empty: none, or `design` names several
    double value = 0; ///< for `field`: seconds, bytes, a count
    QByteArray design = {}; ///< members of a design file, in place of `field`; empty: none
    bool operator==(const ReportAdvice&) const = default;

    bool changesDesign() const { return !field.isEmpty() || !design.isEmpty(); }
};

/// All that a report is made from.
struct ReportInputs {
    QString cluster; ///< title, for people
    JobUsage usage; ///< its record is always filled
    bool accounted = false; ///< usage comes from the accounting; false: only the record is known
    std::optional<HistorySummary> recorded;
    RequestRules rules;
    JobPrediction predicted;
    MeasuredTraining measured;
    RankBinding binding; ///< where its ranks reported to be
    QList<Alert> alerts; ///< that were raised
    QHash<QString, double> alertSeconds; ///< by kind, how long it stood; a kind that is not in it: not known
    QStringList standingAtEnd; ///< kinds of alerts that still stood when the recording ended
    QList<Diagnosis> diagnoses; ///< failures found in its output
    std::optional<MemoryShortage> shortage; ///< what took the memory of a GPU that ran out
    std::optional<ReportAdvice> shortageChange; ///< the smallest change after which it fits
};

/// One number of the report.
struct ReportFigure {
    QString key; ///< stable: "gpuUse", "hostMemory" (docs/report.md lists them)
    QString label; ///< "GPU use, mean"
    std::optional<double> value; ///< in `unit`; empty: not known, `note` says why
    QString unit; ///< "%", "bytes", "s", "W", "kWh", "GPUs", the site's billing unit
    QString text; ///< "62 %"; "not known"
    std::optional<double> share; ///< 0..1 of what was there or asked for: the length of a bar
    QString of; ///< "of 64 GiB"
    QString source; ///< "recording", "Slurm accounting", "LUMI's billing rules"
    std::optional<double> coverage; ///< 0..1 of the job's run time that is behind it
    QString note;
    bool operator==(const ReportFigure&) const = default;
};

/// Expected and seen.
struct ReportComparison {
    QString key; ///< "stepSeconds", "memoryBytes", "throughput", "cost"
    QString label;
    QString unit;
    double predicted = 0;
    std::optional<double> low, high; ///< the band that was reported
    double measured = 0;
    double differencePercent = 0; ///< of the prediction; above 0: more than expected
    std::optional<bool> insideBand; ///< empty: no band was reported
    bool isLimit = false; ///< the prediction is an upper bound: a lower result is expected
    QString predictedText, bandText, measuredText;
    bool operator==(const ReportComparison&) const = default;
};

/// How one job did, for a page, a file and the command line. A value; made by makeReport().
struct EfficiencyReport {
    enum class Grade { Good, Fair, Poor, Unknown };
    JobRecord job;
    QString cluster;
    QString gpuWord;
    Grade grade = Grade::Unknown; ///< of a job that failed always Unknown
    QString verdict; ///< one or two sentences
    QList<ReportFigure> figures;
    QList<ReportComparison> comparisons;
    QStringList findings; ///< what was seen, worst first
    QList<ReportAdvice> advice;
    QStringList unknown; ///< what is not known and why
    std::optional<HistorySummary> recorded;
    RankBinding binding;
    QList<Diagnosis> diagnoses; ///< failures found in its output
    std::optional<MemoryShortage> shortage; ///< as ReportInputs
    bool operator==(const EfficiencyReport&) const = default;

    const ReportFigure* figure(const QString& key) const; ///< null: no such figure
};

/// Pure. Never advises below what was used, and not at all where too little was seen.
EfficiencyReport makeReport(const ReportInputs& inputs);

QString toText(EfficiencyReport::Grade grade); ///< as JSON has it: "good", "fair", "poor", "unknown"
/// The grade for people: "Good", "Not graded", and of a job that failed "Not graded: it failed".
QString gradeTitle(const EfficiencyReport& report);

} // namespace rankwright::inline insight
