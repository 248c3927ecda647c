// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "tests/support/testbase.h"

#include <QDate>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QJsonObject objectOf(const QString& name)
{
    QFile file(u":/catalogue/%1.json"_s.arg(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// One row of the manual's table: line, for what it holds, where that stands, when it was read.
struct TableLine {
    QString line;
    LineEvidence evidence;
    QString source;
};

QString code(const QString& text) { return u'`' + text + u'`'; }

QList<TableLine> linesOf(const ClusterProfile& profile)
{
    QList<TableLine> lines;
    for (const EnvironmentRule& rule : profile.environment)
        lines.append({code(rule.name + u'=' + rule.value), rule.evidence, rule.source});
    const ContainerRule& container = profile.container;
    QStringList parts = container.moduleCommands;
    for (const QString& text : {container.runner, container.image}) {
        if (!text.isEmpty())
            parts.append(text);
    }
    for (QString& part : parts)
        part = code(part);
    if (!parts.isEmpty())
        lines.append({parts.join(u", "_s), container.evidence, container.source});
    const LaunchDefaults& launch = profile.launch;
    QStringList options = launch.extraDirectives;
    for (const QString& module : launch.modules)
        options.append(u"module load "_s + module);
    if (!launch.masterAddressSuffix.isEmpty())
        options.append(u"MASTER_ADDR=${MASTER_ADDR}"_s + launch.masterAddressSuffix);
    for (QString& option : options)
        option = code(option);
    if (!options.isEmpty())
        lines.append({options.join(u", "_s), launch.evidence, launch.source});
    for (const Partition& partition : profile.partitions) {
        QStringList written;
        for (const auto& [option, value] : queueOptions(partition))
            written.append(code(u"--%1=%2"_s.arg(option, value)));
        for (const QString& module : partition.modules)
            written.append(code(u"module load "_s + module));
        if (!written.isEmpty())
            lines.append({written.join(u", "_s), {{u"*"_s}, {}, partition.checked}, partition.source});
    }
    return lines;
}

QString holdsFor(const LineEvidence& evidence)
{
    QStringList names;
    for (const QString& image : evidence.images)
        names.append(image == u"*" ? u"any"_s : code(image));
    for (const QString& release : evidence.releases)
        names.append(release == u"*" ? u"any without an image"_s : u"module "_s + code(release));
    return names.join(u", "_s);
}

QString tableOf(const Catalogue& catalogue)
{
    QString table;
    for (const ClusterProfile& profile : catalogue.clusters) {
        for (const TableLine& line : linesOf(profile)) {
            table += u"| %1 | %2 | %3 | %4 | %5 |\n"_s.arg(profile.name, QString(line.line).replace(u'|', u"\\|"_s),
                holdsFor(line.evidence), QString(line.source).replace(u'\n', u' '), line.evidence.checked);
        }
    }
    return table;
}

} // namespace

/// What the catalogue's lines in scripts rest on: for which image or release, which source, read when.
class LineEvidenceTest : public test::Suite {
    Q_OBJECT
private slots:
    void everyBuiltInLineHasEvidence();
    void nothingOfTheFilesIsDropped();
    void linesWithoutAreNotThere();
    void aUsersOwnLineIsTheUsersWord();
    void holdsForImagesAndReleases_data();
    void holdsForImagesAndReleases();
    void daysAreDays();
    void theManualsTableIsTheCatalogue();
};

void LineEvidenceTest::everyBuiltInLineHasEvidence()
{
    const QString today = QDate::currentDate().toString(Qt::ISODate);
    int lines = 0;
    for (const ClusterProfile& profile : loadCatalogue().clusters) {
        for (const TableLine& line : linesOf(profile)) {
            const QString where = profile.name + u": "_s + line.line;
            QVERIFY2(line.evidence.isComplete(line.source), qPrintable(where));
            QVERIFY2(line.evidence.checked >= u"2026" && line.evidence.checked <= today, qPrintable(where));
            QVERIFY2(!line.source.contains(u"derived"_s), qPrintable(where)); // what no source states has none
            ++lines;
        }
    }
    QVERIFY(lines > 150);
}

/// loadCatalogue() takes lines without evidence out: no built-in file has one.
void LineEvidenceTest::nothingOfTheFilesIsDropped()
{
    for (const ClusterProfile& profile : loadCatalogue().clusters) {
        const QJsonObject file = objectOf(profile.name);
        QCOMPARE(profile.environment.size(), file.value(u"environment"_s).toArray().size());
        QCOMPARE(profile.partitions.size(), file.value(u"partitions"_s).toArray().size());
        QCOMPARE(profile.container.runner, file.value(u"container"_s).toObject().value(u"runner"_s).toString());
        const QJsonObject launch = file.value(u"launch"_s).toObject();
        QCOMPARE(profile.launch.modules.size(), launch.value(u"modules"_s).toArray().size());
        QCOMPARE(profile.launch.extraDirectives.size(), launch.value(u"extraDirectives"_s).toArray().size());
        QCOMPARE(profile.launch.cpuBindMasks, launch.value(u"cpuBindMasks"_s).toBool(false));
    }
}

void LineEvidenceTest::linesWithoutAreNotThere()
{
    const Catalogue catalogue = loadCatalogue();
    ClusterProfile profile = *catalogue.find(u"frontier"_s);
    const qsizetype all = profile.environment.size();
    profile.environment[0].evidence.checked.clear();
    profile.environment[1].source.clear();
    profile.environment[2].evidence.releases.clear();
    profile.partitions[1].checked.clear();
    profile.launch.evidence.images.clear();
    dropUnproven(profile);
    QCOMPARE(profile.environment.size(), all - 3);
    QCOMPARE(profile.partitions.size(), qsizetype(2));
    QVERIFY(profile.launch.modules.isEmpty() && profile.launch.extraDirectives.isEmpty());
    QVERIFY(profile.launch.binding.gpuOrder.isEmpty());

    ClusterProfile lumi = *catalogue.find(u"lumi"_s);
    dropUnproven(lumi);
    QCOMPARE(lumi, *catalogue.find(u"lumi"_s));
    lumi.container.evidence.checked.clear();
    dropUnproven(lumi);
    QVERIFY(lumi.container.image.isEmpty() && lumi.container.moduleCommands.isEmpty());
}

void LineEvidenceTest::aUsersOwnLineIsTheUsersWord()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"mine.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"version": 1, "name": "mine",
        "nodes": [{"name": "n", "gpu": {"model": "A100", "vendor": "nvidia"}, "gpus": 4}], "partitions": [{"name": "gpu", "node": "n"}],
        "environment": [{"name": "MINE", "value": "1"}],
        "container": {"image": "/x.sif", "runner": "apptainer exec --nv"},
        "launch": {"modules": ["cuda"], "extraDirectives": ["--exclusive"]}})");
    file.close();
    const Catalogue catalogue = loadCatalogue(folder.path());
    QVERIFY(catalogue.faults.isEmpty() && catalogue.warnings.isEmpty());
    const ClusterProfile& mine = *catalogue.find(u"mine"_s);
    QCOMPARE(mine.environment.size(), qsizetype(1));
    QVERIFY(mine.environment.first().evidence.holdsFor(u"/any.sif"_s, {}));
    QVERIFY(mine.environment.first().evidence.holdsFor({}, {}));
    QCOMPARE(mine.container.image, u"/x.sif"_s);
    QCOMPARE(mine.launch.modules, QStringList{u"cuda"_s});
    QCOMPARE(mine.partitions.size(), qsizetype(1));
}

