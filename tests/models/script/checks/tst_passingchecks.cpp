// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/templates/designtemplates.h"
#include "models/script/checks/designchecks.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"
#include "models/script/write/figurepassing.h"
#include "tests/support/testbase.h"

#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What is drawn runs: a figure that nothing hands to the program is said, and what is named is passed.
class PassingChecksTest final : public test::Suite {
    Q_OBJECT
private slots:
    void aBatchThatNothingPasses_data();
    void aBatchThatNothingPasses();
    void oneClickPassesIt();
    void itsOwnConfiguration();
    void aNamedOptionFollowsTheDesign_data();
    void aNamedOptionFollowsTheDesign();
    void theCommandDiffers();
    void sequenceAndModelDiffer();
    void eitherBatchIsAsked();
    void whatIsNoOption();
    void templatesAreClean();
    void keptInTheFile();
    void moreStepsThanTheLimit();
    void adviceReachesTheProgram();

private:
    const ClusterProfile& site(const QString& name) const { return *m_catalogue.find(name); }
    static JobSpec own()
    {
        JobSpec spec;
        spec.cluster = u"lumi"_s;
        spec.account = u"project_462000265"_s;
        spec.partition = u"standard-g"_s;
        spec.resources.nodes = 1;
        spec.resources.gpusPerNode = 8;
        spec.parallel.strategy = Strategy::Ddp;
        spec.launcher = Launcher::Torchrun;
        spec.training.globalBatch = 512;
        spec.training.microBatch = 32;
        spec.command = u"train.py --data set"_s;
        return spec;
    }
    static QList<Finding> findingsOf(const JobSpec& spec, const ClusterProfile& profile)
    {
        return derive(spec, profile).findings();
    }
    Derived derived(const JobSpec& spec) const { return derive(spec, site(spec.cluster)); }
    std::optional<Finding> found(const JobSpec& spec, const QString& slug) const
    {
        for (const Finding& finding : findingsOf(spec, site(spec.cluster))) {
            if (finding.slug == slug)
                return finding;
        }
        return std::nullopt;
    }
    static JobSpec fixed(JobSpec spec, const Fix& fix)
    {
        fix.apply(spec);
        return spec;
    }
    Catalogue m_catalogue = loadCatalogue();
};

struct PassingChange {
    std::function<void(JobSpec&)> apply;
};
Q_DECLARE_METATYPE(PassingChange)

