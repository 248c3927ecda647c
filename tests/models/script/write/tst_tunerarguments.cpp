// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/commandfigures.h"
#include "models/planner/design/resolve.h"
#include "models/script/write/tunerarguments.h"
#include "tests/support/testbase.h"

#include <QJsonObject>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

AdapterTargets united(const QStringList& words)
{
    AdapterTargets all;
    for (const QString& word : words)
        all |= adapterTargets(word);
    return all;
}

} // namespace

/// Options of fine-tuning programs, spelt as their own sources have them (versions: tunerarguments.h).
class TunerArgumentsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue({}); }
    void spelling_data();
    void spelling();
    void reading_data();
    void reading();
    void batchBesideNoFile();
    void weightsAsLoaded();

private:
    JobSpec design(const QString& command) const
    {
        JobSpec spec;
        spec.cluster = u"leonardo"_s;
        spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
        spec.resources.nodes = 1;
        spec.resources.gpusPerNode = 1;
        spec.parallel.strategy = Strategy::Single;
        spec.adapter.method = AdapterMethod::Lora;
        spec.adapter.rank = 8;
        spec.command = command;
        return spec;
    }
    QStringList written(const JobSpec& spec) const
    {
        QStringList texts;
        for (const ScriptLine& line :
            tunerArguments(resolve(spec, *m_catalogue.find(spec.cluster)), spec.command->split(u' ')))
            texts.append(line.text);
        return texts;
    }

    Catalogue m_catalogue;
};

void TunerArgumentsTest::spelling_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<Quantisation>("base");
    QTest::addColumn<QStringList>("targets");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* name, const char* command, Quantisation base, const QStringList& targets,
                         const QStringList& expected) {
        QTest::newRow(name) << QString::fromLatin1(command) << base << targets << expected;
    };
    const QStringList all{u"all-linear"_s}, two{u"q_proj"_s, u"v_proj"_s};
    // click's flags take no value: "Option '--load-in-4bit' does not take a value."
    row("axolotl", "axolotl train config.yml", Quantisation::Nf4Double, all,
        {u"--adapter=qlora"_s, u"--sequence-len=2048"_s, u"--lora-target-linear"_s, u"--load-in-4bit"_s,
            u"--no-sample-packing"_s, u"--gradient-checkpointing=true"_s});
    // "Can't load qlora in 8bit"
    row("axolotl, 8 bits", "axolotl train config.yml", Quantisation::Int8, two,
        {u"--adapter=lora"_s, u"--load-in-8bit"_s, u"--lora-target-modules='.*\\.(q_proj|v_proj)'"_s});
    row("LitGPT, 8 bits", "litgpt finetune_lora checkpoint", Quantisation::Int8, all,
        {u"--quantize=bnb.int8-training"_s, u"--precision=bf16-true"_s, u"--train.max_seq_length=2048"_s,
            u"--lora_mlp=true"_s, u"--lora_head=false"_s});
    row("ms-swift", "swift sft --model x", Quantisation::Nf4, all,
        {u"--tuner_type=lora"_s, u"--torch_dtype=bfloat16"_s, u"--max_length=2048"_s, u"--target_modules all-linear"_s,
            u"--quant_method=bnb"_s, u"--quant_bits=4"_s, u"--bnb_4bit_use_double_quant=false"_s});
    row("LLaMA-Factory with a file", "llamafactory-cli train x.yaml", Quantisation::Nf4, two,
        {u"finetuning_type=lora"_s, u"bf16=true"_s, u"cutoff_len=2048"_s, u"lora_target=q_proj,v_proj"_s,
            u"quantization_bit=4"_s, u"double_quantization=false"_s, u"disable_gradient_checkpointing=false"_s});
    row("LLaMA-Factory without", "llamafactory-cli train --stage sft", Quantisation::Int8, all,
        {u"--finetuning_type=lora"_s, u"--lora_target=all"_s, u"--quantization_bit=8"_s, u"--packing=false"_s});
    row("torchtune", "tune run lora_finetune_single_device --config x", Quantisation::Nf4Double,
        {u"q_proj"_s, u"o_proj"_s, u"lm_head"_s},
        {u"model.lora_attn_modules='[q_proj,output_proj]'"_s, u"model.apply_lora_to_mlp=False"_s, u"dtype=bf16"_s,
            u"tokenizer.max_seq_len=2048"_s, u"model.apply_lora_to_output=True"_s, u"model.quantize_base=True"_s,
            u"enable_activation_checkpointing=True"_s});
    row("TRL", "trl sft --model_name_or_path x", Quantisation::Nf4Double, all,
        {u"--use_peft=True"_s, u"--max_length=2048"_s, u"--dtype=bfloat16"_s, u"--lora_target_modules all-linear"_s,
            u"--load_in_4bit=True"_s, u"--use_bnb_nested_quant=True"_s, u"--packing=False"_s, u"--loss_type=nll"_s});
}

