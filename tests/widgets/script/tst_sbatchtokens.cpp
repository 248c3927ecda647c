// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/script/sbatchtokens.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

/// The style of the first byte of `part` in `script`.
int styleOf(const QByteArray& script, const QByteArray& part)
{
    const qsizetype at = script.indexOf(part);
    qsizetype position = 0;
    for (const SbatchRun& run : sbatchRuns(script)) {
        position += run.length;
        if (at < position)
            return int(run.style);
    }
    return -1;
}

QByteArray everyKind()
{
    return "#!/bin/bash -l\n#SBATCH --nodes=2 # two\n#SBATCH -J \"a b\"\nexport A=\"$(cat <<EOF\n${B:-\"x\"} `date`\n"
           "EOF\n)\"\nfor i in $(seq 1 $((1<<3))); do echo 'x' $'a\\'b' \"$i\" \\\n; done\n#SBATCH -t 1\nsrun -N 2 x";
}

} // namespace

class SbatchTokensTest final : public test::Suite {
    Q_OBJECT
private slots:
    void coversEveryByte_data();
    void coversEveryByte();
    void survivesAnyBytes();
    void distinguishesDirectivesFromComments();
    void stylesShellText_data();
    void stylesShellText();
};

void SbatchTokensTest::coversEveryByte_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("open quote") << QByteArray("echo \"never closed\n$X");
    QTest::newRow("open single quote") << QByteArray("echo 'never\nclosed");
    QTest::newRow("open brace") << QByteArray("echo ${X");
    QTest::newRow("ends in backslash") << QByteArray("srun \\");
    QTest::newRow("dollar alone") << QByteArray("a $ b $");
    QTest::newRow("umlauts") << QByteArray("# Prüfung – läuft\necho \"ü\"");
    QTest::newRow("real") << everyKind();
}

void SbatchTokensTest::coversEveryByte()
{
    QFETCH(QByteArray, script);
    qsizetype sum = 0;
    for (const auto& run : sbatchRuns(script)) {
        QVERIFY(run.length > 0);
        sum += run.length;
    }
    QCOMPARE(sum, script.size());
}

/// Cut anywhere, and with bytes changed: never out of step, never past the end.
void SbatchTokensTest::survivesAnyBytes()
{
    const QByteArray whole = everyKind();
    quint32 seed = 11;
    const auto next = [&seed](quint32 below) {
        seed = seed * 1664525u + 1013904223u;
        return (seed >> 16) % below;
    };
    for (qsizetype cut = 0; cut <= whole.size(); ++cut) {
        QByteArray script = whole.left(cut);
        for (int changed = 0; changed < 4 && !script.isEmpty(); ++changed) {
            qsizetype sum = 0;
            for (const SbatchRun& run : sbatchRuns(script))
                sum += run.length;
            QCOMPARE(sum, script.size());
            script[qsizetype(next(quint32(script.size())))] = "\"'`$(){}<>#\\\n \0-=a"[next(19)];
        }
    }
}

// sbatch(1): a directive starts with #SBATCH at the start of a line; "# SBATCH" and "##SBATCH" are comments.
void SbatchTokensTest::distinguishesDirectivesFromComments()
{
    QCOMPARE(styleOf("#!/bin/bash\n#SBATCH --nodes=2\n", "#SBATCH"), int(SbatchStyle::Directive));
    QCOMPARE(styleOf("# SBATCH --nodes=2\n", "# SBATCH"), int(SbatchStyle::Comment));
    QCOMPARE(styleOf("##SBATCH --nodes=2\n", "##SBATCH"), int(SbatchStyle::Comment));
    QCOMPARE(styleOf("  #SBATCH --nodes=2\n", "#SBATCH"), int(SbatchStyle::Comment));
    QCOMPARE(styleOf("echo a#b\n", "#b"), int(SbatchStyle::Plain)); // bash: no comment inside a word
}

