// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/advice.h"
#include "tests/support/testbase.h"
#include "widgets/design/designtext.h"
#include "widgets/form/designfields.h"
#include "widgets/form/fieldparsing.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// What people type into the form and what the page answers in words: no widget is built.
class DesignWordsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsNumbers_data();
    void readsNumbers();
    void readsTimesAndSizes();
    void readsVariables();
    void roundTripsEveryField();
    void orderIsTheTables();
    void explainsWithFigures();
    void countsVerdicts();
    void whatIsNotOfferedSaysWhy();

private:
    Derived derivedOf(const std::function<void(JobSpec&)>& change) const;

    Catalogue m_catalogue = loadCatalogue();
};

Derived DesignWordsTest::derivedOf(const std::function<void(JobSpec&)>& change) const
{
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.resources.nodes = 2;
    spec.time = Seconds{12 * 3600};
    spec.training.globalBatch = 512;
    spec.training.microBatch = 4;
    change(spec);
    return derive(spec, *m_catalogue.find(spec.cluster));
}

void DesignWordsTest::readsNumbers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("value"); // 0: open, -1: refused
    QTest::newRow("plain") << u"512"_s << qint64(512);
    QTest::newRow("grouped") << u"1 024"_s << qint64(1024);
    QTest::newRow("thin space") << u"1\u202f024"_s << qint64(1024);
    QTest::newRow("empty") << u"  "_s << qint64(0);
    QTest::newRow("letters") << u"12x"_s << qint64(-1);
    QTest::newRow("zero") << u"0"_s << qint64(-1);
    QTest::newRow("negative") << u"-3"_s << qint64(-1);
    QTest::newRow("beyond") << u"1000001"_s << qint64(-1);
    QTest::newRow("far beyond") << u"99999999999999999999"_s << qint64(-1);
    QTest::newRow("half") << u"1.5"_s << qint64(-1);
}

void DesignWordsTest::readsNumbers()
{
    QFETCH(QString, text);
    QFETCH(qint64, value);
    const auto number = readWhole(text, 1, 1000000);
    QCOMPARE(number.hasValue(), value >= 0);
    if (!number)
        QVERIFY(number.error().what.endsWith(u'.'));
    else
        QCOMPARE(number->value_or(0), value);
}

void DesignWordsTest::readsTimesAndSizes()
{
    // sbatch(1): "minutes", "hours:minutes:seconds", "days-hours".
    QCOMPARE(readTime(u"90"_s)->value().count, 5400);
    QCOMPARE(readTime(u"10m"_s)->value().count, 600);
    QCOMPARE(readTime(u" 90\u2009min "_s)->value().count, 5400);
    QCOMPARE(readTime(u"2 h"_s)->value().count, 7200);
    QCOMPARE(readTime(u"1d 12h 30m"_s)->value().count, 131400);
    QVERIFY(!readTime(u"0 min"_s) && !readTime(u"h"_s) && !readTime(u"30s"_s));
    QCOMPARE(readTime(u"12:00:00"_s)->value().count, 43200);
    QCOMPARE(readTime(u"2-0"_s)->value().count, 172800);
    QVERIFY(!readTime(u"abc"_s));
    QVERIFY(!readTime(u"0"_s));
    QCOMPARE(readMemory(u"480G"_s)->value(), Bytes::gib(480));
    QCOMPARE(readMemory(u"480 GiB"_s)->value(), Bytes::gib(480));
    QVERIFY(!readMemory(u"lots"_s));
    QVERIFY(!readMemory(u""_s)->has_value());
    QCOMPARE(readPositive(u"1,5"_s)->value(), 1.5);
    QVERIFY(!readPositive(u"-1"_s));
}

void DesignWordsTest::readsVariables()
{
    const auto variables = readVariables(u"A=1\n\nNAME=x y=z\n"_s);
    QVERIFY_RESULT(variables);
    QCOMPARE(variables->value(u"NAME"_s), u"x y=z"_s);
    QCOMPARE(variables->size(), 2);
    QVERIFY(!readVariables(u"1A=2"_s));
    QVERIFY(!readVariables(u"no equals sign"_s));
}