void TunerArgumentsTest::spelling()
{
    QFETCH(QString, command);
    QFETCH(QStringList, expected);
    JobSpec spec = design(command);
    QFETCH(Quantisation, base);
    QFETCH(QStringList, targets);
    spec.adapter.quantisation = base;
    spec.adapter.targets = targets;
    spec.training.packed = false;
    spec.training.sequence = 2048;
    spec.training.loss = LossKind::Full;
    spec.training.activationCheckpointing = ActivationCheckpointing::Full;
    const QStringList texts = written(spec);
    for (const QString& text : std::as_const(expected))
        QVERIFY2(texts.contains(text), qPrintable(text + u" is not in "_s + texts.join(u' ')));

    JobSpec again; // and read back
    readTunerArguments(
        *tunerProgram(command), QString(command + u' ' + texts.join(u' ')).remove(u'\'').split(u' '), again);
    QCOMPARE(again.adapter.method, spec.adapter.method);
    QCOMPARE(again.adapter.rank, spec.adapter.rank);
    QCOMPARE(again.adapter.quantisation, spec.adapter.quantisation);
    QCOMPARE(united(again.adapter.targets), united(targets));
    if (again.training.packed)
        QCOMPARE(again.training.packed, spec.training.packed);
    if (again.training.activationCheckpointing)
        QCOMPARE(again.training.activationCheckpointing, spec.training.activationCheckpointing);
}

void TunerArgumentsTest::reading_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("adapts");
    QTest::addColumn<int>("packed"); // -1: not said
    QTest::newRow("axolotl, a flag before the file")
        << u"axolotl train --sample-packing config.yml --adapter lora"_s << true << 1;
    QTest::newRow("axolotl, off") << u"axolotl train config.yml --no-sample-packing"_s << false << 0;
    QTest::newRow("LitGPT's short form") << u"litgpt finetune checkpoint"_s << true << -1;
    QTest::newRow("LitGPT, all weights") << u"litgpt finetune_full checkpoint"_s << false << -1;
    QTest::newRow("ms-swift 3") << u"swift sft --train_type lora"_s << true << -1;
    QTest::newRow("ms-swift 4, all weights") << u"swift sft --tuner_type full --packing true"_s << false << 1;
}

void TunerArgumentsTest::reading()
{
    QFETCH(QString, command);
    QFETCH(bool, adapts);
    QFETCH(int, packed);
    JobSpec spec;
    readTunerArguments(*tunerProgram(command), command.split(u' '), spec);
    QCOMPARE(spec.adapter.method == AdapterMethod::Lora, adapts);
    QCOMPARE(spec.training.packed ? int(*spec.training.packed) : -1, packed);
}

/// LLaMA-Factory splits "key=value" only behind a file; DPO has neither packing nor a choice of the language loss.
void TunerArgumentsTest::batchBesideNoFile()
{
    JobSpec spec = design(u"llamafactory-cli train --stage sft"_s);
    QCOMPARE(knownProgram(spec)->options.microBatch, u"--per_device_train_batch_size"_s);
    spec.command = u"llamafactory-cli train x.yaml"_s;
    QCOMPARE(knownProgram(spec)->options.microBatch, u"per_device_train_batch_size="_s);

    spec = design(u"trl dpo --model_name_or_path x"_s);
    spec.training.packed = true;
    spec.training.loss = LossKind::Chunked;
    const QString texts = written(spec).join(u' ');
    QVERIFY2(!texts.contains(u"packing"_s) && !texts.contains(u"loss_type"_s), qPrintable(texts));
    QVERIFY(texts.contains(u"--lora_r=8"_s));
}

/// Full training: what an open precision means for a stack, and its words for it.
void TunerArgumentsTest::weightsAsLoaded()
{
    const auto precisionAndWords = [this](Framework stack, const QString& command) {
        JobSpec spec = design(command);
        spec.training.framework = stack;
        spec.adapter = {};
        return std::pair(resolve(spec, *m_catalogue.find(spec.cluster)).precision, written(spec));
    };
    const auto [tune, tuneWords]
        = precisionAndWords(Framework::Torchtune, u"tune run full_finetune_distributed --config x"_s);
    QCOMPARE(tune, Precision::Bf16);
    QVERIFY(tuneWords.contains(u"dtype=bf16"_s));
    const auto [swift, swiftWords] = precisionAndWords(Framework::MsSwift, u"swift sft --model x"_s);
    QCOMPARE(swift, Precision::Bf16);
    QVERIFY(swiftWords.contains(u"--torch_dtype=bfloat16"_s));
    const auto [trl, trlWords] = precisionAndWords(Framework::Trl, u"trl sft --model_name_or_path x"_s);
    QCOMPARE(trl, Precision::Bf16Mixed); // fp32 weights are TRL's default
    QVERIFY(trlWords.filter(u"dtype"_s).isEmpty());
    const auto [lit, litWords] = precisionAndWords(Framework::Litgpt, u"litgpt finetune_full x"_s);
    QCOMPARE(lit, Precision::Bf16Mixed);
    QVERIFY(litWords.contains(u"--precision=bf16-mixed"_s));
}

RANKWRIGHT_TEST_MAIN(TunerArgumentsTest)
#include "tst_tunerarguments.moc"
