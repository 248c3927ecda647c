// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline cluster {

// What is known of a cluster, as data. An empty optional or text means "not published", never zero; the sizes of a node
// that are not optionals (cores, memory) are 0 then, ask knowsCores() and knowsMemory(). One JSON file per site
// (resources/catalogue/*.json, format in docs/catalogue.md): a new site is a new file and no line of C++.

enum class GpuVendor { Amd, Nvidia };

/// The GPU as a job sees it: on MI250X one GCD, half a package.
struct GpuType {
    QString model; ///< "MI250X GCD", "A100 40 GB"
    GpuVendor vendor = GpuVendor::Nvidia;
    QString word = QStringLiteral("GPU"); ///< what the site calls one of them: "GCD" or "GPU"
    QString slurmName; ///< gres type: "mi250", "a100"; empty: the site uses none
    Bytes memory; ///< of one GPU as the job sees it; 0: not published
    int perPackage = 1; ///< GCDs per package
    QString packageName; ///< "MI250X"
    std::optional<double> packagePowerWatts; ///< cap that the tool shows for a package
    std::optional<double> bf16Teraflops; ///< dense peak of one GPU
    std::optional<double> memoryBandwidth; ///< bytes per second
    bool standIn = false; ///< nothing computes there: its figures are those of the GPU that it stands for
    QString note;
    QString source;
    bool operator==(const GpuType&) const = default;

    /// A part of a GPU that stands for the node in its shape: the rest of both is other jobs'.
    bool isSlice() const { return word == u"slice"; }
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
    bool elsewhere = false; ///< the names are partitions that the file does not describe (CPU nodes)
    QString billingAccount; ///< empty when a site has one billing account only
    QString unit; ///< "GPU-hours", "GPU BU"
    double factor = 1;
    Combine combine = Combine::Max;
    QList<BillingTerm> terms;
    QString source;
    QString note = {};
    bool operator==(const BillingRule&) const = default;
};

/// What files cost: amount = hours * weight * max(0, size - freeSize), sizes in `sizeUnit`.
struct StoragePrice {
    QString place; ///< "scratch", "LUMI-F"
    QString billingAccount; ///< empty when the site has one billing account only
    QString unit; ///< "TB-hours", "Storage BU"
    QString sizeUnit; ///< "TB" or "TiB": the unit in which the site counts
    double weight = 1;
    double freeSize = 0; ///< not billed, in sizeUnit
    QString source;
    bool operator==(const StoragePrice&) const = default;
};

/// Where the ranks of a job that owns its nodes come to run when Slurm starts one for each GPU.
struct BindingDefaults {
    bool bySlurm = false; ///< Slurm itself puts each rank beside its GPU: no masks are needed
    bool contiguousCores = false; ///< Slurm gives local rank i the i-th share of cores, in order
    QList<int> gpuOrder; ///< GPU of local rank 0, 1, ...; empty: rank i has GPU i
    std::optional<int> soleGpu; ///< GPU of a node's only rank, where it differs from gpuOrder
    QString reason; ///< in words, shown with the answer
    QString source;
    bool operator==(const BindingDefaults&) const = default;
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

/// One network card of a node.
struct NodeNic {
    QString interfaceName; ///< "hsn0", "ib0"
    std::optional<double> gigabitsPerSecond; ///< each direction
    std::optional<int> package; ///< the GPU package it sits on
    std::optional<int> numa;
    bool operator==(const NodeNic&) const = default;
};

/// Disk inside the node that a job can have.
struct LocalDisk {
    std::optional<Bytes> size; ///< the most that a job can get of one node
    QString gres; ///< how it is asked for in --gres, an amount in GiB behind it: "nvme"; empty: not asked for there
    QString path; ///< where the job finds it: "$LOCAL_SCRATCH"
    bool operator==(const LocalDisk&) const = default;
};

struct NodeShape {
    QString name; ///< "lumi-g"
    std::optional<int> count; ///< nodes of this kind
    QString cpu; ///< "2 x Intel Xeon Gold 6230"
    QString architecture; ///< as uname -m says: "x86_64", "aarch64"; empty: not published
    GpuType gpu;
    int gpus = 0;
    int cores = 0; ///< physical cores of the node; 0: not published
    int usableCores = 0; ///< CPUs that a job can get; 0: not published
    int threadsPerCore = 1;
    bool cpusAreThreads = false; ///< Slurm counts hardware threads here: so do usableCores, coresPerGpu, maxCoresPerGpu
    std::optional<int> numaDomains;
    Bytes memory; ///< that a job can get; 0: not published
    std::optional<Bytes> installedMemory;
    std::optional<int> coresPerGpu; ///< fair share
    std::optional<Bytes> memoryPerGpu; ///< fair share
    std::optional<int> maxCoresPerGpu; ///< more are refused or break the site's rules
    std::optional<Bytes> maxMemoryPerGpu;
    bool memoryFollowsGpus = false; ///< the site gives memory with the GPUs: write no --mem
    QList<GpuPlace> places; ///< empty: map not published
    QList<GpuLink> links; ///< empty: not published
    std::optional<double> nicGigabytesPerSecond; ///< network of the whole node, each direction
    QString nicNote;
    QList<NodeNic> nics; ///< empty: not published
    LocalDisk localDisk; ///< all empty: none, or not published (the note says which)
    QString note;
    QString source;
    bool operator==(const NodeShape&) const = default;

