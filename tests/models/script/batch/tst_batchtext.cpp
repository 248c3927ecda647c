// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/batchtext.h"
#include "tests/support/cpuclock.h"
#include "tests/support/testbase.h"

#include <QDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Batch scripts taken apart. What sbatch does with directives was tried with sbatch 22.05; what bash does is in
/// bash(1).
class BatchTextTest final : public test::Suite {
    Q_OBJECT
private slots:
    void directives_data();
    void directives();
    void lostDirectives_data();
    void lostDirectives();
    void commands_data();
    void commands();
    void faults_data();
    void faults();
    void directivesEndAtTheFirstCommand();
    void hereDocumentsAreNotOurs();
    void blocksCountDepth();
    void innerShellTextKeepsPlaces();
    void variablesOfTheBatchShell();
    void staticValues();
    void anyTextIsRead();
    void longTextsTakeLinearTime_data();
    void longTextsTakeLinearTime();

private:
    static QString script(const QString& body) { return u"#!/bin/bash\n"_s + body; }
};

void BatchTextTest::directives_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* line, const QStringList& expected) {
        QTest::newRow(line) << QString::fromUtf8(line) << expected;
    };
    row("#SBATCH --nodes=2", {u"nodes=2"_s});
    row("#SBATCH --nodes 2", {u"nodes=2"_s});
    row("#SBATCH -N2", {u"nodes=2"_s});
    row("#SBATCH -N 2 -n 4 # four", {u"nodes=2"_s, u"ntasks=4"_s});
    row("#SBATCH\t-N2", {u"nodes=2"_s});
    row("#SBATCH--nodes=2", {u"nodes=2"_s});
    row("#SBATCH --nodes=2#two", {u"nodes=2"_s});
    row("#SBATCH --job-name=\"a b\" -c4", {u"job-name=a b"_s, u"cpus-per-task=4"_s});
    row("#SBATCH -J 'it is'", {u"job-name=it is"_s});
    row("#SBATCH --comment=a\\ b", {u"comment=a b"_s});
    row("#SBATCH --exclusive", {u"exclusive"_s});
    row("#SBATCH --exclusive=user --nodes=3", {u"exclusive=user"_s, u"nodes=3"_s});
    row("#SBATCH --part=small", {u"partition=small"_s});
    row("#SBATCH --tasks-per-node=8", {u"ntasks-per-node=8"_s});
    row("#SBATCH --gres gpu:a100:4 # typed", {u"gres=gpu:a100:4"_s});
    row("#SBATCH -Hk", {u"hold"_s, u"no-kill"_s});
    row("#SBATCH -G4", {u"gpus=4"_s});
    row("#SBATCH --nodes=2 \\", {u"nodes=2"_s});
    row("#SBATCH --container-image=a.sqsh", {u"container-image=a.sqsh"_s});
    row("#SBATCH -N=2", {u"nodes==2"_s});
    row("#SBATCH", {});
    row("#SBATCH # nothing", {});
}

void BatchTextTest::directives()
{
    QFETCH(QString, line);
    QFETCH(QStringList, expected);
    const BatchText batch = parseBatch(script(line + u"\nsrun hostname\n"_s));
    QStringList found;
    for (const BatchOption& option : batch.options)
        found.append(option.hasValue ? option.name + u'=' + option.value : option.name);
    QCOMPARE(found, expected);
    QVERIFY(batch.lost.isEmpty());
    QCOMPARE(batch.firstCommandLine, 3);
}

