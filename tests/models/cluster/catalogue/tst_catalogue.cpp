// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/rankplaces.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QByteArray builtIn(const QString& file)
{
    loadCatalogue(); // registers the resource
    QFile source(u":/catalogue/"_s + file);
    return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
}

QByteArray changed(const QByteArray& from, const QByteArray& to)
{
    QByteArray json = builtIn(u"mahti.json"_s);
    const qsizetype at = json.indexOf(from);
    return at < 0 ? QByteArray() : json.replace(at, from.size(), to);
}

} // namespace

/// Figures from the LUMI user guide and course notes, the CSC user guide and MPCDF's pages, not from the JSON files.
class CatalogueTest : public test::Suite {
    Q_OBJECT
private slots:
    void builtInFilesAreClean();
    void lumiFigures();
    void lumiMap_data();
    void lumiMap();
    void lumiLinks();
    void lumiPartitions_data();
    void lumiPartitions();
    void practiceMatchesItsSlurm();
    void otherSitesAreDataOnly();
    void faults_data();
    void faults();
    void unknownMembersAreKept();
    void whatWasRead();
    void modulesOfAPartition();
    void userFolder();
    void truncatedNeverCrashes();
};

void CatalogueTest::builtInFilesAreClean()
{
    const Catalogue catalogue = loadCatalogue();
    for (const Error& fault : catalogue.faults)
        QFAIL(qPrintable(fault.oneLine()));
    QCOMPARE(catalogue.names().first(), u"lumi"_s);
    QVERIFY(catalogue.find(u"practice"_s) != nullptr);
    QVERIFY(catalogue.find(u"nowhere"_s) == nullptr);
    for (const ClusterProfile& profile : catalogue.clusters) {
        QCOMPARE(profile.unknownMembers, QStringList());
        QVERIFY2(!profile.sources.isEmpty(), qPrintable(profile.name));
        for (const EnvironmentRule& rule : profile.environment)
            QVERIFY2(!rule.reason.isEmpty() && !rule.source.isEmpty(), qPrintable(rule.name));
        for (const BillingRule& rule : profile.billing)
            QVERIFY(!rule.source.isEmpty() && !rule.terms.isEmpty());
        for (const Quirk& quirk : profile.quirks)
            QVERIFY(!quirk.text.isEmpty() && !quirk.source.isEmpty());
    }
}

void CatalogueTest::lumiFigures()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile& lumi = *catalogue.find(u"lumi"_s);
    const NodeShape& node = *lumi.nodeShape(u"standard-g"_s);
    QCOMPARE(node.gpus, 8);
    QCOMPARE(node.gpu.perPackage, 2);
    QCOMPARE(node.gpu.word, u"GCD"_s);
    QCOMPARE(node.gpu.memory, Bytes::gib(64));
    QCOMPARE(*node.gpu.bf16Teraflops, 191.5);
    QCOMPARE(node.cores, 64);
    QCOMPARE(node.usableCores, 56);
    QCOMPARE(node.memory, Bytes::mib(491520)); // as sinfo prints it
    QCOMPARE(*node.coresPerGpu, 7);
    QCOMPARE(*node.memoryPerGpu, Bytes::gib(60));
    QCOMPARE(lumi.login.host, u"lumi.csc.fi"_s);
    QCOMPARE(lumi.login.fingerprints.size(), 3);
    QCOMPARE(lumi.login.fingerprints.first(), u"SHA256:qCFZThjRw8nf0CiZ9rU7b6Zirjq8slAIl5r0xWaVoD0"_s);
    QVERIFY(!lumi.launch.monitorAllNodesInOneStep && lumi.launch.cpuBindMasks && lumi.launch.mailWorks == false);
    QVERIFY(QRegularExpression(lumi.launch.accountPattern).match(u"project_462000265"_s).hasMatch());
    QVERIFY(!QRegularExpression(lumi.launch.accountPattern).match(u"project_2001234"_s).hasMatch());
    QVERIFY(lumi.container.image.startsWith(u"/appl/local/laifs/containers/"_s));
    QVERIFY(lumi.nodeShape(u"nowhere"_s) == nullptr);
    QVERIFY(lumi.partition(u"nowhere"_s) == nullptr);
}

