// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;
using test::run;

/// A teacher's way: make, sign, check; and an attendee's.
class ClassCommandTest final : public test::Suite {
    Q_OBJECT
private slots:
    void listsWhatComesWithTheProgram();
    void shippedClassesCheck_data();
    void shippedClassesCheck();
    void makeSignCheck();
    void changedAfterSigning();
    void anExpiredClassIsRefused();
    void wrongUsage();
    void runIsNotBegunByMistake();
    void progressOfThisMachine();

private:
    const QTemporaryDir m_folder;
    QStringList data() const { return {u"--data-dir"_s, m_folder.filePath(u"data"_s)}; }
};

void ClassCommandTest::listsWhatComesWithTheProgram()
{
    const auto answer = run({u"class"_s, u"list"_s, u"--json"_s});
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.jsonArray().size(), 4);
    QCOMPARE(
        run({u"class"_s, u"show"_s, u"lumi-ai-course"_s, u"--json"_s}).json().value(u"exercises"_s).toArray().size(),
        6);
}

void ClassCommandTest::shippedClassesCheck_data()
{
    QTest::addColumn<QString>("name");
    for (const QJsonValue& one : run({u"class"_s, u"list"_s, u"--json"_s}).jsonArray())
        QTest::newRow(qPrintable(one[u"name"_s].toString())) << one[u"name"_s].toString();
}

void ClassCommandTest::shippedClassesCheck()
{
    QFETCH(QString, name);
    const auto answer = run(QStringList{u"class"_s, u"check"_s, name, u"--json"_s} + data());
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().value(u"trust"_s).toString(), u"shipped"_s);
    for (const QJsonValue& tried : answer.json().value(u"designs"_s).toArray())
        QVERIFY(tried[u"errors"_s].toArray().isEmpty());
}

void ClassCommandTest::makeSignCheck()
{
    const QString file = m_folder.filePath(u"a.rwclass"_s);
    QCOMPARE(run({u"class"_s, u"new"_s, file, u"--cluster"_s, u"practice"_s, u"--author"_s, u"Ada"_s}).code, 0);
    QCOMPARE(run({u"class"_s, u"new"_s, file}).code, 2); // it is there
    auto answer = run(QStringList{u"class"_s, u"check"_s, file, u"--json"_s} + data());
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.json().value(u"trust"_s).toString(), u"unsigned"_s);
    QCOMPARE(run(QStringList{u"class"_s, u"sign"_s, file} + data()).code, 0);
    answer = run(QStringList{u"class"_s, u"check"_s, file, u"--json"_s} + data());
    QCOMPARE(answer.json().value(u"trust"_s).toString(), u"new-key"_s);
    QVERIFY(answer.json().value(u"fingerprint"_s).toString().startsWith(u"SHA256:"_s));
    QCOMPARE(run(QStringList{u"class"_s, u"forget"_s, file} + data()).code, 0);
}

void ClassCommandTest::changedAfterSigning()
{
    const QString path = m_folder.filePath(u"b.rwclass"_s);
    QCOMPARE(run({u"class"_s, u"new"_s, path}).code, 0);
    QCOMPARE(run(QStringList{u"class"_s, u"sign"_s, path} + data()).code, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray bytes = file.readAll();
    file.close();
    bytes.replace("One GPU", "Two GPUs");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    const auto answer = run(QStringList{u"class"_s, u"check"_s, path, u"--json"_s} + data());
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.json().value(u"trust"_s).toString(), u"broken"_s);
    QCOMPARE(answer.json().value(u"usable"_s).toBool(), false);
}

void ClassCommandTest::anExpiredClassIsRefused()
{
    const QString path = m_folder.filePath(u"c.rwclass"_s);
    QCOMPARE(run({u"class"_s, u"new"_s, path}).code, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray bytes = file.readAll();
    file.close();
    bytes.replace("\"format\"", "\"expires\": \"2025-01-31\", \"format\"");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    QCOMPARE(run(QStringList{u"class"_s, u"sign"_s, path} + data()).code, 0);
    const auto answer = run(QStringList{u"class"_s, u"check"_s, path, u"--json"_s} + data());
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.json().value(u"expired"_s).toBool(), true);
    QCOMPARE(answer.json().value(u"usable"_s).toBool(), false);
    QVERIFY(answer.json().value(u"why"_s).toString().contains(u"2025-01-31"_s));
    const auto shown = run({u"class"_s, u"show"_s, path});
    QCOMPARE(shown.code, 0);
    QVERIFY2(shown.out.contains(u"expired"_s), qPrintable(shown.out));
}

