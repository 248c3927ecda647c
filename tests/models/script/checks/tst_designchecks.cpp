// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/fieldtable.h"
#include "models/script/checks/designchecks.h"
#include "tests/models/support/brokendesigns.h"
#include "tests/support/testbase.h"

#include <QRegularExpression>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const ClusterProfile& site(const QString& name)
{
    static const Catalogue all = loadCatalogue();
    return *all.find(name);
}

/// A design that no rule has anything to say about.
JobSpec clean(const QString& cluster = u"lumi"_s)
{
    JobSpec spec;
    spec.name = u"gpt-imdb"_s;
    spec.cluster = cluster;
    spec.account = u"project_462000265"_s;
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = 2;
    spec.command = u"train.py --epochs 50"_s;
    return spec;
}

/// CSC's Roihu, as far as the limit cases need it (CSC user guide, systems-roihu and batch-job-partitions).
ClusterProfile roihu()
{
    ClusterProfile profile;
    profile.name = u"roihu"_s;
    profile.title = u"Roihu"_s;
    NodeShape node;
    node.name = u"gh200"_s;
    node.gpus = 4;
    node.cores = node.usableCores = 288;
    node.coresPerGpu = 72;
    node.memory = Bytes::gib(868);
    node.memoryPerGpu = Bytes::gib(217);
    node.memoryFollowsGpus = true;
    profile.nodes = {node};
    Partition medium;
    medium.name = u"gpumedium"_s;
    medium.node = node.name;
    medium.shared = true;
    medium.maxGpusPerJob = 4;
    medium.maxNodes = 4;
    medium.maxTime = Seconds{129600};
    Partition large = medium;
    large.name = u"gpularge"_s;
    large.shared = false;
    large.minGpusPerJob = 4;
    large.maxGpusPerJob = {};
    large.maxNodes = 10;
    profile.partitions = {medium, large};
    return profile;
}

QList<Finding> alertTexts(const JobSpec& spec, const ClusterProfile& profile)
{
    return check(resolve(spec, profile), profile);
}
QList<Finding> alertTexts(const JobSpec& spec) { return alertTexts(spec, site(spec.cluster)); }

const Finding* find(const QList<Finding>& findings, const QString& slug)
{
    for (const Finding& finding : findings) {
        if (finding.slug == slug)
            return &finding;
    }
    return nullptr;
}

using Change = std::function<void(JobSpec&)>;

} // namespace

Q_DECLARE_METATYPE(std::function<void(rankwright::JobSpec&)>)

class DesignChecksTest : public test::Suite {
    Q_OBJECT
private slots:
    void cleanDesigns_data();
    void cleanDesigns();
    void broken_data();
    void broken();
    void requestCases_data();
    void requestCases();
    void fixesCure_data();
    void fixesCure();
    void figuresInTheText();
    void order();
    void noFalseAlarms_data();
    void noFalseAlarms();
    void unknownCluster();
    void otherProfiles();
    void limitsKnownAsData_data();
    void limitsKnownAsData();
    void wholeNodeElsewhere();
    void namesWithPercentSigns();
    void threadsAreCountedAsSlurmDoes();
    void accountsByKindOfGpu();
    void whereTorchComesFrom_data();
    void whereTorchComesFrom();

private:
    void addBroken();
};

void DesignChecksTest::cleanDesigns_data()
{
    QTest::addColumn<JobSpec>("spec");
    QTest::newRow("two GCDs") << clean();
    JobSpec spec = clean();
    spec.resources = {4, 8, 7, Bytes::gib(480)};
    spec.time = Seconds{172800};
    spec.training.globalBatch = 1024;
    spec.training.microBatch = 8;
    spec.training.precision = Precision::Bf16Mixed;
    spec.program.microBatch = u"--batch-size"_s;
    spec.program.accumulation = u"--accumulate"_s;
    spec.program.precision = u"own"_s;
    spec.environment.variables = {{u"NCCL_DEBUG"_s, u"INFO"_s}};
    QTest::newRow("four nodes, everything given") << spec;
    QTest::newRow("practice") << clean(u"practice"_s);
    spec = clean();
    spec.resources.gpusPerNode = 1;
    QTest::newRow("single GCD") << spec;
}

