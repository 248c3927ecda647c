// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/partitionchoice.h"
#include "models/planner/design/resolve.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int notPublished = -1;

int orNot(const std::optional<int>& value) { return value.value_or(notPublished); }
int mibOr(const std::optional<Bytes>& value) { return value ? int(value->inMib()) : notPublished; }

} // namespace

/// Figures as the operators print them, row by row with their source; -1 stands for "not published".
class SitesTest : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue(); }
    void allSitesAreThere();
    void nodes_data();
    void nodes();
    void partitions_data();
    void partitions();
    void requests_data();
    void requests();
    void queueOptionsOfSites_data();
    void queueOptionsOfSites();
    void queuesAreFoundAgain();
    void aSliceIsNoWholeNode();
    void namedQueueIsWritten();
    void logins_data();
    void logins();
    void retired_data();
    void retired();
    void maps();
    void whatIsNotPublishedStaysSo();
    void nothingIsKnownOfTheGenericOne();

private:
    const ClusterProfile& site(const QString& name) const
    {
        const ClusterProfile* found = m_catalogue.find(name);
        if (found == nullptr)
            qFatal("no site %s", qPrintable(name));
        return *found;
    }
    const NodeShape& node(const QString& cluster, const QString& name) const
    {
        for (const NodeShape& shape : site(cluster).nodes) {
            if (shape.name == name)
                return shape;
        }
        qFatal("no node kind %s", qPrintable(name));
    }
    Catalogue m_catalogue;
};

void SitesTest::allSitesAreThere()
{
    const QStringList wanted{u"lumi"_s, u"puhti"_s, u"mahti"_s, u"roihu"_s, u"raven"_s, u"frontier"_s, u"perlmutter"_s,
        u"leonardo"_s, u"juwels-booster"_s, u"jupiter"_s, u"alps-clariden"_s, u"marenostrum5"_s, u"snellius"_s,
        u"dardel"_s, u"berzelius"_s, u"alex"_s, u"viper-gpu"_s, u"dais"_s, u"jean-zay"_s, u"mila"_s, u"aws-hyperpod"_s,
        u"practice"_s, u"generic"_s};
    QCOMPARE(m_catalogue.names(), wanted);
}

