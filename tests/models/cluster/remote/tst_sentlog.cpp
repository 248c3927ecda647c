// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/sentlog.h"
#include "models/cluster/remote/senttext.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/core/shellquote.h"
#include "models/core/units.h"

#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

class SentLogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void commandsAreNoted();
    void endsAreNoted();
    void whatIsDroppedEnds();
    void onlyTheNewestAreKept();
    void longTextsAreCut();
    void laterInputIsCountedAndNotKept();
    void connectionsAreNoted();
    void withoutALogNothingIsNoted();
    void programsAreFoldedAway_data();
    void programsAreFoldedAway();
    void aColumnShowsWhatDiffers_data();
    void aColumnShowsWhatDiffers();
    void questionsToSlurmDiffer();
    void secretsAreLeftOut();
    void halfASecretIsLeftOut();
    void wordsDoNoHarm();
    void detailsSayAll();
    void linesOfTheTerminal();
    void everyCommandHasAPurpose();
};

void SentLogTest::commandsAreNoted()
{
    SentLog log;
    test::FakeShell shell;
    shell.noteIn(&log, u"lumi"_s);
    QSignalSpy began(&log, &SentLog::commandBegan);
    const auto process = shell.start(RemoteCommand::shell(u"squeue --me"_s, "in").withPurpose(u"Asks for jobs"_s));
    const auto other = shell.start(RemoteCommand::shell(u"/usr/bin/sinfo -V"_s));
    QCOMPARE(began.size(), 2);
    QCOMPARE(log.all().size(), 2);
    const SentCommand& first = log.all().first();
    QCOMPARE(first.number, 1U);
    QCOMPARE(first.cluster, u"lumi"_s);
    QCOMPARE(first.purpose, u"Asks for jobs"_s);
    QCOMPARE(first.line, u"squeue --me"_s);
    QCOMPARE(first.input, QByteArray("in"));
    QCOMPARE(first.inputBytes, 2);
    QVERIFY(first.end == SentCommand::End::Open);
    QVERIFY(!first.tookMs);
    QCOMPARE(log.all().last().purpose, u"Runs sinfo"_s);
}

void SentLogTest::endsAreNoted()
{
    SentLog log;
    test::FakeShell shell;
    shell.noteIn(&log, u"lumi"_s);
    shell.expect(u"good"_s, {"out", {}, 0});
    shell.expect(u"bad"_s, {{}, "no", 3});
    shell.expect(u"lost"_s, {.failure = Error{Fault::Offline, u"The link was lost."_s, {}, {}}});
    QSignalSpy ended(&log, &SentLog::ended);
    for (const QString& line : {u"good"_s, u"bad"_s, u"lost"_s})
        shell.run(RemoteCommand::shell(line), this, {});
    QTRY_COMPARE(ended.size(), 3);
    const QList<SentCommand>& all = log.all();
    QVERIFY(all.at(0).end == SentCommand::End::Exited);
    QCOMPARE(all.at(0).exitStatus, 0);
    QVERIFY(all.at(0).tookMs.value_or(-1) >= 0);
    QCOMPARE(all.at(1).exitStatus, 3);
    QVERIFY(all.at(2).end == SentCommand::End::Failed);
    QCOMPARE(all.at(2).why, u"The link was lost."_s);
    QCOMPARE(sentEndText(all.at(0)), u"exit status 0"_s);
    QCOMPARE(sentEndText(all.at(2)), u"failed: The link was lost."_s);
}

void SentLogTest::whatIsDroppedEnds()
{
    SentLog log;
    test::FakeShell shell;
    shell.noteIn(&log, u"lumi"_s);
    shell.expect(u"stream"_s, {.output = "x", .staysOpen = true});
    auto process = shell.start(RemoteCommand::shell(u"stream"_s));
    QSignalSpy ended(&log, &SentLog::ended);
    process.reset();
    QCOMPARE(ended.size(), 1);
    QVERIFY(log.all().first().end == SentCommand::End::Dropped);
    QCOMPARE(sentEndText(log.all().first()), u"ended from here"_s);
}

void SentLogTest::onlyTheNewestAreKept()
{
    SentLog log;
    test::FakeShell shell;
    shell.noteIn(&log, u"lumi"_s);
    shell.expect(u"old"_s, {.staysOpen = true});
    auto old = shell.start(RemoteCommand::shell(u"old"_s));
    for (int i = 0; i < SentLog::mostCommands; ++i)
        shell.start(RemoteCommand::shell(u"c%1"_s.arg(i)));
    QCOMPARE(log.all().size(), SentLog::mostCommands);
    QCOMPARE(log.all().first().line, u"c0"_s);
    QSignalSpy ended(&log, &SentLog::ended);
    old.reset(); // forgotten: nothing to say of it
    QCOMPARE(ended.size(), 0);
    // Large ones push out more than one each.
    const QByteArray large(SentCommand::mostText, 'x');
    for (int i = 0; i < SentLog::mostCommands; ++i)
        shell.start(RemoteCommand::shell(u"large"_s, large));
    qsizetype bytes = 0;
    for (const SentCommand& command : log.all())
        bytes += command.input.size() + command.line.size() * 2;
    QVERIFY(bytes <= SentLog::mostBytes);
    QVERIFY(log.all().size() > 100);
}

