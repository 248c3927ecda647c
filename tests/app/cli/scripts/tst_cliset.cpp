// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;
using rankwright::test::Answer;
using rankwright::test::run;

/// `rankwright-cli set`, and the `fields` of `read`.
class CliSetTest final : public test::Suite {
    Q_OBJECT
private slots:
    void writesTheScript();
    void showsTheDifference();
    void refusals_data();
    void refusals();
    void fieldsHavePlaces();
    void fieldsNeedNoCluster();
    void tooLarge();
    void keepsTheEncoding();

private:
    QString file(const QByteArray& bytes)
    {
        QFile out(m_folder.filePath(u"job.sh"_s));
        return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() ? out.fileName() : QString();
    }
    static QByteArray job()
    {
        return "#!/bin/bash\n#SBATCH -N 2 # two\n#SBATCH --gres=gpu:a100:4\n#SBATCH -t 30\n"
               "srun -N 2 python train.py --lr 0.1\n";
    }
    /// Of the program itself: its output in bytes.
    static QByteArray bytesOf(const QStringList& words, const QByteArray& input = {})
    {
        QProcess process;
        process.start(QCoreApplication::applicationDirPath() + u"/rankwright-cli"_s, words);
        process.write(input);
        process.closeWriteChannel();
        return process.waitForFinished(test::longWaitMs) ? process.readAllStandardOutput() : QByteArray();
    }
    QTemporaryDir m_folder;
};

void CliSetTest::writesTheScript()
{
    const Answer answer = run({u"set"_s, file(job()), u"resources.nodes=4"_s, u"time=2h"_s, u"arguments.--lr=3e-4"_s,
        u"command+= --seed 1"_s});
    QCOMPARE(answer.code, 0);
    QVERIFY2(answer.err.isEmpty(), qPrintable(answer.err));
    QCOMPARE(answer.out,
        u"#!/bin/bash\n#SBATCH -N 4 # two\n#SBATCH --gres=gpu:a100:4\n#SBATCH -t 120\n"
        "srun -N 4 python train.py --lr 3e-4 --seed 1\n"_s);
}

void CliSetTest::showsTheDifference()
{
    const Answer answer = run({u"set"_s, u"--diff"_s, file(job()), u"resources.gpusPerNode=2"_s});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.out.contains(u"\n-#SBATCH --gres=gpu:a100:4\n+#SBATCH --gres=gpu:a100:2\n"_s));
    QCOMPARE(answer.out.count(u"\n-"_s), 1);
}

void CliSetTest::refusals_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("says");
    QTest::newRow("cannot be set") << QStringList{u"resources.nodes=many"_s} << 1 << u"resources.nodes cannot be set"_s;
    QTest::newRow("no such field") << QStringList{u"colour=red"_s} << 1 << u"no such field"_s;
    QTest::newRow("no field") << QStringList{u"nodes"_s} << 2 << u"FIELD=VALUE"_s;
    QTest::newRow("nothing to set") << QStringList{} << 2 << u"usage"_s;
}

void CliSetTest::refusals()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, says);
    const Answer answer = run(QStringList{u"set"_s, file(job())} + words);
    QCOMPARE(answer.code, code);
    QVERIFY(answer.out.isEmpty());
    QVERIFY2(answer.err.contains(says) && answer.err.count(u'\n') == 1, qPrintable(answer.err));
}

void CliSetTest::fieldsHavePlaces()
{
    const Answer answer = run({u"read"_s, u"--cluster"_s, u"generic"_s, u"--json"_s, file(job())});
    const QJsonObject fields = answer.json().value(u"fields"_s).toObject();
    const QJsonObject nodes = fields.value(u"resources.nodes"_s).toObject();
    QCOMPARE(nodes.value(u"value"_s).toInt(), 2);
    QVERIFY(nodes.value(u"why"_s).isNull());
    const QJsonArray places = nodes.value(u"places"_s).toArray();
    QCOMPARE(places.size(), 2);
    QCOMPARE(places.first().toObject(), (QJsonObject{{u"line"_s, 2}, {u"column"_s, 12}, {u"length"_s, 1}}));
    QCOMPARE(places.last().toObject(), (QJsonObject{{u"line"_s, 5}, {u"column"_s, 9}, {u"length"_s, 1}}));
    const QJsonObject account = fields.value(u"account"_s).toObject();
    QVERIFY(account.value(u"value"_s).isNull() && account.value(u"places"_s).toArray().isEmpty());
    QVERIFY(!account.value(u"why"_s).toString().isEmpty());
}

void CliSetTest::fieldsNeedNoCluster()
{
    const QString script = file(job());
    const QJsonObject fields = run({u"read"_s, u"--json"_s, script}).json().value(u"fields"_s).toObject();
    QVERIFY(!fields.isEmpty());
    QCOMPARE(
        fields, run({u"read"_s, u"--json"_s, u"--cluster"_s, u"lumi"_s, script}).json().value(u"fields"_s).toObject());
    const Answer table = run({u"read"_s, script});
    QCOMPARE(table.code, 0);
    QVERIFY2(QRegularExpression(u"resources\\.nodes +2 +2, 5\n"_s).match(table.out).hasMatch(), qPrintable(table.out));
    QCOMPARE(run({u"read"_s, u"--exact"_s, script}).code, 2);
}

void CliSetTest::tooLarge()
{
    const QString script = file(job() + QByteArray(5 * 1024 * 1024, '#'));
    for (const QStringList& words : {QStringList{u"read"_s, script}, QStringList{u"set"_s, script, u"name=a"_s}}) {
        const Answer answer = run(words);
        QVERIFY(answer.code != 0 && answer.out.isEmpty());
        QVERIFY2(answer.err.contains(u"4 MB"_s) && answer.err.count(u'\n') == 1, qPrintable(answer.err));
    }
}

/// A script in Latin-1 stays in it, through its design as well.
void CliSetTest::keepsTheEncoding()
{
    if (!QFile::exists(QCoreApplication::applicationDirPath() + u"/rankwright-cli"_s))
        QSKIP("rankwright-cli is not built beside the tests");
    const QByteArray script = "#!/bin/bash\n# caf\xe9\n#SBATCH -N 2\nsrun python train.py --name \xe9t\xe9\n";
    const QString path = file(script);
    const QByteArray edited = QByteArray(script).replace("-N 2", "-N 4");
    QCOMPARE(bytesOf({u"set"_s, path, u"resources.nodes=4"_s}), edited);
    QJsonObject design
        = QJsonDocument::fromJson(bytesOf({u"read"_s, u"--cluster"_s, u"generic"_s, u"--json"_s, path})).object();
    for (const QString& part : {u"fields"_s, u"understood"_s, u"notUnderstood"_s, u"commandsKept"_s})
        design.remove(part);
    QCOMPARE(bytesOf({u"script"_s, u"-"_s}, QJsonDocument(design).toJson()), script);
    QJsonObject resources = design.value(u"resources"_s).toObject();
    resources.insert(u"nodes"_s, 4);
    design.insert(u"resources"_s, resources);
    QCOMPARE(bytesOf({u"script"_s, u"-"_s}, QJsonDocument(design).toJson()), edited);
    design.insert(u"command"_s, u"train.py --name \u0142"_s); // Latin-1 has no such letter
    const Answer refused = run({u"script"_s, file(QJsonDocument(design).toJson())});
    QVERIFY(refused.code != 0);
    QVERIFY2(refused.err.contains(u"Latin-1"), qPrintable(refused.err));
}

RANKWRIGHT_TEST_MAIN(CliSetTest)
#include "tst_cliset.moc"
