// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright {

// What is known of a cluster, as data. An empty optional means "not published", never zero. One JSON file per site
// (resources/catalogue/*.json, format in docs/catalogue.md): a new site is a new file and no line of C++.

enum class GpuVendor { Amd, Nvidia };

/// The GPU as a job sees it: on MI250X one GCD, half a package.
struct GpuType {
    QString model; ///< "MI250X GCD", "A100 40 GB"
    GpuVendor vendor = GpuVendor::Nvidia;
    QString word = QStringLiteral("GPU"); ///< what the site calls one of them: "GCD" or "GPU"
    QString slurmName; ///< gres type: "mi250", "a100"
    Bytes memory; ///< of one GPU as the job sees it
    int perPackage = 1; ///< GCDs per package
    QString packageName; ///< "MI250X"
    std::optional<double> packagePowerWatts; ///< cap that the tool shows for a package
    std::optional<double> bf16Teraflops; ///< dense peak of one GPU
    std::optional<double> memoryBandwidth; ///< bytes per second
    bool operator==(const GpuType&) const = default;
};

/// Where one GPU sits in its node and which cores are nearest.
struct GpuPlace {
    int gpu = 0;
    int package = 0;
    std::optional<int> numa;
    std::optional<int> ccd; ///< core complex (L3 region)
    QList<int> cores; ///< nearest cores that a job may use
    QList<int> reservedCores; ///< nearest cores kept by the system
    QString pciBus;
    bool operator==(const GpuPlace&) const = default;
};

struct GpuLink {
    int from = 0;
    int to = 0;
    int links = 1;
    double gigabytesPerSecond = 0; ///< each direction
    bool inPackage = false;
    bool operator==(const GpuLink&) const = default;
};

struct NodeShape {
    QString name; ///< "lumi-g"
    GpuType gpu;
    int gpus = 0;
    int cores = 0; ///< physical cores of the node
    int usableCores = 0; ///< cores that a job can get
    int threadsPerCore = 1;
    Bytes memory; ///< that a job can get
    std::optional<int> coresPerGpu; ///< fair share
    std::optional<Bytes> memoryPerGpu; ///< fair share
    bool memoryFollowsGpus = false; ///< the site gives memory with the GPUs: write no --mem
    QList<GpuPlace> places; ///< empty: map not published
    QList<GpuLink> links; ///< empty: not published
    std::optional<double> nicGigabytesPerSecond; ///< network of the whole node, each direction
    QString nicNote;
    bool operator==(const NodeShape&) const = default;
};

struct Partition {
    QString name;
    QString node; ///< name of a NodeShape
    bool shared = false; ///< several jobs may share a node; false: whole nodes only
    std::optional<int> minGpusPerJob;
    std::optional<int> maxGpusPerJob;
    std::optional<int> maxNodes;
    std::optional<Seconds> maxTime;
    std::optional<int> maxSubmittedJobs;
    std::optional<int> maxRunningJobs;
    QString note;
    bool operator==(const Partition&) const = default;
};

/// One term of a billing formula: weight * ceil(amount / per).
struct BillingTerm {
    enum class Of { Gpus, Cores, MemoryGib, NvmeGib, Nodes };
    Of of = Of::Gpus;
    double weight = 1;
    std::optional<double> per; ///< ceil(amount / per) when set, else the amount itself
    bool operator==(const BillingTerm&) const = default;
};

/// amount = hours * factor * (max or sum of terms), for the partitions it names (empty: all).
struct BillingRule {
    enum class Combine { Max, Sum };
    QStringList partitions;
    QString purse; ///< empty when a site has one purse only
    QString unit; ///< "GPU-hours", "GPU BU"
    double factor = 1;
    Combine combine = Combine::Max;
    QList<BillingTerm> terms;
    QString source;
    bool operator==(const BillingRule&) const = default;
};

/// A variable that scripts export, with the reason that hovering shows.
struct EnvironmentRule {
    QString name;
    QString value; ///< shell text; expanded by the shell when `expand`
    bool expand = false;
    bool inTask = false; ///< must be set by each task (value differs by node or rank)
    bool multiNodeOnly = false;
    QString reason;
    QString source;
    bool operator==(const EnvironmentRule&) const = default;
};

struct ContainerRule {
    QString image; ///< default image; empty: none
    QString runner; ///< "singularity run", "apptainer exec --nv"
    QStringList moduleCommands; ///< "module use ...", "module load ..."
    QString reason;
    QString source;
    bool operator==(const ContainerRule&) const = default;
};

/// How jobs are asked for and started at this site.
struct LaunchHabits {
    QString gpuRequest; ///< "gpus-per-node" (bare number) or "gres" (typed, per node)
    QStringList extraDirectives; ///< e.g. "--constraint=gpu"
    bool partitionRequired = true;
    bool accountRequired = true;
    QString accountPattern; ///< regular expression of a full account name; empty: unknown
    QString accountExample;
    bool cpuBindMasks = false; ///< masks on whole nodes when the map is published
    QString masterAddressSuffix; ///< JUWELS: "i"
    QString preferredLauncher; ///< "torchrun" or "srun"
    QString pythonCommand = QStringLiteral("python3");
    QString torchrunCommand = QStringLiteral("torchrun");
    QStringList modules; ///< when no container is used
    bool monitorAllNodesInOneStep = false; ///< else one overlapping step per node
    bool mailWorks = false;
    bool operator==(const LaunchHabits&) const = default;
};

struct LoginRule {
    QString host;
    std::optional<int> port;
    QString jump; ///< "user@host" or "host"; empty: none
    QString method; ///< in words: "SSH key registered in MyAccessID"
    QStringList fingerprints; ///< "SHA256:..." as published by the operator
    bool operator==(const LoginRule&) const = default;
};

/// A thing to know: shown beside the field it concerns.
struct Quirk {
    QString field; ///< FieldPath text, may be empty
    QString text;
    QString source;
    bool operator==(const Quirk&) const = default;
};

struct ClusterProfile {
    QString name; ///< key: "lumi", "practice"
    QString title; ///< "LUMI"
    QString summary;
    QString operatorName;
    QString status; ///< "in service", "retired since 2026-07-31"
    bool acceptsJobs = true;
    LoginRule login;
    QList<NodeShape> nodes;
    QList<Partition> partitions;
    QList<BillingRule> billing;
    QList<EnvironmentRule> environment;
    ContainerRule container;
    LaunchHabits launch;
    QString scratch; ///< "/scratch/{account}"
    QList<Quirk> quirks;
    QStringList sources;
    QStringList unknownMembers; ///< JSON paths that the reader did not know

    bool operator==(const ClusterProfile&) const = default;

    /// Null when the name is unknown.
    const Partition* partition(const QString& partitionName) const;
    /// The node shape of a partition, of the first partition when the name is empty; null when unknown.
    const NodeShape* nodeShape(const QString& partitionName) const;
};

} // namespace rankwright
