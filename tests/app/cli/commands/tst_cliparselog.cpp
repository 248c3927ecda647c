// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/commands/commands.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryFile>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// `rankwright-cli parse log`: the answer's members, and its errors.
class CliParseLogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void reportsTheCause();
    void unknownIsNull();
    void people();
    void mistakes();
    void patterns();

private:
    static int run(const QStringList& arguments, QString& answer, QString& messages)
    {
        QTextStream out(&answer);
        QTextStream err(&messages);
        const int code = runCommandLine(allCommands(), arguments, out, err);
        out.flush();
        err.flush();
        return code;
    }
    static QString log(const QString& name) { return rankwright::test::sourcePath(u"/tests/data/logs/") + name; }
};

void CliParseLogTest::reportsTheCause()
{
    QString out;
    QString err;
    QCOMPARE(run({u"parse"_s, u"log"_s, log(u"d01_oom_hip_torch2.txt"_s), u"--json"_s}, out, err), 0);
    const QJsonObject answer = QJsonDocument::fromJson(out.toUtf8()).object();
    QCOMPARE(answer.value(u"framework"_s).toString(), u"pytorch"_s);
    const QJsonArray diagnoses = answer.value(u"diagnoses"_s).toArray();
    QCOMPARE(diagnoses.size(), 1);
    const QJsonObject first = diagnoses.first().toObject();
    QCOMPARE(first.value(u"class"_s).toString(), u"oom_gpu"_s);
    QCOMPARE(first.value(u"rank"_s).toInt(-1), 3);
    QCOMPARE(first.value(u"line"_s).toInt(), 4);
    QVERIFY(first.value(u"node"_s).isNull());
    QVERIFY(first.value(u"advice"_s).toString().contains(u"micro-batch"_s));
}

void CliParseLogTest::unknownIsNull()
{
    QString out;
    QString err;
    QCOMPARE(run({u"parse"_s, u"log"_s, log(u"p21_nanogpt.txt"_s), u"--json"_s}, out, err), 0);
    const QJsonObject answer = QJsonDocument::fromJson(out.toUtf8()).object();
    const QJsonObject progress = answer.value(u"progress"_s).toObject();
    QCOMPARE(progress.value(u"step"_s).toInt(), 320);
    QCOMPARE(progress.value(u"rateUnit"_s).toString(), u"ms/it"_s);
    for (const QString& name : {u"epoch"_s, u"epochs"_s, u"steps"_s, u"etaSeconds"_s})
        QVERIFY2(progress.contains(name) && progress.value(name).isNull(), qPrintable(name));
    QVERIFY(answer.value(u"diagnoses"_s).toArray().isEmpty());
}

void CliParseLogTest::people()
{
    QString out;
    QString err;
    QCOMPARE(run({u"parse"_s, u"log"_s, log(u"d34_completed-clean.txt"_s)}, out, err), 0);
    QVERIFY(out.contains(u"No known failure"_s) && out.contains(u"5000"_s));
}

void CliParseLogTest::mistakes()
{
    QString out;
    QString err;
    QCOMPARE(run({u"parse"_s, u"soup"_s}, out, err), 2);
    QCOMPARE(run({u"parse"_s, u"log"_s, u"/nowhere/x.out"_s}, out, err), 2);
    QCOMPARE(run({u"parse"_s}, out, err), 2);
    QVERIFY(out.isEmpty() && err.count(u'\n') == 3);
}

void CliParseLogTest::patterns()
{
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write("beat 7 of 90, err 2.5\nstep 1/2 loss 9\nbeat 8 of 90, err 1.5\n");
    file.close();
    QString out;
    QString err;
    QCOMPARE(run({u"parse"_s, u"log"_s, file.fileName(), u"--json"_s, u"--pattern"_s,
                     u"beat (?<step>\\d+) of (?<steps>\\d+), err (?<loss>[\\d.]+)"_s},
                 out, err),
        0);
    const QJsonObject progress = QJsonDocument::fromJson(out.toUtf8()).object().value(u"progress"_s).toObject();
    QCOMPARE(progress.value(u"step"_s).toInt(), 8);
    QCOMPARE(progress.value(u"steps"_s).toInt(), 90);
    QCOMPARE(progress.value(u"loss"_s).toDouble(), 1.5);
    QVERIFY(err.isEmpty());
    out.clear();
    QCOMPARE(run({u"parse"_s, u"log"_s, file.fileName(), u"--pattern"_s, u"beat (?<stepp>\\d+)"_s}, out, err), 2);
    QVERIFY2(err.contains(u"stepp"_s) && err.count(u'\n') == 1 && out.isEmpty(), qPrintable(err));
}

RANKWRIGHT_TEST_MAIN(CliParseLogTest)
#include "tst_cliparselog.moc"
