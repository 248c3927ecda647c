// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/slurm/sbatchcommand.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The line that submits, run by a real shell with a stub sbatch: a script cut by a broken link is not queued.
class SubmitCommandTest final : public test::Suite {
    Q_OBJECT
private slots:
    void neverSubmitsHalfAScript_data();
    void neverSubmitsHalfAScript();
};

void SubmitCommandTest::neverSubmitsHalfAScript_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("arriving"); ///< bytes that reach the login node before the link breaks; -1: all
    const QByteArray plain = "#!/bin/bash\nsrun python3 train.py\n";
    const QByteArray rough = "#!/bin/bash\necho 'it\\'s %s \\n $HOME' \"`x`\" Größe\n\n\n";
    const QByteArray large = "#!/bin/bash\n" + QByteArray(200000, '#') + "\nsrun true\n";
    QTest::newRow("whole") << plain << -1;
    QTest::newRow("whole, no last newline") << plain.chopped(1) << -1;
    QTest::newRow("whole, hard to quote") << rough << -1;
    QTest::newRow("whole, large") << large << -1;
    QTest::newRow("nothing") << plain << 0;
    QTest::newRow("last byte missing") << plain << int(plain.size() - 1);
    QTest::newRow("cut in a letter") << rough << int(rough.indexOf("Größe") + 3);
    QTest::newRow("cut after 64 KiB") << large << 65536;
}

void SubmitCommandTest::neverSubmitsHalfAScript()
{
    QFETCH(QByteArray, script);
    QFETCH(int, arriving);
    QTemporaryDir folder;
    QFile sbatch(folder.filePath(u"sbatch"_s));
    QVERIFY(sbatch.open(QIODevice::WriteOnly));
    sbatch.write("#!/bin/sh\ncat >\"$(dirname \"$0\")/received\"\necho 4711\n");
    sbatch.close();
    QVERIFY(sbatch.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));

    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, folder.path() + u':' + environment.value(u"PATH"_s));
    shell.setProcessEnvironment(environment);
    const RemoteCommand command = sbatchCommand({script, u"rw-0123456789abcdef"_s, {}});
    shell.start(u"/bin/sh"_s, {u"-c"_s, QString::fromUtf8(command.wireLine({}))});
    shell.write(arriving < 0 ? command.input : command.input.left(arriving));
    shell.closeWriteChannel(); // what a server does to the command when the link breaks
    QVERIFY(shell.waitForFinished(test::longWaitMs));

    QFile received(folder.filePath(u"received"_s));
    if (arriving < 0) {
        QCOMPARE(shell.exitCode(), 0);
        QCOMPARE(shell.readAllStandardOutput(), QByteArray("4711\n"));
        QVERIFY(received.open(QIODevice::ReadOnly));
        QVERIFY(received.readAll() == script);
        return;
    }
    QVERIFY(shell.exitCode() != 0);
    QVERIFY2(!received.exists(), "half a script was submitted");
    QVERIFY(shell.readAllStandardError().contains("nothing was submitted"));
}

RANKWRIGHT_TEST_MAIN(SubmitCommandTest)
#include "tst_submitcommand.moc"