void DesignChecksTest::cleanDesigns()
{
    QFETCH(JobSpec, spec);
    const auto findings = alertTexts(spec);
    for (const Finding& finding : findings)
        QFAIL(qPrintable(finding.slug + u": "_s + finding.text));
}

void DesignChecksTest::addBroken()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < test::brokenDesigns.size(); ++i)
        QTest::newRow(test::brokenDesigns.at(i).tag) << i;
}

void DesignChecksTest::broken_data() { addBroken(); }

void DesignChecksTest::broken()
{
    QFETCH(int, index);
    const test::BrokenDesign& expected = test::brokenDesigns.at(index);
    JobSpec spec = clean();
    expected.change(spec);
    const auto findings = alertTexts(spec);
    bool found = false;
    for (const Finding& finding : findings) {
        QVERIFY(!finding.text.isEmpty() && !finding.source.isEmpty() && !finding.text.contains(u'\n'));
        static const QRegularExpression unfilled(u"%\\d"_s); // an argument that was never filled in
        QVERIFY2(!finding.text.contains(unfilled), qPrintable(finding.text));
        QVERIFY(!finding.lines);
        QVERIFY2(specField(finding.field), qPrintable(finding.field));
        found = found
            || (finding.slug == QStringView(expected.slug) && finding.rule == QStringView(expected.rule)
                && finding.severity == expected.severity && finding.field == expected.field);
    }
    QVERIFY(found);
    QVERIFY(std::is_sorted(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::pair(a.severity, formOrder(a.field)) < std::pair(b.severity, formOrder(b.field));
    }));
}

void DesignChecksTest::requestCases_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("partition");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<qint64>("minutes");
    QTest::addColumn<QString>("slug"); // empty: accepted
    QTest::addColumn<QString>("proposal");
    // request checks of the table of cases; section 3
    QTest::newRow("V3 Mahti gpusmall, 2 nodes")
        << u"mahti"_s << u"gpusmall"_s << 2 << 1 << qint64(60) << u"partition-limit"_s << u"gpumedium"_s;
    QTest::newRow("V11 Roihu gpumedium, 8 GPUs")
        << u"roihu"_s << u"gpumedium"_s << 2 << 4 << qint64(60) << u"partition-limit"_s << u"gpularge"_s;
    QTest::newRow("V12 Roihu gpularge, 1 GPU")
        << u"roihu"_s << u"gpularge"_s << 1 << 1 << qint64(60) << u"partition-limit"_s << u"gpumedium"_s;
    QTest::newRow("V14 LUMI small-g, 5 nodes")
        << u"lumi"_s << u"small-g"_s << 5 << 8 << qint64(60) << u"partition-limit"_s << u"standard-g"_s;
    QTest::newRow("V15 LUMI standard-g, 49 h")
        << u"lumi"_s << u"standard-g"_s << 1 << 8 << qint64(2940) << u"partition-limit"_s << u"small-g"_s;
    QTest::newRow("V28 Raven, 81 nodes") << u"raven"_s << u"gpu"_s << 81 << 4 << qint64(60) << u"partition-limit"_s
                                         << QString();
    QTest::newRow("V30 Raven gpudev, 16 min")
        << u"raven"_s << u"gpudev"_s << 1 << 1 << qint64(16) << u"partition-limit"_s << u"gpu"_s;
    QTest::newRow("V30 Raven gpudev, 15 min")
        << u"raven"_s << u"gpudev"_s << 1 << 1 << qint64(15) << QString() << QString();
    QTest::newRow("LUMI largest job") << u"lumi"_s << u"standard-g"_s << 1024 << 8 << qint64(2880) << QString()
                                      << QString();
    QTest::newRow("practice gpumedium, 36 h")
        << u"practice"_s << u"gpumedium"_s << 6 << 4 << qint64(2160) << QString() << QString();
    QTest::newRow("practice gpumedium, 37 h")
        << u"practice"_s << u"gpumedium"_s << 1 << 4 << qint64(2220) << u"partition-limit"_s << u"small-g"_s;
}

