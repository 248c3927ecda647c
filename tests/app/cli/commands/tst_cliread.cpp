// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;
using rankwright::test::Answer;
using rankwright::test::run;

/// `rankwright-cli read`: answer, what can be done with it, and its errors.
class CliReadTest final : public test::Suite {
    Q_OBJECT
private slots:
    void answersWithADesign();
    void answerIsADesignFile();
    void ourOwnScriptLeavesNothingOpen();
    void scriptIsTheAuthorsText();
    void changedFieldsReachTheText();
    void aFieldWithoutAPlaceIsRefused();
    void peopleGetATable();
    void unreadableInput_data();
    void unreadableInput();

private:
    static QString script(const QString& name)
    {
        return rankwright::test::sourcePath(u"/tests/data/handwritten/") + name + u".sh"_s;
    }
    QString file(const QString& name, const QByteArray& bytes)
    {
        QFile out(m_folder.filePath(name));
        return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() ? out.fileName() : QString();
    }
    QTemporaryDir m_folder;
};

void CliReadTest::answersWithADesign()
{
    const Answer answer = run({u"read"_s, u"--cluster"_s, u"raven"_s, script(u"raven-lightning"_s), u"--json"_s});
    QCOMPARE(answer.code, 0);
    QVERIFY2(answer.err.isEmpty(), qPrintable(answer.err));
    const QJsonObject design = answer.json();
    QCOMPARE(design.value(u"version"_s).toInt(), 1);
    QCOMPARE(design.value(u"cluster"_s).toString(), u"raven"_s);
    QCOMPARE(design.value(u"resources"_s).toObject().value(u"nodes"_s).toInt(), 2);
    QCOMPARE(design.value(u"understood"_s).toObject().value(u"resources.nodes"_s).toInt(), 8);
    const QJsonArray rest = design.value(u"notUnderstood"_s).toArray();
    QCOMPARE(design.value(u"environment"_s).toObject().value(u"venv"_s).toString(), u"~/venv"_s);
    for (const QJsonValue& part : rest) {
        for (const QString& member : {u"line"_s, u"text"_s, u"why"_s})
            QVERIFY(part.toObject().contains(member));
    }
}

void CliReadTest::answerIsADesignFile()
{
    const Answer answer = run({u"read"_s, u"--cluster=lumi"_s, u"--json"_s, script(u"two-steps"_s)});
    const QString design = file(u"design.json"_s, answer.out.toUtf8());
    const Answer written = run({u"script"_s, design});
    QCOMPARE(
        written.code, run({u"check"_s, design}).code); // with errors as check has them, and the script all the same
    QCOMPARE(written.err.isEmpty(), written.code == 0);
    QVERIFY2(written.out.contains(u"\nsrun --ntasks=1 python prepare.py\n"_s), qPrintable(written.out));
    QVERIFY(written.out.contains(u"#SBATCH --nodes=2\n"_s));
    for (const QJsonValue& finding : run({u"check"_s, design, u"--json"_s}).json().value(u"findings"_s).toArray())
        QVERIFY(finding.toObject().value(u"slug"_s) != u"unknown-member"_s);
}

void CliReadTest::ourOwnScriptLeavesNothingOpen()
{
    const QString own = rankwright::test::sourcePath(u"/tests/data/scripts/lumi-2gcd-torchrun.sh");
    const Answer answer = run({u"read"_s, u"--cluster"_s, u"lumi"_s, own, u"--json"_s});
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().value(u"notUnderstood"_s).toArray(), QJsonArray());
    QCOMPARE(answer.json().value(u"overrides"_s).toArray(), QJsonArray());
}

void CliReadTest::scriptIsTheAuthorsText()
{
    for (const QString& name : {u"big-176b"_s, u"crlf-and-lost"_s, u"two-steps"_s, u"loop-of-seeds"_s}) {
        const Answer answer = run({u"read"_s, u"--cluster"_s, u"generic"_s, script(name), u"--json"_s});
        QCOMPARE(answer.code, 0);
        QCOMPARE(answer.json().value(u"commandsKept"_s), QJsonValue(true));
        QFile original(script(name));
        QVERIFY(original.open(QIODevice::ReadOnly));
        QCOMPARE(run({u"script"_s, file(name, answer.out.toUtf8())}).out.toUtf8(), original.readAll());
    }
}

