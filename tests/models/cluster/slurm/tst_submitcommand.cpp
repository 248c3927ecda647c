// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/sbatchcommand.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The line that submits, run by real shells with a stub sbatch: only a script that came whole, and only on the word
/// after it, each of them in time.
class SubmitCommandTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void givesSbatchTheScriptAndItsMark_data();
    void givesSbatchTheScriptAndItsMark();
    void neverSubmitsHalfAScript_data();
    void neverSubmitsHalfAScript();
    void endsByItselfWhenNothingMoreComes_data();
    void endsByItselfWhenNothingMoreComes();
    void theMarkChangesNothing();
    void findsTheMarkInTheScriptsOfJobs();

private:
    /// A program of the login node.
    void place(const QString& name, const QByteArray& text);
    QByteArray received() const;
    /// Starts the line in this shell and gives it these bytes.
    void start(QProcess& process, const QString& shell, const QString& line, const QByteArray& input);

    std::unique_ptr<QTemporaryDir> m_folder;
    const QByteArray m_plain = "#!/bin/bash\nsrun python3 train.py\n";
    const QByteArray m_rough = "#!/bin/bash\necho 'it\\'s %s \\n $HOME' \"`x`\" Größe\n\n\n";
    const QByteArray m_large = "#!/bin/bash\n" + QByteArray(200000, '#') + "\nsrun true\n";
    const QString m_token = u"rw-0123456789abcdef"_s;
};

void SubmitCommandTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    place(u"sbatch"_s, "cat >\"$(dirname \"$0\")/received\"\necho 4711\n");
}

void SubmitCommandTest::place(const QString& name, const QByteArray& text)
{
    QFile program(m_folder->filePath(name));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write("#!/bin/sh\n" + text);
    program.close();
    QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

QByteArray SubmitCommandTest::received() const
{
    QFile file(m_folder->filePath(u"received"_s));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("nothing was submitted");
}

void SubmitCommandTest::start(QProcess& process, const QString& shell, const QString& line, const QByteArray& input)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, m_folder->path() + u':' + environment.value(u"PATH"_s));
    process.setProcessEnvironment(environment);
    process.start(shell, {u"-c"_s, line});
    process.write(input);
}

void SubmitCommandTest::givesSbatchTheScriptAndItsMark_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("plain") << m_plain;
    QTest::newRow("no last newline") << m_plain.chopped(1);
    QTest::newRow("hard to quote") << m_rough;
    QTest::newRow("large") << m_large;
}

void SubmitCommandTest::givesSbatchTheScriptAndItsMark()
{
    QFETCH(QByteArray, script);
    for (const QString& shell : {u"/bin/sh"_s, u"/bin/bash"_s}) {
        const RemoteCommand command = sbatchCommand({script, m_token, {}});
        QProcess process;
        start(process, shell, QString::fromUtf8(command.wireLine({})), command.input);
        QByteArray said;
        while (!said.contains('\n') && process.waitForReadyRead(60000))
            said += process.readAllStandardOutput();
        QCOMPARE(said, scriptIsThere + QByteArray("\n"));
        QCOMPARE(received(), QByteArray("nothing was submitted"));
        process.write(submitWord);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(test::longWaitMs));
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(process.readAllStandardOutput(), QByteArray("4711\n"));
        QCOMPARE(process.readAllStandardError(), QByteArray());
        const QByteArray newline = script.endsWith('\n') ? "" : "\n";
        QVERIFY(received() == script + newline + "\n# Submitted by Rankwright as rw-0123456789abcdef\n");
        QVERIFY(QFile::remove(m_folder->filePath(u"received"_s)));
    }
}

void SubmitCommandTest::neverSubmitsHalfAScript_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("arriving"); ///< bytes that reach the login node before the link breaks
    QTest::newRow("nothing") << m_plain << 0;
    QTest::newRow("last byte missing") << m_plain << int(m_plain.size() - 1);
    QTest::newRow("cut in a letter") << m_rough << int(m_rough.indexOf("Größe") + 3);
    QTest::newRow("cut after 64 KiB") << m_large << 65536;
    QTest::newRow("whole, without the word") << m_plain << int(m_plain.size());
}