void SitesTest::nodes_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QList<int>>("figures"); // count, GPUs, cores for jobs, MiB for jobs, cores and MiB of a GPU
    const auto row = [](const char* source, const QString& cluster, const QString& kind, const QList<int>& figures) {
        QTest::newRow(qPrintable(cluster + u' ' + kind + u": "_s + QString::fromUtf8(source)))
            << cluster << kind << figures;
    };
    row("LUMI user guide, lumig.md, distribution-binding.md; S3", u"lumi"_s, u"lumi-g"_s,
        {2978, 8, 56, 491520, 7, 61440});
    row("CSC systems-puhti.md, batch-job-partitions.md, ml-multi.md", u"puhti"_s, u"puhti-gpu"_s,
        {80, 4, 40, 373 * 1024, 10, 80 * 1024});
    row("CSC systems-mahti.md, batch-job-partitions.md", u"mahti"_s, u"mahti-gpu"_s,
        {24, 4, 128, 490 * 1024, 32, 125440});
    row("CSC batch-job-partitions.md: slice", u"mahti"_s, u"mahti-slice"_s, {-1, 1, 4, 17920, 4, 17920});
    row("CSC systems-roihu.md, batch-job-partitions.md", u"roihu"_s, u"roihu-gpu"_s,
        {132, 4, 288, 4 * 217 * 1024, 72, 217 * 1024});
    row("MPCDF bnb/207, tutorial docs/09", u"raven"_s, u"raven-gpu-bw"_s, {32, 4, 72, 500000, 18, 125000});
    row("OLCF frontier_user_guide", u"frontier"_s, u"frontier"_s, {9856, 8, 56, -1, 7, -1});
    row("NERSC architecture; dl4sci25", u"perlmutter"_s, u"perlmutter-80g"_s, {256, 4, 128, -1, 32, -1});
    row("CINECA leonardo; AAT", u"leonardo"_s, u"leonardo-booster"_s, {3456, 4, 32, 494000, 8, 120 * 1024});
    row("Teuken-7B card; JSC course: 24 threads for each of four tasks", u"juwels-booster"_s, u"juwels-booster"_s,
        {936, 4, 96, -1, 24, -1});
    row("JSC configuration", u"jupiter"_s, u"jupiter"_s, {5884, 4, 288, -1, 72, -1});
    row("CSCS clariden.md", u"alps-clariden"_s, u"alps-gh200"_s, {1200, 4, 288, -1, 72, -1});
    row("public scripts", u"marenostrum5"_s, u"mn5-acc"_s, {1120, 4, 80, -1, 20, -1});
    row("SURF wiki", u"snellius"_s, u"snellius-a100"_s, {63, 4, 72, 480 * 1024, 18, 120 * 1024});
    row("SURF wiki", u"snellius"_s, u"snellius-h100"_s, {88, 4, 64, 720 * 1024, 16, 180 * 1024});
    row("PDC job_scheduling.md", u"dardel"_s, u"dardel-gpu"_s, {62, 8, 64, 456704, 7, -1});
    row("NSC: per-GPU figures not found", u"berzelius"_s, u"berzelius-thin"_s, {-1, 8, -1, -1, -1, -1});
    row("FAU, early page", u"alex"_s, u"alex-a40"_s, {38, 8, 128, -1, 16, -1});
    row("MPCDF Cluster Facts (third party)", u"viper-gpu"_s, u"viper-apu"_s, {-1, 2, 48, -1, 24, -1});
    row("MPCDF Cluster Facts (third party)", u"dais"_s, u"dais"_s, {-1, 8, 96, -1, -1, 250000});
    row("public scripts of 2026: 24 cores for each H100", u"jean-zay"_s, u"jean-zay-h100"_s, {-1, 4, 96, -1, 24, -1});
    row("Mila nodes.md", u"mila"_s, u"mila-l40s"_s, {91, 4, 48, -1, 12, 250 * 1024});
    row("Mila nodes.md", u"mila"_s, u"mila-h100"_s, {2, 8, 192, -1, 24, 268 * 1024});
    row("BigScience scripts: 40 cores, 10 for each V100", u"jean-zay"_s, u"jean-zay-v100"_s, {-1, 4, 40, -1, 10, -1});
}

void SitesTest::nodes()
{
    QFETCH(QString, cluster);
    QFETCH(QString, kind);
    const NodeShape& shape = node(cluster, kind);
    const QList<int> found{orNot(shape.count), shape.gpus, shape.knowsCores() ? shape.usableCores : notPublished,
        mibOr(shape.knowsMemory() ? std::optional(shape.memory) : std::nullopt), orNot(shape.coresPerGpu),
        mibOr(shape.memoryPerGpu)};
    QTEST(found, "figures");
}

