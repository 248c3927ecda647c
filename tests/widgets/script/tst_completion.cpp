// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/batch/optionhelp.h"
#include "models/script/batch/slurmoptions.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/script/completion.h"
#include "widgets/script/completionpopup.h"
#include "widgets/script/scriptcompleter.h"
#include "widgets/script/scripteditor.h"

#include <QApplication>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

CompletionFacts someFacts()
{
    CompletionFacts facts;
    facts.partitions = {{u"small-g"_s, u"shared nodes"_s}, {u"standard-g"_s, u"whole nodes"_s}, {u"dev-g"_s, {}}};
    facts.accounts = {{u"project_462000265"_s, u"yours"_s}};
    facts.gres = {{u"gpu:mi250:8"_s, {}}, {u"gpu:mi250:4"_s, {}}};
    facts.gpuCounts = {{u"8"_s, {}}, {u"4"_s, {}}};
    facts.modules = {{u"lumi-aif-singularity-bindings"_s, {}}, {u"LUMI/24.03"_s, {}}};
    facts.reservations = {{u"course"_s, {}}};
    facts.constraints = {{u"a100"_s, {}}};
    return facts;
}

/// What is offered at the "|" of a script's last line; the script begins with the line of the shell.
Completion offered(const QString& marked, bool asked = false)
{
    const QString script = u"#!/bin/bash\n"_s + marked;
    QStringList lines = script.split(u'\n');
    const int column = int(lines.last().indexOf(u'|'));
    lines.last().remove(column, 1);
    return completionAt(
        lines, int(lines.size()) - 1, column, someFacts(), asked ? CompletionCause::Request : CompletionCause::Typing);
}

QStringList textsOf(const Completion& completion)
{
    QStringList texts;
    for (const CompletionItem& item : completion.items)
        texts.append(item.text);
    return texts;
}

} // namespace

class CompletionTest final : public test::Suite {
    Q_OBJECT
private slots:
    void offers_data();
    void offers();
    void offersNothing_data();
    void offersNothing();
    void replacesTheWholeWord();
    void knowsTheProgram_data();
    void knowsTheProgram();
    void explainsEveryOption();
    void takesNamesFromTheCatalogue();
    void putsLiveNamesFirst();
    void completesInTheEditor();
    void choosesByKeyboard();

private:
    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
};

void CompletionTest::offers_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("first");
    QTest::newRow("long option") << u"#SBATCH --par|"_s << u"--partition="_s;
    QTest::newRow("option behind a dash") << u"#SBATCH --gpus-per-n|"_s << u"--gpus-per-node="_s;
    QTest::newRow("option in its middle") << u"#SBATCH --ntasks-p|er-node"_s << u"--ntasks-per-node="_s;
    QTest::newRow("second option of a line") << u"#SBATCH -N 2 --ex|"_s << u"--exclusive"_s;
    QTest::newRow("partition") << u"#SBATCH --partition=|"_s << u"small-g"_s;
    QTest::newRow("partition begun") << u"#SBATCH --partition=st|"_s << u"standard-g"_s;
    QTest::newRow("partition, letter") << u"#SBATCH -p |"_s << u"small-g"_s;
    QTest::newRow("second partition") << u"#SBATCH --partition=small-g,de|"_s << u"dev-g"_s;
    QTest::newRow("account") << u"#SBATCH --account=|"_s << u"project_462000265"_s;
    QTest::newRow("account, letter") << u"#SBATCH -A pro|"_s << u"project_462000265"_s;
    QTest::newRow("gres") << u"#SBATCH --gres=|"_s << u"gpu:mi250:8"_s;
    QTest::newRow("gpus per node") << u"#SBATCH --gpus-per-node=|"_s << u"8"_s;
    QTest::newRow("constraint") << u"#SBATCH --constraint=|"_s << u"a100"_s;
    QTest::newRow("reservation") << u"#SBATCH --reservation=|"_s << u"course"_s;
    QTest::newRow("choice") << u"#SBATCH --open-mode=|"_s << u"append"_s;
    QTest::newRow("choice begun") << u"#SBATCH --mail-type=BEGIN,F|"_s << u"FAIL"_s;
    QTest::newRow("srun option") << u"srun --kill|"_s << u"--kill-on-bad-exit"_s;
    QTest::newRow("srun, continued line") << u"srun --nodes=2 \\\n     --cpu-b|"_s << u"--cpu-bind="_s;
    QTest::newRow("srun value") << u"srun --cpu-bind=ma|"_s << u"map_cpu:"_s;
    QTest::newRow("torchrun in srun") << u"srun --nodes=2 torchrun --rdzv_b|"_s << u"--rdzv_backend="_s;
    QTest::newRow("torch.distributed.run") << u"python3 -m torch.distributed.run --nno|"_s << u"--nnodes="_s;
    QTest::newRow("accelerate") << u"accelerate launch --num_m|"_s << u"--num_machines="_s;
    QTest::newRow("deepspeed") << u"deepspeed --no_s|"_s << u"--no_ssh"_s;
    QTest::newRow("module") << u"module load lumi-a|"_s << u"lumi-aif-singularity-bindings"_s;
    QTest::newRow("second module") << u"module load LUMI/24.03 lumi-a|"_s << u"lumi-aif-singularity-bindings"_s;
    QTest::newRow("ml") << u"ml LU|"_s << u"LUMI/24.03"_s;
    QTest::newRow("variable") << u"export A=$SLURM_JOB_NODE|"_s << u"SLURM_JOB_NODELIST"_s;
    QTest::newRow("variable in braces") << u"echo \"${SLURM_PROC|}\""_s << u"SLURM_PROCID"_s;
    QTest::newRow("directive") << u"#SB|"_s << u"#SBATCH "_s;
}