void CatalogueTest::lumiMap_data()
{
    QTest::addColumn<int>("gcd");
    QTest::addColumn<int>("package");
    QTest::addColumn<int>("ccd");
    QTest::addColumn<int>("numa");
    QTest::addColumn<int>("firstCore");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("bus");
    // LUMI user guide, distribution-binding; course notes 101-Architecture and 202-Binding
    QTest::newRow("GCD 0") << 0 << 0 << 6 << 3 << 49 << u"0x00fe000000000000"_s << u"c1"_s;
    QTest::newRow("GCD 1") << 1 << 0 << 7 << 3 << 57 << u"0xfe00000000000000"_s << u"c6"_s;
    QTest::newRow("GCD 2") << 2 << 1 << 2 << 1 << 17 << u"0x0000000000fe0000"_s << u"c9"_s;
    QTest::newRow("GCD 3") << 3 << 1 << 3 << 1 << 25 << u"0x00000000fe000000"_s << u"ce"_s;
    QTest::newRow("GCD 4") << 4 << 2 << 0 << 0 << 1 << u"0x00000000000000fe"_s << u"d1"_s;
    QTest::newRow("GCD 5") << 5 << 2 << 1 << 0 << 9 << u"0x000000000000fe00"_s << u"d6"_s;
    QTest::newRow("GCD 6") << 6 << 3 << 4 << 2 << 33 << u"0x000000fe00000000"_s << u"d9"_s;
    QTest::newRow("GCD 7") << 7 << 3 << 5 << 2 << 41 << u"0x0000fe0000000000"_s << u"de"_s;
}

void CatalogueTest::lumiMap()
{
    QFETCH(int, gcd);
    const Catalogue catalogue = loadCatalogue();
    for (const QString& name : {u"lumi"_s, u"practice"_s}) {
        const GpuPlace place = catalogue.find(name)->nodeShape(u"small-g"_s)->places.at(gcd);
        QCOMPARE(place.gpu, gcd);
        QTEST(place.package, "package");
        QTEST(*place.ccd, "ccd");
        QTEST(*place.numa, "numa");
        QTEST(place.cores.first(), "firstCore");
        QCOMPARE(place.cores.size(), 7);
        QCOMPARE(place.reservedCores, QList<int>{place.cores.first() - 1});
        QTEST(coreMask(place.cores), "mask");
        QTEST(place.pciBus, "bus");
    }
}

void CatalogueTest::lumiLinks()
{
    const Catalogue catalogue = loadCatalogue();
    const NodeShape& node = *catalogue.find(u"lumi"_s)->nodeShape(u"small-g"_s);
    QCOMPARE(node.links.size(), 12);
    QList<int> outside(4, 0); // links leaving each package: five (course notes 101)
    QList<int> neighbours(8, 0); // each GCD: its partner and two outside
    for (const GpuLink& link : node.links) {
        QCOMPARE(link.gigabytesPerSecond, 50.0 * link.links);
        QCOMPARE(link.inPackage, link.from / 2 == link.to / 2);
        ++neighbours[link.from];
        ++neighbours[link.to];
        if (!link.inPackage) {
            outside[link.from / 2] += link.links;
            outside[link.to / 2] += link.links;
        }
    }
    QCOMPARE(outside, QList<int>({5, 5, 5, 5}));
    QCOMPARE(neighbours, QList<int>(8, 3));
    QCOMPARE(*node.nicGigabytesPerSecond, 100.0);
}

void CatalogueTest::lumiPartitions_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("shared");
    QTest::addColumn<int>("maxNodes");
    QTest::addColumn<qint64>("seconds");
    // LUMI user guide, scheduled-jobs/partitions; sinfo of April 2026 in the course notes
    QTest::newRow("standard-g, 2 days") << u"standard-g"_s << false << 1024 << qint64(172800);
    QTest::newRow("small-g, 3 days") << u"small-g"_s << true << 4 << qint64(259200);
    QTest::newRow("dev-g, 3 hours") << u"dev-g"_s << true << 32 << qint64(10800);
}

void CatalogueTest::lumiPartitions()
{
    QFETCH(QString, name);
    const Catalogue catalogue = loadCatalogue();
    const Partition& partition = *catalogue.find(u"lumi"_s)->partition(name);
    QTEST(partition.shared, "shared");
    QTEST(*partition.maxNodes, "maxNodes");
    QTEST(partition.maxTime->count, "seconds");
}

