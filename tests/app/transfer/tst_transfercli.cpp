// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/clirun.h"
#include "tests/app/support/slurmwords.h"
#include "tests/app/transfer/transferfixture.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// files, upload and download as a script calls them, over OpenSSH's own server.
class TransferCliTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() override;
    void upAndDown();
    void dryRunCopiesNothing();
    void newerIsLeftAlone();
    void listsAndRooms();
    void whatIsNotThere();
    void resultsOfAJob();
    void resultsThatAreNotThere();

private:
    void haveJob() const;
    Answer run(const QStringList& words) const
    {
        const SshEndpoint endpoint = m_sshd->endpoint();
        return rankwright::test::run(words
            + QStringList{u"--json"_s, u"--host"_s, endpoint.host, u"--port"_s, QString::number(endpoint.port),
                u"--user"_s, endpoint.user, u"--identity"_s, endpoint.identities.value(0), u"--known-hosts"_s,
                endpoint.knownHosts, u"--config"_s, m_files->at(u"no-config"_s), u"--data-dir"_s,
                m_files->at(u"data"_s)});
    }
    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
    std::unique_ptr<TransferFixture> m_files;
};

void TransferCliTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    // Slurm's commands of the server: they print what a test has written into files of its home.
    m_sshd = std::make_unique<RealSshd>(SshdWorld{.config = "SetEnv HOME=@FOLDER@ PATH=@FOLDER@:/usr/bin:/bin\n",
        .scripts = {
            {u"squeue"_s,
                "#!/bin/sh\ncase $* in *'-j 41'*|*\"-j '41'\"*) cat \"$HOME/queue\" ;; *) echo "
                "'slurm_load_jobs error: Invalid job id specified' >&2; exit 1 ;; esac\n"},
            {u"scontrol"_s, "#!/bin/sh\ncase $* in *'show job 41'*) cat \"$HOME/page\" ;; *) exit 1 ;; esac\n"},
            {u"sacct"_s, "#!/bin/sh\nexit 0\n"},
            {u"sinfo"_s, "#!/bin/sh\nexit 0\n"},
        }});
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshClient probe(m_sshd->endpoint());
    const LinkState state = probe.connectNow();
    if (const QString locked = m_sshd->lockedOut(); !locked.isEmpty())
        QSKIP(qPrintable(locked));
    QVERIFY2(state == LinkState::Online, qPrintable(probe.whyNot() + u'\n' + QString::fromLocal8Bit(m_sshd->log())));
}

void TransferCliTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_files = std::make_unique<TransferFixture>();
    m_files->write(u"no-config"_s, "");
    m_files->write(u"here/p/a.py"_s, "print(1)\n");
    m_files->write(u"here/p/b.log"_s, "x\n");
    m_files->write(u"here/p/.rankwrightignore"_s, "*.log\n");
}

void TransferCliTest::upAndDown()
{
    const Answer up = run({u"upload"_s, u"lumi"_s, m_files->at(u"here/p"_s), m_files->at(u"there"_s)});
    QVERIFY2(up.code == 0, qPrintable(up.err));
    QCOMPARE(up.json().value(u"files"_s).toInt(), 2); // a.py and the ignore file
    QCOMPARE(m_files->read(u"there/p/a.py"_s), "print(1)\n");
    QVERIFY(!QFileInfo::exists(m_files->at(u"there/p/b.log"_s)));
    const Answer again = run({u"put"_s, u"lumi"_s, m_files->at(u"here/p"_s), u"--to"_s, m_files->at(u"there"_s)});
    QCOMPARE(again.json().value(u"skipped"_s).toInt(), 2);
    const Answer down = run({u"download"_s, u"lumi"_s, m_files->at(u"there/p"_s), m_files->at(u"back"_s)});
    QVERIFY2(down.code == 0, qPrintable(down.err));
    QCOMPARE(down.json().value(u"files"_s).toInt(), 2);
    QCOMPARE(m_files->read(u"back/p/a.py"_s), "print(1)\n");
    const Answer one = run({u"get"_s, u"lumi"_s, m_files->at(u"there/p/a.py"_s), u"--to"_s, m_files->at(u"one"_s)});
    QVERIFY2(one.code == 0, qPrintable(one.err));
    QCOMPARE(m_files->read(u"one/a.py"_s), "print(1)\n");
}

void TransferCliTest::dryRunCopiesNothing()
{
    const Answer dry = run({u"upload"_s, u"lumi"_s, m_files->at(u"here/p"_s), m_files->at(u"there"_s), u"--dry-run"_s});
    QVERIFY2(dry.code == 0, qPrintable(dry.err));
    QCOMPARE(dry.json().value(u"files"_s).toInt(), 2);
    QVERIFY(dry.json().value(u"dryRun"_s).toBool());
    QVERIFY(dry.json().value(u"entries"_s).toArray().size() >= 3);
    QVERIFY(!QFileInfo::exists(m_files->at(u"there"_s)));
}