    bool knowsCores() const { return usableCores > 0; }
    bool knowsMemory() const { return memory.count > 0; }
    QStringList interfaces() const; ///< names of the network cards, in order
    /// GB/s of the fastest link between two GPUs, within a package or between packages; empty: none is published.
    std::optional<double> fastestLink(bool inPackage) const;
};

/// For what lines of scripts were found to be true, and when that was read; where, is the `source` beside it. Names are
/// those of an image (behind the last "/"), of a module or of a uenv; "*" stands for any text.
struct LineEvidence {
    QStringList images; ///< images for which they hold; "*": whatever the job runs in, with or without an image
    QStringList releases; ///< modules or uenv, one of which a job without an image loads; "*": any such job
    QString checked; ///< day on which the source was read, "2026-11-24"
    bool operator==(const LineEvidence&) const = default;

    /// All that a line of the catalogue needs to be written: for what, since when, and a source beside it.
    bool isComplete(const QString& source) const;
    /// May the lines be written into a job with this image (empty: none) and software? Where nothing is said of images
    /// and releases, as in files of one's own, they may.
    bool holdsFor(const QString& image, const QStringList& software) const;
};

/// A wall time that holds for jobs of some sizes only ("bins").
struct SizeLimit {
    int minNodes = 1;
    std::optional<int> maxNodes;
    Seconds maxTime;
    bool operator==(const SizeLimit&) const = default;
};

/// Memory that a job gets when it asks for none.
struct DefaultMemory {
    enum class Per { Node, Cpu, Gpu };
    Bytes size;
    Per per = Per::Node;
    bool operator==(const DefaultMemory&) const = default;
};

/// A queue as a design names it: usually a partition of Slurm, at some sites a QoS or a constraint.
struct Partition {
    QString name; ///< what a design names, unique in the file
    QString slurmPartition; ///< Slurm's own name when it differs; empty: `name`
    bool partitionWritten = true; ///< false: no --partition, a submit filter or the QoS chooses it
    QString qos; ///< --qos that belongs to it; empty: none is written
    QString defaultQos; ///< that Slurm takes where none is named: a script may name it; empty: not published
    QString constraint; ///< --constraint that belongs to it; empty: none
    /// When it is proposed: as others; when no other fits (tests, needs a permission); not by itself, the design names
    /// it; never, it is closed to ordinary batch jobs (on request only, interactive, down): naming it is an error.
    enum class Offer { Normal, Last, Named, Never };
    Offer offered = Offer::Normal;
    QString node; ///< name of a NodeShape
    bool shared = false; ///< several jobs may share a node; false: whole nodes only
    /// What a job that asks for no memory gets: enough, or not known; so little that it should ask; nothing, it is
    /// refused unless it has all GPUs of its nodes.
    enum class MemoryRequest { Open, Advised, Needed };
    MemoryRequest memoryRequest = MemoryRequest::Open;
    std::optional<int> nodes; ///< that are in it
    std::optional<int> minNodes;
    std::optional<int> maxNodes;
    std::optional<int> minGpusPerJob;
    std::optional<int> maxGpusPerJob;
    std::optional<int> maxGpusPerUser; ///< of all running jobs together
    std::optional<int> minGpusPerNode; ///< fewer on a node are refused
    std::optional<int> exactCoresPerGpu; ///< any other number of CPUs for each GPU is refused
    std::optional<int> maxCoresPerJob;
    QString admission; ///< what a project needs first: "a scalability test"; empty: nothing
    QString accountSuffix; ///< with which accounts end here: "@h100"; empty: no rule
    QStringList modules; ///< in place of the site's, for jobs without a container; empty: the site's
    std::optional<Seconds> defaultTime;
    std::optional<Seconds> maxTime;
    QList<SizeLimit> sizeLimits; ///< shorter limits by size; a size that no entry names is refused
    std::optional<double> maxNodeHours; ///< nodes x wall time of one job
    std::optional<DefaultMemory> defaultMemory;
    std::optional<int> maxSubmittedJobs; ///< of one user, queued and running
    std::optional<int> maxRunningJobs;
    QString note;
    QString source;
    QString checked; ///< day on which the source was read
    QString stateToday; ///< as its Slurm reports it while connected ("down"); empty: up, or not asked. In no file
    /// GPUs of a job that names no QoS, by the account's default QoS, as its Slurm reports while connected. In no file.
    std::optional<int> defaultQosGpus;
    bool operator==(const Partition&) const = default;

