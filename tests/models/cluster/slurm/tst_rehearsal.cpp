// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/rehearsal.h"
#include "models/cluster/slurm/sbatchcommand.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;
using Answer = StartForecast::Answer;

namespace {

/// A login node of stubs: what scontrol and sinfo print, and an sbatch that notes how it was called.
struct Login {
    QByteArray version = "24.05.8";
    QByteArray preemption = "preempt/none";
    QByteArray plugins = "(null)";
    QByteArray partitions = "standard-g 64 up\nsmall-g 16 up\nsmall-g 4 up\ndebug 8 up\nempty 0 up\nclosed 4 down\n";
    QByteArray sbatch = "echo 'sbatch: Job 7 to start at 2026-03-04T05:06:07 a using 1 processors on nodes n1 in "
                        "partition x' >&2\n";
    bool isControllerAway = false;
    QByteArray variables = {};
};

struct Asked {
    Result<StartForecast> forecast;
    QStringList calls; ///< of sbatch, its words
    QByteArray script;
};

void put(const QString& path, const QByteArray& text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()
        || !file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
        qFatal("cannot write %s", qPrintable(path));
}

Asked ask(const Login& login, const QString& partition, const QByteArray& script = "#!/bin/bash\nsrun true\n",
    const QString& shell = u"sh"_s)
{
    QTemporaryDir folder;
    put(folder.filePath(u"scontrol"_s),
        login.isControllerAway
            ? QByteArray("#!/bin/sh\necho 'slurm_load_ctl_conf error: Unable to contact slurm controller (connect "
                         "failure)' >&2\nexit 1\n")
            : "#!/bin/sh\ncat <<'END'\nJobSubmitPlugins        = " + login.plugins + "\nPreemptType             = "
                + login.preemption + "\nSLURM_VERSION           = " + login.version + "\nEND\n");
    put(folder.filePath(u"sinfo"_s),
        "#!/bin/sh\ncase $* in *-a*) ;; *) exit 3;; esac\nprintf '%s' '" + login.partitions + "'\n");
    put(folder.filePath(u"sbatch"_s),
        "#!/bin/sh\n[ \"$1\" = -V ] && { echo slurm 24.05.8; exit; }\nd=$(dirname \"$0\")\necho \"$*\" >>\"$d/calls\"\ncat >\"$d/received\"\n"
            + login.sbatch);
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, folder.path() + u':' + environment.value(u"PATH"_s));
    process.setProcessEnvironment(environment);
    SubmitRequest request{script, u"rw-0123456789abcdef"_s, u"/scratch/my runs"_s};
    request.partition = partition;
    const RemoteCommand command = rehearseCommand(request);
    process.start(shell, {u"-c"_s, QString::fromUtf8(login.variables) + QString::fromUtf8(command.wireLine({}))});
    process.write(command.input);
    process.closeWriteChannel();
    process.waitForFinished(test::longWaitMs);
    CommandOutcome outcome;
    outcome.output = process.readAllStandardOutput();
    outcome.errorOutput = process.readAllStandardError();
    outcome.exitStatus = process.exitCode();
    QFile calls(folder.filePath(u"calls"_s)), received(folder.filePath(u"received"_s));
    const bool wasCalled = calls.open(QIODevice::ReadOnly) && received.open(QIODevice::ReadOnly);
    return {readRehearsal(outcome),
        wasCalled ? QString::fromUtf8(calls.readAll()).split(u'\n', Qt::SkipEmptyParts) : QStringList(),
        wasCalled ? received.readAll() : QByteArray()};
}

} // namespace

/// sbatch --test-only as it is asked for on a login node, in a real shell among stubs: no question that can end a
/// controller.
class RehearsalTest final : public test::Suite {
    Q_OBJECT
private slots:
    void asksOnePartition_data();
    void asksOnePartition();
    void asksNoReleaseThatItEnds_data();
    void asksNoReleaseThatItEnds();
    void handsTheScriptOnWhole();
    void aPluginThatTakesAllPartitions();
    void theUsersOwnPartitions();
    void oneOfAListRefuses();
    void theOnlyUsableOneRefuses();
    void aControllerThatIsAwayIsAskedOnce();
    void aControllerThatEnds();
};