void SubmitCommandTest::neverSubmitsHalfAScript()
{
    QFETCH(QByteArray, script);
    QFETCH(int, arriving);
    const RemoteCommand command = sbatchCommand({script, m_token, {}});
    // Where it is looked for in the process list (findCommand).
    QVERIFY(command.wireLine("rankwright-0123456789abcdef")
                .left(400)
                .contains(QByteArray("--comment=" + m_token.toUtf8())));
    QProcess process;
    start(process, u"/bin/sh"_s, QString::fromUtf8(command.wireLine({})), command.input.left(arriving));
    process.closeWriteChannel(); // what a server does to the command when the link breaks
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.exitCode(), 75);
    QCOMPARE(received(), QByteArray("nothing was submitted"));
    QVERIFY(process.readAllStandardError().contains("nothing was submitted"));
}

void SubmitCommandTest::endsByItselfWhenNothingMoreComes_data()
{
    QTest::addColumn<QString>("shell");
    QTest::addColumn<QByteArray>("arriving");
    for (const QString& shell : {u"/bin/sh"_s, u"/bin/bash"_s}) {
        const auto row
            = [&shell](const char* what) -> QTestData& { return QTest::addRow("%s, %s", qPrintable(shell), what); };
        row("nothing came") << shell << QByteArray();
        row("a part came") << shell << m_plain.left(20);
        row("no word came") << shell << m_plain;
        row("half a word came") << shell << m_plain + "g";
        row("another word came") << shell << m_plain + "no";
    }
}

/// A client that vanished behind a connection that stays open: the input never ends.
void SubmitCommandTest::endsByItselfWhenNothingMoreComes()
{
    QFETCH(QString, shell);
    QFETCH(QByteArray, arriving);
    QProcess process;
    start(process, shell, sbatchCommand({m_plain, m_token, {}}, {1, 1}).line, arriving);
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.exitCode(), 75);
    QCOMPARE(received(), QByteArray("nothing was submitted"));
    QVERIFY(process.readAllStandardError().contains("nothing was submitted"));
}

/// bash runs the script as before, whatever its last line ends with.
void SubmitCommandTest::theMarkChangesNothing()
{
    for (const QByteArray& script : {QByteArray("#!/bin/bash\necho one two\n"), QByteArray("#!/bin/bash\necho one two"),
             QByteArray("#!/bin/bash\necho one two\\\n"), QByteArray("#!/bin/bash\necho one two\\"),
             QByteArray("#!/bin/bash\ncat <<END\none two\nEND")}) {
        const RemoteCommand command = sbatchCommand({script, m_token, {}});
        QProcess process;
        start(process, u"/bin/sh"_s, command.line, command.input + submitWord);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(test::longWaitMs));
        QProcess bash;
        bash.start(u"/bin/bash"_s, {m_folder->filePath(u"received"_s)});
        QVERIFY(bash.waitForFinished(test::longWaitMs));
        QCOMPARE(bash.readAllStandardOutput(), QByteArray("one two\n"));
        QCOMPARE(bash.readAllStandardError(), QByteArray());
    }
}

/// scontrol's words and exit status as seen with Slurm 22.05.8.
void SubmitCommandTest::findsTheMarkInTheScriptsOfJobs()
{
    place(u"scontrol"_s,
        "case $3 in\n"
        "    11) printf '#!/bin/bash\\n# Submitted by Rankwright as rw-00000000000000aa\\n';;\n"
        "    12) echo 'job script retrieval failed: Job script not specified' >&2;;\n"
        "    13) printf '#!/bin/bash\\ntrue *\\n\\n# Submitted by Rankwright as rw-0123456789abcdef\\n';;\n"
        "    *) echo 'job script retrieval failed: Unable to contact slurm controller (connect failure)' >&2;;\n"
        "esac\n");
    const auto answer = [this](const QList<JobId>& jobs) {
        QProcess process;
        start(process, u"/bin/sh"_s, scriptsCommand(jobs, m_token).line, {});
        process.closeWriteChannel();
        return process.waitForFinished(test::longWaitMs) && process.exitCode() == 0 ? process.readAllStandardOutput()
                                                                                    : "failed";
    };
    QCOMPARE(answer({u"11"_s, u"12"_s, u"13"_s, u"14"_s}),
        QByteArray("12 job script retrieval failed: Job script not specified\n13 found\n"));
    QCOMPARE(answer({u"11"_s}), QByteArray());
    QCOMPARE(answer({u"14"_s}),
        QByteArray("14 job script retrieval failed: Unable to contact slurm controller (connect failure)\n"));
}

RANKWRIGHT_TEST_MAIN(SubmitCommandTest)
#include "tst_submitcommand.moc"
