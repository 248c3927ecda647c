// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/cost.h"
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

QJsonArray casesOf(const QString& member)
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/billing_cases.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object().value(member).toArray();
}

void addRows(const QString& member)
{
    QTest::addColumn<QJsonObject>("row");
    const QJsonArray rows = casesOf(member);
    for (const QJsonValue& value : rows) {
        const QJsonObject row = value.toObject();
        const QString tag = row.value(u"id"_s).toString() + u" "_s + row.value(u"cluster"_s).toString() + u", "_s
            + row.value(u"source"_s).toString();
        QTest::newRow(qPrintable(tag)) << row;
    }
}

Bytes memoryOf(const QJsonObject& row) { return Bytes::gib(row.value(u"memoryGibPerNode"_s).toDouble()); }

} // namespace

/// Every worked example of the sites' billing pages (tests/data/billing_cases.json, source in each row), through the
/// catalogue's own formulas.
class BillingCasesTest : public test::Suite {
    Q_OBJECT
private slots:
    void formula_data() { addRows(u"jobs"_s); }
    void formula();
    void design_data();
    void design();
    void storage_data() { addRows(u"storage"_s); }
    void storage();
    void budget();
};

void BillingCasesTest::formula()
{
    QFETCH(QJsonObject, row);
    const ClusterProfile* profile = catalogue().find(row.value(u"cluster"_s).toString());
    QVERIFY2(profile != nullptr, "the catalogue has no such cluster");
    const auto whole = [&](const QString& member) { return row.value(member).toInt(); };
    const CostQuote cost = quoteCost(*profile, row.value(u"partition"_s).toString(), whole(u"nodes"_s),
        whole(u"gpusPerNode"_s), whole(u"coresPerNode"_s), memoryOf(row), row.value(u"hours"_s).toDouble(),
        row.value(u"nvmeGibPerNode"_s).toDouble());
    QVERIFY2(
        cost.billingAccounts && cost.billingAccounts->size() == 1, "the partition has no billing rule, or several");
    const CostQuote::BillingAccount& billingAccount = cost.billingAccounts->first();
    QCOMPARE(billingAccount.amount, row.value(u"amount"_s).toDouble());
    if (const QString decides = row.value(u"decidedBy"_s).toString(); !decides.isEmpty()) // else a draw
        QCOMPARE(billingAccount.decidedBy ? toText(*billingAccount.decidedBy) : QString(), decides);
    QVERIFY(!billingAccount.source.isEmpty() && !billingAccount.unit.isEmpty());
    QVERIFY(!explainShares(billingAccount, u"GPU"_s).isEmpty());
}

void BillingCasesTest::design_data()
{
    QTest::addColumn<QJsonObject>("row");
    const QJsonArray rows = casesOf(u"jobs"_s);
    for (const QJsonValue& value : rows) {
        const QJsonObject row = value.toObject();
        if (row.value(u"design"_s).toBool())
            QTest::newRow(qPrintable(row.value(u"id"_s).toString())) << row;
    }
}

void BillingCasesTest::design()
{
    QFETCH(QJsonObject, row);
    const ClusterProfile* profile = catalogue().find(row.value(u"cluster"_s).toString());
    QVERIFY2(profile != nullptr, "the catalogue has no such cluster");
    const int gpus = row.value(u"gpusPerNode"_s).toInt();
    JobSpec spec;
    spec.cluster = profile->name;
    spec.partition = row.value(u"partition"_s).toString();
    spec.resources.nodes = row.value(u"nodes"_s).toInt();
    spec.resources.gpusPerNode = gpus;
    if (const int cores = row.value(u"coresPerNode"_s).toInt())
        spec.resources.cpusPerGpu = cores / gpus;
    if (memoryOf(row).count > 0)
        spec.resources.memoryPerNode = memoryOf(row);
    if (const double disk = row.value(u"nvmeGibPerNode"_s).toDouble(); disk > 0)
        spec.options.localDisk = Bytes::gib(disk);
    spec.time = Seconds{qint64(row.value(u"hours"_s).toDouble() * 3600)};
    const CostQuote cost = quoteCost(resolve(spec, *profile), *profile);
    QVERIFY(cost.billingAccounts.has_value());
    QCOMPARE(cost.billingAccounts->first().amount, row.value(u"amount"_s).toDouble());
    if (cost.cheaper)
        QVERIFY2(cost.cheaper->perHour < cost.billingAccounts->first().perHour, qPrintable(cost.cheaper->text));
}

void BillingCasesTest::storage()
{
    QFETCH(QJsonObject, row);
    const ClusterProfile* profile = catalogue().find(row.value(u"cluster"_s).toString());
    QVERIFY2(profile != nullptr, "the catalogue has no such cluster");
    const QString place = row.value(u"place"_s).toString();
    const auto price = std::find_if(profile->storage.cbegin(), profile->storage.cend(),
        [&](const StoragePrice& known) { return known.place == place; });
    QVERIFY2(price != profile->storage.cend(), "the catalogue has no price for this place");
    QVERIFY(!price->source.isEmpty());
    // The catalogue keeps prices of storage for people; nothing is quoted by them. They must still say what the site
    // says.
    const double amount = row.value(u"hours"_s).toDouble() * price->weight
        * qMax(0.0, row.value(u"size"_s).toDouble() - price->freeSize);
    const double expected = row.value(u"amount"_s).toDouble();
    QVERIFY2(qAbs(amount - expected) < 1e-9 * qMax(1.0, expected), qPrintable(QString::number(amount, 'g', 12)));
}

void BillingCasesTest::budget()
{
    // BE2: NSC counts GPU-hours a month; 28 800 of them are 40 GPUs all the time (30 days of 24 hours)
    CostQuote::BillingAccount forty;
    forty.perHour = 40;
    forty.amount = 40.0 * 24;
    const auto share = budgetShare(forty, 28800);
    QVERIFY(share.has_value());
    QCOMPARE(share->hours, std::optional(720.0));
    QCOMPARE(share->jobs, std::optional(30.0));
    QCOMPARE(share->percent, 100.0 / 30);
    QVERIFY(!budgetShare(forty, 0));
    const auto freeJob = budgetShare({}, 100);
    QVERIFY(freeJob && !freeJob->jobs && !freeJob->hours);
    QCOMPARE(freeJob->percent, 0.0);
}

RANKWRIGHT_TEST_MAIN(BillingCasesTest)
#include "tst_billingcases.moc"