void ClassCommandTest::wrongUsage()
{
    QCOMPARE(run({u"class"_s, u"run"_s, u"x"_s}).code, 2);
    QCOMPARE(run({u"class"_s, u"check"_s}).code, 2);
    QCOMPARE(run({u"class"_s, u"show"_s, u"/nowhere.rwclass"_s}).code, 2);
    QCOMPARE(run({u"class"_s, u"new"_s, u"--cluster"_s, u"nowhere"_s}).code, 2);
}

/// All of it is said before anybody logs in.
void ClassCommandTest::runIsNotBegunByMistake()
{
    const QString path = m_folder.filePath(u"run.rwclass"_s);
    QCOMPARE(run({u"class"_s, u"new"_s, path}).code, 0);
    auto answer = run(QStringList{u"class"_s, u"run"_s, path} + data());
    QCOMPARE(answer.code, 2);
    QVERIFY2(answer.err.contains(u"not signed"_s) && answer.err.contains(u"--yes"_s), qPrintable(answer.err));
    QVERIFY2(answer.err.startsWith(u"- "_s), qPrintable(answer.err)); // what it would do
    for (const QStringList& wrong : {QStringList{u"--exercise"_s, u"nothing"_s}, {u"--limit"_s, u"soon"_s},
             {u"--limit"_s, u"0"_s}, {u"--design"_s, u"x.json"_s}, {u"--cluster"_s, u"nowhere"_s},
             {u"--exercise"_s, u"resume"_s, u"--design"_s, m_folder.filePath(u"missing.json"_s)}}) {
        answer = run(QStringList{u"class"_s, u"run"_s, u"lumi-ai-course-practice"_s} + wrong + data());
        QVERIFY2(answer.code == 2, qPrintable(wrong.join(u' ') + answer.err));
        QVERIFY(answer.out.isEmpty());
    }
    QCOMPARE(
        run(QStringList{u"class"_s, u"check"_s, path, u"--cluster"_s, u"practice"_s, u"--people"_s, u"0"_s} + data())
            .code,
        2);
}

void ClassCommandTest::progressOfThisMachine()
{
    const QString path = m_folder.filePath(u"d.rwclass"_s);
    QCOMPARE(run(QStringList{u"class"_s, u"progress"_s, u"lumi-ai-course-practice"_s} + data()).code, 2); // no folder
    QCOMPARE(run({u"class"_s, u"new"_s, path}).code, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    const QTemporaryDir shared;
    object.insert(u"progressFolder"_s, shared.path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(object).toJson());
    file.close();
    auto answer = run(QStringList{u"class"_s, u"progress"_s, path, u"--here"_s, u"--json"_s} + data());
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    QVERIFY(answer.json().value(u"attendees"_s).toArray().isEmpty());
    QFile line(shared.filePath(u"k7m2p4xq.progress"_s));
    QVERIFY(line.open(QIODevice::WriteOnly));
    line.write(R"({"exercise":"first","checks":["seen","not-yet"],"stuckOn":"oom_gpu","at":"2026-11-01T10:00:00Z"})"
               "\n!\n");
    line.close();
    answer = run(QStringList{u"class"_s, u"progress"_s, path, u"--here"_s, u"--json"_s} + data());
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    const QJsonObject row = answer.json().value(u"attendees"_s).toArray().first().toObject();
    QCOMPARE(row.value(u"seen"_s).toInt(), 1);
    QCOMPARE(row.value(u"stuckOn"_s).toString(), u"oom_gpu"_s);
    QCOMPARE(row.value(u"stuckSince"_s).toString(), u"2026-11-01T10:00:00Z"_s);
    QCOMPARE(answer.json().value(u"skipped"_s).toInt(), 1);
    answer = run(QStringList{u"class"_s, u"progress"_s, path, u"--here"_s} + data());
    QVERIFY2(answer.out.contains(u"1 of 2"_s), qPrintable(answer.out));
}

RANKWRIGHT_TEST_MAIN(ClassCommandTest)
#include "tst_classcommand.moc"