void SitesTest::partitions_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("shared");
    QTest::addColumn<QList<int>>("figures"); // most nodes, most GPUs, minutes, running, queued
    const auto row = [](const QString& cluster, const QString& name, bool shared, const QList<int>& figures) {
        QTest::newRow(qPrintable(cluster + u' ' + name)) << cluster << name << shared << figures;
    };
    // LUMI user guide, partitions.md; sinfo of April 2026
    row(u"lumi"_s, u"standard-g"_s, false, {1024, -1, 2880, 200, 210});
    row(u"lumi"_s, u"small-g"_s, true, {4, -1, 4320, 200, 210});
    row(u"lumi"_s, u"dev-g"_s, true, {32, -1, 180, 1, 2});
    // CSC user guide, batch-job-partitions.md
    row(u"puhti"_s, u"gpu"_s, true, {20, 80, 4320, -1, -1});
    row(u"puhti"_s, u"gputest"_s, true, {2, 8, 15, -1, -1});
    row(u"mahti"_s, u"gpusmall"_s, true, {1, 2, 2160, -1, -1});
    row(u"mahti"_s, u"gpumedium"_s, true, {6, 24, 2160, -1, -1});
    row(u"mahti"_s, u"gputest"_s, true, {1, 4, 15, 1, -1});
    row(u"roihu"_s, u"gpumedium"_s, true, {4, 4, 2160, -1, -1});
    row(u"roihu"_s, u"gpularge"_s, false, {10, -1, 2160, -1, -1});
    row(u"roihu"_s, u"gputest"_s, true, {2, 8, 15, -1, -1});
    // MPCDF tutorial, docs/09
    row(u"raven"_s, u"gpu"_s, true, {80, -1, 1440, 8, 300});
    row(u"raven"_s, u"gpu-bw"_s, true, {16, -1, 1440, 8, 300});
    row(u"raven"_s, u"gpudev"_s, true, {1, 4, 15, -1, -1});
    row(u"frontier"_s, u"batch"_s, false, {9472, -1, 720, -1, 100}); // OLCF
    row(u"frontier"_s, u"extended"_s, false, {64, -1, 1440, 1, 100});
    row(u"perlmutter"_s, u"interactive"_s, false, {4, -1, 240, -1, -1}); // NERSC
    row(u"perlmutter"_s, u"regular"_s, false, {-1, -1, -1, -1, -1});
    row(u"leonardo"_s, u"boost_usr_prod"_s, true, {64, -1, 1440, -1, -1}); // AAT and a copy of CINECA's table
    row(u"leonardo"_s, u"boost_qos_dbg"_s, true, {2, 8, 30, -1, -1});
    row(u"leonardo"_s, u"boost_qos_bprod"_s, false, {256, -1, 1440, -1, -1});
    row(u"leonardo"_s, u"boost_qos_lprod"_s, true, {8, 32, 5760, -1, -1});
    row(u"alps-clariden"_s, u"normal"_s, false, {-1, -1, 720, -1, -1}); // CSCS
    row(u"alps-clariden"_s, u"debug"_s, false, {4, -1, 90, 1, 2});
    row(u"snellius"_s, u"gpu_h100"_s, true, {-1, -1, 7200, -1, -1}); // SURF
    row(u"dardel"_s, u"gpu"_s, false, {-1, -1, 1440, -1, -1}); // PDC
    row(u"marenostrum5"_s, u"acc_resa"_s, true, {-1, -1, 4320, -1, -1}); // public scripts
    row(u"viper-gpu"_s, u"apudev"_s, true, {-1, -1, 15, -1, -1}); // third party
    row(u"alex"_s, u"a100-40"_s, true, {-1, -1, 1440, -1, -1}); // third party
    row(u"marenostrum5"_s, u"acc_ehpc"_s, true, {100, -1, 4320, -1, 366}); // BSC's table, third party
    row(u"marenostrum5"_s, u"acc_debug"_s, true, {8, -1, 120, 1, 1}); // sacctmgr, September 2026
    row(u"jupiter"_s, u"booster"_s, false, {-1, -1, 720, -1, -1}); // JSC batchsystem, third party
    row(u"jean-zay"_s, u"gpu_p6"_s, true, {-1, -1, 1200, -1, -1}); // qos_gpu_h100-t3
    row(u"jean-zay"_s, u"gpu_p6-long"_s, true, {-1, -1, 6000, -1, -1}); // qos_gpu_h100-t4
    row(u"jean-zay"_s, u"gpu_p6-dev"_s, true, {-1, -1, 120, -1, -1}); // qos_gpu_h100-dev
    row(u"mila"_s, u"long-l40s"_s, true, {-1, -1, 10080, -1, -1}); // partitions.md
    row(u"mila"_s, u"main-a100"_s, true, {-1, 2, 7200, -1, -1});
    row(u"mila"_s, u"short-unkillable-h100"_s, true, {-1, 4, 180, -1, -1});
}

void SitesTest::partitions()
{
    QFETCH(QString, cluster);
    QFETCH(QString, name);
    const Partition* entry = site(cluster).partition(name);
    QVERIFY(entry != nullptr);
    QTEST(entry->shared, "shared");
    const QList<int> found{orNot(entry->maxNodes), orNot(entry->maxGpusPerJob),
        entry->maxTime ? int(entry->maxTime->count / 60) : notPublished, orNot(entry->maxRunningJobs),
        orNot(entry->maxSubmittedJobs)};
    QTEST(found, "figures");
}