/// Another program changes members of the design, and knows nothing of the text.
void CliReadTest::changedFieldsReachTheText()
{
    QJsonObject design = run({u"read"_s, u"--cluster"_s, u"lumi"_s, script(u"two-steps"_s), u"--json"_s}).json();
    QJsonObject resources = design.value(u"resources"_s).toObject();
    resources.insert(u"nodes"_s, 4);
    design.insert(u"resources"_s, resources);
    design.insert(u"name"_s, u"longer"_s);
    design.remove(u"account"_s); // says nothing
    const Answer written = run({u"script"_s, file(u"changed.json"_s, QJsonDocument(design).toJson())});
    QFile original(script(u"two-steps"_s));
    QVERIFY(original.open(QIODevice::ReadOnly));
    QString expected = QString::fromUtf8(original.readAll());
    expected.replace(u"#SBATCH --nodes=2\n"_s, u"#SBATCH --nodes=4\n"_s).replace(u"--nnodes=2"_s, u"--nnodes=4"_s);
    expected.replace(u"#!/bin/bash\n"_s, u"#!/bin/bash\n#SBATCH --job-name=longer\n"_s);
    QCOMPARE(written.out, expected);
}

void CliReadTest::aFieldWithoutAPlaceIsRefused()
{
    const QString loop = file(u"given.sh"_s, "#!/bin/bash\n#SBATCH -N 1\nsrun apptainer exec $IMAGE python t.py\n");
    QJsonObject design = run({u"read"_s, u"--cluster"_s, u"lumi"_s, loop, u"--json"_s}).json();
    QJsonObject environment = design.value(u"environment"_s).toObject();
    environment.insert(u"modules"_s, QJsonArray{u"LUMI"_s});
    design.insert(u"environment"_s, environment);
    const Answer written = run({u"script"_s, file(u"refused.json"_s, QJsonDocument(design).toJson())});
    QCOMPARE(written.code, 2);
    QVERIFY(written.out.isEmpty());
    QVERIFY2(
        written.err.contains(u"$.environment.modules cannot be set in the design's script"_s), qPrintable(written.err));
}

void CliReadTest::peopleGetATable()
{
    const Answer answer = run({u"read"_s, u"--cluster"_s, u"mahti"_s, script(u"loop-of-seeds"_s)});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.out.contains(u"resources.nodes"_s));
    QVERIFY(answer.out.contains(u"There is no field for:"_s));
    QVERIFY(answer.out.contains(u"line 10"_s));
}

void CliReadTest::unreadableInput_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const QString good = script(u"two-steps"_s);
    QTest::newRow("no cluster") << QStringList{u"--exact"_s, good} << u"--cluster"_s;
    QTest::newRow("unknown cluster") << QStringList{u"--cluster"_s, u"nowhere"_s, good} << u"“nowhere”"_s;
    QTest::newRow("no file") << QStringList{u"--cluster"_s, u"lumi"_s, u"/no/such.sh"_s} << u"/no/such.sh"_s;
    QTest::newRow("no script") << QStringList{u"--cluster"_s, u"lumi"_s} << u"usage"_s;
    QTest::newRow("empty") << QStringList{u"--cluster"_s, u"lumi"_s, file(u"empty.sh"_s, "\n \n")} << u"empty"_s;
    QTest::newRow("binary") << QStringList{u"--cluster"_s, u"lumi"_s, file(u"binary.sh"_s, QByteArray("#!\n\0x", 5))}
                            << u"line 2"_s;
}

void CliReadTest::unreadableInput()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Answer answer = run(QStringList{u"read"_s} + arguments);
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QVERIFY2(answer.err.contains(says) && answer.err.count(u'\n') == 1, qPrintable(answer.err));
}

RANKWRIGHT_TEST_MAIN(CliReadTest)
#include "tst_cliread.moc"