void DesignWordsTest::explainsWithFigures()
{
    const Derived derived = derivedOf([](JobSpec& spec) { spec.launcher = Launcher::Srun; });
    // LUMI user guide: GCD 5 is in NUMA 0, next to cores 9-15, mask 0xfe00.
    const QString line = DesignText::rankLine(derived, 5);
    QVERIFY2(line.contains(u"GCD 5"_s) && line.contains(u"NUMA 0"_s) && line.contains(u"9–15"_s), qPrintable(line));
    QVERIFY(line.contains(u"fe00"_s));
    QVERIFY(DesignText::rankToolTip(derived, 5).contains(u"200 GB/s to GCD 4 in the same package"_s));
    QVERIFY(DesignText::rankToolTip(derived, 99).isEmpty());
    QCOMPARE(DesignText::batchEquation(derived), u"512 = 4 per micro-batch × 8 accumulation steps × 16 ranks"_s);
    QCOMPARE(DesignText::mapTitle(derived), u"2 nodes · 16 GCDs · ranks on their own cores"_s);
    // 64 GiB / 16 bytes = 4.29e9 parameters (ZeRO paper, section 3.1).
    QVERIFY(strategySummary(derived.resolved).contains(u"4.3 billion"_s));
    const Derived shared = derivedOf([](JobSpec& spec) {
        spec.partition = u"small-g"_s;
        spec.resources.nodes = 1;
        spec.resources.gpusPerNode = 2;
    });
    QVERIFY(DesignText::rankLine(shared, 0).contains(u"not bound"_s));
    QVERIFY(DesignText::idleGpuText(shared, 0, 5).contains(u"Other jobs may use it"_s));
    QVERIFY(
        DesignText::costSummary(derivedOf([](JobSpec& spec) { spec.cluster = u"raven"_s; })).contains(u"not known"_s));
}

/// A field's text, read again, gives the same design; empty text opens the field.
void DesignWordsTest::roundTripsEveryField()
{
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"dev-g"_s;
    spec.account = u"project_465000001"_s;
    spec.reservation = u"course"_s;
    spec.time = Seconds{5400};
    spec.resources = {2, 8, 7, Bytes::gib(480)};
    spec.training.globalBatch = 512;
    spec.training.microBatch = 4;
    spec.training.datasetSamples = 25000;
    spec.training.datasetTokens = 2'000'000'000;
    spec.training.packed = false;
    spec.training.groupedExperts = true;
    spec.adapter.alpha = 16;
    spec.training.epochs = 2.5;
    spec.model = {{u"preset"_s, u"llama-3-8b"_s}};
    spec.training.sequence = 4096;
    spec.training.precision = Precision::Bf16Mixed;
    spec.training.activationCheckpointing = ActivationCheckpointing::Full;
    spec.training.attention = AttentionKind::Flash;
    spec.training.optimizer = Optimizer::AdamW8bit;
    spec.training.offload = Offload::OptimizerAndParameters;
    spec.training.float8 = Float8::Rowwise;
    spec.training.compile = true;
    spec.training.framework = Framework::Fsdp2;
    spec.parallel.expert = 8;
    spec.parallel.virtualStages = 5;
    spec.parallel.sequenceParallel = false;
    spec.parallel.shardOptimizer = true;
    spec.parallel.reshard = false;
    spec.training.loss = LossKind::Fused;
    spec.adapter.method = AdapterMethod::Lora;
    spec.adapter.rank = 16;
    spec.adapter.targets = QStringList{u"q_proj"_s, u"v_proj"_s};
    spec.adapter.quantisation = Quantisation::Nf4;
    spec.parallel.strategy = Strategy::Ddp;
    spec.launcher = Launcher::Srun;
    spec.parallel.tensor = 4;
    spec.parallel.pipeline = 2;
    spec.parallel.context = 2;
    spec.parallel.expert = 2;
    spec.parallel.virtualStages = 2;
    spec.parallel.firstStageLayers = 7;
    spec.parallel.lastStageLayers = 6;
    spec.parallel.sequenceParallel = true;
    spec.parallel.shardOptimizer = false;
    spec.parallel.reshard = false;
    spec.environment = {u"none"_s, {u"gcc/13"_s, u"cuda/12.6"_s}, u"env"_s, u"base"_s, {},
        {u"source env.sh"_s, u"export DATA=$(pwd)/data"_s}, {}, {{u"A"_s, u"1 2"_s}, {u"B"_s, QString()}}, {}};
    spec.environment.hangEvidence = false;
    spec.options.qos = u"normal"_s;
    spec.options.constraint = u"gpu80"_s;
    spec.options.exclusive = true;
    spec.options.cpuBinding = false;
    spec.options.numaBinding = NumaBinding::Exclusive;
    spec.options.signal = u"USR1@300"_s;
    spec.options.requeue = true;
    spec.options.requeueAtLimit = 5;
    spec.options.resumeArguments = u"--resume"_s;
    spec.options.array = u"1-10%1"_s;
    spec.options.dependency = u"afterok:12"_s;
    spec.options.output = u"%x-%j.log"_s;
    spec.options.mailUser = u"ada@example.org"_s;
    spec.options.mailType = u"END"_s;
    spec.command = u"train.py --epochs 50"_s;
    spec.program = {u"--batch-size"_s, u"--accumulate"_s, u"total="_s, u"own"_s, u"--bf16"_s};
    spec.workdir = u"/scratch/x"_s;
    spec.monitor.sampler = true;
    spec.monitor.interval = 10;
    const auto fields = designFields();
    JobSpec copy;
    for (const DesignField& field : fields) {
        QVERIFY2(!field.text(spec).isEmpty(), qPrintable(field.path));
        QVERIFY_RESULT(field.apply(field.text(spec), copy));
    }
    QCOMPARE(copy, spec);
    for (const DesignField& field : fields)
        QVERIFY_RESULT(field.apply(QString(), copy));
    QCOMPARE(copy, JobSpec());
}