void SitesTest::requests_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("partition");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus"); // of a node
    QTest::addColumn<int>("minutes");
    QTest::addColumn<bool>("allowed");
    const auto row
        = [](const char* name, const QString& cluster, const QString& partition, int nodes, int gpus, int minutes,
              bool allowed) { QTest::newRow(name) << cluster << partition << nodes << gpus << minutes << allowed; };
    row("V3 CSC: gpusmall is one node", u"mahti"_s, u"gpusmall"_s, 2, 1, 60, false);
    row("V6 CSC: one slice for a job", u"mahti"_s, u"gpusmall-slice"_s, 1, 1, 60, true);
    row("V9 CSC: gputest 20 min", u"puhti"_s, u"gputest"_s, 1, 1, 20, false);
    row("V11 CSC: 8 GPUs in gpumedium", u"roihu"_s, u"gpumedium"_s, 2, 4, 60, false);
    row("V12 CSC: 1 GPU in gpularge", u"roihu"_s, u"gpularge"_s, 1, 1, 60, false);
    row("V14 LUG: small-g, 5 nodes", u"lumi"_s, u"small-g"_s, 5, 8, 60, false);
    row("V15 LUG: standard-g, 49 h", u"lumi"_s, u"standard-g"_s, 1, 8, 49 * 60, false);
    row("V28 MPT: 81 nodes", u"raven"_s, u"gpu"_s, 81, 4, 60, false);
    row("V28 MPT: 80 nodes", u"raven"_s, u"gpu"_s, 80, 4, 60, true);
    row("V30 MPT: gpudev 16 min", u"raven"_s, u"gpudev"_s, 1, 4, 16, false);
    row("V32 OLCF: 100 nodes, 7 h", u"frontier"_s, u"batch"_s, 100, 8, 420, false);
    row("V33 OLCF: 91 nodes, 2 h", u"frontier"_s, u"batch"_s, 91, 8, 120, true);
    row("V33 OLCF: 91 nodes, 2 h 1 min", u"frontier"_s, u"batch"_s, 91, 8, 121, false);
    row("V33 OLCF: 92 nodes, 6 h", u"frontier"_s, u"batch"_s, 92, 8, 360, true);
    row("bin 3 OLCF: 184 nodes, 12 h", u"frontier"_s, u"batch"_s, 184, 8, 720, true);
    row("V34 OLCF: 9473 nodes", u"frontier"_s, u"batch"_s, 9473, 8, 60, false);
    row("V35 CSCS: 4 nodes, 22 min", u"alps-clariden"_s, u"debug"_s, 4, 4, 22, true);
    row("V35 CSCS: 4 nodes, 23 min", u"alps-clariden"_s, u"debug"_s, 4, 4, 23, false);
    row("V36 AAT: dbg, 3 nodes", u"leonardo"_s, u"boost_qos_dbg"_s, 3, 2, 20, false);
    row("AAT: bprod from 65 nodes", u"leonardo"_s, u"boost_qos_bprod"_s, 64, 4, 60, false);
    row("AAT: bprod, 65 nodes", u"leonardo"_s, u"boost_qos_bprod"_s, 65, 4, 60, true);
    row("V39 PDC: 25 h", u"dardel"_s, u"gpu"_s, 1, 8, 25 * 60, false);
}

void SitesTest::requests()
{
    QFETCH(QString, cluster);
    QFETCH(QString, partition);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(int, minutes);
    const ClusterProfile& profile = site(cluster);
    const Partition& entry = *profile.partition(partition);
    const QString obstacle
        = partitionObstacle({nodes, gpus, Seconds{minutes * 60}}, entry, *profile.nodeShape(partition));
    QTEST(obstacle.isEmpty(), "allowed");
}