void DesignChecksTest::requestCases()
{
    QFETCH(QString, cluster);
    QFETCH(QString, partition);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(qint64, minutes);
    QFETCH(QString, slug);
    QFETCH(QString, proposal);
    JobSpec spec = clean(cluster);
    spec.partition = partition;
    spec.resources = {nodes, gpus, {}, {}};
    spec.time = Seconds{minutes * 60};
    const ClusterProfile profile = cluster == u"roihu"_s ? roihu() : site(cluster);
    const auto findings = alertTexts(spec, profile);
    const Finding* limit = find(findings, u"partition-limit"_s);
    QCOMPARE(limit != nullptr, !slug.isEmpty());
    if (limit == nullptr)
        return;
    QCOMPARE(limit->severity, Severity::Error);
    if (!proposal.isEmpty()) {
        QVERIFY(limit->fix.has_value());
        limit->fix->apply(spec);
        QCOMPARE(spec.partition, proposal);
        QVERIFY(find(alertTexts(spec, profile), u"partition-limit"_s) == nullptr);
    }
}

void DesignChecksTest::fixesCure_data() { addBroken(); }

void DesignChecksTest::fixesCure()
{
    QFETCH(int, index);
    const test::BrokenDesign& expected = test::brokenDesigns.at(index);
    JobSpec spec = clean();
    expected.change(spec);
    const auto findings = alertTexts(spec);
    for (const Finding& finding : findings) {
        if (finding.slug != QStringView(expected.slug) || !finding.fix)
            continue;
        JobSpec cured = spec;
        finding.fix->apply(cured);
        QVERIFY(!finding.fix->label.isEmpty());
        const auto left = alertTexts(cured);
        for (const Finding& other : left)
            QVERIFY2(other.slug != finding.slug || other.field != finding.field,
                qPrintable(finding.fix->label + u": "_s + other.text));
    }
}

void DesignChecksTest::figuresInTheText()
{
    JobSpec spec = clean();
    spec.resources.gpusPerNode = 1;
    spec.resources.cpusPerGpu = 14;
    // course 2024, question 1: a GCD with 14 cores is billed as two
    QCOMPARE(find(alertTexts(spec), u"cpu-share"_s)->text,
        u"1 GCD with 14 cores on each node are billed like 2 GCDs: 1 instead of 0.5 GPU-hours for each hour."_s);
    spec = clean();
    spec.resources = {2, 8, {}, Bytes::gib(960)};
    const auto findings = alertTexts(spec);
    const Finding* memory = find(findings, u"memory-per-node"_s);
    QVERIFY(memory->text.contains(u"960G"_s) && memory->text.contains(u"480G"_s));
    memory->fix->apply(spec);
    QCOMPARE(*spec.resources.memoryPerNode, Bytes::gib(480)); // V19
    spec = clean();
    spec.training.globalBatch = 127;
    QVERIFY(find(alertTexts(spec), u"batch-split"_s)->text.contains(u"126 or 128"_s));
}

void DesignChecksTest::order()
{
    JobSpec spec = clean();
    spec.account.reset();
    spec.command = u"python train.py"_s;
    spec.training.globalBatch = 127;
    spec.training.precision = Precision::Fp16Mixed;
    spec.partition = u"dev-g"_s;
    spec.time = Seconds{86400};
    QStringList slugs; // errors first, then as the form shows the fields
    for (const Finding& finding : alertTexts(spec))
        slugs.append(toText(finding.severity) + u' ' + finding.slug);
    QCOMPARE(slugs,
        QStringList({u"error account-missing"_s, u"error partition-limit"_s, u"error command-starter"_s,
            u"warning fp16-mi250x"_s, u"warning batch-split"_s, u"hint partition-queue"_s,
            u"hint figures-unpassed"_s}));
}