void SentLogTest::longTextsAreCut()
{
    SentLog log;
    test::FakeShell shell;
    shell.noteIn(&log, u"lumi"_s);
    const qsizetype longer = SentCommand::mostText * 3;
    const auto process = shell.start(RemoteCommand::shell(QString(longer, u'x'), QByteArray(longer, 'y')));
    QCOMPARE(log.all().first().line.size(), SentCommand::mostText);
    QCOMPARE(log.all().first().input.size(), SentCommand::mostText);
    QCOMPARE(log.all().first().inputBytes, longer);
}

void SentLogTest::laterInputIsCountedAndNotKept()
{
    SentLog log;
    test::FakeShell shell;
    shell.noteIn(&log, u"lumi"_s);
    RemoteCommand command = RemoteCommand::shell(u"bash -l"_s);
    command.interactive = true;
    const auto process = shell.start(command);
    process->write("typed secret\n");
    emit process->inputSent(13);
    const SentCommand& sent = log.all().first();
    QCOMPARE(sent.moreInputBytes, 13);
    QVERIFY(sent.input.isEmpty());
    QCOMPARE(sentInputText(sent), humanBytes(Bytes{13}));
    QVERIFY(!sentFile(log.all(), SentInput::Included).contains(u"typed"_s));
}

void SentLogTest::connectionsAreNoted()
{
    SentLog log;
    test::FakeShell shell;
    shell.noteIn(&log, u"lumi"_s);
    const auto process = shell.dial(u"nid000001"_s, 6006);
    QCOMPARE(log.all().size(), 1);
    QCOMPARE(log.all().first().line, u"nid000001:6006"_s);
}

void SentLogTest::withoutALogNothingIsNoted()
{
    test::FakeShell shell;
    std::unique_ptr<RemoteProcess> process;
    {
        SentLog log;
        shell.noteIn(&log, u"lumi"_s);
        process = shell.start(RemoteCommand::shell(u"one"_s));
    }
    const auto later = shell.start(RemoteCommand::shell(u"two"_s)); // the log is gone
    process.reset();
}

void SentLogTest::programsAreFoldedAway_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("shown");
    const QString program = u"set -e\nfor i in 'a' 'b'; do\n  echo it's $i\ndone\n"_s;
    QTest::newRow("plain") << u"squeue --me -h"_s << u"squeue --me -h"_s;
    QTest::newRow("short words stay") << u"cat 'my file'"_s << u"cat 'my file'"_s;
    QTest::newRow("program") << shellQuote(QStringList{u"bash"_s, u"-c"_s, program, u"rankwright"_s, u"4711"_s})
                             << u"bash -c '…' rankwright 4711"_s;
    QTest::newRow("two programs") << shellQuote(QStringList{u"sh"_s, u"-c"_s, program, u"x"_s, program, u"y"_s})
                                  << u"sh -c '…' x '…' y"_s;
    QTest::newRow("program as it stands") << u"export A=1\nsqueue"_s << u"export A=1 …"_s;
    QTest::newRow("open quote") << u"echo 'never closed"_s << u"echo 'never closed"_s;
    QTest::newRow("empty") << QString() << QString();
}

void SentLogTest::programsAreFoldedAway()
{
    QFETCH(const QString, line);
    QTEST(shortSentLine(line), "shown");
}

void SentLogTest::aColumnShowsWhatDiffers_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("shown");
    const QString same = u"export LC_ALL=C TZ=UTC0; unset SQUEUE_ALL SACCT_FORMAT; "_s;
    QTest::newRow("question") << same + u"squeue -h"_s << u"… squeue -h"_s;
    QTest::newRow("another one") << same + u"sacct -P"_s << u"… sacct -P"_s;
    QTest::newRow("nothing before it") << u"squeue -h"_s << u"squeue -h"_s;
    QTest::newRow("nothing after it") << u"unset A; "_s << u"unset A;"_s;
    QTest::newRow("a value that is a program") << u"export A=$(id -un); run"_s << u"export A=$(id -un); run"_s;
    QTest::newRow("in the middle") << u"run; unset A; go"_s << u"run; unset A; go"_s;
    QTest::newRow("empty") << QString() << QString();
}

void SentLogTest::aColumnShowsWhatDiffers()
{
    QFETCH(const QString, line);
    QTEST(columnSentLine(line), "shown");
}

/// What every question to Slurm begins with is of the form that a column leaves out.
void SentLogTest::questionsToSlurmDiffer()
{
    for (const RemoteCommand& asked : {queueCommand(), jobCommand(u"12"_s), tasksCommand(u"12"_s), historyCommand(3)}) {
        const QString shown = columnSentLine(asked.line);
        QVERIFY2(shown.startsWith(u"… "_s) && !shown.contains(u"unset"_s), qPrintable(shown));
    }
}

