// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/loginprobes.h"

#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

CommandOutcome said(const QByteArray& output, int status = 0, const QByteArray& errors = {})
{
    CommandOutcome outcome;
    outcome.output = output;
    outcome.errorOutput = errors;
    outcome.exitStatus = status;
    return outcome;
}

} // namespace

/// What is asked, in real shells with a home of their own; what the answers mean.
class LoginProbesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanStartUp();
    void noisyStartUp();
    void startUpThatExits();
    void slurm();
    void accounts();

    /// A second cluster on the same accounting has projects of mine, too: they are not for here.
    void accountsOfThisClusterAlone();
    void scratch();
    void scratchOfVariables();

    /// A cluster file is somebody's text: nothing in it is executed.
    void hostilePathsAreNotExecuted();
    void container();
    void python();

private:
    /// A program that the probes find: in ~/bin, before all others.
    void tool(const QString& name, const QByteArray& body)
    {
        QDir(m_home->path()).mkpath(u"bin"_s);
        QFile file(m_home->filePath(u"bin/"_s + name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + body + '\n');
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QFile profile(m_home->filePath(u".bash_profile"_s));
        QVERIFY(profile.open(QIODevice::WriteOnly));
        profile.write("PATH=\"$HOME/bin:$PATH\"\n");
        m_environment.insert(u"PATH"_s, m_home->filePath(u"bin"_s) + u':' + qEnvironmentVariable("PATH"));
    }
    CommandOutcome run(const RemoteCommand& command) const
    {
        QProcess shell;
        shell.setProcessEnvironment(m_environment);
        shell.start(u"/bin/sh"_s, {u"-c"_s, command.line});
        shell.closeWriteChannel();
        shell.waitForFinished(test::longWaitMs);
        return said(shell.readAllStandardOutput(), shell.exitCode(), shell.readAllStandardError());
    }

    std::unique_ptr<QTemporaryDir> m_home;
    QProcessEnvironment m_environment;
};

void LoginProbesTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_home = std::make_unique<QTemporaryDir>();
    m_environment = QProcessEnvironment::systemEnvironment();
    m_environment.insert(u"HOME"_s, m_home->path());
    for (const QString& name : {u"SCRATCH"_s, u"WORK"_s, u"BASH_ENV"_s})
        m_environment.remove(name);
}

void LoginProbesTest::cleanStartUp()
{
    QCOMPARE(readStartUp(run(startUpProbe())).light, Light::Ok);
    QVERIFY(!startUpProbe().fenced); // what comes before it is the question
}

void LoginProbesTest::noisyStartUp()
{
    const StepOutcome outcome = readStartUp(said("Welcome, Ada!\nrankwright-start-up-probe\n"));
    QCOMPARE(outcome.light, Light::Failed);
    QVERIFY(outcome.evidence.contains(u"Welcome, Ada!"_s));
    QCOMPARE(outcome.mistakes, QStringList{u"noisy_startup"_s});
    QVERIFY(outcome.advice.contains(u".bashrc"_s));
    QCOMPARE(readStartUp(said("rankwright-start-up-probe\nbye\n")).light, Light::Failed);
}

void LoginProbesTest::startUpThatExits()
{
    const StepOutcome silent = readStartUp(said({}));
    QCOMPARE(silent.light, Light::Failed);
    QVERIFY(silent.evidence.contains(u"ends the shell"_s));
    const StepOutcome menu = readStartUp(said("Choose: 1) mail\x1b[31m 2) quit\n", 1));
    QVERIFY(menu.evidence.contains(u"Choose:"_s));
    QVERIFY(!menu.evidence.contains(QChar(0x1b))); // a server's text
}

void LoginProbesTest::slurm()
{
    QCOMPARE(readSlurm(said("slurm 23.11.4\n")).light, Light::Ok);
    QCOMPARE(readSlurm(said({}, 127, "sh: sinfo: not found\n")).light, Light::Failed);
    QCOMPARE(readSlurm(said("Welcome\n")).light, Light::Failed);
}

void LoginProbesTest::accounts()
{
    QStringList names;
    const StepOutcome good = readAccounts(said("project_1\nproject_2\nproject_1\n\n"), &names);
    QCOMPARE(good.light, Light::Ok);
    QCOMPARE(names, (QStringList{u"project_1"_s, u"project_2"_s}));
    const StepOutcome none = readAccounts(said("\n"), &names);
    QCOMPARE(none.light, Light::Failed);
    QCOMPARE(none.mistakes, QStringList{u"no_project"_s});
    QVERIFY(names.isEmpty());
    QCOMPARE(readAccounts(said({}, 1, "no accounting"), &names).light, Light::Unknown);
}