void RehearsalTest::asksOnePartition_data()
{
    QTest::addColumn<QString>("partition");
    QTest::addColumn<QString>("asked"); ///< --partition= on the command line; empty: none
    QTest::addColumn<bool>("isAsked");
    QTest::newRow("of the site's own choice") << QString() << QString() << true;
    QTest::newRow("one") << u"small-g"_s << QString() << true;
    QTest::newRow("one that is down") << u"closed"_s << QString() << true; // jobs wait there
    QTest::newRow("one that sinfo does not list") << u"nowhere"_s << QString() << true;
    QTest::newRow("one without nodes") << u"empty"_s << QString() << false;
    QTest::newRow("a list") << u"small-g,standard-g"_s << u"small-g"_s << true;
    QTest::newRow("the first has no nodes") << u"empty,small-g"_s << u"small-g"_s << true;
    QTest::newRow("the first is down") << u"closed,empty,debug"_s << u"debug"_s << true;
    QTest::newRow("none has nodes") << u"empty,empty"_s << QString() << false;
    QTest::newRow("none is up") << u"empty,closed"_s << QString() << false;
    QTest::newRow("a pattern for files") << u"*,small-g"_s << u"small-g"_s << true;
}

void RehearsalTest::asksOnePartition()
{
    QFETCH(QString, partition);
    QFETCH(QString, asked);
    QFETCH(bool, isAsked);
    for (const QString& shell : {u"sh"_s, u"bash"_s}) {
        const Asked answer = ask({}, partition, "#!/bin/bash\n", shell);
        QVERIFY_RESULT(answer.forecast);
        QCOMPARE(answer.forecast->answer, isAsked ? Answer::Accepted : Answer::NotAsked);
        QCOMPARE(answer.calls.size(), isAsked ? 1 : 0);
        if (!isAsked) {
            QVERIFY(rehearsalText(*answer.forecast).contains(u"no partition"_s));
            continue;
        }
        QCOMPARE(answer.calls.first(),
            u"--test-only --comment=rw-0123456789abcdef --chdir=/scratch/my runs"_s
                + (asked.isEmpty() ? QString() : u" --partition="_s + asked));
        QVERIFY(answer.forecast->start.isValid());
        QCOMPARE(answer.forecast->note.contains(asked), true);
    }
}

void RehearsalTest::asksNoReleaseThatItEnds_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("preemption");
    QTest::addColumn<bool>("isAsked");
    // Slurm's ticket 21894, mended in 24.11.2 and 25.05.0
    QTest::newRow("24.05") << QByteArray("24.05.8") << QByteArray("preempt/qos") << true;
    QTest::newRow("24.11.0") << QByteArray("24.11.0") << QByteArray("preempt/qos") << false;
    QTest::newRow("24.11.1") << QByteArray("24.11.1") << QByteArray("preempt/partition_prio") << false;
    QTest::newRow("24.11.1, packaged") << QByteArray("24.11.1-2") << QByteArray("preempt/qos") << false;
    QTest::newRow("24.11.1, no preemption") << QByteArray("24.11.1") << QByteArray("(null)") << true;
    QTest::newRow("24.11.1, none by name") << QByteArray("24.11.1") << QByteArray("preempt/none") << true;
    QTest::newRow("24.11.2") << QByteArray("24.11.2") << QByteArray("preempt/qos") << true;
    QTest::newRow("24.11.7") << QByteArray("24.11.7") << QByteArray("preempt/qos") << true;
    QTest::newRow("25.05.0") << QByteArray("25.05.0") << QByteArray("preempt/qos") << true;
    QTest::newRow("26.05.3") << QByteArray("26.05.3") << QByteArray("preempt/qos") << true;
}