void SitesTest::queueOptionsOfSites_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("options");
    const auto row = [](const QString& cluster, const QString& name, const QStringList& options) {
        QTest::newRow(qPrintable(cluster + u' ' + name)) << cluster << name << options;
    };
    row(u"lumi"_s, u"small-g"_s, {u"partition=small-g"_s}); // LUG
    row(u"mahti"_s, u"gpusmall-slice"_s, {u"partition=gpusmall"_s}); // CSC
    row(u"raven"_s, u"gpu"_s, {u"constraint=gpu"_s}); // MPT docs/09, R06
    row(u"raven"_s, u"gpu-bw"_s, {u"constraint=gpu-bw"_s});
    row(u"raven"_s, u"gpudev"_s, {u"partition=gpudev"_s, u"constraint=gpu"_s});
    row(u"perlmutter"_s, u"shared"_s, {u"qos=shared"_s, u"constraint=gpu"_s}); // NERSC
    row(u"perlmutter"_s, u"regular-80g"_s, {u"qos=regular"_s, u"constraint=gpu&hbm80g"_s});
    row(u"leonardo"_s, u"boost_qos_dbg"_s, {u"partition=boost_usr_prod"_s, u"qos=boost_qos_dbg"_s}); // AAT
    row(u"marenostrum5"_s, u"acc_ehpc"_s, {u"partition=acc"_s, u"qos=acc_ehpc"_s});
    row(u"alex"_s, u"a100-80"_s, {u"partition=a100"_s, u"constraint=a100_80"_s}); // public scripts
    row(u"alex"_s, u"a40"_s, {u"partition=a40"_s});
    row(u"jean-zay"_s, u"v100"_s, {});
    row(u"jean-zay"_s, u"gpu_p6"_s, {u"partition=gpu_p6"_s, u"constraint=h100"_s});
    row(u"jean-zay"_s, u"gpu_p6-dev"_s, {u"partition=gpu_p6"_s, u"qos=qos_gpu_h100-dev"_s, u"constraint=h100"_s});
    row(u"mila"_s, u"long-a100"_s, {u"partition=long"_s, u"constraint=ampere&80gb"_s});
}

void SitesTest::queueOptionsOfSites()
{
    QFETCH(QString, cluster);
    QFETCH(QString, name);
    QStringList found;
    for (const auto& [option, value] : queueOptions(*site(cluster).partition(name)))
        found.append(option + u'=' + value);
    QTEST(found, "options");
}

/// What a script was written with finds its entry again, in every file.
void SitesTest::queuesAreFoundAgain()
{
    const QStringList alike{u"mahti gpusmall-slice"_s}; // distinguished from gpusmall by its GPU type only
    for (const ClusterProfile& profile : std::as_const(m_catalogue.clusters)) {
        for (const Partition& entry : profile.partitions) {
            QMap<QString, QString> options;
            for (const auto& [option, value] : queueOptions(entry))
                options.insert(option, value);
            const Partition* found = profile.partitionAsked(
                {options.value(u"partition"_s), options.value(u"qos"_s), options.value(u"constraint"_s), {}, {}});
            const QString name = profile.name + u' ' + entry.name;
            QVERIFY2(found != nullptr, qPrintable(name));
            if (!alike.contains(name))
                QCOMPARE(profile.name + u' ' + found->name, name);
        }
    }
    const ClusterProfile& leonardo = site(u"leonardo"_s);
    QCOMPARE(leonardo.partitionAsked({u"boost_usr_prod"_s, {}, {}, {}, {}})->name, u"boost_usr_prod"_s);
    QVERIFY(site(u"lumi"_s).partitionAsked({u"nowhere"_s, {}, {}, {}, {}}) == nullptr);
    QVERIFY(site(u"lumi"_s).partitionAsked({}) == nullptr); // LUMI has no default partition
}

/// The node of a slice's shape is what one job gets of it; the rest is other jobs'.
void SitesTest::aSliceIsNoWholeNode()
{
    JobSpec spec;
    spec.cluster = u"mahti"_s;
    spec.partition = u"gpusmall-slice"_s;
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = 1;
    QVERIFY(!resolve(spec, site(u"mahti"_s)).wholeNodes);
    spec.options.exclusive = true;
    QVERIFY(resolve(spec, site(u"mahti"_s)).wholeNodes);
    spec = {};
    spec.cluster = u"mahti"_s;
    spec.partition = u"gputest"_s;
    spec.resources.gpusPerNode = 4;
    QVERIFY(resolve(spec, site(u"mahti"_s)).wholeNodes);
}