    /// Slurm's name of it.
    QString slurmName() const { return slurmPartition.isEmpty() ? name : slurmPartition; }
    /// The longest wall time for a job of this many nodes; empty: not published, or no such size is allowed.
    std::optional<Seconds> maxTimeFor(int jobNodes) const;
    /// Is there a wall time for this size? False only where sizeLimits leave it out.
    bool allowsSize(int jobNodes) const;
};

/// A variable that scripts export, with the reason that hovering shows.
struct EnvironmentRule {
    QString name;
    QString value; ///< shell text; expanded by the shell when `expand`
    bool expand = false;
    bool inTask = false; ///< must be set by each task (value differs by node or rank)
    bool multiNodeOnly = false;
    bool singleNodeOnly = false;
    std::optional<int> fromNodes; ///< only in jobs of this many nodes or more
    bool softwareOnly = false; ///< only with a container or uenv, which brings what the variable names
    QString reason;
    QString source;
    LineEvidence evidence;
    bool operator==(const EnvironmentRule&) const = default;
};

struct ContainerRule {
    QString image; ///< default image; empty: none
    bool byDefault = true; ///< false: offered, but a design that names nothing runs without it
    QString runner; ///< "singularity run", "apptainer exec --nv"
    QStringList moduleCommands; ///< "module use ...", "module load ..."
    bool numactl = false; ///< the program numactl is in the image: torchrun's --numa-binding calls it
    QString reason;
    QString source;
    LineEvidence evidence;
    bool operator==(const ContainerRule&) const = default;
};

/// A launcher that the site advises against, and why.
struct DiscouragedLauncher {
    QString launcher; ///< "torchrun"
    QString reason;
    QString source;
    bool operator==(const DiscouragedLauncher&) const = default;
};

/// How a job asks for GPUs: --gpus-per-node with a bare number, --gres with the type, or by no option (whole nodes by
/// --exclusive: sites whose Slurm does not count GPUs).
enum class GpuRequest { GpusPerNode, Gres, None };

/// What --gpus-per-task does at a site; NeedsSharing: works only with --gres-flags=allow-task-sharing.
enum class GpusPerTask { Works, NeedsSharing, Breaks };

/// How jobs are asked for and started at this site.
struct LaunchDefaults {
    GpuRequest gpuRequest = GpuRequest::GpusPerNode;
    std::optional<GpusPerTask> gpusPerTask; ///< empty: not published
    QList<DiscouragedLauncher> discouraged;
    QStringList extraDirectives; ///< e.g. "--constraint=gpu"
    bool partitionRequired = true;
    bool accountRequired = true;
    QString accountPattern; ///< regular expression of a full account name; empty: unknown
    QString accountExample;
    bool cpuBindMasks = false; ///< masks on whole nodes when the map is published
    QString masterAddressSuffix; ///< JUWELS: "i"
    bool rendezvousHostNamed = false; ///< torchrun needs to know which node opens the meeting point (is_host)
    QString preferredLauncher; ///< "torchrun" or "srun"
    QString pythonCommand = QStringLiteral("python3");
    QString torchrunCommand = QStringLiteral("torchrun");
    QStringList modules; ///< when no container is used
    /// Does a job without container and environment find PyTorch: by `modules`, or with the nodes' own Python?
    bool bringsTorch = false;
    QString torchAdvice; ///< a sentence of the site on where PyTorch comes from, for jobs that name nothing
    bool monitorAllNodesInOneStep = false; ///< else one overlapping step per node
    std::optional<bool> mailWorks; ///< Slurm's own mail; empty: not published
    BindingDefaults binding;
    QString note;
    QString source;
    LineEvidence evidence;
    bool operator==(const LaunchDefaults&) const = default;
};

/// A further host of the site that one logs in to.
struct LoginHost {
    QString host;
    QString purpose; ///< "CPU work", "data transfer"
    bool operator==(const LoginHost&) const = default;
};

/// Where the site takes public keys.
struct KeyRegistration {
    QString title; ///< the page's name: "MyCSC, Profile"; empty: not known
    QString url; ///< "https://..."; empty: not known
    QString delay; ///< after how long a new key works, in words: "up to an hour"; empty: not published
    bool operator==(const KeyRegistration&) const = default;
};

struct LoginRule {
    QString host;
    std::optional<int> port;
    QString jump; ///< "user@host" or "host"; empty: none
    QString method; ///< in words: "SSH key registered in MyAccessID"
    std::optional<bool> takesKeys; ///< are SSH keys taken at all? empty: not published
    KeyRegistration keyRegistration;
    QString secondFactor; ///< in words; "none" where the operator says so; empty: not published
    QList<LoginHost> others;
    QStringList fingerprints; ///< of `host`: "SHA256:..." as published by the operator
    QStringList jumpFingerprints; ///< of the jump host
    std::optional<bool> nodeLogin; ///< may one ssh to a node while a job of one's own runs there?
    QString note;
    QString source;
    bool operator==(const LoginRule&) const = default;
};

/// A thing to know: shown beside the field it concerns.
struct Quirk {
    QString field; ///< FieldPath text, may be empty
    QString text;
    QString source;
    bool operator==(const Quirk&) const = default;
};

/// A document from which the entry, or a part of it, was read. Days may be months or years: what is known of them.
struct ReadSource {
    QString source; ///< "CSC user guide, computing/running/batch-job-partitions"
    QString state; ///< day of the copy that was read, "2026-08-21"; empty: the copy bears none
    QString readOn; ///< day on which it was read
    bool byOperator = true; ///< the operator's own words; false: a third party's
    bool operator==(const ReadSource&) const = default;
};

/// What a script says of the queue that it wants. Empty texts: it has no such option.
struct QueueRequest {
    QString partition; ///< as Slurm calls it; one that is named must agree
    QString qos;
    QString constraint; ///< a kind of node, which may choose a partition that is not named
    QString account; ///< at sites with an account for each kind of GPU: "abc@h100"
    QString gpuType; ///< of --gres and its kin: "h100"
};

struct ClusterProfile {
    std::optional<int> order; ///< place in lists, smallest first; empty: behind all that have one
    QString name; ///< key: "lumi", "practice"
    QString title; ///< "LUMI"
    QString summary;
    QString operatorName;
    QString status; ///< "in service", "retired since 2026-07-31"
    bool acceptsJobs = true;
    QString retiredSince; ///< day on which it stopped taking jobs, "2026-07-31"; empty: in service
    QString replacedBy; ///< name of the cluster that takes its place; empty: none
    LoginRule login;
    QList<NodeShape> nodes;
    QList<Partition> partitions;
    QList<BillingRule> billing;
    QList<StoragePrice> storage;
    QList<EnvironmentRule> environment;
    ContainerRule container;
    LaunchDefaults launch;
    QString scratch; ///< "/scratch/{account}"
    QList<Quirk> quirks;
    QStringList sources;
    QList<ReadSource> checked; ///< newest first
    QStringList unknownMembers; ///< JSON paths that the reader did not know