/// Findings come in the order of the field table: the form has to show the fields in it.
void DesignWordsTest::orderIsTheTables()
{
    QList<FieldPath> shown;
    for (const DesignField& field : designFields()) {
        const SpecField* row = specField(field.path);
        QVERIFY2(row != nullptr, qPrintable(field.path));
        QCOMPARE(field.group, row->group);
        if (shown.isEmpty() || shown.last() != field.path) // a strategy has two rows: family and variant
            shown.append(field.path);
    }
    QList<FieldPath> listed;
    for (const SpecField& row : specFields()) {
        if (row.inForm)
            listed.append(row.path);
    }
    QCOMPARE(shown, listed);
}

void DesignWordsTest::countsVerdicts()
{
    QList<Finding> findings;
    QCOMPARE(DesignText::verdict(findings), u"Ready"_s);
    findings.append(Finding{});
    QCOMPARE(DesignText::verdict(findings), u"Ready, 1 warning"_s);
    findings.append(Finding{});
    findings.last().severity = Severity::Error;
    QCOMPARE(DesignText::verdict(findings), u"1 error"_s);
    findings.append(findings.last());
    QCOMPARE(DesignText::verdict(findings), u"2 errors"_s);
}

/// A list of one entry, “none”, left open whether there was ever more.
void DesignWordsTest::whatIsNotOfferedSaysWhy()
{
    for (const QString& cluster : {u"lumi"_s, u"practice"_s}) {
        Design design(m_catalogue);
        JobSpec spec;
        spec.cluster = cluster;
        spec.resources.nodes = 2;
        spec.launcher = Launcher::Torchrun;
        design.replace(spec);
        int offered = 0, refused = 0;
        for (const DesignField& field : designFields()) {
            if (field.path != QLatin1StringView(field::numaBinding))
                continue;
            for (const DesignField::Option& option : field.options(design)) {
                offered += option.enabled ? 1 : 0;
                refused += !option.enabled && !option.note.isEmpty() ? 1 : 0;
            }
        }
        QCOMPARE(offered, cluster == u"lumi"_s ? 5 : 1);
        QCOMPARE(refused, cluster == u"lumi"_s ? 0 : 4);
    }
}

RANKWRIGHT_TEST_MAIN(DesignWordsTest)
#include "tst_designwords.moc"
