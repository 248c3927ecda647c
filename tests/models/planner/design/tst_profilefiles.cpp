// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/catalogue/profilewriter.h"
#include "models/planner/design/cost.h"
#include "models/planner/design/resolve.h"
#include "tests/support/testbase.h"

#include <QDate>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

#include <climits>
#include <functional>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QStringList builtInFiles()
{
    loadCatalogue(); // registers the resource
    return QDir(u":/catalogue"_s).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
}

QByteArray bytesOf(const QString& file)
{
    QFile source(u":/catalogue/"_s + file);
    return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
}

QJsonObject objectOf(const QString& file) { return QJsonDocument::fromJson(bytesOf(file)).object(); }

/// Every text of a document, wherever it stands, but for sizes, times and lists of numbers, which have several
/// spellings, and what a missing member means anyway.
void collectTexts(const QJsonValue& value, QStringList& texts)
{
    static const QStringList usual{u"python3"_s, u"torchrun"_s, u"GPU"_s, u"normal"_s};
    const QString text = value.toString();
    static const QRegularExpression numbers(u"^[0-9]+([,-][0-9]+)*$"_s); // "4-7" and "4,5,6,7" are the same
    const bool spelled = parseSlurmMemory(text) || parseSlurmTime(text) || numbers.match(text).hasMatch();
    if (value.isString() && !spelled && !usual.contains(text))
        texts.append(text);
    for (const QJsonValue& element : value.toArray())
        collectTexts(element, texts);
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it)
        collectTexts(it.value(), texts);
}

bool isFigure(const QString& key, const QJsonValue& value)
{
    static const QRegularExpression size(u"^[0-9.]+[KMGT]?$|^([0-9]+-)?[0-9:]+$"_s);
    const bool name = key == u"name"_s || key == u"accountExample"_s || key == u"pciBus"_s || key == u"value"_s
        || key == u"retiredSince"_s;
    return value.isDouble() || (!name && value.isString() && size.match(value.toString()).hasMatch());
}

/// Objects below the document that hold figures and neither have a source nor are in one that has.
void collectUnsourced(const QJsonValue& value, const QString& path, bool sourced, QStringList& missing)
{
    const QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i)
        collectUnsourced(array.at(i), path + u"[%1]"_s.arg(i), sourced, missing);
    if (!value.isObject())
        return;
    const QJsonObject object = value.toObject();
    // A GPU's figures come from elsewhere than its node's: they need a source of their own.
    const bool own = !object.value(u"source"_s).toString().isEmpty() || object.value(u"source"_s).isArray();
    const bool here = own || (sourced && !path.endsWith(u".gpu"_s));
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (path != u"$"_s && !here && isFigure(it.key(), it.value()))
            missing.append(path + u'.' + it.key());
        collectUnsourced(it.value(), path + u'.' + it.key(), path != u"$"_s && here, missing);
    }
}

using Change = std::function<QJsonValue(const QJsonValue&)>;

/// The document with its `index`-th member or element (depth first) changed; counts down to it. An undefined value
/// takes the member away.
QJsonValue changedAt(const QJsonValue& value, int& index, const Change& change)
{
    if (value.isObject()) {
        QJsonObject object = value.toObject();
        const QStringList keys = object.keys();
        for (const QString& key : keys) {
            if (index-- == 0) {
                const QJsonValue now = change(object.value(key));
                if (now.isUndefined())
                    object.remove(key);
                else
                    object.insert(key, now);
                return object;
            }
            object.insert(key, changedAt(object.value(key), index, change));
            if (index < 0)
                return object;
        }
        return object;
    }
    if (!value.isArray())
        return value;
    QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i) {
        if (index-- == 0) {
            const QJsonValue now = change(array.at(i));
            if (now.isUndefined())
                array.removeAt(i);
            else
                array.replace(i, now);
            return array;
        }
        array.replace(i, changedAt(array.at(i), index, change));
        if (index < 0)
            return array;
    }
    return array;
}

/// What a person, a typing mistake or malice may put in place of a value.
QList<Change> changes()
{
    const auto always = [](const QJsonValue& now) { return Change([now](const QJsonValue&) { return now; }); };
    return {
        always(QJsonValue(QJsonValue::Undefined)),
        always(QJsonValue(QJsonValue::Null)),
        always(0),
        always(-7),
        always(1e300),
        always(2.5),
        always(QString()),
        always(u"[0-999999999]"_s),
        always(u"0"_s),
        always(QString(100'000, u'9')),
        always(true),
        always(QJsonArray()),
        always(QJsonArray{QJsonObject(), 1, u"x"_s}),
        always(QJsonObject{{u"name"_s, u"x"_s}}),
    };
}

} // namespace

/// The files themselves, all of them: sources, round trip through the writer, and mistakes of every kind.
class ProfileFilesTest : public test::Suite {
    Q_OBJECT
private slots:
    void everyFileOfTheFolderIsBuiltIn();
    void namesAreFileNames();
    void everyFigureHasASource();
    void everyEntryNamesWhatWasReadAndWhen();
    void publishedKeysHaveASource();
    void writtenAndReadBack_data();
    void writtenAndReadBack();
    void wrongMembersNeverCrash_data();
    void wrongMembersNeverCrash();
    void anyProfileCanBeDesignedFor();
};

void ProfileFilesTest::everyFileOfTheFolderIsBuiltIn()
{
    const QDir folder(rankwright::test::sourcePath(u"/resources/catalogue"));
    QCOMPARE(builtInFiles(), folder.entryList({u"*.json"_s}, QDir::Files, QDir::Name));
}

void ProfileFilesTest::namesAreFileNames()
{
    const QStringList files = builtInFiles();
    for (const QString& file : files)
        QCOMPARE(objectOf(file).value(u"name"_s).toString() + u".json"_s, file);
}

void ProfileFilesTest::everyFigureHasASource()
{
    QStringList missing;
    const QStringList files = builtInFiles();
    for (const QString& file : files) {
        QStringList here;
        collectUnsourced(objectOf(file), u"$"_s, false, here);
        for (const QString& path : std::as_const(here))
            missing.append(file + u": "_s + path);
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.mid(0, 20).join(u'\n')));
}