/// A queue that jobs reach without its name is written where a design names it, and without the entry's own options.
void SitesTest::namedQueueIsWritten()
{
    Partition entry;
    entry.name = u"gpu"_s;
    entry.qos = u"gpu_long"_s;
    entry.maxNodes = 7;
    entry.partitionWritten = false;
    ClusterProfile profile;
    profile.partitions = {entry};
    const auto optionsOf = [](const Partition& partition) {
        QStringList all;
        for (const auto& [option, value] : queueOptions(partition))
            all.append(option + u'=' + value);
        return all;
    };
    QCOMPARE(optionsOf(entry), QStringList{u"qos=gpu_long"_s});
    JobSpec spec;
    spec.partition = u"gpu"_s;
    const Partition named = entryOfSlurm(spec, profile);
    QCOMPARE(optionsOf(named), QStringList{u"partition=gpu"_s});
    QCOMPARE(named.maxNodes, std::optional(7));
    spec.partition = u"nowhere"_s;
    QCOMPARE(optionsOf(entryOfSlurm(spec, profile)), QStringList{u"partition=nowhere"_s});
}

void SitesTest::logins_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("jump");
    QTest::addColumn<int>("prints");
    QTest::addColumn<int>("jumpPrints");
    QTest::addColumn<QString>("secondFactor"); // a word of it; empty: not published
    QTest::newRow("LUG loggingin.md") << u"lumi"_s << u"lumi.csc.fi"_s << u""_s << 3 << 0 << u"none"_s;
    QTest::newRow("CSC connecting, Puhti") << u"puhti"_s << u"puhti.csc.fi"_s << u""_s << 3 << 0 << u""_s;
    QTest::newRow("CSC connecting, Roihu")
        << u"roihu"_s << u"roihu-gpu.csc.fi"_s << u""_s << 3 << 0 << u"certificate"_s;
    QTest::newRow("MPCDF gateways") << u"raven"_s << u"raven.mpcdf.mpg.de"_s << u"gate.mpcdf.mpg.de"_s << 0 << 2
                                    << u"one-time"_s;
    QTest::newRow("OLCF") << u"frontier"_s << u"frontier.olcf.ornl.gov"_s << u""_s << 3 << 0 << u"SecurID"_s;
    QTest::newRow("CSCS") << u"alps-clariden"_s << u"clariden.alps.cscs.ch"_s << u"ela.cscs.ch"_s << 0 << 0
                          << u"obligatory"_s;
    QTest::newRow("PDC") << u"dardel"_s << u"dardel.pdc.kth.se"_s << u""_s << 3 << 0 << u""_s;
    QTest::newRow("Mila userguides/login") << u"mila"_s << u"login.server.mila.quebec"_s << u""_s << 3 << 0 << u""_s;
    QTest::newRow("FAU") << u"alex"_s << u"alex.nhr.fau.de"_s << u"csnhr.nhr.fau.de"_s << 0 << 0 << u""_s;
}

void SitesTest::logins()
{
    QFETCH(QString, cluster);
    QFETCH(QString, secondFactor);
    const LoginRule& login = site(cluster).login;
    QTEST(login.host, "host");
    QTEST(login.jump, "jump");
    QTEST(int(login.fingerprints.size()), "prints");
    QTEST(int(login.jumpFingerprints.size()), "jumpPrints");
    QVERIFY(secondFactor.isEmpty() ? login.secondFactor.isEmpty() : login.secondFactor.contains(secondFactor));
    for (const QString& print : login.fingerprints + login.jumpFingerprints)
        QCOMPARE(print.size(), 7 + 43); // 256 bits in base 64
}

void SitesTest::retired_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("since");
    QTest::newRow("CSC systems-puhti.md") << u"puhti"_s << u"2026-07-31"_s;
    QTest::newRow("CSC systems-mahti.md") << u"mahti"_s << u"2026-08-31"_s;
}

