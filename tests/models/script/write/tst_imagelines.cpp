// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/rankplaces.h"
#include "models/planner/design/torchrelease.h"
#include "models/script/checks/designchecks.h"
#include "models/script/lint/lint.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const QString oldImage
    = u"/appl/local/laifs/containers/lumi-multitorch-u24r64f21m43t29-20260225_144743/lumi-multitorch-full-u24r64f21m43t29-20260225_144743.sif"_s;

} // namespace

/// Lines that hold for one image or release are in its scripts, and in no others.
class ImageLinesTest : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue(); }
    void nothingThatHangsOnLumi();
    void levelOfGpuDirectOnlyWhereTheSiteStatesIt();
    void linesFollowTheImage();
    void linesFollowTheModules();
    void theLogNamesTheFile();
    void numaBindingInPlaceOfCores();
    void numaBindingComesBack();
    void numaBindingWhereItCannotBe();
    void torchReleases_data();
    void torchReleases();

private:
    const ClusterProfile& site(const QString& name) const { return *m_catalogue.find(name); }
    QString script(const JobSpec& spec) const
    {
        const ClusterProfile& profile = site(spec.cluster);
        return writeScript(resolve(spec, profile), profile).text();
    }
    static JobSpec design(const QString& cluster, int nodes, Launcher launcher = Launcher::Torchrun)
    {
        JobSpec spec;
        spec.cluster = cluster;
        spec.name = u"two"_s;
        spec.resources.nodes = nodes;
        spec.launcher = launcher;
        spec.command = u"train.py"_s;
        return spec;
    }

    Catalogue m_catalogue;
};

void ImageLinesTest::nothingThatHangsOnLumi()
{
    for (const Launcher launcher : {Launcher::Torchrun, Launcher::Srun, Launcher::Accelerate}) {
        JobSpec spec = design(u"lumi"_s, 2, launcher);
        spec.account = u"project_465000001"_s;
        const QString text = script(spec);
        QVERIFY2(!text.contains(u"NCCL_NET_GDR_LEVEL"_s), qPrintable(text));
        QVERIFY(text.contains(u"export FI_MR_CACHE_MONITOR=userfaultfd\n"_s));
        for (const Finding& finding : lintScript(parseBatch(text), &site(u"lumi"_s)).findings)
            QVERIFY2(finding.severity == Severity::Hint, qPrintable(finding.slug + u": "_s + finding.text));
    }
}

void ImageLinesTest::levelOfGpuDirectOnlyWhereTheSiteStatesIt()
{
    QStringList with;
    for (const ClusterProfile& profile : std::as_const(m_catalogue.clusters)) {
        if (script(design(profile.name, 2)).contains(u"NCCL_NET_GDR_LEVEL"_s))
            with.append(profile.name);
    }
    QCOMPARE(with, QStringList({u"frontier"_s, u"alps-clariden"_s})); // OLCF and CSCS, read in November 2026
}

void ImageLinesTest::linesFollowTheImage()
{
    JobSpec spec = design(u"lumi"_s, 2);
    QVERIFY(!script(spec).contains(u"LD_PRELOAD"_s));
    spec.environment.container = oldImage;
    const QString old = script(spec);
    QVERIFY(old.contains(u"export SINGULARITYENV_LD_PRELOAD='/usr/lib/libfabric.so.1 /opt/rocm/lib/librccl.so.1'\n"_s));
    QVERIFY(old.contains(u"FI_MR_CACHE_MONITOR"_s));
    spec.environment.container = u"/projappl/project_465000001/own.sif"_s;
    const QString own = script(spec);
    QVERIFY(!own.contains(u"LD_PRELOAD"_s) && !own.contains(u"FI_MR_CACHE_MONITOR"_s));
    QVERIFY(own.contains(u"NCCL_SOCKET_IFNAME"_s)); // a fact of the nodes
    spec.resources.nodes = 1;
    spec.environment.container = oldImage;
    QVERIFY(!script(spec).contains(u"LD_PRELOAD"_s));
}

void ImageLinesTest::linesFollowTheModules()
{
    JobSpec spec = design(u"frontier"_s, 2, Launcher::Srun);
    spec.environment.conda = u"/path/env"_s;
    QVERIFY(script(spec).contains(u"export NCCL_NET_GDR_LEVEL=PHB\n"_s));
    spec.environment.modules = {u"rocm/6.2.4"_s, u"rccl-net-plugin"_s};
    const QString plugin = script(spec);
    QVERIFY(!plugin.contains(u"NCCL_NET_GDR_LEVEL"_s) && plugin.contains(u"FI_CXI_RDZV_PROTO=alt_read"_s));
    spec.environment.modules = {u"rocm/6.2.4"_s};
    const QString none = script(spec);
    QVERIFY(!none.contains(u"FI_CXI_RDZV_PROTO"_s) && none.contains(u"NCCL_SOCKET_IFNAME"_s));
}

void ImageLinesTest::theLogNamesTheFile()
{
    JobSpec spec = design(u"lumi"_s, 1);
    spec.environment.container = u"/appl/local/laifs/containers/lumi-multitorch-latest.sif"_s;
    QVERIFY(script(spec).contains(u"\nprintf 'Image: %s\\n' \"$(readlink -f -- \"$SIF\")\"\n"_s));
    spec.environment.container = u"none"_s;
    QVERIFY(!script(spec).contains(u"readlink"_s));
}