    bool operator==(const ClusterProfile&) const = default;

    /// Null when the name is unknown.
    const Partition* partition(const QString& partitionName) const;
    /// The node shape of a partition, of the first partition when the name is empty; null when unknown.
    const NodeShape* nodeShape(const QString& partitionName) const;
    /// Modules of a job without a container in this partition.
    QStringList modulesOf(const QString& partitionName) const;
    /// The entry that a script's own options ask for; null when there is none.
    const Partition* partitionAsked(const QueueRequest& request) const;
};

/// Features of --constraint that name a kind of GPU: "a100" of "a100&hbm80g", "h100" of "gpu_H100_80G".
QStringList gpuKinds(const QString& constraint);
/// Could a node of this shape be one with a GPU of these kinds? Yes where none is named.
bool allowsShape(const QStringList& kinds, const NodeShape& shape);

/// The options of sbatch that put a job into this queue, in order: {"partition", "gpu"}, {"qos", "debug"},
/// {"constraint", "gpu"}. The partition is left out where the entry says so.
QList<std::pair<QString, QString>> queueOptions(const Partition& partition);

// The words of cluster files for the fixed sets above, each set from 0 without gaps; empty for a number that is not in
// it.
QStringView wordOf(BillingTerm::Of of);
QStringView wordOf(BillingRule::Combine combine);
QStringView wordOf(Partition::Offer offer);
QStringView wordOf(DefaultMemory::Per per);
QStringView wordOf(Partition::MemoryRequest request);
QStringView wordOf(GpuRequest request);
QStringView wordOf(GpusPerTask effect);

} // namespace rankwright::inline cluster