void CompletionTest::offers()
{
    QFETCH(QString, script);
    QFETCH(QString, first);
    const Completion completion = offered(script);
    QVERIFY2(!completion.isEmpty(), "nothing offered");
    QCOMPARE(completion.items.first().text, first);
}

void CompletionTest::offersNothing_data()
{
    QTest::addColumn<QString>("script");
    QTest::newRow("comment") << u"# srun --nod|"_s;
    QTest::newRow("plain text") << u"echo hello|"_s;
    QTest::newRow("free value") << u"#SBATCH --job-name=ll|"_s;
    QTest::newRow("number") << u"#SBATCH --nodes=2|"_s;
    QTest::newRow("standing there already") << u"#SBATCH --partition=dev-g|"_s;
    QTest::newRow("unknown option") << u"#SBATCH --zzz|"_s;
    QTest::newRow("another command's dash") << u"ls -l|"_s;
    QTest::newRow("behind the next command") << u"srun a; ls --nod|"_s;
    QTest::newRow("disabled directive") << u"##SBATCH --par|"_s;
}

void CompletionTest::offersNothing()
{
    QFETCH(QString, script);
    QCOMPARE(textsOf(offered(script)), QStringList());
}

void CompletionTest::replacesTheWholeWord()
{
    Completion completion = offered(u"#SBATCH --par|tition=small-g"_s);
    QCOMPARE(completion.from, 8);
    QCOMPARE(completion.to, 19);
    QCOMPARE(completion.items.first().text, u"--partition"_s); // the equals sign is there
    completion = offered(u"#SBATCH --partition=sma|ll-g"_s);
    QCOMPARE(completion.from, 20);
    QCOMPARE(completion.to, 27);
    completion = offered(u"#SBATCH --mail-type=BE|GIN,END"_s);
    QCOMPARE(completion.from, 20);
    QCOMPARE(completion.to, 25);
    QVERIFY(offered(u"#SBATCH |"_s).isEmpty());
    QVERIFY(offered(u"#SBATCH |"_s, true).items.size() > 60); // Ctrl+Space: everything
}

void CompletionTest::knowsTheProgram_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("program");
    QTest::newRow("directive") << u"#SBATCH --x"_s << u"sbatch"_s;
    QTest::newRow("srun") << u"srun --x"_s << u"srun"_s;
    QTest::newRow("inner") << u"srun singularity run $SIF torchrun --x"_s << u"torchrun"_s;
    QTest::newRow("path") << u"/usr/bin/srun --x"_s << u"srun"_s;
    QTest::newRow("word that only holds it") << u"mysrun --x"_s << QString();
    QTest::newRow("in a substitution") << u"A=$(srun --x"_s << u"srun"_s;
    QTest::newRow("pipe") << u"srun a | tee --x"_s << QString();
}

void CompletionTest::knowsTheProgram()
{
    QFETCH(QString, line);
    QFETCH(QString, program);
    QCOMPARE(programAt({line}, 0, int(line.size())), program);
}

/// Every option that the parser knows is explained in one line, and no explanation is left over.
void CompletionTest::explainsEveryOption()
{
    for (const QString& program : {u"sbatch"_s, u"srun"_s}) {
        const auto of = program == u"sbatch" ? SlurmOption::Of::Sbatch : SlurmOption::Of::Srun;
        for (const SlurmOption& option : slurmOptions()) {
            if (!option.takes(of))
                continue;
            const OptionHelp* help = helpOf(program, u"--"_s + option.name);
            QVERIFY2(help && !help->help.isEmpty(), qPrintable(program + u" --"_s + option.name));
            QVERIFY2(help->help.size() < 130 && !help->help.endsWith(u'.'), qPrintable(help->help));
            QCOMPARE(help->value == OptionHelp::Value::None, option.argument == SlurmOption::Argument::None);
        }
    }
    QVERIFY(!helpOf(u"sbatch"_s, u"--nonsense"_s));
    QCOMPARE(helpOf(u"sbatch"_s, u"-N4"_s)->name, u"nodes"_s);
    QVERIFY(optionsOf(u"ls"_s).isEmpty());
}