void TransferCliTest::newerIsLeftAlone()
{
    m_files->write(u"there/p/a.py"_s, "changed there\n", 1);
    const Answer up = run({u"upload"_s, u"lumi"_s, m_files->at(u"here/p"_s), m_files->at(u"there"_s)});
    QCOMPARE(up.code, 1);
    QCOMPARE(up.json().value(u"newer"_s).toInt(), 1);
    QVERIFY2(up.err.contains(u"p/a.py"_s), qPrintable(up.err));
    QCOMPARE(m_files->read(u"there/p/a.py"_s), "changed there\n");
    const Answer said
        = run({u"upload"_s, u"lumi"_s, m_files->at(u"here/p"_s), m_files->at(u"there"_s), u"--replace-newer"_s});
    QVERIFY2(said.code == 0, qPrintable(said.err));
    QCOMPARE(m_files->read(u"there/p/a.py"_s), "print(1)\n");
}

void TransferCliTest::listsAndRooms()
{
    const Answer list = run({u"files"_s, u"lumi"_s, u"ls"_s, m_files->at(u"here/p"_s)});
    QVERIFY2(list.code == 0, qPrintable(list.err));
    QCOMPARE(list.json().value(u"entries"_s).toArray().size(), 3);
    const Answer rooms = run({u"files"_s, u"lumi"_s, u"quota"_s});
    QVERIFY2(rooms.code == 0, qPrintable(rooms.err));
    QVERIFY(!rooms.jsonArray().isEmpty());
    QVERIFY(rooms.jsonArray().at(0).toObject().contains(u"limitBytes"_s)); // null where it is not known
}

void TransferCliTest::whatIsNotThere()
{
    const Answer here = run({u"upload"_s, u"lumi"_s, m_files->at(u"nowhere"_s)});
    QCOMPARE(here.code, 2);
    const Answer there = run({u"download"_s, u"lumi"_s, m_files->at(u"nowhere"_s), m_files->at(u"back"_s)});
    QCOMPARE(there.code, 1);
    QVERIFY2(there.err.contains(u"no such file"_s), qPrintable(there.err));
    QCOMPARE(run({u"files"_s, u"lumi"_s, u"made-up"_s}).code, 2);
}

/// Job 41 runs for an hour and has written an output, a checkpoint, a log; a file is older than it.
void TransferCliTest::haveJob() const
{
    JobRecord job;
    job.id = u"41"_s;
    job.name = u"llama"_s;
    job.user = u"ada"_s;
    job.state = JobState::Running;
    job.nodeList = {u"nid1"_s};
    job.started = QDateTime::currentDateTime().addSecs(-3600);
    job.workdir = m_files->at(u"work"_s);
    SshHome::write(m_sshd->path(u"queue"_s), squeueRecord(job));
    SshHome::write(m_sshd->path(u"page"_s),
        "JobId=41 JobName=llama JobState=RUNNING NodeList=nid1 StdOut=" + m_files->bytesAt(u"elsewhere/slurm-41.out"_s)
            + " WorkDir=" + m_files->bytesAt(u"work"_s) + "\n");
    m_files->write(u"elsewhere/slurm-41.out"_s, "step 1\n", 10);
    m_files->write(u"work/checkpoint-500/model.safetensors"_s, "weights\n", 20);
    m_files->write(u"work/metrics.csv"_s, "1,2\n", 30);
    m_files->write(u"work/train.py"_s, "print(1)\n", 7200);
}

void TransferCliTest::resultsOfAJob()
{
    haveJob();
    const QString target = m_files->at(u"results"_s);
    const Answer list = run({u"download"_s, u"lumi"_s, u"--job"_s, u"41"_s, u"--list"_s});
    QVERIFY2(list.code == 0, qPrintable(list.err));
    QStringList found;
    for (const QJsonValue& each : list.jsonArray())
        found.append(each[u"kind"_s].toString() + u' ' + QFileInfo(each[u"path"_s].toString()).fileName());
    QCOMPARE(found, (QStringList{u"output slurm-41.out"_s, u"checkpoint model.safetensors"_s, u"other metrics.csv"_s}));
    QVERIFY(!QFileInfo::exists(target));
    const Answer output = run({u"download"_s, u"lumi"_s, u"--job"_s, u"41"_s, target});
    QVERIFY2(output.code == 0, qPrintable(output.err));
    QCOMPARE(output.json().value(u"files"_s).toInt(), 1);
    QCOMPARE(m_files->read(u"results/slurm-41.out"_s), "step 1\n");
    const Answer more = run({u"get"_s, u"lumi"_s, u"--job"_s, u"41"_s, u"--checkpoints"_s, u"--file"_s,
        u"metrics.csv"_s, u"--to"_s, target});
    QVERIFY2(more.code == 0, qPrintable(more.err));
    QCOMPARE(m_files->read(u"results/checkpoint-500/model.safetensors"_s), "weights\n");
    QCOMPARE(m_files->read(u"results/metrics.csv"_s), "1,2\n");
    QVERIFY(!QFileInfo::exists(m_files->at(u"results/train.py"_s)));
}

void TransferCliTest::resultsThatAreNotThere()
{
    haveJob();
    const Answer none = run({u"download"_s, u"lumi"_s, u"--job"_s, u"41"_s, u"--file"_s, u"made-up"_s});
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains(u"left no such files"_s), qPrintable(none.err));
    const Answer unknown = run({u"download"_s, u"lumi"_s, u"--job"_s, u"42"_s});
    QVERIFY(unknown.code != 0);
    QVERIFY(!unknown.err.isEmpty());
    QCOMPARE(run({u"download"_s, u"lumi"_s, u"--job"_s, u"4; rm"_s}).code, 2);
}

RANKWRIGHT_TEST_MAIN(TransferCliTest)
#include "tst_transfercli.moc"