void CatalogueTest::practiceMatchesItsSlurm()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile& practice = *catalogue.find(u"practice"_s);
    QCOMPARE(practice.partitions.size(), 4);
    QCOMPARE(practice.partition(u"gpumedium"_s)->maxTime->count, 129600);
    const NodeShape& node = *practice.nodeShape(u"gpumedium"_s);
    QCOMPARE(node.gpus, 4);
    QCOMPARE(node.usableCores, 128);
    QCOMPARE(node.memory, Bytes::mib(501760)); // RealMemory of its slurm.conf
    QCOMPARE(*node.coresPerGpu, 32);
    QVERIFY(node.places.isEmpty() && node.memoryFollowsGpus);
    QVERIFY(practice.launch.monitorAllNodesInOneStep);
    QVERIFY(practice.container.image.isEmpty());
    for (const EnvironmentRule& rule : practice.environment)
        QVERIFY2(!rule.name.startsWith(u"NCCL"_s), qPrintable(rule.name));
}

void CatalogueTest::otherSitesAreDataOnly()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile& mahti = *catalogue.find(u"mahti"_s);
    QVERIFY(!mahti.acceptsJobs); // closed on 31 August 2026
    QCOMPARE(*mahti.partition(u"gpusmall"_s)->maxGpusPerJob, 2);
    QCOMPARE(mahti.launch.gpuRequest, GpuRequest::Gres);
    const ClusterProfile& raven = *catalogue.find(u"raven"_s);
    QVERIFY(!raven.launch.partitionRequired && raven.billing.isEmpty());
    QCOMPARE(raven.nodeShape({})->memory, Bytes::mib(500000));
    QCOMPARE(raven.login.jump, u"gate.mpcdf.mpg.de"_s);
}

void CatalogueTest::faults_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("path");
    QTest::newRow("no version") << changed("\"version\": 1,", "") << u"$.version"_s;
    QTest::newRow("newer version") << changed("\"version\": 1,", "\"version\": 2,") << u"$.version"_s;
    QTest::newRow("memory") << changed("\"490G\"", "\"490 gigs\"") << u"$.nodes[0].memory"_s;
    QTest::newRow("wall time") << changed("\"1-12:00:00\"", "\"36 h\"") << u"$.partitions[0].maxTime"_s;
    QTest::newRow("vendor") << changed("\"nvidia\"", "\"intel\"") << u"$.nodes[0].gpu.vendor"_s;
    QTest::newRow("term") << changed("\"of\": \"gpus\"", "\"of\": \"gpu\"") << u"$.billing[0].terms[0].of"_s;
    QTest::newRow("combine") << changed("\"sum\"", "\"plus\"") << u"$.billing[0].combine"_s;
    QTest::newRow("node kind") << changed("\"node\": \"mahti-gpu\"", "\"node\": \"mahti\"") << u"$.partitions"_s;
    QTest::newRow("billing partition") << changed("\"partitions\": [\"gpusmall\",", "\"partitions\": [\"gpu\",")
                                       << u"$.billing"_s;
    QTest::newRow("GPU request") << changed("\"gpuRequest\": \"gres\"", "\"gpuRequest\": \"gpus\"")
                                 << u"$.launch.gpuRequest"_s;
    QTest::newRow("fingerprint") << changed("SHA256:", "MD5:") << u"$.login.fingerprints"_s;
    QTest::newRow("account pattern") << changed("^project_[0-9]{7}$", "project_[0-9") << u"$.launch.accountPattern"_s;
    QTest::newRow("more usable cores than cores")
        << changed("\"usableCores\": 128", "\"usableCores\": 129") << u"$.nodes[0].usableCores"_s;
    QTest::newRow("negative") << changed("\"gpus\": 4", "\"gpus\": -4") << u"$.nodes[0].gpus"_s;
    QTest::newRow("no name") << changed("\"name\": \"mahti\",", "") << u"$.name"_s;
    QTest::newRow("map too short") << changed("\"places\": []", R"("places": [{"gpu": 0, "cores": "0-3"}])")
                                   << u"$.nodes[0].places"_s;
    QTest::newRow("cores") << changed("\"places\": []", R"("places": [{"gpu": 0, "cores": "3-1"}])")
                           << u"$.nodes[0].places[0].cores"_s;
}