void CompletionTest::takesNamesFromTheCatalogue()
{
    const ClusterProfile* lumi = m_catalogue.find(u"lumi"_s);
    QVERIFY(lumi);
    const CompletionFacts facts = completionFacts(*lumi, {}, {});
    QStringList partitions;
    for (const NamedValue& value : facts.partitions)
        partitions.append(value.name);
    QVERIFY(partitions.contains(u"standard-g"_s) && partitions.contains(u"small-g"_s));
    QCOMPARE(facts.gpuCounts.first().name, u"8"_s); // a LUMI-G node has 8 GCDs (LUMI user guide, LUMI-G)
    QVERIFY(std::any_of(facts.modules.begin(), facts.modules.end(),
        [](const NamedValue& value) { return value.name == u"lumi-aif-singularity-bindings"; }));
}

void CompletionTest::putsLiveNamesFirst()
{
    const ClusterProfile* lumi = m_catalogue.find(u"lumi"_s);
    ClusterFacts live;
    live.accounts = {u"project_1"_s};
    ClusterFacts::PartitionFact fact;
    fact.name = u"new-g"_s;
    fact.nodes = 100;
    fact.idleNodes = 7;
    fact.gres = u"gpu:mi300:4(S:0-3),tmp:1"_s;
    live.partitions = {fact};
    ClusterNames names;
    names.features = QStringList{u"nvme"_s};
    names.reservations = {{u"course-g"_s, u"active"_s}};
    names.modules = QStringList{u"rocm/6.2.2"_s};
    const CompletionFacts facts = completionFacts(*lumi, live, names);
    QCOMPARE(facts.partitions.first().name, u"new-g"_s);
    QVERIFY(facts.partitions.first().note.contains(u"7 of 100 nodes idle"_s));
    QCOMPARE(facts.accounts.size(), 1); // no example beside real ones
    QCOMPARE(facts.accounts.first().name, u"project_1"_s);
    QCOMPARE(facts.gres.first().name, u"gpu:mi300:4"_s);
    QVERIFY(facts.partitions.size() > 1);
    QCOMPARE(facts.constraints.first().name, u"nvme"_s);
    QCOMPARE(facts.reservations.first(), (NamedValue{u"course-g"_s, u"active"_s}));
    QCOMPARE(facts.modules.last().name, u"rocm/6.2.2"_s);
}

void CompletionTest::completesInTheEditor()
{
    ScriptEditor editor;
    editor.resize(500, 400);
    editor.show();
    QApplication::setActiveWindow(&editor);
    editor.setFocus();
    ScriptDocument document;
    document.lines = {{u"#!/bin/bash"_s, {}, {}, {}}, {u"#SBATCH "_s, {}, {}, {}}};
    editor.setDocumentShown(document);
    editor.completer().setFacts(someFacts());
    editor.setCursorPosition(1, 8);
    QSignalSpy edited(&editor, &ScriptEditor::textEdited);
    QTest::keyClicks(&editor, u"--par"_s);
    QVERIFY(editor.completer().isOpen());
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(editor.text(1), u"#SBATCH --partition=\n"_s);
    QVERIFY(editor.completer().isOpen()); // and goes on with the partitions
    QCOMPARE(editor.completer().popup().items().size(), 3);
    QTest::keyClick(&editor, Qt::Key_Down);
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(editor.text(1), u"#SBATCH --partition=standard-g\n"_s);
    QVERIFY(!editor.completer().isOpen());
    QCOMPARE(edited.last().first().toString(), u"#!/bin/bash\n#SBATCH --partition=standard-g\n"_s);
    QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
    QVERIFY(!editor.completer().isOpen()); // it is there already
}

void CompletionTest::choosesByKeyboard()
{
    ScriptEditor editor;
    editor.resize(500, 400);
    editor.show();
    ScriptDocument document;
    document.lines = {{u"#!/bin/bash"_s, {}, {}, {}}, {u"#SBATCH --partition="_s, {}, {}, {}}};
    editor.setDocumentShown(document);
    editor.completer().setFacts(someFacts());
    editor.setCursorPosition(1, 20);
    QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
    CompletionPopup& popup = editor.completer().popup();
    QVERIFY(editor.completer().isOpen());
    QCOMPARE(popup.current(), 0);
    QTest::keyClick(&editor, Qt::Key_Up); // around the end
    QCOMPARE(popup.current(), 2);
    QTest::keyClick(&editor, Qt::Key_PageUp);
    QCOMPARE(popup.current(), 0);
    QTest::keyClick(&editor, Qt::Key_Escape);
    QVERIFY(!editor.completer().isOpen());
    QCOMPARE(editor.text(1), u"#SBATCH --partition=\n"_s);
}

RANKWRIGHT_WIDGET_TEST_MAIN(CompletionTest)
#include "tst_completion.moc"
