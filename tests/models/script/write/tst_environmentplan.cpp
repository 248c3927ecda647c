// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/write/environmentplan.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Who starts a container, and with which words.
class EnvironmentPlanTest final : public test::Suite {
    Q_OBJECT
private slots:
    void starters_data();
    void starters();
    void ofTheCatalogue();
    void folders();
};

void EnvironmentPlanTest::starters_data()
{
    QTest::addColumn<QString>("runner");
    QTest::addColumn<QString>("image");
    QTest::addColumn<QString>("starter");
    const QString registry = u"nvcr.io#nvidia/pytorch:24.01"_s, file = u"/appl/images/torch.sif"_s;
    QTest::newRow("the site has pyxis") << u"pyxis"_s << registry << u"pyxis"_s;
    QTest::newRow("pyxis, a file") << u"pyxis"_s << file << u"pyxis"_s;
    QTest::newRow("the site has another") << u"apptainer exec --nv"_s << registry << QString();
    // a squashed image is what enroot imports: github.com/NVIDIA/pyxis, README
    QTest::newRow("no runner, a registry") << QString() << registry << u"pyxis"_s;
    QTest::newRow("no runner, squashed") << QString() << u"/images/torch.sqsh"_s << u"pyxis"_s;
    QTest::newRow("no runner, a file") << QString() << file << QString();
    QTest::newRow("an engine file") << u"edf"_s << u"pytorch"_s << u"edf"_s;
    QTest::newRow("shifter") << u"shifter --image"_s << u"nersc/pytorch:24.08.01"_s << u"shifter"_s;
    QTest::newRow("shifter with its path")
        << u"/usr/bin/shifter --image"_s << u"nersc/pytorch:24.08.01"_s << u"shifter"_s;
    QTest::newRow("no container") << u"pyxis"_s << QString() << QString();
}

void EnvironmentPlanTest::starters()
{
    QFETCH(QString, runner);
    QFETCH(QString, image);
    QFETCH(QString, starter);
    ClusterProfile profile;
    profile.container.runner = runner;
    QCOMPARE(usesPyxis(image, profile), starter == u"pyxis");
    QCOMPARE(usesEngineFile(image, profile), starter == u"edf");
    QCOMPARE(isShifter(profile), starter == u"shifter");
}

/// docs.nersc.gov: Perlmutter's containers are shifter's.
void EnvironmentPlanTest::ofTheCatalogue()
{
    const Catalogue all = loadCatalogue();
    QStringList found;
    for (const QString& name : {u"perlmutter"_s, u"lumi"_s, u"mahti"_s}) {
        QVERIFY(all.find(name));
        if (isShifter(*all.find(name)))
            found.append(name);
    }
    QCOMPARE(found, QStringList{u"perlmutter"_s});
}

/// shifter --volume=FROM:TO before its image, others --bind FOLDER (docs.nersc.gov; apptainer.org/docs).
void EnvironmentPlanTest::folders()
{
    ResolvedSpec resolved;
    resolved.container = u"nersc/pytorch:24.08.01"_s;
    resolved.spec.environment.binds = {u"/data"_s, u"/a:/b"_s};
    ClusterProfile profile;
    profile.container.runner = u"shifter --module=gpu"_s;
    QCOMPARE(containerRunner(resolved, profile),
        QStringList({u"shifter"_s, u"--module=gpu"_s, u"--volume=/data:/data"_s, u"--volume=/a:/b"_s, u"--image"_s}));
    profile.container.runner = u"apptainer exec --nv"_s;
    QCOMPARE(containerRunner(resolved, profile),
        QStringList({u"apptainer"_s, u"exec"_s, u"--nv"_s, u"--bind"_s, u"/data"_s, u"--bind"_s, u"/a:/b"_s}));
    profile.container.runner = u"pyxis"_s;
    QCOMPARE(containerRunner(resolved, profile), QStringList());
}

RANKWRIGHT_TEST_MAIN(EnvironmentPlanTest)
#include "tst_environmentplan.moc"