void LineEvidenceTest::holdsForImagesAndReleases_data()
{
    QTest::addColumn<QStringList>("images");
    QTest::addColumn<QStringList>("releases");
    QTest::addColumn<QString>("image");
    QTest::addColumn<QStringList>("software");
    QTest::addColumn<bool>("holds");
    const QString sif = u"/appl/local/laifs/containers/x/lumi-multitorch-full-u24r70f21m50t210-20260415_130625.sif"_s;
    const QStringList factory{u"lumi-multitorch-*"_s};
    QTest::newRow("any, with image") << QStringList{u"*"_s} << QStringList{} << sif << QStringList{} << true;
    QTest::newRow("any, without") << QStringList{u"*"_s} << QStringList{} << QString() << QStringList{} << true;
    QTest::newRow("that image") << factory << QStringList{} << sif << QStringList{} << true;
    QTest::newRow("its folder's name is none")
        << QStringList{u"*laifs*"_s} << QStringList{} << sif << QStringList{} << false;
    QTest::newRow("another image") << factory << QStringList{} << u"/own.sif"_s << QStringList{} << false;
    QTest::newRow("registry") << QStringList{u"pytorch:24*"_s} << QStringList{} << u"nvcr.io#nvidia/pytorch:24.01"_s
                              << QStringList{} << true;
    QTest::newRow("an image's line without one")
        << factory << QStringList{} << QString() << QStringList{u"pytorch"_s} << false;
    const QStringList rocm{u"rocm/7.1.1"_s};
    QTest::newRow("that module") << QStringList{} << rocm << QString() << QStringList{u"x"_s, u"rocm/7.1.1"_s} << true;
    QTest::newRow("another release") << QStringList{} << rocm << QString() << QStringList{u"rocm/6.2.4"_s} << false;
    QTest::newRow("a dot is a dot") << QStringList{} << rocm << QString() << QStringList{u"rocm/7x1x1"_s} << false;
    QTest::newRow("a module's line in an image") << QStringList{} << rocm << sif << rocm << false;
    QTest::newRow("any module, none") << QStringList{} << QStringList{u"*"_s} << QString() << QStringList{} << true;
    QTest::newRow("any module, image") << QStringList{} << QStringList{u"*"_s} << sif << QStringList{} << false;
    QTest::newRow("nothing said") << QStringList{} << QStringList{} << sif << QStringList{} << true;
}

