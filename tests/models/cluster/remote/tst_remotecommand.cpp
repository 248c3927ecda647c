// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remotecommand.h"
#include "models/cluster/remote/remoteshell.h"

#include "tests/support/testbase.h"

#include <QProcess>
#include <QStandardPaths>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// Runs a wire line as a server does: the login shell's -c.
QByteArray through(const QString& shell, const QByteArray& line, QByteArray* errors = nullptr)
{
    QProcess process;
    process.start(shell, {u"-c"_s, QString::fromUtf8(line)});
    process.closeWriteChannel();
    process.waitForFinished(test::longWaitMs);
    if (errors)
        *errors = process.readAllStandardError();
    return process.readAllStandardOutput();
}

/// A process that a test plays by hand.
class PlayedProcess final : public RemoteProcess {
public:
    explicit PlayedProcess(int* alive) : m_alive(alive) { ++*m_alive; }
    ~PlayedProcess() override { --*m_alive; }
    void write(const QByteArray&) override { }
    void closeInput() override { }

private:
    int* m_alive;
};

class PlayedShell final : public RemoteShell {
public:
    LinkState state() const override { return LinkState::Online; }
    std::optional<Error> lastError() const override { return {}; }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand&) override
    {
        auto process = std::make_unique<PlayedProcess>(&alive);
        last = process.get();
        return process;
    }
    int alive = 0;
    QPointer<RemoteProcess> last;
};

} // namespace

class RemoteCommandTest final : public test::Suite {
    Q_OBJECT
private slots:
    void wordsArriveAsGiven_data();
    void wordsArriveAsGiven();
    void anyLoginShellWillDo_data();
    void anyLoginShellWillDo();
    void fenceCutsNoise_data();
    void fenceCutsNoise();
    void fenceAtEveryCut();
    void fenceKeepsLittleOfEndlessNoise();
    void errorsNameTheReason_data();
    void errorsNameTheReason();
    void runCollects();
    void runEndsAtTheLimit();
    void guardCancels();
    void continuationMayDestroyTheGuard();
};

void RemoteCommandTest::wordsArriveAsGiven_data()
{
    QTest::addColumn<QString>("word");
    QTest::newRow("plain") << u"squeue"_s;
    QTest::newRow("spaces") << u"  two  words "_s;
    QTest::newRow("quotes") << u"it's \"so\""_s;
    QTest::newRow("expansions") << u"$HOME `id` $(id) *?[a] ~ {a,b} !!"_s;
    QTest::newRow("backslashes") << u"\\n \\\\ \\'"_s;
    QTest::newRow("newline") << u"first\nsecond\n"_s;
    QTest::newRow("unicode") << u"Größe 模型 🚀"_s;
    QTest::newRow("operators") << u"; & | > < # = %"_s;
    QTest::newRow("empty") << QString();
}

void RemoteCommandTest::wordsArriveAsGiven()
{
    QFETCH(QString, word);
    const RemoteCommand command = RemoteCommand::of({u"printf"_s, u"%s|"_s, word, u"end"_s});
    QCOMPARE(through(u"/bin/sh"_s, command.wireLine({})), QByteArray(word.toUtf8() + "|end|"));
}

void RemoteCommandTest::anyLoginShellWillDo_data()
{
    QTest::addColumn<QString>("shell");
    for (const char* shell : {"sh", "bash", "dash", "zsh", "ksh", "tcsh", "csh", "fish"})
        QTest::newRow(shell) << QString::fromLatin1(shell);
}

void RemoteCommandTest::anyLoginShellWillDo()
{
    QFETCH(QString, shell);
    const QString program = QStandardPaths::findExecutable(shell);
    if (program.isEmpty())
        QSKIP("this shell is not installed");
    const RemoteCommand easy = RemoteCommand::of({u"printf"_s, u"%s"_s, u"it's 5 % of $HOME"_s});
    const RemoteCommand hard
        = RemoteCommand::shell(u"printf '%s\\n' \"a!b\"\nfor i in 1 2; do echo \"\\\\ $i\"; done; echo oops >&2"_s);
    QByteArray errors;
    QCOMPARE(through(program, easy.wireLine("MARK")), QByteArray("\nMARK\nit's 5 % of $HOME"));
    QCOMPARE(through(program, hard.wireLine("MARK"), &errors), QByteArray("\nMARK\na!b\n\\ 1\n\\ 2\n"));
    QCOMPARE(errors, QByteArray("\nMARK\noops\n"));
}

void RemoteCommandTest::fenceCutsNoise_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArray>("own");
    QTest::addColumn<bool>("open");
    QTest::newRow("no noise") << QByteArray("\nMARK\n42\n") << QByteArray("42\n") << true;
    QTest::newRow("noise with an end") << QByteArray("Welcome\n\nMARK\n42\n") << QByteArray("42\n") << true;
    QTest::newRow("noise without an end") << QByteArray("Welcome\nMARK\n42") << QByteArray("42") << true;
    QTest::newRow("marker alone") << QByteArray("\nMARK\n") << QByteArray() << true;
    QTest::newRow("marker again in the output") << QByteArray("\nMARK\na\nMARK\nb") << QByteArray("a\nMARK\nb") << true;
    QTest::newRow("never") << QByteArray("This account is not available.\n") << QByteArray() << false;
}

void RemoteCommandTest::fenceCutsNoise()
{
    QFETCH(QByteArray, stream);
    QFETCH(QByteArray, own);
    QFETCH(bool, open);
    OutputFence fence("MARK");
    QCOMPARE(fence.feed(stream), own);
    QCOMPARE(fence.isOpen(), open);
    if (!open)
        QCOMPARE(fence.withheld(), stream);
}