void PassingChecksTest::aBatchThatNothingPasses_data()
{
    QTest::addColumn<PassingChange>("change");
    QTest::addColumn<QString>("says"); // empty: nothing
    const auto row = [](const char* name, const std::function<void(JobSpec&)>& change, const QString& says) {
        QTest::newRow(name) << PassingChange{change} << says;
    };
    const auto command = [](const QString& text) { return [text](JobSpec& spec) { spec.command = text; }; };
    row(
        "the program decides", [](JobSpec&) {},
        u"not passed: micro-batch 32 and 2 accumulation steps; train.py decides."_s);
    row("micro-batch alone", command(u"train.py --batch-size 32"_s), u"not passed: 2 accumulation steps;"_s);
    row("both", command(u"train.py --batch-size 32 --grad-accum 2"_s), {});
    row("global and micro", command(u"train.py --global-batch 512 --micro-batch 32"_s), {});
    row("a global batch alone keeps the program's micro-batch", command(u"train.py --global-batch 512"_s),
        u"not passed: micro-batch 32"_s);
    row("by a variable",
        [](JobSpec& spec) {
            spec.environment.variables = {{u"BATCH_SIZE"_s, u"32"_s}, {u"GRAD_ACCUM_STEPS"_s, u"2"_s}};
        },
        {});
    row("nothing asked for", [](JobSpec& spec) { spec.training = {}; }, {});
    row("no program yet", [](JobSpec& spec) { spec.command.reset(); }, {});
    row("Megatron-LM",
        [](JobSpec& spec) {
            spec.training.framework = Framework::MegatronCore;
            spec.parallel.strategy = Strategy::Tensor;
            spec.training.precision = Precision::Bf16Mixed;
            spec.command = u"pretrain_gpt.py --seq-length 2048"_s;
        },
        {});
    row("DeepSpeed's JSON",
        [](JobSpec& spec) {
            spec.parallel.strategy = Strategy::Zero2;
            spec.training.framework = Framework::Deepspeed;
            spec.training.precision = Precision::Bf16Mixed;
        },
        {});
    row("a JSON of one's own", command(u"train.py --deepspeed --deepspeed_config mine.json"_s), {});
    row("torchtitan",
        [](JobSpec& spec) {
            spec.parallel.strategy = Strategy::Fsdp;
            spec.command = u"-m torchtitan.train"_s;
            spec.training.precision = Precision::Bf16Mixed;
        },
        {});
    row(
        "the Trainer fills in its own",
        [](JobSpec& spec) {
            spec.parallel.strategy = Strategy::Zero2;
            spec.training.framework = Framework::HfTrainer;
        },
        u"not passed: micro-batch 32 and 2 accumulation steps"_s);
    row("accelerate's precision",
        [](JobSpec& spec) {
            spec.launcher = Launcher::Accelerate;
            spec.training.globalBatch.reset();
            spec.training.microBatch.reset();
            spec.training.precision = Precision::Bf16Mixed;
        },
        {});
    row(
        "epochs and precision",
        [](JobSpec& spec) {
            spec.training = {};
            spec.training.epochs = 3;
            spec.training.precision = Precision::Bf16Mixed;
        },
        u"not passed: 3 epochs and precision bf16-mixed;"_s);
    row("epochs in the command",
        [](JobSpec& spec) {
            spec.training = {};
            spec.training.epochs = 3;
            spec.command = u"train.py --epochs 3"_s;
        },
        {});
}

void PassingChecksTest::aBatchThatNothingPasses()
{
    QFETCH(PassingChange, change);
    QFETCH(QString, says);
    JobSpec spec = own();
    change.apply(spec);
    const auto finding = found(spec, u"figures-unpassed"_s);
    QVERIFY2(finding.has_value() != says.isEmpty(), qPrintable(finding ? finding->text : QString()));
    if (!finding)
        return;
    QCOMPARE(finding->severity, Severity::Hint);
    QVERIFY2(finding->text.contains(says), qPrintable(finding->text));
}

void PassingChecksTest::oneClickPassesIt()
{
    JobSpec spec = own();
    spec.command = u"run_clm.py --model_name_or_path gpt2"_s;
    const auto finding = found(spec, u"figures-unpassed"_s);
    QVERIFY(finding && finding->fix);
    QCOMPARE(finding->fix->label, u"Pass --per_device_train_batch_size and --gradient_accumulation_steps"_s);
    const JobSpec after = fixed(spec, *finding->fix);
    QVERIFY(!found(after, u"figures-unpassed"_s));
    const QString script = derived(after).script.text();
    QVERIFY2(script.contains(u"--per_device_train_batch_size=32"_s), qPrintable(script));
    QVERIFY2(script.contains(u"--gradient_accumulation_steps=2"_s), qPrintable(script));
}

void PassingChecksTest::itsOwnConfiguration()
{
    const auto finding = found(own(), u"figures-unpassed"_s);
    QVERIFY(finding && finding->fix);
    QCOMPARE(finding->fix->label, u"Its own configuration has them"_s);
    const JobSpec after = fixed(own(), *finding->fix);
    QVERIFY(!found(after, u"figures-unpassed"_s)); // answered once
    QCOMPARE(derived(after).script.text(), derived(own()).script.text());
    QCOMPARE(derived(after).batch.microBatch, 32); // the user's statement
}

void PassingChecksTest::aNamedOptionFollowsTheDesign_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("word");
    QTest::newRow("long") << u"--bs"_s << u"--bs=%1"_s;
    QTest::newRow("short") << u"-b"_s << u"-b %1"_s;
    QTest::newRow("key") << u"train.bs="_s << u"train.bs=%1"_s;
}

