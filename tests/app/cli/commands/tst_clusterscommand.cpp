// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace rankwright;
using rankwright::test::Answer;
using rankwright::test::run;
using namespace Qt::StringLiterals;

namespace { } // namespace

/// `clusters` beyond what tst_cli holds: one cluster, the user's own files, wrong usage of --draft and --compare.
class ClustersCommandTest : public test::Suite {
    Q_OBJECT
private slots:
    void oneCluster();
    void notPublishedIsSaid();
    void usersFiles();
    void draftNeedsAHostAndAName_data();
    void draftNeedsAHostAndAName();
};

void ClustersCommandTest::oneCluster()
{
    const Answer answer = run({u"clusters"_s, u"puhti"_s, u"--json"_s});
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.jsonArray().size(), 1);
    const QJsonObject puhti = answer.jsonArray().first().toObject();
    QCOMPARE(puhti.value(u"acceptsJobs"_s), false);
    QCOMPARE(puhti.value(u"retiredSince"_s), u"2026-07-31"_s); // CSC, systems-puhti
    QCOMPARE(puhti.value(u"replacedBy"_s), u"roihu"_s);
    QVERIFY(puhti.value(u"login"_s).toObject().value(u"secondFactor"_s).isNull());
    const QJsonObject node = puhti.value(u"nodes"_s).toArray().first().toObject();
    QCOMPARE(node.value(u"memoryBytes"_s).toDouble(), 373.0 * 1024 * 1024 * 1024);
    QCOMPARE(node.value(u"coreMapPublished"_s), false);
}

void ClustersCommandTest::notPublishedIsSaid()
{
    const Answer words = run({u"clusters"_s, u"jupiter"_s});
    QCOMPARE(words.code, 0);
    QVERIFY2(words.out.contains(u"not published"_s), qPrintable(words.out));
    const QJsonObject jupiter = run({u"clusters"_s, u"jupiter"_s, u"--json"_s}).jsonArray().first().toObject();
    QVERIFY(jupiter.value(u"nodes"_s).toArray().first().toObject().value(u"memoryBytes"_s).isNull());
    const QJsonObject hyperpod = run({u"clusters"_s, u"aws-hyperpod"_s, u"--json"_s}).jsonArray().first().toObject();
    QVERIFY(hyperpod.value(u"partitions"_s).toArray().isEmpty());
    const QJsonObject read = jupiter.value(u"checked"_s).toArray().first().toObject();
    QCOMPARE(read.value(u"on"_s), u"2026-11-22"_s);
    QVERIFY(read.value(u"state"_s).isNull() && read.value(u"source"_s).toString().contains(u"JSC"_s));
    const QJsonObject generic = run({u"clusters"_s, u"generic"_s, u"--json"_s}).jsonArray().first().toObject();
    QVERIFY(generic.value(u"gpu"_s).isNull() && generic.value(u"gpusPerNode"_s).isNull());
}

void ClustersCommandTest::usersFiles()
{
    QTemporaryDir folder;
    QFile good(folder.filePath(u"mine.json"_s));
    QVERIFY(good.open(QIODevice::WriteOnly));
    good.write(R"({"version": 1, "name": "mine", "sauna": true})");
    good.close();
    QFile bad(folder.filePath(u"bad.json"_s));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write(R"({"version": 1, "name": "bad", "nodes": [{"name": "n", "gpu": {"model": "X", "vendor": "intel"}}]})");
    bad.close();
    const Answer answer = run({u"clusters"_s, u"--json"_s}, folder.path());
    QCOMPARE(answer.code, 0); // a fault never hides the others
    QCOMPARE(answer.jsonArray().last().toObject().value(u"name"_s), u"mine"_s);
    QVERIFY2(answer.err.contains(u"mine.json"_s) && answer.err.contains(u"$.sauna"_s), qPrintable(answer.err));
    QVERIFY2(
        answer.err.contains(u"bad.json"_s) && answer.err.contains(u"$.nodes[0].gpu.vendor"_s), qPrintable(answer.err));
}

void ClustersCommandTest::draftNeedsAHostAndAName_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("reported");
    QTest::newRow("unknown cluster") << QStringList{u"--draft"_s, u"nowhere"_s} << u"--host"_s;
    QTest::newRow("path") << QStringList{u"--draft"_s, u"../x"_s, u"--host"_s, u"h"_s} << u"name of a cluster"_s;
    QTest::newRow("save alone") << QStringList{u"--save"_s} << u"--draft"_s;
    QTest::newRow("host alone") << QStringList{u"--host"_s, u"h"_s} << u"--draft"_s;
    QTest::newRow("compare nothing") << QStringList{u"--compare"_s} << u"needs a cluster"_s;
    QTest::newRow("compare unknown") << QStringList{u"nowhere"_s, u"--compare"_s} << u"not in the catalogue"_s;
    QTest::newRow("compare and save") << QStringList{u"lumi"_s, u"--compare"_s, u"--save"_s} << u"--draft"_s;
    QTest::newRow("unknown name") << QStringList{u"nowhere"_s} << u"not in the catalogue"_s;
}

void ClustersCommandTest::draftNeedsAHostAndAName()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, reported);
    const Answer answer = run(QStringList{u"clusters"_s} + arguments);
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QVERIFY2(answer.err.contains(reported), qPrintable(answer.err));
}

RANKWRIGHT_TEST_MAIN(ClustersCommandTest)
#include "tst_clusterscommand.moc"
