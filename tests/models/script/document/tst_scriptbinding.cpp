// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/linediff.h"
#include "models/script/document/scriptfindings.h"
#include "models/script/read/scriptedit.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

using Rows = QList<QList<int>>;

QList<int> coresFrom(int first, int last)
{
    QList<int> cores;
    for (int core = first; core <= last; ++core)
        cores.append(core);
    return cores;
}

/// The cores beside the GCDs of a LUMI-G node, in their order, without the first of each region
/// (docs.lumi-supercomputer.eu, "Distribution and binding").
Rows lumiCores()
{
    Rows rows;
    for (const int first : {49, 57, 17, 25, 1, 9, 33, 41})
        rows.append(coresFrom(first, first + 6));
    return rows;
}

} // namespace

/// The places of ranks are those of the script that is sent, also where somebody changed its masks.
class ScriptBindingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void whatIsGeneratedStays();
    void theMasksOfTheScript_data();
    void theMasksOfTheScript();
    void whatIsNotKnownIsNotDrawn_data();
    void whatIsNotKnownIsNotDrawn();
    void masksInOpenedScripts();
    void otherLaunchersKeepTheirOwn();

private:
    static JobSpec sample(Launcher launcher = Launcher::Srun);
    const ClusterProfile& lumi() const { return *m_catalogue.find(u"lumi"_s); }
    /// The design after `from` was replaced by `to` in its script.
    Derived edited(const QRegularExpression& from, const QString& to) const;

    Catalogue m_catalogue = loadCatalogue();
};

JobSpec ScriptBindingTest::sample(Launcher launcher)
{
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.resources.gpusPerNode = 8;
    spec.time = Seconds{3600};
    spec.launcher = launcher;
    spec.command = u"train.py"_s;
    return spec;
}

Derived ScriptBindingTest::edited(const QRegularExpression& from, const QString& to) const
{
    const QString text = derive(sample(), lumi()).script.text();
    const QString changed = QString(text).replace(from, to);
    if (changed == text)
        qWarning("The script has no such line.");
    return derive(editedSpec(sample(), lumi(), changed), lumi());
}

void ScriptBindingTest::whatIsGeneratedStays()
{
    const Derived derived = derive(sample(), lumi());
    const Rows cores = lumiCores();
    for (const RankPlace& place : derived.ranks.ranks)
        QCOMPARE(place.cores, cores.at(place.localRank));
}

void ScriptBindingTest::theMasksOfTheScript_data()
{
    QTest::addColumn<QString>("binding");
    QTest::addColumn<QList<QList<int>>>("cores");
    Rows swapped = lumiCores();
    swapped.swapItemsAt(0, 4);
    QTest::newRow("the first and the fifth swapped")
        << u"mask_cpu:0xfe,0xfe00000000000000,0xfe0000,0xfe000000,0xfe000000000000,0xfe00,0xfe00000000,0xfe0000000000"_s
        << swapped;
    Rows inOrder;
    for (int region = 0; region < 8; ++region)
        inOrder.append(coresFrom(region * 8 + 1, region * 8 + 7));
    QTest::newRow("in the order of the cores")
        << u"mask_cpu:fe,fe00,fe0000,fe000000,fe00000000,fe0000000000,fe000000000000,fe00000000000000"_s << inOrder;
    Rows again;
    for (int task = 0; task < 8; ++task)
        again.append(coresFrom(task % 2 * 8 + 1, task % 2 * 8 + 7));
    QTest::newRow("two masks for eight tasks") << u"v,mask_cpu:0xfe,0xfe00"_s << again;
    Rows single;
    for (const int core : {49, 57, 17, 25, 9, 1, 33, 41})
        single.append(QList<int>{core});
    QTest::newRow("one core each") << u"map_cpu:49,57,17,25,9,1,33,41"_s << single;
    Rows threads = lumiCores();
    threads[0] = coresFrom(1, 2) + coresFrom(65, 66);
    QTest::newRow("both threads of two cores")
        << u"mask_cpu:0x60000000000000006,0xfe00000000000000,0xfe0000,0xfe000000,0xfe,0xfe00,0xfe00000000,0xfe0000000000"_s
        << threads;
}

void ScriptBindingTest::theMasksOfTheScript()
{
    QFETCH(QString, binding);
    QFETCH(QList<QList<int>>, cores);
    const Derived derived = edited(QRegularExpression(u"--cpu-bind=\\S+"_s), u"--cpu-bind="_s + binding);
    QCOMPARE(derived.ranks.ranks.size(), 16);
    for (const RankPlace& place : derived.ranks.ranks)
        QCOMPARE(place.cores, cores.at(place.localRank));
    QVERIFY(derived.ranks.bound);
}

void ScriptBindingTest::whatIsNotKnownIsNotDrawn_data()
{
    QTest::addColumn<QString>("option");
    QTest::newRow("a variable of the site") << u"--cpu-bind=$SITE_BINDING"_s;
    QTest::newRow("by Slurm") << u"--cpu-bind=cores"_s;
    QTest::newRow("off") << u"--cpu-bind=none"_s;
    QTest::newRow("left out") << u"--label"_s;
}

void ScriptBindingTest::whatIsNotKnownIsNotDrawn()
{
    QFETCH(QString, option);
    const Derived derived = edited(QRegularExpression(u"--cpu-bind=\\S+"_s), option);
    QVERIFY(!derived.ranks.bound);
    for (const RankPlace& place : derived.ranks.ranks)
        QVERIFY(place.cores.isEmpty());
    // Without the option the design itself reads: no binding.
    const bool says = derived.ranks.unboundReason.contains(u"script") && derived.ranks.scriptLine.has_value();
    QVERIFY2(says || derived.resolved.spec.options.cpuBinding == false, qPrintable(derived.ranks.unboundReason));
}

void ScriptBindingTest::masksInOpenedScripts()
{
    const QString text
        = u"#!/bin/bash\n#SBATCH --account=project_465000001\n#SBATCH --partition=standard-g\n"
          "#SBATCH --nodes=1\n#SBATCH --gpus-per-node=8\n#SBATCH --ntasks-per-node=8\n#SBATCH --time=1:00:00\n"
          "BIND=mask_cpu:fe,fe00,fe0000,fe000000,fe00000000,fe0000000000,fe000000000000,fe00000000000000\n"
          "module load mine\nmake-ready now\nsrun --cpu-bind=$BIND python train.py\n"_s;
    const Derived derived = derive(editedSpec(sample(), lumi(), text), lumi());
    QCOMPARE(derived.script.text(), text);
    QCOMPARE(derived.ranks.ranks.first().cores, coresFrom(1, 7));
}

void ScriptBindingTest::otherLaunchersKeepTheirOwn()
{
    const JobSpec spec = sample(Launcher::Torchrun);
    const QString text = derive(spec, lumi()).script.text();
    const Derived derived = derive(editedSpec(spec, lumi(), text + u"echo done\n"_s), lumi());
    QCOMPARE(derived.ranks.ranks.first().cores, coresFrom(49, 55));
}

RANKWRIGHT_TEST_MAIN(ScriptBindingTest)
#include "tst_scriptbinding.moc"
