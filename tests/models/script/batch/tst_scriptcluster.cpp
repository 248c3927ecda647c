// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/scriptcluster.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Which cluster a batch script was written for.
class ScriptClusterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void named_data();
    void named();
    void ourOwnScriptsSayIt();

private:
    Catalogue m_catalogue = loadCatalogue();
};

void ScriptClusterTest::named_data()
{
    QTest::addColumn<QString>("directives");
    QTest::addColumn<QString>("preferred");
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<bool>("said");
    QTest::newRow("only one has the partition") << u"--partition=standard-g"_s << u"mahti"_s << u"lumi"_s << true;
    QTest::newRow("the present one has it, too") << u"--partition=gpu"_s << u"raven"_s << u"raven"_s << false;
    QTest::newRow("nothing is named") << u"--nodes=2"_s << u"mahti"_s << u"mahti"_s << false;
    QTest::newRow("nobody has it") << u"--partition=no-such-queue"_s << u"mahti"_s << u"mahti"_s << false;
    QTest::newRow("by name") << u"--clusters=lumi"_s << u"mahti"_s << u"lumi"_s << true;
    QTest::newRow("by title") << u"-M LUMI"_s << u"mahti"_s << u"lumi"_s << true;
    QTest::newRow("practice lends the names of others")
        << u"--partition=standard-g"_s << u"practice"_s << u"lumi"_s << true;
    // Several sites call their queue “gpu”; of these only one has V100s in it.
    QTest::newRow("GPU type decides") << u"--partition=gpu --gres=gpu:v100:4"_s << u"lumi"_s << u"puhti"_s << true;
    QTest::newRow("of the same name, by GPU type")
        << u"--partition=gpumedium --gres=gpu:a100:4"_s << u"practice"_s << u"mahti"_s << true;
    QTest::newRow("several fit") << u"--partition=gpu"_s << u"lumi"_s << u"lumi"_s << false;
    QTest::newRow("QoS alone") << u"--qos=boost_qos_dbg"_s << u"lumi"_s << u"leonardo"_s << true;
}

void ScriptClusterTest::named()
{
    QFETCH(QString, directives);
    QFETCH(QString, preferred);
    QFETCH(QString, cluster);
    QFETCH(bool, said);
    const QString text = u"#!/bin/bash\n#SBATCH %1\nsrun python train.py\n"_s.arg(directives);
    const ScriptCluster found = clusterOf(parseBatch(text), m_catalogue, preferred);
    QCOMPARE(found.name, cluster);
    QCOMPARE(!found.why.isEmpty(), said);
}

void ScriptClusterTest::ourOwnScriptsSayIt()
{
    for (const ClusterProfile& profile : std::as_const(m_catalogue.clusters)) {
        JobSpec spec;
        spec.cluster = profile.name;
        spec.command = u"train.py"_s;
        const QString text = writeScript(resolve(spec, profile), profile).text();
        QCOMPARE(clusterOf(parseBatch(text), m_catalogue, u"practice"_s).name, profile.name);
    }
}

RANKWRIGHT_TEST_MAIN(ScriptClusterTest)
#include "tst_scriptcluster.moc"