void BatchTextTest::lostDirectives_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("why");
    QTest::addColumn<int>("line");
    const auto row = [](const char* body, LostDirective::Why why, int line) {
        QTest::newRow(body) << QString::fromUtf8(body) << int(why) << line;
    };
    using Why = LostDirective::Why;
    row("module load x\n#SBATCH --nodes=2", Why::Late, 3);
    row("##SBATCH --nodes=2", Why::Disabled, 2);
    row("# SBATCH --nodes=2", Why::Spaced, 2);
    row("  #SBATCH --nodes=2", Why::Indented, 2);
    row("#sbatch --nodes=2", Why::WrongCase, 2);
    row("SBATCH --nodes=2", Why::NoHash, 2);
    row("#SBATCH --bogus=2", Why::UnknownOption, 2);
    row("#SBATCH --cpus_per_task=2", Why::UnknownOption, 2);
    row("#SBATCH --node=2", Why::Ambiguous, 2);
    row("#SBATCH -A", Why::NoValue, 2);
    row("#SBATCH --hold=2", Why::ExtraValue, 2);
    row("#SBATCH --job-name=a b", Why::StrayText, 2);
    row("#SBATCH --exclusive user", Why::StrayText, 2);
    row("#SBATCH nodes=2", Why::StrayText, 2);
    row("#SBATCH --job-name=\"a", Why::OpenQuote, 2);
    row("#SBATCH : --hold", Why::Colon, 2);
    row("#SBATCH \u2013-nodes=2", Why::StrayText, 2);
    row("#SBATCHX --hold", Why::StrayText, 2);
}

void BatchTextTest::lostDirectives()
{
    QFETCH(QString, body);
    QFETCH(int, why);
    QFETCH(int, line);
    const BatchText batch = parseBatch(script(body + u'\n'));
    QCOMPARE(batch.lost.size(), 1);
    QCOMPARE(int(batch.lost.first().why), why);
    QCOMPARE(batch.lost.first().line, line);
}

void BatchTextTest::directivesEndAtTheFirstCommand()
{
    const BatchText batch = parseBatch(u"#!/bin/bash\n#SBATCH -N 1\n\n   \n# text\n  # indented\n#SBATCH -n 2\nset -e\n"
                                       "#SBATCH -c 3\ncat <<'EOF' > other.sh\n#SBATCH --mem=1G\nEOF\n"_s);
    QCOMPARE(batch.options.size(), 2);
    QCOMPARE(batch.firstCommandLine, 8);
    QCOMPARE(batch.lost.size(), 1);
    QCOMPARE(batch.lost.first().options.first().name, u"cpus-per-task"_s);
    QVERIFY(parseBatch(u"\n#!/bin/bash\n"_s).shebang.isEmpty());
    QCOMPARE(parseBatch(u"\n#!/bin/bash\n"_s).shebangLine, 2);
    const BatchText dos = parseBatch(u"#!/bin/bash\r\n#SBATCH -N 2\r\nsrun x\r\n"_s);
    QVERIFY(dos.hasCrlf);
    QCOMPARE(dos.option(u"nodes"_s)->value, u"2"_s);
    QCOMPARE(dos.shell.commands.first().words.last().value, u"x"_s);
}

