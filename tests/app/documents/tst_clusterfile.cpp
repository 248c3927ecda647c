// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/clusterfile.h"
#include "models/cluster/catalogue/catalogue.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Entries kept in the user's folder.
class ClusterFileTest : public test::Suite {
    Q_OBJECT
private slots:
    void savedAndFoundAgain();
    void neverReplaces();
    void refusesOtherNames();
    void folderThatCannotBe();
};

void ClusterFileTest::savedAndFoundAgain()
{
    QTemporaryDir folder;
    const QString clusters = folder.filePath(u"config/clusters"_s); // made when it is missing
    ClusterProfile profile = *loadCatalogue().find(u"raven"_s);
    profile.name = u"mine"_s;
    profile.order.reset();
    const auto path = saveClusterFile(clusters, profile);
    QVERIFY_RESULT(path);
    QCOMPARE(*path, clusters + u"/mine.json"_s);
    const Catalogue catalogue = loadCatalogue(clusters);
    QVERIFY(catalogue.faults.isEmpty());
    QVERIFY(*catalogue.find(u"mine"_s) == profile);
    QCOMPARE(catalogue.names().last(), u"mine"_s);
}

void ClusterFileTest::neverReplaces()
{
    QTemporaryDir folder;
    ClusterProfile profile;
    profile.name = u"mine"_s;
    QVERIFY_RESULT(saveClusterFile(folder.path(), profile));
    profile.title = u"other"_s;
    const auto again = saveClusterFile(folder.path(), profile);
    QVERIFY(!again.hasValue());
    QVERIFY(again.error().what.contains(u"exists"_s));
    QVERIFY(loadCatalogue(folder.path()).find(u"mine"_s)->title == u"mine"_s);
}

void ClusterFileTest::refusesOtherNames()
{
    QTemporaryDir folder;
    ClusterProfile profile;
    for (const QString& name : {u""_s, u"../mine"_s, u"A B"_s}) {
        profile.name = name;
        QVERIFY(!saveClusterFile(folder.path(), profile).hasValue());
    }
}

void ClusterFileTest::folderThatCannotBe()
{
    ClusterProfile profile;
    profile.name = u"mine"_s;
    QVERIFY(!saveClusterFile({}, profile).hasValue());
    QVERIFY(!saveClusterFile(u"/proc/nowhere"_s, profile).hasValue());
}

RANKWRIGHT_TEST_MAIN(ClusterFileTest)
#include "tst_clusterfile.moc"