void PassingChecksTest::aNamedOptionFollowsTheDesign()
{
    QFETCH(QString, option);
    QFETCH(QString, word);
    for (const auto launcher : {Launcher::Torchrun, Launcher::Srun, Launcher::Accelerate}) {
        JobSpec spec = own();
        spec.launcher = launcher;
        spec.program.microBatch = option;
        spec.program.accumulation = u"--steps-of-a-batch"_s;
        for (const qint64 micro : {32, 64}) {
            spec.training.microBatch = micro;
            const QString script = derived(spec).script.text();
            QVERIFY2(script.contains(word.arg(micro)), qPrintable(script));
            QVERIFY2(script.contains(u"--steps-of-a-batch=%1"_s.arg(64 / micro)), qPrintable(script));
            QVERIFY(!found(spec, u"figures-unpassed"_s));
        }
    }
}

void PassingChecksTest::theCommandDiffers()
{
    JobSpec spec = own();
    spec.command = u"train.py --micro-batch-size 16 --grad-accum 2"_s;
    const auto finding = found(spec, u"command-differs"_s);
    QVERIFY(finding && finding->fix && finding->otherFixes.size() == 1);
    QCOMPARE(finding->severity, Severity::Warning);
    QCOMPARE(*fixed(spec, *finding->fix).command, u"train.py --micro-batch-size 32 --grad-accum 2"_s);
    QCOMPARE(fixed(spec, finding->otherFixes.first()).training.microBatch, std::optional<qint64>(16));
    for (const Fix& fix : {*finding->fix, finding->otherFixes.first()})
        QVERIFY(!found(fixed(spec, fix), u"command-differs"_s));
}

void PassingChecksTest::sequenceAndModelDiffer()
{
    JobSpec spec = own();
    spec.training.sequence = 2048;
    spec.model = QJsonObject{{u"preset"_s, u"llama-2-7b"_s}};
    spec.command = u"train.py --seq-len 4096 --model mistralai/Mistral-7B-v0.1"_s;
    const auto length = found(spec, u"command-differs"_s);
    QVERIFY(length && length->fix && length->otherFixes.size() == 1);
    QVERIFY2(length->text.contains(u"passes --seq-len 4096, and the design has 2048 for the sequence length"),
        qPrintable(length->text));
    QCOMPARE(fixed(spec, *length->fix).command, u"train.py --seq-len 2048 --model mistralai/Mistral-7B-v0.1"_s);
    QCOMPARE(fixed(spec, length->otherFixes.first()).training.sequence, std::optional<qint64>(4096));
    const auto model = found(spec, u"command-model"_s);
    QVERIFY(model && model->fix);
    QVERIFY2(model->text.contains(u"--model mistralai/Mistral-7B-v0.1, and the design has Llama 2 7B"),
        qPrintable(model->text));
    const JobSpec after = fixed(spec, *model->fix);
    QVERIFY(!found(after, u"command-model"_s));
    spec.model = QJsonObject{{u"parameters"_s, 7e9}}; // a size, not a name
    QVERIFY(!found(spec, u"command-model"_s));
    spec.model = QJsonObject{{u"parameters"_s, 70e9}};
    QVERIFY(found(spec, u"command-model"_s));
}

/// "--batch-size" is the batch of one rank for most programs, and of all for some.
void PassingChecksTest::eitherBatchIsAsked()
{
    JobSpec spec = own();
    spec.training = {};
    spec.command = u"train.py --batch-size 16"_s;
    const auto asked = found(spec, u"batch-meaning"_s);
    QVERIFY(asked && asked->fix && asked->otherFixes.size() == 1);
    QCOMPARE(asked->severity, Severity::Hint);
    QVERIFY2(asked->text.contains(u"--batch-size 16 is taken as the batch of each rank, 128 samples per step"),
        qPrintable(asked->text));
    const JobSpec each = fixed(spec, *asked->fix);
    QCOMPARE(derived(each).batch.globalBatch, 128);
    const JobSpec all = fixed(spec, asked->otherFixes.first());
    QCOMPARE(derived(all).batch.globalBatch, 16);
    QCOMPARE(derived(all).batch.microBatch, 2);
    for (const JobSpec& answered : {each, all}) {
        QVERIFY(!found(answered, u"batch-meaning"_s));
        QCOMPARE(derived(answered).script.text().count(u"--batch-size"_s), 1);
    }
    spec.command = u"train.py data.batch_size=16"_s;
    const auto key = found(spec, u"batch-meaning"_s);
    QVERIFY(key && key->fix);
    QVERIFY(!found(fixed(spec, *key->fix), u"program-option"_s));
    spec.command = u"run_clm.py --model_name_or_path gpt2 --batch_size 16"_s; // a program that is known
    QVERIFY(!found(spec, u"batch-meaning"_s));
}

