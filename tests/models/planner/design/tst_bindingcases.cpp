// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/core/hostlist.h"
#include "models/planner/design/rankplaces.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const Catalogue& catalogue()
{
    static const Catalogue all = loadCatalogue();
    return all;
}

QList<int> numbersOf(const QString& ranges)
{
    QList<int> numbers;
    const QStringList names = expandHostlist(u'[' + ranges + u']', 4096).valueOr({});
    for (const QString& name : names)
        numbers.append(name.toInt());
    return numbers;
}

void addRows(const QString& member)
{
    QTest::addColumn<QJsonObject>("row");
    QFile file(rankwright::test::sourcePath(u"/tests/data/binding_cases.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).object().value(member).toArray();
    for (const QJsonValue& value : rows) {
        const QJsonObject row = value.toObject();
        const QString tag = row.value(u"id"_s).toString() + u", "_s + row.value(u"source"_s).toString();
        QTest::newRow(qPrintable(tag)) << row;
    }
}

QString textOf(const QJsonObject& row, const QString& member) { return row.value(member).toString(); }

/// "0x00fe" -> "fe": the sites write masks with and without padding.
QString bare(const QString& mask)
{
    QString digits = mask.startsWith(u"0x"_s) ? mask.mid(2) : mask;
    while (digits.size() > 1 && digits.startsWith(u'0'))
        digits.remove(0, 1);
    return digits;
}

QStringList bareMasks(const QList<QList<int>>& tasks)
{
    QStringList masks;
    for (const QList<int>& cores : tasks)
        masks.append(bare(coreMask(cores)));
    return masks;
}

} // namespace

/// Published and observed bindings (tests/data/binding_cases.json, source in each row).
class BindingCasesTest : public test::Suite {
    Q_OBJECT
private slots:
    void layouts_data() { addRows(u"layouts"_s); }
    void layouts();
    void designs_data() { addRows(u"designs"_s); }
    void designs();
    void slurm_data() { addRows(u"slurm"_s); }
    void slurm();
    void decode_data() { addRows(u"decode"_s); }
    void decode();
    void refusals();
    void brokenMasks();
};

void BindingCasesTest::layouts()
{
    QFETCH(QJsonObject, row);
    const ClusterProfile* profile = catalogue().find(textOf(row, u"cluster"_s));
    QVERIFY(profile != nullptr);
    TaskLayout layout;
    if (const QString order = textOf(row, u"order"_s); !order.isEmpty())
        layout.gpuOrder = numbersOf(order);
    layout.coresPerGpu = row.value(u"cores"_s).toInt();
    layout.gpusPerTask = row.value(u"gpusPerTask"_s).toInt(1);
    layout.allThreads = row.value(u"allThreads"_s).toBool();
    const NodeShape& node = *profile->nodeShape({});
    const auto tasks = coresBesideGpus(node, layout);
    QVERIFY2(tasks, qPrintable(tasks ? QString() : tasks.error().what));
    if (row.contains(u"masks"_s))
        QCOMPARE(bareMasks(*tasks), textOf(row, u"masks"_s).split(u','));
    if (row.contains(u"spelled"_s))
        QCOMPARE(maskOption(*tasks), textOf(row, u"spelled"_s));
    if (row.contains(u"map"_s))
        QCOMPARE(mapOption(*tasks), textOf(row, u"map"_s));
    if (row.contains(u"gpuBind"_s))
        QCOMPARE(gpuOption(node, layout), textOf(row, u"gpuBind"_s));
}

void BindingCasesTest::designs()
{
    QFETCH(QJsonObject, row);
    const ClusterProfile* profile = catalogue().find(textOf(row, u"cluster"_s));
    QVERIFY2(profile != nullptr, "the catalogue has no such cluster");
    JobSpec spec;
    spec.cluster = profile->name;
    if (const QString partition = textOf(row, u"partition"_s); !partition.isEmpty())
        spec.partition = partition;
    spec.resources.nodes = row.value(u"nodes"_s).toInt();
    spec.resources.gpusPerNode = row.value(u"gpus"_s).toInt();
    if (row.contains(u"cores"_s))
        spec.resources.cpusPerGpu = row.value(u"cores"_s).toInt();
    spec.launcher = launcherFrom(textOf(row, u"launcher"_s));
    const RankPlaces plan = planRanks(resolve(spec, *profile), *profile);
    QVERIFY2(toText(plan.boundBy) == textOf(row, u"by"_s), qPrintable(toText(plan.boundBy) + plan.unboundReason));
    QCOMPARE(plan.ranks.size(), *spec.resources.nodes * *spec.resources.gpusPerNode);
    const QString why = textOf(row, u"why"_s);
    QVERIFY2(
        why.isEmpty() ? plan.bound : !plan.bound && plan.unboundReason.contains(why), qPrintable(plan.unboundReason));
    const QJsonArray expected = row.value(u"ranks"_s).toArray();
    for (const RankPlace& rank : plan.ranks) {
        QCOMPARE(rank.node, rank.rank / *spec.resources.gpusPerNode);
        QCOMPARE(rank.localRank, rank.rank % *spec.resources.gpusPerNode);
        if (!plan.bound) {
            QVERIFY(rank.cores.isEmpty() && rank.mask.isEmpty() && !rank.numa);
            continue;
        }
        const QJsonObject place = expected.at(rank.localRank).toObject();
        QCOMPARE(rank.gpu, place.value(u"gpu"_s).toInt());
        QCOMPARE(rank.cores, numbersOf(textOf(place, u"cores"_s)));
        QCOMPARE(rank.mask, coreMask(rank.cores));
        QCOMPARE(rank.numa.value_or(-1), place.value(u"numa"_s).toInt(-1));
    }
}

void BindingCasesTest::slurm()
{
    QFETCH(QJsonObject, row);
    const auto whole = [&](const QString& member) { return row.value(member).toInt(); };
    const SocketLayout node{whole(u"sockets"_s), whole(u"coresPerSocket"_s), whole(u"threads"_s)};
    const auto tasks = slurmTaskCpus(node, whole(u"tasks"_s), whole(u"cpus"_s),
        textOf(row, u"spread"_s) == u"cyclic"_s ? Spread::Cyclic : Spread::Block,
        row.value(u"oneThread"_s).toBool() ? CoreThreads::One : CoreThreads::All);
    QVERIFY2(tasks, qPrintable(tasks ? QString() : tasks.error().what));
    const QJsonArray expected = row.value(u"expect"_s).toArray();
    QCOMPARE(tasks->size(), expected.size());
    for (qsizetype i = 0; i < tasks->size(); ++i)
        QCOMPARE(tasks->at(i), numbersOf(expected.at(i).toString()));
    const QJsonArray masks = row.value(u"masks"_s).toArray();
    for (qsizetype i = 0; i < masks.size(); ++i)
        QCOMPARE(bare(coreMask(tasks->at(i))), bare(masks.at(i).toString()));
    if (row.contains(u"map"_s))
        QCOMPARE(mapOption(*tasks), textOf(row, u"map"_s));
}

void BindingCasesTest::decode()
{
    QFETCH(QJsonObject, row);
    const auto cores = coresOfMask(textOf(row, u"mask"_s));
    QVERIFY(cores);
    QCOMPARE(*cores, numbersOf(textOf(row, u"cores"_s)));
    QCOMPARE(bare(coreMask(*cores)), bare(textOf(row, u"mask"_s)));
}

void BindingCasesTest::refusals()
{
    const NodeShape node = *catalogue().find(u"lumi"_s)->nodeShape({});
    const auto refused = [&](const TaskLayout& layout, const NodeShape& shape, const QString& why) {
        const auto tasks = coresBesideGpus(shape, layout);
        return !tasks && tasks.error().what.contains(why);
    };
    QVERIFY(refused({{0, 1, 1}, 1, 7, false}, node, u"twice"_s));
    QVERIFY(refused({{0, 8}, 1, 7, false}, node, u"no GPU 8"_s));
    QVERIFY(refused({{}, 3, 7, false}, node, u"cannot be shared out"_s));
    QVERIFY(refused({{}, 1, 8, false}, node, u"8 cores are wanted"_s)); // one core of eight is kept for the system
    QVERIFY(refused({}, *catalogue().find(u"raven"_s)->nodeShape({}), u"not published"_s));
    QVERIFY(!slurmTaskCpus({2, 64, 2}, 129, 1, Spread::Block, CoreThreads::One));
    QVERIFY(!slurmTaskCpus({2, 64, 2}, 0, 1, Spread::Block, CoreThreads::One));
    QVERIFY(!slurmTaskCpus({2, 64, 2}, 1, 0, Spread::Cyclic, CoreThreads::All));
    QVERIFY(!slurmTaskCpus({0, 0, 0}, 1, 1, Spread::Cyclic, CoreThreads::All));
    QCOMPARE(slurmTaskCpus({2, 4, 1}, 2, 3, Spread::Block, CoreThreads::One).value(),
        (QList<QList<int>>{{0, 1, 2}, {3, 4, 5}})); // block goes on over the border of a socket
}

void BindingCasesTest::brokenMasks()
{
    for (const QString& broken : {QString(), u"0x"_s, u"fg"_s, u"0xf e"_s, u"-1"_s, QString(5000, u'f')})
        QVERIFY2(!coresOfMask(broken), qPrintable(broken.left(20)));
    QCOMPARE(coresOfMask(u"0"_s).value(), QList<int>());
    QCOMPARE(coresOfMask(u" 0XFF "_s).value().size(), 8);
}

RANKWRIGHT_TEST_MAIN(BindingCasesTest)
#include "tst_bindingcases.moc"