void DesignChecksTest::noFalseAlarms_data()
{
    QTest::addColumn<std::function<void(JobSpec&)>>("change");
    const auto row = [](const char* tag, Change change) { QTest::newRow(tag) << change; };
    row("TOKENIZERS_PARALLELISM is not a secret", [](JobSpec& s) {
        s.environment.variables = {{u"TOKENIZERS_PARALLELISM"_s, u"false"_s}};
    });
    row("MAX_TOKENS is not a secret", [](JobSpec& s) { s.environment.variables = {{u"MAX_TOKENS"_s, u"4096"_s}}; });
    row("--token-count is not a secret",
        [](JobSpec& s) { s.command = u"train.py --max-tokens 4096 --token-count=3"_s; });
    row("python in the name", [](JobSpec& s) { s.command = u"python_train.py"_s; });
    row("a price is not a variable", [](JobSpec& s) { s.environment.variables = {{u"TITLE"_s, u"5$"_s}}; });
    row("less than", [](JobSpec& s) { s.command = u"train.py --when 'loss<1'"_s; });
    row("fp16 is a warning on MI250X only", [](JobSpec& s) {
        s.cluster = u"practice"_s;
        s.partition = u"gpumedium"_s;
        s.training.precision = Precision::Fp16Mixed;
        s.program.precision = u"--precision"_s;
    });
    row("8 cores cost no more", [](JobSpec& s) {
        s.resources.gpusPerNode = 1;
        s.resources.cpusPerGpu = 8;
    });
    row("Lightning elsewhere", [](JobSpec& s) { s.name = u"interactive"_s; });
}

void DesignChecksTest::noFalseAlarms()
{
    QFETCH(std::function<void(JobSpec&)>, change);
    JobSpec spec = clean();
    change(spec);
    const auto findings = alertTexts(spec);
    for (const Finding& finding : findings)
        QFAIL(qPrintable(finding.slug + u": "_s + finding.text));
}

void DesignChecksTest::unknownCluster()
{
    JobSpec spec = clean(u"nowhere"_s);
    const auto findings = alertTexts(spec, ClusterProfile());
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().slug, u"cluster-unknown"_s);
    QVERIFY(findings.first().text.contains(u"nowhere"_s));
    spec.cluster.clear();
    QCOMPARE(alertTexts(spec, ClusterProfile()).first().slug, u"cluster-unknown"_s);
}

void DesignChecksTest::otherProfiles()
{
    JobSpec spec = clean(u"mahti"_s);
    spec.account = u"project_2001234"_s;
    QCOMPARE(find(alertTexts(spec), u"cluster-retired"_s)->severity, Severity::Error); // V10
    spec.resources.memoryPerNode = Bytes::gib(200);
    QCOMPARE(find(alertTexts(spec), u"memory-follows-gpus"_s)->severity, Severity::Warning); // V13
    spec = clean(u"raven"_s);
    spec.account.reset();
    QVERIFY(find(alertTexts(spec), u"no-pytorch"_s) != nullptr); // its modules are compilers
    spec.environment.venv = u"venv"_s;
    QCOMPARE(alertTexts(spec).size(), 0); // Raven needs no account and no partition
    spec.training.float8 = Float8::Tensorwise; // A100
    QCOMPARE(find(alertTexts(spec), u"float8-units"_s)->severity, Severity::Error);
    spec.training.float8.reset();
    JobSpec cut = clean(u"lumi"_s);
    cut.model = QJsonObject{{u"preset"_s, u"gpt-2-small"_s}}; // 12 layers
    cut.resources.gpusPerNode = 8;
    cut.training.framework = Framework::MegatronCore;
    cut.parallel.strategy = Strategy::Pipeline;
    cut.parallel.pipeline = 8;
    const QList<Finding> cuts = alertTexts(cut);
    const Finding* const stages = find(cuts, u"stage-cut"_s);
    QVERIFY(stages != nullptr);
    QCOMPARE(stages->fix->label, u"Take 6 stages"_s);
    ClusterProfile volta = site(u"raven"_s);
    volta.nodes[0].gpu.model = u"V100 32 GB"_s;
    spec.training.precision = Precision::Bf16;
    QVERIFY(find(alertTexts(spec, volta), u"bf16-v100"_s) != nullptr);
}