void SitesTest::retired()
{
    QFETCH(QString, cluster);
    const ClusterProfile& profile = site(cluster);
    QVERIFY(!profile.acceptsJobs);
    QTEST(profile.retiredSince, "since");
    QCOMPARE(profile.replacedBy, u"roihu"_s);
    QVERIFY(site(profile.replacedBy).acceptsJobs);
}

void SitesTest::maps()
{
    // OLCF, hello_jobstep: task 0 on cores 1-7 gets GPU 4, ... task 6 on 49-55 gets GPU 0; the node is LUMI-G's.
    const NodeShape& frontier = node(u"frontier"_s, u"frontier"_s);
    QCOMPARE(frontier.places, node(u"lumi"_s, u"lumi-g"_s).places);
    QCOMPARE(frontier.interfaces(), QStringList({u"hsn0"_s, u"hsn1"_s, u"hsn2"_s, u"hsn3"_s}));
    // CSCS running/slurm: task i gets cores 72*i to 72*i+71, GPU i is on NUMA domain i.
    const NodeShape& alps = node(u"alps-clariden"_s, u"alps-gh200"_s);
    for (int gpu = 0; gpu < 4; ++gpu) {
        QCOMPARE(alps.places.at(gpu).cores.first(), 72 * gpu);
        QCOMPARE(alps.places.at(gpu).cores.size(), 72);
        QCOMPARE(*alps.places.at(gpu).numa, gpu);
    }
    // Measured on a node of JUPITER in September 2026: the same.
    for (int gpu = 0; gpu < 4; ++gpu)
        QCOMPARE(node(u"jupiter"_s, u"jupiter"_s).places.at(gpu).cores, alps.places.at(gpu).cores);
    // MPCDF bnb/207: 100 GB/s for each pair and direction; JSC: 150.
    QCOMPARE(node(u"raven"_s, u"raven-gpu"_s).links.size(), 6);
    QCOMPARE(node(u"raven"_s, u"raven-gpu"_s).links.first().gigabytesPerSecond, 100.0);
    QCOMPARE(node(u"jupiter"_s, u"jupiter"_s).links.first().gigabytesPerSecond, 150.0);
    // LTM 202-Binding: hsn2 is on the host bridge of GCD 5, NUMA 0.
    const NodeNic& card = node(u"lumi"_s, u"lumi-g"_s).nics.at(2);
    QCOMPARE(card.interfaceName, u"hsn2"_s);
    QCOMPARE(*card.numa, 0);
    QVERIFY(!node(u"lumi"_s, u"lumi-g"_s).nics.at(0).numa);
}

void SitesTest::whatIsNotPublishedStaysSo()
{
    // The fact sheet's list of what nobody publishes.
    for (const QString& name :
        {u"raven"_s, u"viper-gpu"_s, u"perlmutter"_s, u"juwels-booster"_s, u"marenostrum5"_s, u"dardel"_s, u"alex"_s})
        QVERIFY2(site(name).billing.isEmpty(), qPrintable(name));
    for (const QString& name : {u"puhti"_s, u"mahti"_s, u"roihu"_s, u"raven"_s, u"juwels-booster"_s, u"berzelius"_s}) {
        for (const NodeShape& shape : site(name).nodes)
            QVERIFY2(shape.places.isEmpty(), qPrintable(name));
    }
    QVERIFY(!node(u"jean-zay"_s, u"jean-zay-h100"_s).gpu.bf16Teraflops); // which H100 is not in what was read
    QVERIFY(!node(u"leonardo"_s, u"leonardo-booster"_s).gpu.bf16Teraflops);
    QVERIFY(!node(u"viper-gpu"_s, u"viper-apu"_s).gpu.bf16Teraflops);
    QVERIFY(!node(u"puhti"_s, u"puhti-gpu"_s).gpu.bf16Teraflops); // V100 has no bf16 tensor cores
}

void SitesTest::nothingIsKnownOfTheGenericOne()
{
    const ClusterProfile& generic = site(u"generic"_s);
    QVERIFY(generic.nodes.isEmpty() && generic.partitions.isEmpty() && generic.billing.isEmpty());
    QVERIFY(generic.acceptsJobs && !generic.launch.accountRequired);
}

RANKWRIGHT_TEST_MAIN(SitesTest)
#include "tst_sites.moc"