void PassingChecksTest::whatIsNoOption()
{
    JobSpec spec = own();
    spec.program.microBatch = u"--bs $(date)"_s;
    const auto finding = found(spec, u"program-option"_s);
    QVERIFY(finding && finding->fix);
    QCOMPARE(finding->severity, Severity::Error);
    QVERIFY(!derived(spec).script.text().contains(u"$(date)"_s));
    QVERIFY(!found(fixed(spec, *finding->fix), u"program-option"_s));
}

void PassingChecksTest::templatesAreClean()
{
    for (const ClusterProfile& profile : m_catalogue.clusters) {
        for (const QString& id : templateIds()) {
            const DesignTemplate made = designTemplate(id, profile);
            if (!made.isOffered())
                continue;
            for (const Finding& finding : findingsOf(made.spec, profile))
                QVERIFY2(finding.slug != u"figures-unpassed" && finding.slug != u"command-differs",
                    qPrintable(profile.name + u' ' + id + u": "_s + finding.text));
        }
    }
}

void PassingChecksTest::keptInTheFile()
{
    JobSpec spec = own();
    spec.program.microBatch = u"--bs"_s;
    spec.program.precision = QString(ownConfiguration);
    const auto read = readDesign(writeDesign(spec), u"design"_s);
    QVERIFY_RESULT(read);
    QVERIFY(read->spec == spec);
}

/// Four steps fitted the limit, 90 were asked for, and all checks passed.
void PassingChecksTest::moreStepsThanTheLimit()
{
    JobSpec spec = own();
    spec.resources.nodes = 4;
    spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    spec.parallel.strategy = Strategy::Fsdp;
    spec.training.activationCheckpointing = ActivationCheckpointing::Full;
    spec.training.microBatch = 2;
    spec.time = Seconds{600};
    spec.command = u"train.py --batch-size 2 --grad-accum 8 --max-steps 90"_s;
    const auto finding = found(spec, u"time-too-short"_s);
    QVERIFY(finding && finding->fix);
    QVERIFY2(finding->text.startsWith(u"90 steps are asked for"_s), qPrintable(finding->text));
    QCOMPARE(finding->field, QString(field::time));
    QVERIFY(!found(fixed(spec, *finding->fix), u"time-too-short"_s));
    spec.command = u"train.py --batch-size 2 --grad-accum 8 --max-steps 2"_s;
    QVERIFY(!found(spec, u"time-too-short"_s));
}

void PassingChecksTest::adviceReachesTheProgram()
{
    JobSpec spec = own();
    const auto passes
        = [this](const JobSpec& one) { return canPassMicroBatch(resolve(one, site(u"lumi"_s)), site(u"lumi"_s)); };
    QVERIFY(!passes(spec));
    spec.program.microBatch = u"--bs"_s;
    QVERIFY(passes(spec));
    spec.program.microBatch = QString(ownConfiguration);
    QVERIFY(!passes(spec));
    spec.command = u"train.py --batch-size 32"_s;
    QVERIFY(passes(spec));
    setMicroBatch(spec, 64);
    QCOMPARE(*spec.command, u"train.py --batch-size 64"_s);
    QCOMPARE(spec.training.microBatch, std::optional<qint64>(64));
}

RANKWRIGHT_TEST_MAIN(PassingChecksTest)
#include "tst_passingchecks.moc"