void LoginProbesTest::accountsOfThisClusterAlone()
{
    tool(u"scontrol"_s, "echo 'ClusterName             = here'");
    tool(u"sacctmgr"_s,
        "case \"$*\" in *cluster=here*) echo mine_here;; *) printf 'mine_here\\nmine_elsewhere\\n';; esac");
    QStringList names;
    readAccounts(run(accountProbe()), &names);
    QCOMPARE(names, QStringList{u"mine_here"_s});
}

void LoginProbesTest::scratch()
{
    QDir(m_home->path()).mkpath(u"scratch/project_1"_s);
    const QString pattern = m_home->path() + u"/scratch/{account}"_s;
    const StepOutcome good = readScratch(run(scratchProbe(pattern, {u"project_0"_s, u"project_1"_s})));
    QCOMPARE(good.light, Light::Ok);
    QVERIFY(good.evidence.contains(u"scratch/project_1"_s) && !good.evidence.contains(u"project_0"_s));
    // and nothing stays behind
    QCOMPARE(QDir(m_home->filePath(u"scratch/project_1"_s))
                 .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
        QStringList());
    const StepOutcome bad = readScratch(run(scratchProbe(pattern, {u"project_0"_s})));
    QCOMPARE(bad.light, Light::Failed);
    QVERIFY(bad.evidence.contains(u"project_0"_s));
}

void LoginProbesTest::scratchOfVariables()
{
    QDir(m_home->path()).mkpath(u"mine"_s);
    m_environment.insert(u"SCRATCH"_s, m_home->filePath(u"mine"_s));
    QCOMPARE(readScratch(run(scratchProbe(u"$SCRATCH"_s, {}))).light, Light::Ok);
    QCOMPARE(readScratch(run(scratchProbe({}, {}))).light, Light::Ok); // nothing published
    m_environment.remove(u"SCRATCH"_s);
    QCOMPARE(readScratch(run(scratchProbe({}, {}))).light, Light::Unknown);
}

void LoginProbesTest::hostilePathsAreNotExecuted()
{
    const QString mark = m_home->filePath(u"mark"_s);
    for (const QString& path : {u"/x$(touch %1)"_s, u"/x`touch %1`"_s, u"/x\"; touch %1; \""_s, u"/x\ntouch %1"_s})
        run(scratchProbe(path.arg(mark), {}));
    run(scratchProbe(u"/x/{account}"_s, {u"$(touch %1)"_s.arg(mark)}));
    ClusterProfile profile;
    profile.launch.modules = {u"a; touch %1"_s.arg(mark)};
    profile.launch.pythonCommand = u"python3; touch %1"_s.arg(mark);
    run(softwareProbe(profile));
    profile.container.image = u"/x; touch %1"_s.arg(mark);
    run(softwareProbe(profile));
    QVERIFY(!QFile::exists(mark));
}

void LoginProbesTest::container()
{
    ClusterProfile profile;
    profile.container.image = m_home->filePath(u"image 1.sif"_s);
    QCOMPARE(readSoftware(run(softwareProbe(profile)), profile).light, Light::Failed);
    QFile image(profile.container.image);
    QVERIFY(image.open(QIODevice::WriteOnly));
    image.close();
    QCOMPARE(readSoftware(run(softwareProbe(profile)), profile).light, Light::Ok);
}

void LoginProbesTest::python()
{
    tool(u"python-with"_s, "echo 'rankwright: torch'");
    tool(u"python-without"_s, "echo banner; echo 'rankwright: no torch'");
    ClusterProfile profile;
    profile.launch.pythonCommand = u"python-with"_s;
    QCOMPARE(readSoftware(run(softwareProbe(profile)), profile).light, Light::Ok);
    profile.launch.pythonCommand = u"python-without"_s;
    QCOMPARE(readSoftware(run(softwareProbe(profile)), profile).light, Light::Unknown);
    profile.launch.bringsTorch = true; // the catalogue promises it
    QCOMPARE(readSoftware(run(softwareProbe(profile)), profile).light, Light::Failed);
    profile.launch.pythonCommand = u"no-such-python"_s;
    const StepOutcome none = readSoftware(run(softwareProbe(profile)), profile);
    QCOMPARE(none.light, Light::Unknown);
    QVERIFY(none.evidence.contains(u"no-such-python"_s));
}

RANKWRIGHT_TEST_MAIN(LoginProbesTest)
#include "tst_loginprobes.moc"