void ImageLinesTest::numaBindingInPlaceOfCores()
{
    JobSpec spec = design(u"lumi"_s, 2);
    QVERIFY(script(spec).contains(u"taskset -c"_s)); // the default stays
    spec.options.numaBinding = NumaBinding::Exclusive;
    const QString text = script(spec);
    QVERIFY2(text.contains(u" --numa-binding=exclusive"_s), qPrintable(text));
    QVERIFY(!text.contains(u"taskset"_s) && !text.contains(u"mask_cpu"_s));
    for (const Finding& finding : lintScript(parseBatch(text), &site(u"lumi"_s)).findings)
        QVERIFY2(!finding.slug.startsWith(u"numa"_s), qPrintable(finding.text));
    const RankPlaces places = planRanks(resolve(spec, site(u"lumi"_s)), site(u"lumi"_s));
    QVERIFY(!places.bound && places.unboundReason.contains(u"--numa-binding=exclusive"_s));
}

void ImageLinesTest::numaBindingComesBack()
{
    const ClusterProfile& lumi = site(u"lumi"_s);
    JobSpec spec = design(u"lumi"_s, 2);
    for (const NumaBinding mode :
        {NumaBinding::Node, NumaBinding::Socket, NumaBinding::Exclusive, NumaBinding::CoreComplex}) {
        spec.options.numaBinding = mode;
        const QString text = script(spec);
        const BatchText batch = parseBatch(text);
        const ScriptReading reading = readScript(batch, lumi);
        QCOMPARE(reading.spec.options.numaBinding, std::optional(mode));
        const JobSpec again = designOf(reading, batch, lumi);
        QCOMPARE(writeScript(resolve(again, lumi), lumi).text(), text);
        QVERIFY(again.overrides.isEmpty());
    }
    // As LUMI's AI guide writes it.
    const QString guide
        = u"#!/bin/bash\n#SBATCH --account=project_465000001\n#SBATCH --partition=standard-g\n#SBATCH --nodes=1\n"
          "#SBATCH --gpus-per-node=8\n#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=56\n#SBATCH --time=1:00:00\n"
          "srun singularity run /x/lumi-multitorch-latest.sif bash -c 'python -m torch.distributed.run "
          "--numa-binding=exclusive --standalone --nnodes=1 --nproc_per_node=8 train.py'\n"_s;
    QCOMPARE(readScript(parseBatch(guide), lumi).spec.options.numaBinding, std::optional(NumaBinding::Exclusive));
}

void ImageLinesTest::numaBindingWhereItCannotBe()
{
    const auto finding = [this](const JobSpec& spec) {
        const ClusterProfile& profile = site(spec.cluster);
        const QList<Finding> all = check(resolve(spec, profile), profile);
        const auto found
            = std::find_if(all.cbegin(), all.cend(), [](const Finding& one) { return one.slug == u"numa-binding"; });
        return found != all.cend() ? std::optional(*found) : std::nullopt;
    };
    JobSpec spec = design(u"lumi"_s, 2);
    spec.options.numaBinding = NumaBinding::Node;
    QVERIFY(!finding(spec));
    spec.launcher = Launcher::Srun;
    QCOMPARE(finding(spec)->severity, Severity::Error);
    QVERIFY(!script(spec).contains(u"numa-binding"_s));
    spec.launcher = Launcher::Torchrun;
    spec.environment.container = u"/x/lumi-pytorch-rocm-6.2.4-python-3.12-pytorch-v2.7.1.sif"_s;
    QVERIFY(finding(spec)->text.contains(u"2.7.1"_s));
    QVERIFY(!script(spec).contains(u"numa-binding"_s));
    spec.environment.container = u"/x/own.sif"_s; // one's own word
    QCOMPARE(finding(spec)->severity, Severity::Hint);
    QVERIFY(script(spec).contains(u"--numa-binding=node"_s));
    QVERIFY(!hasNumaBinding(resolve(spec, site(u"lumi"_s)), site(u"lumi"_s)));
    spec.environment.container.reset();
    QVERIFY(hasNumaBinding(resolve(spec, site(u"lumi"_s)), site(u"lumi"_s)));
}

void ImageLinesTest::torchReleases_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("release");
    const auto row = [](const char* name, const char* release) {
        QTest::newRow(name) << QString::fromUtf8(name) << QString::fromUtf8(release);
    };
    row("/a/lumi-multitorch-full-u24r70f21m50t210-20260415_130625.sif", "2.10");
    row("lumi-multitorch-torch-u24r64f21m43t29-20251209_134408.sif", "2.9");
    row("/x/lumi-pytorch-rocm-6.2.4-python-3.12-pytorch-v2.7.1.sif", "2.7.1");
    row("rocm6.3_ubuntu24.04_py3.12_pytorch_release_2.4.0", "2.4.0");
    row("pytorch-gpu/py3/2.8.0", "2.8.0");
    row("pytorch/v2.8.0:v1", "2.8.0");
    row("PyTorch/2.1.2-foss-2023a-CUDA-12.1.1", "2.1.2");
    row("torch==2.11.0", "2.11.0");
    row("nvcr.io#nvidia/pytorch:24.08-py3", ""); // a month
    row("lumi-multitorch-latest.sif", "");
    row("pytorch", "");
}

void ImageLinesTest::torchReleases()
{
    QFETCH(QString, name);
    QFETCH(QString, release);
    QCOMPARE(torchReleaseOf(name).toString(), release);
}

RANKWRIGHT_TEST_MAIN(ImageLinesTest)
#include "tst_imagelines.moc"
