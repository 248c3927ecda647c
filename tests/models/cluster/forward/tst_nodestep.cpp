// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/nodestep.h"
#include "tests/support/testbase.h"

#include <QProcess>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Steps on a node of a job: which node, and the lines as real shells read them.
class NodeStepTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void ranks();
    void nodes();
    void jobsThatCannotBeReached();
    void oddWordsArriveAsGiven_data();
    void oddWordsArriveAsGiven();
    void terminalOnlyWhereThereIsOne();
    void linesToCopy();
    void linesToCopyInRealBash();

private:
    static JobRecord running(const QStringList& nodes)
    {
        JobRecord job;
        job.id = u"123"_s;
        job.state = JobState::Running;
        job.nodeList = nodes;
        return job;
    }
    /// What a program called srun (or ssh, code) is given, word by word.
    QStringList wordsGiven(const QString& line) const;

    QTemporaryDir m_folder;
};

void NodeStepTest::initTestCase()
{
    for (const QString& name : {u"srun"_s, u"ssh"_s, u"code"_s}) {
        QFile program(m_folder.filePath(name));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/bash\nprintf '%s\\0' \"$@\"\n");
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
}

QStringList NodeStepTest::wordsGiven(const QString& line) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, m_folder.path() + u':' + environment.value(u"PATH"_s));
    process.setProcessEnvironment(environment);
    process.start(u"bash"_s, {u"-c"_s, line});
    process.closeWriteChannel();
    process.waitForFinished(test::longWaitMs);
    QStringList words;
    for (const QByteArray& word : process.readAllStandardOutput().split('\0'))
        words.append(QString::fromUtf8(word));
    words.removeLast();
    return words;
}

void NodeStepTest::ranks()
{
    const NodeList nodes{u"n1"_s, u"n2"_s, u"n3"_s};
    QCOMPARE(*nodeOfRank(nodes, 0, 4), u"n1"_s);
    QCOMPARE(*nodeOfRank(nodes, 5, 4), u"n2"_s);
    QCOMPARE(*nodeOfRank(nodes, 11, 4), u"n3"_s);
    QVERIFY(!nodeOfRank(nodes, 12, 4));
    QVERIFY(!nodeOfRank(nodes, -1, 4));
    QVERIFY(!nodeOfRank(nodes, 0, std::nullopt)); // nobody knows
    QCOMPARE(*nodeOfRank(NodeList{u"n1"_s}, 5, std::nullopt), u"n1"_s); // there is one only
}

void NodeStepTest::nodes()
{
    const JobRecord job = running({u"n1"_s, u"n2"_s});
    QCOMPARE(*nodeOfJob(job, {}), u"n1"_s);
    QCOMPARE(*nodeOfJob(job, u"n2"_s), u"n2"_s);
    QVERIFY(!nodeOfJob(job, u"n3"_s));
    JobRecord task = job;
    task.id = u"123_4"_s;
    task.stepJob = u"127"_s;
    QCOMPARE(stepOn(task, {})->job, u"127"_s); // srun wants the task's own number
    QVERIFY(isNodeName(u"nid001234"_s));
    QVERIFY(isNodeName(u"gpu-1.cluster.example.org"_s));
    for (const QString& bad : {u"-n"_s, u"a b"_s, u"n1;rm"_s, QString(), u"n\n"_s, u"../x"_s})
        QVERIFY2(!isNodeName(bad), qPrintable(bad));
}

void NodeStepTest::jobsThatCannotBeReached()
{
    JobRecord job = running({u"n1"_s});
    job.state = JobState::Pending;
    QVERIFY(!stepOn(job, {}));
    job = running({});
    QVERIFY(!stepOn(job, {}));
    job = running({u"n1 --exclusive"_s}); // a hostile answer
    QVERIFY(!stepOn(job, {}));
    job = running({u"n1"_s});
    job.id = u"123; reboot"_s;
    QVERIFY(!stepOn(job, {}));
}

void NodeStepTest::oddWordsArriveAsGiven_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::newRow("blanks") << QStringList{u"echo"_s, u"a  b"_s};
    QTest::newRow("quotes") << QStringList{u"it's"_s, u"\"$HOME\""_s, u"`id`"_s, u"$(id)"_s};
    QTest::newRow("empty") << QStringList{u"printf"_s, QString(), u"x"_s};
    QTest::newRow("lines") << QStringList{u"a\nb"_s, u"\\"_s, u"!x"_s};
    QTest::newRow("path") << QStringList{u"/scratch/übung 1/;rm -rf ~"_s, u"--pty"_s};
}

void NodeStepTest::oddWordsArriveAsGiven()
{
    QFETCH(QStringList, words);
    const NodeStep step{u"123"_s, u"n2"_s};
    const RemoteCommand command = shellCommand(step, TerminalRequest{}, words);
    const QStringList given = wordsGiven(QString::fromUtf8(command.wireLine({})));
    QCOMPARE(given,
        (QStringList{u"--overlap"_s, u"--jobid=123"_s, u"--nodes=1"_s, u"--ntasks=1"_s, u"--nodelist=n2"_s, u"--pty"_s}
            + words));
}

void NodeStepTest::terminalOnlyWhereThereIsOne()
{
    const NodeStep step{u"123"_s, u"n2"_s};
    const RemoteCommand with = shellCommand(step, TerminalRequest{"screen", {132, 43}});
    QVERIFY(with.terminal && with.line.contains(u"--pty"_s) && with.interactive && !with.deadlineSeconds);
    QVERIFY(!with.wireLine("mark").contains("mark")); // a terminal has no fence
    QVERIFY(wordsGiven(QString::fromUtf8(with.wireLine({}))).endsWith(u"-l"_s));
    const RemoteCommand without = shellCommand(step, {});
    QVERIFY(!without.terminal && !without.line.contains(u"--pty"_s));
}

void NodeStepTest::linesToCopy()
{
    const LoginName login{u"login.example.org"_s, 2222, u"ada"_s, {}};
    QCOMPARE(sshConfigBlock(login, u"lumi"_s, u"nid1"_s),
        u"Host lumi-nid1\n    HostName nid1\n    User ada\n    ProxyJump ada@login.example.org:2222\n"_s);
    QCOMPARE(
        editorLine({u"x"_s, 22, {}, u"lumi"_s}, u"/scratch/a b"_s), u"code --remote ssh-remote+lumi '/scratch/a b'"_s);
    // what a line feed or a quote would make of a configuration file
    const QString odd = sshConfigBlock({u"h\"\nProxyCommand x"_s, 22, {}, {}}, u"my cluster"_s, u"n1"_s);
    QCOMPARE(odd.count(u'\n'), 3);
    QVERIFY(odd.startsWith(u"Host \"my cluster-n1\"\n"_s));
}

void NodeStepTest::linesToCopyInRealBash()
{
    const QStringList ssh = wordsGiven(sshShellLine({u"login"_s, 2222, u"ada"_s, {}}, {u"123"_s, u"n2"_s}));
    QCOMPARE(ssh.first(5), (QStringList{u"-t"_s, u"-p"_s, u"2222"_s, u"ada@login"_s, ssh.value(4)}));
    QCOMPARE(wordsGiven(ssh.at(4)).mid(4), (QStringList{u"--nodelist=n2"_s, u"--pty"_s, u"bash"_s, u"-l"_s}));
    const QStringList code = wordsGiven(editorLine({u"h"_s, 22, {}, {}}, u"/a'b $c"_s));
    QCOMPARE(code.last(), u"/a'b $c"_s);
}

RANKWRIGHT_TEST_MAIN(NodeStepTest)
#include "tst_nodestep.moc"