void SbatchTokensTest::stylesShellText_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<int>("style");
    QTest::newRow("keyword") << QByteArray("if true; then") << QByteArray("then") << int(SbatchStyle::Keyword);
    QTest::newRow("command") << QByteArray("srun train.py") << QByteArray("srun") << int(SbatchStyle::Command);
    QTest::newRow("assignment") << QByteArray("export NAME=1") << QByteArray("NAME") << int(SbatchStyle::Variable);
    QTest::newRow("variable") << QByteArray("echo $HOME/x") << QByteArray("$HOME") << int(SbatchStyle::Variable);
    QTest::newRow("in double quotes") << QByteArray("echo \"a $HOME\"") << QByteArray("$HOME")
                                      << int(SbatchStyle::Variable);
    QTest::newRow("in single quotes") << QByteArray("echo 'a $HOME'") << QByteArray("$HOME")
                                      << int(SbatchStyle::String);
    QTest::newRow("escaped") << QByteArray("echo \"\\$HOME\"") << QByteArray("HOME") << int(SbatchStyle::String);
    QTest::newRow("option") << QByteArray("srun --nodes=2") << QByteArray("--nodes") << int(SbatchStyle::Option);
    QTest::newRow("equals sign") << QByteArray("#SBATCH --nodes=2") << QByteArray("2")
                                 << int(SbatchStyle::DirectiveValue);
    QTest::newRow("directive option") << QByteArray("#SBATCH --nodes=2") << QByteArray("--n")
                                      << int(SbatchStyle::DirectiveOption);
    QTest::newRow("short option") << QByteArray("#SBATCH -N 2") << QByteArray("-N")
                                  << int(SbatchStyle::DirectiveOption);
    QTest::newRow("its value") << QByteArray("#SBATCH -N2") << QByteArray("2") << int(SbatchStyle::DirectiveValue);
    QTest::newRow("quoted value") << QByteArray("#SBATCH -J 'a b'") << QByteArray("'a b'") << int(SbatchStyle::String);
    QTest::newRow("trailing comment") << QByteArray("#SBATCH -N 2 # two") << QByteArray("# two")
                                      << int(SbatchStyle::Comment);
    // Slurm 22.05, tried: an unquoted # ends the directive anywhere.
    QTest::newRow("comment in a value") << QByteArray("#SBATCH --comment=a#b") << QByteArray("#b")
                                        << int(SbatchStyle::Comment);
    QTest::newRow("too late") << QByteArray("#!/bin/bash\nset -e\n#SBATCH -N 2") << QByteArray("#SBATCH")
                              << int(SbatchStyle::Inert);
    QTest::newRow("after comments and blanks")
        << QByteArray("#!/bin/bash\n\n# hi\n#SBATCH -N 2") << QByteArray("#SBATCH") << int(SbatchStyle::Directive);
    QTest::newRow("here-document") << QByteArray("cat <<EOF\nfor x\nEOF\nfor") << QByteArray("for x")
                                   << int(SbatchStyle::HereDocument);
    QTest::newRow("variable in it") << QByteArray("cat <<EOF\n$X\nEOF") << QByteArray("$X")
                                    << int(SbatchStyle::Variable);
    QTest::newRow("quoted here-document")
        << QByteArray("cat <<'EOF'\n$X\nEOF") << QByteArray("$X") << int(SbatchStyle::HereDocument);
    QTest::newRow("behind it") << QByteArray("cat <<-EOF\n\tx\n\tEOF\nexport A=1") << QByteArray("export")
                               << int(SbatchStyle::Keyword);
    QTest::newRow("directive inside it") << QByteArray("cat <<EOF\n#SBATCH -N 2\nEOF") << QByteArray("#SBATCH")
                                         << int(SbatchStyle::HereDocument);
    QTest::newRow("here-string") << QByteArray("read x <<<EOF\nexport A=1") << QByteArray("export")
                                 << int(SbatchStyle::Keyword);
    QTest::newRow("shift is not a here-document")
        << QByteArray("x=$((1<<2))\nexport A=1") << QByteArray("export") << int(SbatchStyle::Keyword);
    QTest::newRow("command in quotes") << QByteArray("A=\"$(srun \"x\" y)\" # c") << QByteArray("srun")
                                       << int(SbatchStyle::Command);
    QTest::newRow("behind them") << QByteArray("A=\"$(srun \"x\" y)\" # c") << QByteArray("# c")
                                 << int(SbatchStyle::Comment);
    QTest::newRow("length of an array") << QByteArray("n=${#a[@]} # c") << QByteArray("${#a[@]}")
                                        << int(SbatchStyle::Variable);
    QTest::newRow("word with #") << QByteArray("x=${a##*/}") << QByteArray("##") << int(SbatchStyle::Variable);
    QTest::newRow("not a keyword in a path") << QByteArray("cat /do/x") << QByteArray("do/") << int(SbatchStyle::Plain);
}

void SbatchTokensTest::stylesShellText()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, part);
    QFETCH(int, style);
    QCOMPARE(styleOf(script, part), style);
}

RANKWRIGHT_TEST_MAIN(SbatchTokensTest)
#include "tst_sbatchtokens.moc"