void BatchTextTest::commands_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QStringList>("expected"); // words joined by '|', one command each, blocks left out
    const auto row = [](const char* body, const QStringList& expected) {
        QTest::newRow(body) << QString::fromUtf8(body) << expected;
    };
    row("srun a 'b c' \"d $e\"", {u"srun|a|b c|d $e"_s});
    row("srun a \\\n  b\\\nc", {u"srun|a|bc"_s});
    row("a; b && c || d &\ne", {u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"e"_s});
    row("a | b |& c", {u"a"_s, u"b"_s, u"c"_s});
    row("x=1 y=\"2 3\" cmd arg", {u"cmd|arg"_s});
    row("export A=1 B=\"x y\"", {u"export|A=1|B=x y"_s});
    row("a # comment ; b", {u"a"_s});
    row("a#b c", {u"a#b|c"_s});
    row("A=$(scontrol show hostnames \"$L\" | head -n 1)", {u""_s, u"scontrol|show|hostnames|$L"_s, u"head|-n|1"_s});
    row("echo `date +%s`", {u"echo|`date +%s`"_s, u"date|+%s"_s});
    row("if [[ -z $A && ( $B < 3 ) ]]; then a; else b; fi", {u"[[|-z|$A|&|&|(|$B|<|3|)|]]"_s, u"a"_s, u"b"_s});
    row("for i in 1 2; do a $i; done | tee x", {u"a|$i"_s, u"tee|x"_s});
    row("while read -r l; do echo $l; done < f", {u"read|-r|l"_s, u"echo|$l"_s});
    row("case $x in a|b) one;; *) two ;; esac", {u"one"_s, u"two"_s});
    row("f() { a; }\nf", {u"a"_s, u"f"_s});
    row("function g { b; }", {u"b"_s});
    row("(cd x; a) && b", {u"cd|x"_s, u"a"_s, u"b"_s});
    row("! grep x y", {u"grep|x|y"_s});
    row("a > f 2>&1 < g >> h", {u"a"_s});
    row("a 2> e &> all", {u"a"_s});
    row("CMD=(torchrun --x=1 \\\n  'a b' # c\n  d)\nsrun \"${CMD[@]}\"", {u""_s, u"srun|${CMD[@]}"_s});
    row("bash -c 'x=1 a; b'", {u"bash|-c|x=1 a; b"_s, u"a"_s, u"b"_s});
    row("bash -c \"a \\$B $C\"", {u"bash|-c|a $B $C"_s, u"a|$B|$C"_s});
    row("eval \"a b\"", {u"eval|a b"_s, u"a|b"_s});
    row("((i++))\nb", {u"((i++))"_s, u"b"_s});
    row("for ((i=0; i<3; i++)); do a; done", {u"a"_s});
    row("echo ${a:-\"x y\"} ${b%%.*} $((1 + 2))", {u"echo|${a:-\"x y\"}|${b%%.*}|$((1 + 2))"_s});
    row("echo $'a\\tb' \"$\"", {u"echo|a\tb|$"_s});
    row("diff <(a) <(b)", {u"diff|<(a)|<(b)"_s, u"a"_s, u"b"_s});
    row("cat <<< \"$x\"\nb", {u"cat"_s, u"b"_s});
    row("cat <<A <<-'B'\n1\nA\n\t2 ' \"\n\tB\nc", {u"cat"_s, u"c"_s});
    row("x=$(cat <<E\nit's )\nE\n)\nb", {u""_s, u"cat"_s, u"b"_s});
    row("export -f g; wait", {u"export|-f|g"_s, u"wait"_s});
    row("echo done; echo if", {u"echo|done"_s, u"echo|if"_s});
}

void BatchTextTest::commands()
{
    QFETCH(QString, body);
    QFETCH(QStringList, expected);
    const BatchText batch = parseBatch(script(body + u'\n'));
    QStringList found;
    for (const ShellCommand& command : batch.shell.commands) {
        if (command.kind == ShellCommand::Kind::BlockStart || command.kind == ShellCommand::Kind::BlockEnd)
            continue;
        QStringList words;
        for (const ShellWord& word : command.words)
            words.append(word.value);
        found.append(words.join(u'|'));
    }
    QCOMPARE(found, expected);
    for (const ShellFault& fault : batch.shell.faults)
        QFAIL(qPrintable(fault.what));
}

void BatchTextTest::faults_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("line");
    const auto row = [](const char* body, int line) { QTest::newRow(body) << QString::fromUtf8(body) << line; };
    row("echo 'a\nb", 2);
    row("echo \"a", 2);
    row("a=$(b", 2);
    row("if a; then b", 2);
    row("for i in 1; do a; fi", 2);
    row("done", 2);
    row("a\nthen b", 3);
    row("a )", 2);
    row("cat <<EOF\nx\n", 2);
    row("echo ${a", 2);
    row("| b", 2);
    row("a=(b", 2);
}

void BatchTextTest::faults()
{
    QFETCH(QString, body);
    QFETCH(int, line);
    const BatchText batch = parseBatch(script(body + u'\n'));
    QVERIFY(!batch.shell.faults.isEmpty());
    QCOMPARE(batch.shell.faults.first().line, line);
}

