// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/draft/reportedlimits.h"
#include "models/script/checks/designchecks.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QList<Finding> errors(const JobSpec& spec, const ClusterProfile& profile)
{
    QList<Finding> found = check(resolve(spec, profile), profile);
    found.removeIf([](const Finding& one) { return one.severity != Severity::Error; });
    return found;
}

} // namespace

/// What a cluster's own Slurm reports wins over what its entry says (T5).
class ReportedLimitsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init();
    void nothingReportedChangesNothing();
    void fewerNodes();
    void gpusOfAUser();
    void gpusOfTheDefaultQos();
    void closedToday();
    void downTodayQueues();

private:
    ClusterProfile reported(const ClusterFacts::PartitionFact& fact) const
    {
        ClusterFacts facts;
        facts.partitions.append(fact);
        return withReportedLimits(m_lumi, facts);
    }
    ClusterProfile m_lumi;
    JobSpec m_spec;
};

void ReportedLimitsTest::init()
{
    m_lumi = *loadCatalogue().find(u"lumi"_s);
    m_spec = {};
    m_spec.cluster = u"lumi"_s;
    m_spec.account = u"project_462000265"_s;
    m_spec.partition = u"standard-g"_s;
    m_spec.resources.nodes = 4;
    m_spec.resources.gpusPerNode = 8;
    m_spec.command = u"train.py"_s;
    QVERIFY(errors(m_spec, m_lumi).isEmpty());
}

void ReportedLimitsTest::nothingReportedChangesNothing()
{
    QCOMPARE(withReportedLimits(m_lumi, {}), m_lumi);
    ClusterFacts::PartitionFact fact;
    fact.name = u"standard-g"_s;
    fact.state = u"up"_s;
    QCOMPARE(reported(fact), m_lumi); // known to be there, nothing more
}

void ReportedLimitsTest::fewerNodes()
{
    ClusterFacts::PartitionFact fact;
    fact.name = u"standard-g"_s;
    fact.state = u"up"_s;
    fact.nodes = 2;
    const ClusterProfile profile = reported(fact);
    QCOMPARE(profile.partition(u"standard-g"_s)->maxNodes, std::optional(2));
    QCOMPARE(profile.partition(u"small-g"_s)->maxNodes, m_lumi.partition(u"small-g"_s)->maxNodes);
    const QList<Finding> found = errors(m_spec, profile);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().slug, u"partition-limit"_s);
    QVERIFY2(found.first().text.contains(u"2 nodes"), qPrintable(found.first().text));
    QVERIFY(found.first().fix);
    fact.nodes = 3000;
    fact.maxNodes = 2048; // more than was published
    m_spec.resources.nodes = 1500;
    m_spec.time = Seconds{3600};
    QVERIFY(errors(m_spec, reported(fact)).isEmpty());
}

void ReportedLimitsTest::gpusOfAUser()
{
    ClusterFacts::PartitionFact fact;
    fact.name = u"standard-g"_s;
    fact.maxGpusPerUser = 16;
    const QList<Finding> found = errors(m_spec, reported(fact));
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.first().text.contains(u"one user up to 16"), qPrintable(found.first().text));
}

/// A partition without a QoS, an association with one: sbatch --test-only says yes, and the job waits for ever.
void ReportedLimitsTest::gpusOfTheDefaultQos()
{
    ClusterFacts facts;
    ClusterFacts::PartitionFact fact;
    fact.name = u"standard-g"_s;
    facts.partitions.append(fact);
    facts.defaultQosGpus = 16;
    const auto found = errors(m_spec, withReportedLimits(m_lumi, facts));
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.first().text.contains(u"allows up to 16 GCDs"_s), qPrintable(found.first().text));
    JobSpec other = m_spec;
    other.options.qos = u"large"_s; // another one than the default
    QVERIFY(errors(other, withReportedLimits(m_lumi, facts)).isEmpty());
    facts.partitions.first().maxGpusPerJob = 64; // the partition's own goes before it
    QVERIFY(errors(m_spec, withReportedLimits(m_lumi, facts)).isEmpty());
    facts.partitions.first().maxGpusPerJob = 16;
    QCOMPARE(errors(other, withReportedLimits(m_lumi, facts)).size(), 1);
}

void ReportedLimitsTest::closedToday()
{
    ClusterFacts::PartitionFact fact;
    fact.name = u"standard-g"_s;
    for (const QString& state : {u"drain"_s, u"inactive"_s}) {
        fact.state = state;
        const QList<Finding> found = errors(m_spec, reported(fact));
        QVERIFY(!found.isEmpty());
        QCOMPARE(found.first().slug, u"partition-closed"_s);
        QVERIFY2(found.first().text.contains(u"Slurm reports it as "_s + state), qPrintable(found.first().text));
    }
}

/// slurm.conf(5), PartitionName, State: DOWN takes jobs into the queue and starts none; DRAIN and INACTIVE refuse them.
void ReportedLimitsTest::downTodayQueues()
{
    ClusterFacts::PartitionFact fact;
    fact.name = u"standard-g"_s;
    fact.state = u"down"_s;
    const ClusterProfile profile = reported(fact);
    QVERIFY(errors(m_spec, profile).isEmpty());
    QCOMPARE(profile.partition(fact.name)->note, m_lumi.partition(fact.name)->note);
    const QList<Finding> all = check(resolve(m_spec, profile), profile);
    const auto hint
        = std::find_if(all.cbegin(), all.cend(), [](const Finding& one) { return one.slug == u"partition-down"; });
    QVERIFY(hint != all.cend() && hint->severity == Severity::Hint);
    QVERIFY2(hint->text.contains(u"down") && hint->text.contains(u"queue"), qPrintable(hint->text));
    m_spec.partition.reset(); // another is chosen while there is one
    QVERIFY(resolve(m_spec, profile).partition != fact.name);
}

RANKWRIGHT_TEST_MAIN(ReportedLimitsTest)
#include "tst_reportedlimits.moc"