void RehearsalTest::asksNoReleaseThatItEnds()
{
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, preemption);
    QFETCH(bool, isAsked);
    Login login;
    login.version = version;
    login.preemption = preemption;
    const Asked answer = ask(login, u"small-g"_s);
    QVERIFY_RESULT(answer.forecast);
    QCOMPARE(answer.calls.size(), isAsked ? 1 : 0);
    QCOMPARE(answer.forecast->answer, isAsked ? Answer::Accepted : Answer::NotAsked);
    QCOMPARE(rehearsalText(*answer.forecast).contains(u"preemption"_s), !isAsked);
}

void RehearsalTest::handsTheScriptOnWhole()
{
    const QByteArray rough = "#!/bin/bash\necho 'it\\'s %s \\n $HOME' \"`x`\" Größe\n\n\n";
    QCOMPARE(ask({}, u"small-g"_s, rough).script, rough);
    QCOMPARE(ask({}, u"small-g,debug"_s, rough.chopped(3)).script, rough.chopped(3));
}

void RehearsalTest::aPluginThatTakesAllPartitions()
{
    Login login;
    login.plugins = "all_partitions";
    const Asked answer = ask(login, {});
    QCOMPARE(answer.calls.size(), 1);
    QVERIFY2(answer.calls.first().endsWith(u"--partition=debug"_s), qPrintable(answer.calls.first()));
}

void RehearsalTest::theUsersOwnPartitions()
{
    Login login;
    login.variables = "export SBATCH_PARTITION=empty,debug; ";
    const Asked answer = ask(login, {});
    QVERIFY2(answer.calls.value(0).endsWith(u"--partition=debug"_s), qPrintable(answer.calls.value(0)));
}

void RehearsalTest::oneOfAListRefuses()
{
    Login login;
    login.sbatch
        = "echo 'allocation failure: Requested time limit is invalid (missing or exceeds some limit)' >&2\nexit 1\n";
    const Asked answer = ask(login, u"debug,standard-g"_s);
    QVERIFY_RESULT(answer.forecast);
    QCOMPARE(answer.forecast->answer, Answer::PartlyRefused);
    QVERIFY2(answer.forecast->note.startsWith(u"In debug Slurm would refuse it: The time limit"_s),
        qPrintable(answer.forecast->note));
    QCOMPARE(answer.calls.size(), 1);
}

void RehearsalTest::theOnlyUsableOneRefuses()
{
    Login login;
    login.sbatch
        = "echo 'allocation failure: Requested time limit is invalid (missing or exceeds some limit)' >&2\nexit 1\n";
    const Asked answer = ask(login, u"empty,debug"_s);
    QVERIFY(!answer.forecast);
    QCOMPARE(answer.forecast.error().fault, Fault::RemoteExit);
}

void RehearsalTest::aControllerThatIsAwayIsAskedOnce()
{
    Login login;
    login.isControllerAway = true;
    const Asked answer = ask(login, u"small-g"_s);
    QVERIFY(!answer.forecast);
    QCOMPARE(answer.forecast.error().fault, Fault::Offline);
    QVERIFY(answer.calls.isEmpty());
}

void RehearsalTest::aControllerThatEnds()
{
    Login login;
    login.sbatch = "echo 'allocation failure: Zero Bytes were transmitted or received' >&2\nexit 1\n";
    const Asked answer = ask(login, u"small-g,debug"_s);
    QVERIFY(!answer.forecast);
    QCOMPARE(answer.forecast.error().fault, Fault::Offline);
    QVERIFY(answer.forecast.error().what.contains(u"nothing was sent"_s));
    QCOMPARE(answer.calls.size(), 1); // it is not asked for the next partition
}

RANKWRIGHT_TEST_MAIN(RehearsalTest)
#include "tst_rehearsal.moc"
