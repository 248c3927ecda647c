// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/log/outputlisting.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Output files listed and read by real bash, in a folder of this test.
class OutputListingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void lists();
    void readsHostileAnswers();
    void lastLines();
    void matchingLines();

private:
    struct Answer {
        int code = -1;
        QByteArray out;
    };
    static Answer execute(const RemoteCommand& command)
    {
        QProcess shell;
        shell.start(u"/bin/sh"_s, {u"-c"_s, command.line});
        if (!shell.waitForFinished(test::longWaitMs))
            return {};
        return {shell.exitCode(), shell.readAllStandardOutput()};
    }
    QString write(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("%s: cannot be written", qPrintable(name));
        return file.fileName();
    }
    QTemporaryDir m_folder;
};

void OutputListingTest::lists()
{
    JobRecord job;
    job.id = u"77"_s;
    job.workdir = m_folder.path();
    const QString main = write(u"slurm-77.out"_s, "hello\n");
    const QString odd = write(u"it's [1] $HOME;.err"_s, "12");
    const QString third = write(u"task-3.txt"_s, "abc");
    write(u"task-x.txt"_s, "of no task");
    const QList<OutputFile> files{{main, false, {}, {}}, {m_folder.filePath(u"gone.out"_s), false, {}, {}},
        {odd, false, {}, {}}, *stepOutput(u"task-%t.txt"_s, job), {main, false, {}, {}}};
    const Answer answer = execute(listOutputsCommand(files));
    QCOMPARE(answer.code, 0);
    const QList<ListedOutput> listed = listedOutputs(answer.out, files);
    QCOMPARE(listed.size(), 3);
    QCOMPARE(listed.at(0).path, main);
    QCOMPARE(listed.at(0).size, 6);
    QVERIFY(!listed.at(0).rank);
    QVERIFY(qAbs(listed.at(0).modified.secsTo(QDateTime::currentDateTimeUtc())) < 3600);
    QCOMPARE(listed.at(1).path, odd);
    QCOMPARE(listed.at(2).path, third);
    QCOMPARE(listed.at(2).rank, std::optional(3));
    QVERIFY(listedOutputs(execute(listOutputsCommand({})).out, {}).isEmpty());
}

void OutputListingTest::readsHostileAnswers()
{
    for (const QByteArray& answer : {QByteArray(), QByteArray("x"), QByteArray("1 2 3", 6), QByteArray("-5 1 1 /a", 10),
             QByteArray("99999999999 1 1 /a", 19), QByteArray("0 1 99999999999999999999 /a", 28)})
        QVERIFY(listedOutputs(answer, {}).size() <= 1);
}

void OutputListingTest::lastLines()
{
    const QString path = write(u"bars.out"_s, "first\r\n10%|1\r20%|2\r30%|3\nlast\n");
    QCOMPARE(execute(lastLinesCommand(path, 2)).out, "30%|3\nlast\n");
    QCOMPARE(execute(lastLinesCommand(path, 100)).out, "first\n10%|1\n20%|2\n30%|3\nlast\n");
    QCOMPARE(execute(lastLinesCommand(m_folder.filePath(u"gone"_s), 2)).code, 1);
}

void OutputListingTest::matchingLines()
{
    const QString path = write(u"found.out"_s, "loss 3\nerror\nloss 2\rloss 1\n");
    const Answer two = execute(matchingLinesCommand(path, u"loss [0-9]+"_s, 2));
    QCOMPARE(two.code, 0);
    QCOMPARE(two.out, "loss 2\nloss 1\n");
    QCOMPARE(execute(matchingLinesCommand(path, u"nowhere"_s, 2)).code, 1);
    QCOMPARE(execute(matchingLinesCommand(path, u"("_s, 2)).code, 2);
    QCOMPARE(execute(matchingLinesCommand(path, u"-e"_s, 2)).code, 1); // no option of grep's
    QCOMPARE(execute(matchingLinesCommand(m_folder.filePath(u"gone"_s), u"x"_s, 2)).code, 2);
}

RANKWRIGHT_TEST_MAIN(OutputListingTest)
#include "tst_outputlisting.moc"