void LineEvidenceTest::holdsForImagesAndReleases()
{
    QFETCH(QStringList, images);
    QFETCH(QStringList, releases);
    QFETCH(QString, image);
    QFETCH(QStringList, software);
    QFETCH(bool, holds);
    QCOMPARE(LineEvidence({images, releases, u"2026"_s}).holdsFor(image, software), holds);
}

void LineEvidenceTest::daysAreDays()
{
    const auto read = [](const QByteArray& day) {
        return readClusterProfile(
            "{\"version\": 1, \"name\": \"x\", \"environment\": [{\"name\": \"A\", \"checked\": \"" + day + "\"}]}",
            u"x.json"_s);
    };
    QVERIFY(read("2026-11-24") && read("2026"));
    QVERIFY(!read("yesterday"));
    QCOMPARE(read("24.11.2026").error().detail, u"$.environment[0].checked"_s);
}

void LineEvidenceTest::theManualsTableIsTheCatalogue()
{
    const QString table = tableOf(loadCatalogue());
    QFile file(test::sourcePath(u"/docs/catalogue.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    file.close();
    const QString head = u"| site | line | holds for | source | read |\n| --- | --- | --- | --- | --- |\n"_s;
    const qsizetype begin = page.indexOf(head);
    QVERIFY(begin > 0);
    const qsizetype first = begin + head.size();
    const qsizetype end = page.indexOf(u"\n\n"_s, first) + 1;
    if (qEnvironmentVariableIsSet("UPDATE_GOLDENS")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write((page.left(first) + table + (end > 0 ? page.mid(end) : QString())).toUtf8());
        return;
    }
    QCOMPARE((end > 0 ? page.mid(first, end - first) : page.mid(first)).split(u'\n'), table.split(u'\n'));
}

RANKWRIGHT_TEST_MAIN(LineEvidenceTest)
#include "tst_lineevidence.moc"