void SentLogTest::secretsAreLeftOut()
{
    SentCommand command;
    command.line = u"HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz012345 run --api-key=sesame"_s;
    command.input = "export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567\n";
    command.inputBytes = command.input.size();
    const QString all = shortSentLine(command.line) + sentDetails(command, SentInput::Included) + sentBeginLine(command)
        + sentFile({command}, SentInput::Included);
    QVERIFY(!all.contains(u"hf_abc"_s));
    QVERIFY(!all.contains(u"sesame"_s));
    QVERIFY(!all.contains(u"0123456789abcdef"_s));
    QVERIFY(all.contains(u"(left out)"_s));
    SentLog log;
    test::FakeShell shell;
    shell.noteIn(&log, u"lumi"_s);
    const auto process = shell.start(RemoteCommand::shell(u"A_SECRET=a/sesame run"_s));
    QCOMPARE(log.all().first().purpose, u"Runs a command"_s);
}

/// A token whose end is cut away has no form that is known.
void SentLogTest::halfASecretIsLeftOut()
{
    SentCommand command;
    const QString half = u"hf_abcdefgh"_s;
    command.line = u"echo "_s.leftJustified(SentCommand::mostText - half.size(), u' ') + half;
    command.input = command.line.toUtf8();
    command.inputBytes = command.input.size() + 40;
    QVERIFY(!sentDetails(command, SentInput::Included).contains(half));
    command.line = command.line.trimmed().right(half.size() + 1);
    command.inputBytes = 0;
    QVERIFY(sentDetails(command, SentInput::Included).contains(half));
}

void SentLogTest::wordsDoNoHarm()
{
    SentCommand command;
    command.cluster = u"a\u001b[31mb"_s;
    command.line = u"echo \u001b]0;x\u0007 \u202eabc"_s;
    command.why = u"one\ntwo\u009b"_s;
    command.end = SentCommand::End::Failed;
    command.input = "\033[2J";
    command.inputBytes = 4;
    const QString all = sentDetails(command, SentInput::Included) + sentBeginLine(command) + sentEndLine(command);
    for (const QChar c : all)
        QVERIFY(c == u'\n' || c.category() != QChar::Other_Control);
    QVERIFY(!all.contains(QChar(0x202e)));
    QVERIFY(!sentBeginLine(command).contains(u'\n'));
    QVERIFY(!sentEndLine(command).contains(u'\n'));
}

void SentLogTest::detailsSayAll()
{
    SentCommand command;
    command.number = 7;
    command.time = QDateTime::fromMSecsSinceEpoch(1700000000123, Qt::UTC);
    command.cluster = u"lumi"_s;
    command.purpose = u"Submits the script"_s;
    command.line = u"sbatch --parsable"_s;
    command.input = "#!/bin/bash\n";
    command.inputBytes = 12;
    command.end = SentCommand::End::Exited;
    command.exitStatus = 1;
    command.tookMs = 240;
    const QString without = sentDetails(command, SentInput::LeftOut);
    QVERIFY(without.contains(u"#7  2023-11-14 22:13:20.123Z"_s));
    QVERIFY(without.contains(u"outcome: exit status 1 after 0.24 s"_s));
    QVERIFY(without.contains(u"command:\nsbatch --parsable\n"_s));
    QVERIFY(!without.contains(u"#!/bin/bash"_s));
    QVERIFY(sentDetails(command, SentInput::Included).contains(u"stdin's text:\n#!/bin/bash\n"_s));
    command.input = QByteArray("\0\1", 2);
    QVERIFY(sentDetails(command, SentInput::Included).contains(u"(no text)"_s));
}

void SentLogTest::linesOfTheTerminal()
{
    SentCommand command;
    command.number = 3;
    command.cluster = u"lumi"_s;
    command.purpose = u"Asks for your jobs in the queue"_s;
    command.line = u"squeue --me"_s;
    QCOMPARE(sentBeginLine(command), u"#3 lumi: Asks for your jobs in the queue: squeue --me"_s);
    command.end = SentCommand::End::Exited;
    command.exitStatus = 0;
    command.tookMs = 240;
    QCOMPARE(sentEndLine(command), u"#3 exit status 0 after 0.24 s"_s);
}

/// Each file that makes a command says what it is good for.
void SentLogTest::everyCommandHasAPurpose()
{
    static const QRegularExpression made(uR"(RemoteCommand::(of|shell)\()"_s);
    static const QRegularExpression said(uR"((withPurpose\(|\.purpose = ))"_s);
    const QStringList exempt{u"remotecommand.cpp"_s, u"relayhub.cpp"_s}; // makes them; names one in an error
    int files = 0;
    for (const QString& root : {u"models"_s, u"app"_s, u"ssh"_s}) {
        QDirIterator walk(
            test::sourcePath(QString(u'/' + root)), {u"*.cpp"_s, u"*.h"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            QFile file(walk.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            const QString name = QFileInfo(file.fileName()).fileName();
            if (!text.contains(made) || exempt.contains(name))
                continue;
            ++files;
            QVERIFY2(text.contains(said), qPrintable(name));
        }
    }
    QVERIFY(files > 20);
}

RANKWRIGHT_TEST_MAIN(SentLogTest)
#include "tst_sentlog.moc"