void BatchTextTest::hereDocumentsAreNotOurs()
{
    const BatchText batch = parseBatch(
        script(u"cat > run_$SLURM_JOB_ID.sh <<'EOF'\n#SBATCH -N 4\nsrun torchrun --standalone x.py\nexec \"$@\"\nEOF\n"
               "chmod +x run_$SLURM_JOB_ID.sh\ncat << EOF | tee b.txt\nline\nEOF\n"_s));
    QCOMPARE(batch.shell.hereDocuments.size(), 2);
    const HereDocument& first = batch.shell.hereDocuments.first();
    QCOMPARE(first.target, u"run_$SLURM_JOB_ID.sh"_s);
    QVERIFY(first.quoted && first.closed);
    QCOMPARE(first.firstLine, 3);
    QCOMPARE(first.lastLine, 5);
    QCOMPARE(first.body.count(u'\n'), 3);
    QVERIFY(!batch.shell.hereDocuments.last().quoted);
    QVERIFY(batch.lost.isEmpty());
    QVERIFY(std::none_of(batch.shell.commands.cbegin(), batch.shell.commands.cend(),
        [](const ShellCommand& command) { return command.name() == u"srun"; }));
}

void BatchTextTest::blocksCountDepth()
{
    const BatchText batch = parseBatch(
        script(u"top\nif cond; then inif; elif second; then b; fi\nfor i in 1; do if x; then deep; fi; done\n"
               "f() {\n  inf\n}\n(sub)\nx=$(inner)\nbash -c 'shell'\nwhile w; do l; done &\n"_s));
    const auto find = [&](const QString& name) {
        const auto found = std::find_if(batch.shell.commands.cbegin(), batch.shell.commands.cend(),
            [&](const ShellCommand& command) { return command.name() == name; });
        return found != batch.shell.commands.cend() ? *found : ShellCommand();
    };
    QVERIFY(find(u"top"_s).isPlain());
    QVERIFY(find(u"cond"_s).isCondition && find(u"second"_s).isCondition);
    QCOMPARE(find(u"inif"_s).conditionDepth, 1);
    QVERIFY(!find(u"inif"_s).isCondition);
    QCOMPARE(find(u"deep"_s).conditionDepth, 1);
    QCOMPARE(find(u"deep"_s).loopDepth, 1);
    QCOMPARE(find(u"inf"_s).function, u"f"_s);
    QCOMPARE(find(u"sub"_s).subshellDepth, 1);
    QVERIFY(find(u"inner"_s).inSubstitution && find(u"inner"_s).parent);
    QVERIFY(find(u"shell"_s).inInnerShell);
    QVERIFY(find(u"done"_s).kind == ShellCommand::Kind::BlockEnd);
    QVERIFY(std::any_of(batch.shell.commands.cbegin(), batch.shell.commands.cend(), [](const ShellCommand& command) {
        return command.kind == ShellCommand::Kind::BlockEnd && command.isBackground();
    }));
}

void BatchTextTest::innerShellTextKeepsPlaces()
{
    const BatchText batch
        = parseBatch(script(u"srun -n 8 bash -c \"\n  export RANK=\\$SLURM_PROCID\n  python x.py $SLURM_JOB_ID\"\n"_s));
    QCOMPARE(batch.shell.commands.size(), 3);
    const ShellCommand& inner = batch.shell.commands.at(1);
    QCOMPARE(inner.line, 3);
    QCOMPARE(inner.column, 3);
    QCOMPARE(inner.parent, std::optional(0));
    QVERIFY(!inner.assignments.first().value.expansions.first().early);
    const ShellCommand& python = batch.shell.commands.at(2);
    QCOMPARE(python.line, 4);
    QVERIFY(python.words.last().expansions.first().early);
    QCOMPARE(python.words.last().expansions.first().column, 15);
}