void CatalogueTest::faults()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, path);
    QVERIFY(!json.isEmpty());
    const auto profile = readClusterProfile(json, u"mine.json"_s);
    QVERIFY(!profile.hasValue());
    QCOMPARE(profile.error().detail, path);
    QVERIFY2(profile.error().what.startsWith(u"mine.json: "_s), qPrintable(profile.error().what));
    QVERIFY(!profile.error().remedy.isEmpty());
}

void CatalogueTest::unknownMembersAreKept()
{
    const auto profile = readClusterProfile(changed("\"gpus\": 4", "\"gpus\": 4, \"sauna\": true"), u"mine.json"_s);
    QVERIFY_RESULT(profile);
    QCOMPARE(profile->unknownMembers, QStringList{u"$.nodes[0].sauna"_s});
    QTemporaryDir folder;
    QFile file(folder.filePath(u"mine.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(changed("\"gpus\": 4", "\"gpus\": 4, \"sauna\": true"));
    file.close();
    const Catalogue catalogue = loadCatalogue(folder.path());
    QVERIFY(catalogue.faults.isEmpty());
    QCOMPARE(catalogue.warnings.size(), 1);
    QVERIFY(catalogue.warnings.first().what.contains(u"$.nodes[0].sauna"_s));
}

void CatalogueTest::whatWasRead()
{
    const auto read = [](const QByteArray& checked) {
        return readClusterProfile("{\"version\": 1, \"name\": \"x\", \"checked\": [" + checked + "]}", u"x.json"_s);
    };
    const auto good = read(R"({"source": "a page", "state": "2026-08", "on": "2026-11-22", "byOperator": false})");
    QVERIFY_RESULT(good);
    QCOMPARE(good->checked.first().state, u"2026-08"_s);
    QVERIFY(!good->checked.first().byOperator && good->unknownMembers.isEmpty());
    QVERIFY(!read(R"({"source": "a page", "on": "yesterday"})"));
    QVERIFY(!read(R"({"source": "a page", "state": "2026-13", "on": "2026-11-22"})"));
    QVERIFY(!read(R"({"source": "a page", "state": "2026-11-23", "on": "2026-11-22"})")); // read before it was written
    QVERIFY(!read(R"({"on": "2026-11-22"})"));
}

void CatalogueTest::modulesOfAPartition()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile& site = *catalogue.find(u"jean-zay"_s);
    QCOMPARE(site.modulesOf(u"gpu_p6"_s).first(), u"arch/h100"_s);
    QCOMPARE(site.modulesOf(u"v100"_s), site.launch.modules);
    QCOMPARE(site.modulesOf(u"nowhere"_s), site.launch.modules);
}

void CatalogueTest::userFolder()
{
    QTemporaryDir folder;
    const auto put = [&](const QString& name, const QByteArray& json) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(json);
    };
    put(u"a-new.json"_s, changed("\"name\": \"mahti\"", "\"name\": \"new-site\""));
    put(u"b-broken.json"_s, "{");
    put(u"c-mahti.json"_s, changed("\"title\": \"Mahti\"", "\"title\": \"My Mahti\""));
    const Catalogue catalogue = loadCatalogue(folder.path());
    QCOMPARE(catalogue.faults.size(), 1);
    QVERIFY(catalogue.faults.first().what.contains(u"b-broken.json"_s));
    QCOMPARE(catalogue.find(u"mahti"_s)->title, u"My Mahti"_s);
    QCOMPARE(catalogue.names().count(u"mahti"_s), 1);
    QCOMPARE(catalogue.names().last(), u"new-site"_s);
    QVERIFY(loadCatalogue(folder.filePath(u"missing"_s)).faults.isEmpty());
}

void CatalogueTest::truncatedNeverCrashes()
{
    const QByteArray whole = builtIn(u"mahti.json"_s);
    const qsizetype end = whole.lastIndexOf('}');
    for (qsizetype length = 0; length <= end; ++length)
        QVERIFY(!readClusterProfile(whole.left(length), u"cut.json"_s).hasValue());
}

RANKWRIGHT_TEST_MAIN(CatalogueTest)
#include "tst_catalogue.moc"
