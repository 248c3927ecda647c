// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/practicecluster.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <unistd.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

class PracticeClusterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsTheStatus();
    void executesOnlyWhatNobodyElseCanWrite();
    void aStoppedClusterNeedsNoHost();
    void refusesWhatIsNoStatus_data();
    void refusesWhatIsNoStatus();
    void readsProgress_data();
    void readsProgress();
    void asksTheRealScript();
    void reportsWhatTheScriptSaid();
};

void PracticeClusterTest::readsTheStatus()
{
    // Shape as docs/practice.md describes it.
    const auto status
        = readPracticeStatus(R"({"running": true, "mode": "root", "host": "127.0.0.1", "port": 48991, "user": "ada",
            "identity": "/s/keys/id_ed25519", "knownHosts": "/s/known_hosts", "hostKeyFingerprints": ["SHA256:abc"],
            "account": "project_465000001", "reservation": "workshop", "trainScript": "/scratch/p/ada/train_ddp.py",
            "workdir": "/scratch/p/ada", "differences": ["no cgroups"], "nodes": [{"name": "nid005001", "gpus": 8}], "more": 1})");
    QVERIFY_RESULT(status);
    QVERIFY(status->running);
    QCOMPARE(status->host, u"127.0.0.1"_s);
    QCOMPARE(status->port, 48991);
    QCOMPARE(status->user, u"ada"_s);
    QCOMPARE(status->identity, u"/s/keys/id_ed25519"_s);
    QCOMPARE(status->knownHosts, u"/s/known_hosts"_s);
    QCOMPARE(status->fingerprints, QStringList{u"SHA256:abc"_s});
    QCOMPARE(status->account, u"project_465000001"_s);
    QCOMPARE(status->trainScript, u"/scratch/p/ada/train_ddp.py"_s);
    QCOMPARE(status->differences, QStringList{u"no cgroups"_s});
    QCOMPARE(status->json.value(u"more"_s).toInt(), 1);
}

void PracticeClusterTest::executesOnlyWhatNobodyElseCanWrite()
{
    const QTemporaryDir folder; // of mode 0700
    QVERIFY(QDir(folder.path()).mkpath(u"share/practice"_s));
    const QString script = folder.filePath(u"share/practice/practice.py"_s);
    QVERIFY(whyNotExecuted(script).contains(u"does not exist"_s));
    QFile file(script);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QFile::Permissions own = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;
    QVERIFY(file.setPermissions(own));
    QCOMPARE(whyNotExecuted(script), QString());
    for (const QString& open : {u"share/practice/practice.py"_s, u"share/practice"_s, u"share"_s}) {
        QVERIFY(QFile::setPermissions(folder.filePath(open), own | QFile::WriteOther | QFile::ReadOther));
        QVERIFY2(whyNotExecuted(script).contains(u"Anyone may write"_s), qPrintable(open));
        QVERIFY(QFile::setPermissions(folder.filePath(open), own));
    }
    // A link is as good as what it leads to.
    QVERIFY(QFile::setPermissions(folder.filePath(u"share"_s), own | QFile::WriteOther));
    QVERIFY(QFile::link(script, folder.filePath(u"link.py"_s)));
    QVERIFY(!whyNotExecuted(folder.filePath(u"link.py"_s)).isEmpty());
    if (::geteuid() != 0)
        return;
    QVERIFY(QFile::setPermissions(folder.filePath(u"share"_s), own));
    QCOMPARE(::chown(QFile::encodeName(folder.filePath(u"share"_s)).constData(), 65534, 65534), 0);
    QVERIFY(whyNotExecuted(script).contains(u"belongs to another user"_s));
}

void PracticeClusterTest::aStoppedClusterNeedsNoHost()
{
    const auto status = readPracticeStatus(R"({"running": false})");
    QVERIFY_RESULT(status);
    QVERIFY(!status->running);
}

void PracticeClusterTest::refusesWhatIsNoStatus_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("Traceback (most recent call last):");
    QTest::newRow("list") << QByteArray("[1]");
    QTest::newRow("port is text") << QByteArray(R"({"running": true, "host": "h", "port": "x"})");
    QTest::newRow("port out of range") << QByteArray(R"({"running": true, "host": "h", "port": 99999})");
    QTest::newRow("no host") << QByteArray(R"({"running": true, "port": 22})");
}

void PracticeClusterTest::refusesWhatIsNoStatus()
{
    QFETCH(QByteArray, json);
    const auto status = readPracticeStatus(json);
    QVERIFY(!status);
    QVERIFY(!status.error().what.isEmpty());
}

void PracticeClusterTest::readsProgress_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("isStep");
    QTest::newRow("step") << QByteArray("practice: [3/9] starting slurmctld") << true;
    QTest::newRow("with return") << QByteArray("practice: [3/9] starting slurmctld\r") << true;
    QTest::newRow("message") << QByteArray("practice: munge is missing") << false;
    QTest::newRow("foreign") << QByteArray("[3/9] starting slurmctld") << false;
    QTest::newRow("empty") << QByteArray() << false;
}

void PracticeClusterTest::readsProgress()
{
    QFETCH(QByteArray, line);
    QFETCH(bool, isStep);
    const auto step = readPracticeStep(line);
    QCOMPARE(step.has_value(), isStep);
    if (isStep)
        QCOMPARE(*step, PracticeStep({3, 9, u"starting slurmctld"_s}));
}

void PracticeClusterTest::asksTheRealScript()
{
    QVERIFY(!PracticeCluster::scriptPath().isEmpty());
    QTemporaryDir folder;
    PracticeCluster practice(folder.path());
    std::optional<Result<PracticeStatus>> answer;
    practice.status(&practice, [&](const Result<PracticeStatus>& status) { answer = status; });
    QVERIFY(practice.isBusy());
    std::optional<Result<PracticeStatus>> second;
    practice.status(&practice, [&](const Result<PracticeStatus>& status) { second = status; });
    QTRY_VERIFY(answer.has_value() && second.has_value());
    QVERIFY_RESULT(*answer);
    QVERIFY(!(*answer)->running);
    QVERIFY(!*second); // one order at a time
    QVERIFY(!practice.isBusy());
}

void PracticeClusterTest::reportsWhatTheScriptSaid()
{
    QTemporaryDir folder;
    PracticeCluster practice(folder.path());
    std::optional<Result<QByteArray>> answer;
    practice.order({u"fault"_s, u"no-such-fault"_s}, &practice, [&](const Result<QByteArray>& got) { answer = got; });
    QTRY_VERIFY(answer.has_value());
    QVERIFY(!*answer);
    QVERIFY2(answer->error().what.contains(u"no-such-fault"_s), qPrintable(answer->error().oneLine()));
}

RANKWRIGHT_TEST_MAIN(PracticeClusterTest)
#include "tst_practicecluster.moc"