void BatchTextTest::variablesOfTheBatchShell()
{
    const BatchText batch = parseBatch(
        script(u"A=1\nexport B=2\nC=3\nexport C\nif x; then D=4; fi\nE=5 cmd\n(F=6)\nset -a\nG=7\nset +a\nH=8\nH=9\n"
               "I=(a b)\nbash -c 'J=1'\nf() { K=1; }\nexport L\n"_s));
    const auto known = [&](const QString& name) { return batch.variable(name); };
    QVERIFY(known(u"A"_s) != nullptr && !known(u"A"_s)->exported && known(u"A"_s)->certain);
    QVERIFY(known(u"B"_s)->exported && known(u"C"_s)->exported);
    QVERIFY(!known(u"D"_s)->certain);
    QVERIFY(known(u"E"_s) == nullptr && known(u"F"_s) == nullptr && known(u"J"_s) == nullptr);
    QVERIFY(known(u"G"_s)->exported && !known(u"H"_s)->exported && !known(u"H"_s)->certain);
    QCOMPARE(known(u"H"_s)->value.value, u"9"_s);
    QCOMPARE(batch.variable(u"H"_s, 13)->value.value, u"8"_s);
    QCOMPARE(known(u"I"_s)->elements.size(), 2);
    QVERIFY(!known(u"K"_s)->certain);
}

void BatchTextTest::staticValues()
{
    const BatchText batch
        = parseBatch(script(u"A=8\nB=\"x$A\"\nC=$(date)\nX=$Y\nY=$X\necho $B.${A} $C ${N:-4} $SLURM_NNODES $X\n"_s));
    const QList<ShellWord>& words = batch.shell.commands.last().words;
    QCOMPARE(staticValue(batch, words.at(1), 7), std::optional(u"x8.8"_s));
    QCOMPARE(staticValue(batch, words.at(2), 7), std::optional<QString>());
    QCOMPARE(staticValue(batch, words.at(3), 7), std::optional(u"4"_s));
    QCOMPARE(staticValue(batch, words.at(4), 7), std::optional<QString>());
    QCOMPARE(staticValue(batch, words.at(5), 7), std::optional<QString>());
}

/// Every recorded script cut at every byte, and with bytes changed: nothing is thrown, places stay inside of the text.
void BatchTextTest::anyTextIsRead()
{
    QDir folder(rankwright::test::sourcePath(u"/tests/data/scripts"));
    const QStringList names = folder.entryList({u"*.sh"_s});
    QVERIFY(!names.isEmpty());
    quint32 seed = 7;
    const QByteArray swaps("'\"`$(){}\\\n#;&|<> \t\r=\0", 22);
    for (const QString& name : names.mid(0, 4)) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        for (qsizetype cut = 0; cut <= whole.size(); cut += 3) {
            QByteArray text = whole;
            seed = seed * 1664525 + 1013904223;
            if (cut % 2 == 0)
                text.truncate(cut);
            else
                text[static_cast<qsizetype>(seed % static_cast<quint32>(text.size()))]
                    = swaps.at((seed >> 8) % swaps.size());
            const BatchText batch = parseBatch(QString::fromUtf8(text));
            for (const ShellCommand& command : batch.shell.commands) {
                QVERIFY(command.line >= 1 && command.lastLine >= command.line);
                QVERIFY(command.lastLine <= batch.lines.size() + 1);
                QVERIFY(command.begin >= 0 && command.end <= batch.text.size());
            }
        }
    }
}

void BatchTextTest::longTextsTakeLinearTime_data()
{
    QTest::addColumn<QString>("unit");
    for (const char* unit : {"$(", "\"", "${", "`", "(", "{ ", "[[ ", "<<A ", "bash -c \"", "a=(", "'", "if x; then ",
             "case x in ", "((", "srun -a ", "$((", "\\\n", "<(", "done\n", "a=$b\n", "srun $a\n", "#SBATCH --n=2\n"})
        QTest::newRow(unit) << QString::fromLatin1(unit);
}

void BatchTextTest::longTextsTakeLinearTime()
{
    QFETCH(QString, unit);
    const rankwright::test::CpuClock clock;
    parseBatch(script(unit.repeated(200000 / unit.size())));
    QVERIFY2(clock.elapsedMs() < 4000, qPrintable(u"%1 ms"_s.arg(clock.elapsedMs())));
}

RANKWRIGHT_TEST_MAIN(BatchTextTest)
#include "tst_batchtext.moc"