void ProfileFilesTest::everyEntryNamesWhatWasReadAndWhen()
{
    for (const ClusterProfile& profile : loadCatalogue().clusters) {
        if (profile.name == u"generic" || profile.name == u"practice") // no site's
            continue;
        QVERIFY2(!profile.checked.isEmpty(), qPrintable(profile.name));
        for (const ReadSource& one : profile.checked) {
            const QString where = profile.name + u": "_s + one.source;
            QVERIFY2(one.source.size() > 10, qPrintable(where));
            QVERIFY2(
                one.readOn >= u"2026" && one.readOn <= QDate::currentDate().toString(Qt::ISODate), qPrintable(where));
            QVERIFY2(one.state.left(one.readOn.size()) <= one.readOn, qPrintable(where));
        }
    }
}

void ProfileFilesTest::publishedKeysHaveASource()
{
    for (const ClusterProfile& profile : loadCatalogue().clusters) {
        const LoginRule& login = profile.login;
        static const QRegularExpression print(u"^SHA256:[A-Za-z0-9+/]{43}$"_s);
        for (const QString& one : login.fingerprints + login.jumpFingerprints)
            QVERIFY2(print.match(one).hasMatch() && !login.source.isEmpty(), qPrintable(profile.name + u' ' + one));
        QCOMPARE(QSet<QString>(login.fingerprints.begin(), login.fingerprints.end()).size(), login.fingerprints.size());
    }
}

void ProfileFilesTest::writtenAndReadBack_data()
{
    QTest::addColumn<QString>("file");
    const QStringList files = builtInFiles();
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << file;
}

void ProfileFilesTest::writtenAndReadBack()
{
    QFETCH(QString, file);
    const auto profile = readClusterProfile(bytesOf(file), file);
    QVERIFY_RESULT(profile);
    const QByteArray written = writeClusterProfile(*profile);
    const auto again = readClusterProfile(written, file);
    QVERIFY_RESULT(again);
    QVERIFY(*again == *profile);
    QCOMPARE(again->unknownMembers, QStringList());
    QCOMPARE(writeClusterProfile(*again), written);
    // Nothing that a person wrote into the file is lost on the way.
    QStringList before;
    QStringList after;
    collectTexts(objectOf(file), before);
    collectTexts(QJsonDocument::fromJson(written).object(), after);
    const QString all = after.join(u'\n');
    for (const QString& text : std::as_const(before))
        QVERIFY2(all.contains(text), qPrintable(text));
    for (const QByteArray& line : written.split('\n'))
        QVERIFY(!line.endsWith(' ') && !line.contains('\t'));
}

void ProfileFilesTest::wrongMembersNeverCrash_data() { writtenAndReadBack_data(); }

void ProfileFilesTest::wrongMembersNeverCrash()
{
    QFETCH(QString, file);
    const QJsonObject document = objectOf(file);
    const QList<Change> all = changes();
    int refused = 0;
    int taken = 0;
    constexpr int enough = 200; // of each file; all files together try every change on every kind of member
    int left = INT_MAX;
    changedAt(document, left, all.first());
    const int members = INT_MAX - left;
    for (int member = 0; member < members; member += qMax(1, members / enough)) {
        int index = member;
        const QJsonValue wrong = changedAt(document, index, all.at((member * 5) % all.size()));
        QVERIFY(index < 0);
        const auto profile = readClusterProfile(QJsonDocument(wrong.toObject()).toJson(), file);
        if (profile) {
            ++taken;
            const auto again = readClusterProfile(writeClusterProfile(*profile), file);
            QVERIFY2(again.hasValue(), again ? "" : qPrintable(again.error().what));
            continue;
        }
        ++refused;
        QVERIFY2(profile.error().what.startsWith(file + u": $"_s), qPrintable(profile.error().what));
        QVERIFY(profile.error().detail.startsWith(u'$'));
        QVERIFY(!profile.error().remedy.isEmpty());
    }
    QVERIFY(refused > 5 && taken > 5);
}

void ProfileFilesTest::anyProfileCanBeDesignedFor()
{
    const Catalogue catalogue = loadCatalogue();
    for (const ClusterProfile& profile : catalogue.clusters) {
        QStringList partitions{QString()};
        for (const Partition& partition : profile.partitions)
            partitions.append(partition.name);
        for (const QString& partition : std::as_const(partitions)) {
            for (const int gpus : {0, 1, 2, 8}) {
                JobSpec spec;
                spec.cluster = profile.name;
                if (!partition.isEmpty())
                    spec.partition = partition;
                if (gpus > 0)
                    spec.resources.gpusPerNode = gpus;
                const ResolvedSpec resolved = resolve(spec, profile);
                QVERIFY(resolved.gpusPerNode >= 1 && resolved.cpusPerGpu >= 1);
                QVERIFY(!resolved.memoryPerNode || resolved.memoryPerNode->count > 0);
                const CostQuote cost = quoteCost(resolved, profile);
                QVERIFY(!cost.billingAccounts || !cost.billingAccounts->isEmpty());
            }
        }
    }
}

RANKWRIGHT_TEST_MAIN(ProfileFilesTest)
#include "tst_profilefiles.moc"
