// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/programcheck.h"
#include "models/script/write/overrides.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// W8: whether a design's program is there is asked before the job ends because of it.
class ProgramCheckTest final : public Suite {
    Q_OBJECT
private slots:
    void namesWhatCanBeLookedFor();
    void asksInTheJobsFolder();
    void nobodyKnowsWithoutAnAnswer();
};

void ProgramCheckTest::namesWhatCanBeLookedFor()
{
    const Catalogue catalogue = loadCatalogue();
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.workdir = u"/scratch/me"_s;
    spec.command = u"my_train.py --lr 1"_s;
    QCOMPARE(programOf(derive(spec, *catalogue.find(u"lumi"_s))), (ProgramFile{u"my_train.py"_s, u"/scratch/me"_s}));
    spec.command = u"-m torchtitan.train"_s; // a module: only Python knows
    QVERIFY(programOf(derive(spec, *catalogue.find(u"lumi"_s))).file.isEmpty());
    JobSpec foreign; // a script that starts no program that is known: "train.py" is only what a design proposes
    foreign.cluster = u"lumi"_s;
    foreign.overrides = authorBlocks(u"#!/bin/bash\n#SBATCH --nodes=2\necho a\n"_s, ScriptEncoding::Utf8);
    QVERIFY(programOf(derive(foreign, *catalogue.find(u"lumi"_s))).file.isEmpty());
}

/// The question itself, in a real shell.
void ProgramCheckTest::asksInTheJobsFolder()
{
    QTemporaryDir folder;
    QFile program(folder.filePath(u"it's mine.py"_s));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.close();
    const auto answer = [](const ProgramFile& asked) {
        FakeShell shell;
        QObject guard;
        QString line;
        shell.expect(u"@rw-there"_s, {}, true);
        askForProgram(shell, asked, &guard, [](const Result<bool>&) {});
        QProcess bash;
        bash.start(u"bash"_s, {u"-c"_s, shell.lines().value(0)});
        bash.waitForFinished(test::longWaitMs);
        return QString::fromUtf8(bash.readAllStandardOutput()).trimmed();
    };
    QCOMPARE(answer({u"it's mine.py"_s, folder.path()}), u"@rw-there"_s);
    QCOMPARE(answer({folder.filePath(u"it's mine.py"_s), {}}), u"@rw-there"_s);
    QCOMPARE(answer({u"other.py"_s, folder.path()}), u"@rw-missing"_s);
    QCOMPARE(answer({u"it's mine.py"_s, folder.filePath(u"nowhere"_s)}), u"@rw-missing"_s);
}

void ProgramCheckTest::nobodyKnowsWithoutAnAnswer()
{
    FakeShell shell;
    QObject guard;
    std::optional<Result<bool>> got;
    const auto take = [&got](const Result<bool>& isThere) { got = isThere; };
    shell.expect(u"train.py"_s, {.output = "@rw-missing\n"});
    askForProgram(shell, {u"train.py"_s, {}}, &guard, take);
    QTRY_VERIFY(got.has_value());
    QVERIFY(*got && !**got);
    got.reset();
    shell.expect(u"train.py"_s, {.output = "This account is closed.\n"});
    askForProgram(shell, {u"train.py"_s, {}}, &guard, take);
    QTRY_VERIFY(got.has_value());
    QVERIFY(!*got);
}

RANKWRIGHT_TEST_MAIN(ProgramCheckTest)
#include "tst_programcheck.moc"