void DesignChecksTest::limitsKnownAsData_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("partition");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("cores");
    QTest::addColumn<QString>("slug");
    QTest::addColumn<bool>("found");
    QTest::newRow("Perlmutter shared, 16") << u"perlmutter"_s << u"shared"_s << 1 << 16 << u"cores-per-gpu"_s << true;
    QTest::newRow("Perlmutter shared, 32") << u"perlmutter"_s << u"shared"_s << 1 << 32 << u"cores-per-gpu"_s << false;
    QTest::newRow("MareNostrum, 10") << u"marenostrum5"_s << u"acc_ehpc"_s << 2 << 10 << u"cores-per-gpu"_s << true;
    QTest::newRow("MareNostrum, 20") << u"marenostrum5"_s << u"acc_ehpc"_s << 2 << 20 << u"cores-per-gpu"_s << false;
    QTest::newRow("Roihu gpularge, 2 of 4") << u"roihu"_s << u"gpularge"_s << 2 << 72 << u"partition-limit"_s << true;
    QTest::newRow("Roihu gpularge, 4") << u"roihu"_s << u"gpularge"_s << 4 << 72 << u"partition-limit"_s << false;
    QTest::newRow("Roihu gpularge's test")
        << u"roihu"_s << u"gpularge"_s << 4 << 72 << u"partition-admission"_s << true;
    QTest::newRow("closed") << u"lumi"_s << u"fmr-g"_s << 8 << 7 << u"partition-closed"_s << true;
    QTest::newRow("named only") << u"perlmutter"_s << u"regular-80g"_s << 4 << 32 << u"partition-closed"_s << false;
}

/// S10, T5: what was known as text alone is data, and checked.
void DesignChecksTest::limitsKnownAsData()
{
    QFETCH(QString, cluster);
    QFETCH(QString, partition);
    QFETCH(int, gpus);
    QFETCH(int, cores);
    QFETCH(QString, slug);
    QFETCH(bool, found);
    JobSpec spec = clean(cluster);
    spec.partition = partition;
    spec.resources.nodes = 2;
    if (partition == u"shared")
        spec.resources.nodes = 1;
    spec.resources.gpusPerNode = gpus;
    spec.resources.cpusPerGpu = cores;
    const QList<Finding> findings = alertTexts(spec);
    const Finding* finding = find(findings, slug);
    QCOMPARE(finding != nullptr, found);
    if (found)
        QCOMPARE(finding->severity, slug == u"partition-admission" ? Severity::Hint : Severity::Error);
}

/// JUWELS Booster: 48 cores are 96 CPUs to Slurm, 24 for each GPU.
void DesignChecksTest::threadsAreCountedAsSlurmDoes()
{
    JobSpec spec = clean(u"juwels-booster"_s);
    spec.resources.gpusPerNode = 4;
    QCOMPARE(resolve(spec, site(spec.cluster)).cpusPerGpu, 24);
    spec.resources.cpusPerGpu = 24;
    QVERIFY(find(alertTexts(spec), u"node-cores"_s) == nullptr);
    spec.resources.cpusPerGpu = 25;
    const QList<Finding> findings = alertTexts(spec);
    const Finding* finding = find(findings, u"node-cores"_s);
    QVERIFY(finding != nullptr);
    QVERIFY2(finding->text.contains(u"a job gets 96 hardware threads of a node"_s), qPrintable(finding->text));
}

void DesignChecksTest::accountsByKindOfGpu()
{
    JobSpec spec = clean(u"jean-zay"_s);
    spec.partition = u"gpu_p6"_s;
    spec.account = u"abc@v100"_s;
    const QList<Finding> findings = alertTexts(spec);
    const Finding* finding = find(findings, u"account-suffix"_s);
    QVERIFY(finding != nullptr && finding->fix);
    QCOMPARE(finding->severity, Severity::Error);
    finding->fix->apply(spec);
    QCOMPARE(*spec.account, u"abc@h100"_s);
    QVERIFY(find(alertTexts(spec), u"account-suffix"_s) == nullptr);
    spec.account.reset();
    QVERIFY(find(alertTexts(spec), u"account-suffix"_s) == nullptr); // account-missing says it
}