void RemoteCommandTest::fenceAtEveryCut()
{
    const QByteArray stream = "Last login: today\r\nMARKET news\n\nMARK\nMARK\npayload\n";
    for (qsizetype cut = 0; cut <= stream.size(); ++cut) {
        OutputFence fence("MARK");
        const QByteArray first = fence.feed(stream.left(cut));
        QCOMPARE(QByteArray(first + fence.feed(stream.mid(cut))), QByteArray("MARK\npayload\n"));
    }
    OutputFence none;
    QVERIFY(none.isOpen());
    QCOMPARE(none.feed("as it is"), QByteArray("as it is"));
}

void RemoteCommandTest::fenceKeepsLittleOfEndlessNoise()
{
    OutputFence fence("MARK");
    for (int i = 0; i < 1000; ++i)
        QCOMPARE(fence.feed(QByteArray(1000, 'x')), QByteArray());
    QVERIFY(fence.withheld().size() < 10000);
    QCOMPARE(fence.feed("\nMARK\nyes"), QByteArray("yes"));
}

void RemoteCommandTest::errorsNameTheReason_data()
{
    QTest::addColumn<CommandOutcome>("outcome");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("inDetail");
    // Text of sbatch as seen with Slurm 22.05
    QTest::newRow("last line of stderr") << CommandOutcome{{},
        "sbatch: error: invalid partition specified: x\nsbatch: error: Batch job submission failed\n\n", 1, {}}
                                         << u"sbatch: error: Batch job submission failed"_s
                                         << u"exit status 1: sbatch -p x"_s;
    QTest::newRow("silent") << CommandOutcome{{}, {}, 3, {}}
                            << u"The remote command failed with no message (exit status 3)."_s << u"sbatch -p x"_s;
    QTest::newRow("signal") << CommandOutcome{{}, {}, std::nullopt, "KILL"}
                            << u"The remote command failed with no message (killed by signal KILL)."_s
                            << u"signal KILL"_s;
    QTest::newRow("stdout helps") << CommandOutcome{"usage: sbatch\n", {}, 1, {}} << u"usage: sbatch"_s
                                  << u"exit status 1"_s;
    QTest::newRow("nothing reported") << CommandOutcome{{}, {}, std::nullopt, {}}
                                      << u"The remote command failed with no message (ended without a status)."_s
                                      << u"without a status"_s;
}

void RemoteCommandTest::errorsNameTheReason()
{
    QFETCH(CommandOutcome, outcome);
    QFETCH(QString, what);
    QFETCH(QString, inDetail);
    const Error error = outcome.toError(RemoteCommand::of({u"sbatch"_s, u"-p"_s, u"x"_s}));
    QCOMPARE(error.fault, Fault::RemoteExit);
    QCOMPARE(error.what, what);
    QVERIFY2(error.detail.contains(inDetail), qPrintable(error.detail));
    QVERIFY(!outcome.succeeded());
}

void RemoteCommandTest::runCollects()
{
    PlayedShell shell;
    QObject guard;
    int calls = 0;
    Result<CommandOutcome> got = fail(Fault::Invalid, u"none"_s);
    shell.run(RemoteCommand::shell(u"x"_s), &guard, [&](const Result<CommandOutcome>& outcome) {
        ++calls;
        got = outcome;
    });
    emit shell.last->outputArrived("one ");
    emit shell.last->outputArrived("two");
    emit shell.last->finished(CommandOutcome{{}, "warn", 0, {}});
    QCOMPARE(calls, 1);
    QVERIFY_RESULT(got);
    QCOMPARE(got->output, QByteArray("one two"));
    QCOMPARE(got->errorOutput, QByteArray("warn"));
    QTRY_COMPARE(shell.alive, 0);
}

void RemoteCommandTest::runEndsAtTheLimit()
{
    PlayedShell shell;
    QObject guard;
    RemoteCommand command = RemoteCommand::shell(u"cat big"_s);
    command.outputLimit = 1000;
    int calls = 0;
    Fault fault = Fault::Invalid;
    shell.run(command, &guard, [&](const Result<CommandOutcome>& outcome) {
        ++calls;
        fault = outcome ? Fault::Invalid : outcome.error().fault;
    });
    emit shell.last->outputArrived(QByteArray(1000, 'x'));
    QCOMPARE(calls, 0);
    emit shell.last->outputArrived("x");
    QCOMPARE(calls, 1);
    QCOMPARE(fault, Fault::Unreadable);
    if (shell.last)
        emit shell.last->outputArrived("x");
    QTRY_COMPARE(shell.alive, 0);
    QCOMPARE(calls, 1);
}

void RemoteCommandTest::guardCancels()
{
    PlayedShell shell;
    auto guard = std::make_unique<QObject>();
    bool called = false;
    shell.run(RemoteCommand::shell(u"x"_s), guard.get(), [&](const Result<CommandOutcome>&) { called = true; });
    QCOMPARE(shell.alive, 1);
    guard.reset();
    QCOMPARE(shell.alive, 0);
    QVERIFY(!called);
}

void RemoteCommandTest::continuationMayDestroyTheGuard()
{
    PlayedShell shell;
    auto* guard = new QObject;
    bool called = false;
    shell.run(RemoteCommand::shell(u"x"_s), guard, [&](const Result<CommandOutcome>&) {
        called = true;
        delete guard;
    });
    emit shell.last->finished(CommandOutcome{{}, {}, 0, {}});
    QVERIFY(called);
    QTRY_COMPARE(shell.alive, 0);
}

RANKWRIGHT_TEST_MAIN(RemoteCommandTest)
#include "tst_remotecommand.moc"