void DesignChecksTest::whereTorchComesFrom_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("proposal"); // a word of it; empty: nothing to say
    const auto row = [](const char* name, const QString& cluster, const Change& change, const QString& proposal) {
        QTest::newRow(name) << cluster << change << proposal;
    };
    const Change nothing = [](JobSpec&) {};
    row("Clariden", u"alps-clariden"_s, nothing, u"uenv pytorch"_s);
    row("Clariden, uenv", u"alps-clariden"_s, [](JobSpec& spec) { spec.environment.uenv = u"pytorch/v2.8.0:v1"_s; },
        {});
    row("Alex", u"alex"_s, nothing, u"conda"_s);
    row("Alex, modules", u"alex"_s, [](JobSpec& spec) { spec.environment.modules = {u"python"_s}; }, {});
    row("Mila, own Python", u"mila"_s, [](JobSpec& spec) { spec.command = u"venv/bin/python train.py"_s; }, {});
    row("Mila, line of one's own", u"mila"_s,
        [](JobSpec& spec) {
            spec.overrides.append({{}, 0, {}, {u"source .venv/bin/activate"_s}});
        },
        {});
    row("Mila", u"mila"_s, nothing, u"uv sync"_s);
    row("LUMI, its image", u"lumi"_s, nothing, {});
    row(
        "LUMI without it", u"lumi"_s, [](JobSpec& spec) { spec.environment.container = u"none"_s; }, u"conda"_s);
    row("Mahti, its module", u"mahti"_s, nothing, {});
    row("no program yet", u"alex"_s, [](JobSpec& spec) { spec.command.reset(); }, {});
    row("nothing is known", u"generic"_s, nothing, {});
}

void DesignChecksTest::whereTorchComesFrom()
{
    QFETCH(QString, cluster);
    QFETCH(Change, change);
    QFETCH(QString, proposal);
    JobSpec spec = clean(cluster);
    change(spec);
    const QList<Finding> findings = alertTexts(spec);
    const Finding* finding = find(findings, u"no-pytorch"_s);
    QCOMPARE(finding != nullptr, !proposal.isEmpty());
    if (finding != nullptr)
        QVERIFY2(finding->text.contains(proposal) && finding->severity == Severity::Warning, qPrintable(finding->text));
}

void DesignChecksTest::wholeNodeElsewhere()
{
    JobSpec spec = clean();
    spec.partition = u"small-g"_s;
    spec.resources.gpusPerNode = 8;
    const QList<Finding> findings = alertTexts(spec);
    const Finding* hint = find(findings, u"whole-node-elsewhere"_s);
    QVERIFY(hint != nullptr && hint->fix);
    QCOMPARE(hint->severity, Severity::Hint);
    hint->fix->apply(spec);
    QCOMPARE(*spec.partition, u"standard-g"_s);
    spec.partition = u"small-g"_s;
    spec.resources.gpusPerNode = 4;
    spec.resources.gpusPerNode = 8;
    spec.options.exclusive = true; // whole nodes all the same
    const QList<Finding> exclusive = alertTexts(spec);
    QVERIFY(find(exclusive, u"whole-node-elsewhere"_s) == nullptr);
    spec.options.exclusive.reset();
    spec.resources.gpusPerNode = 4;
    const QList<Finding> half = alertTexts(spec);
    QVERIFY(find(half, u"whole-node-elsewhere"_s) == nullptr);
}

/// A program called "%2" is quoted as it is.
void DesignChecksTest::namesWithPercentSigns()
{
    JobSpec spec = clean();
    spec.parallel.strategy = Strategy::Tensor;
    spec.parallel.tensor = 2;
    spec.command = u"run%3and%2.py"_s;
    const QList<Finding> findings = alertTexts(spec);
    const Finding* unsaid = find(findings, u"degrees-unsaid"_s);
    QVERIFY(unsaid != nullptr);
    QVERIFY2(unsaid->text.contains(u"“run%3and%2.py”"_s) && unsaid->text.contains(u"tensor 2, pipeline 1"_s),
        qPrintable(unsaid->text));
    QVERIFY(!unsaid->text.contains(u"tells"_s));
}

RANKWRIGHT_TEST_MAIN(DesignChecksTest)
#include "tst_designchecks.moc"
