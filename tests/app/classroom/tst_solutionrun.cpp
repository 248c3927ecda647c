// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/solutionrun.h"
#include "models/teaching/classroom/classwriter.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The solutions of a class are run by another program; here a script in its place.
class SolutionRunTest final : public test::Suite {
    Q_OBJECT
private slots:
    void handsOverTheClass();
    void saysHowItEnded_data();
    void saysHowItEnded();
    void stopsIt();
    void notInstalled();
    void cannotBeStarted();

private:
    QString program(const QByteArray& body);
    QStringList m_lines;
    QTemporaryDir m_folder;
};

QString SolutionRunTest::program(const QByteArray& body)
{
    const QString path = m_folder.filePath(u"cli-"_s + QString::fromLatin1(QTest::currentTestFunction()));
    QFile::remove(path);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n" + body);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

void SolutionRunTest::handsOverTheClass()
{
    const ClassFile file = unsignedClass(shippedClasses().first().file);
    SolutionRun run(program("cat > \"$8.class\"; echo \"$@\" >&2; printf 'the table, without an end'"),
        m_folder.filePath(u"data"_s));
    QStringList lines;
    connect(&run, &SolutionRun::linePrinted, &run, [&](const QString& line) { lines.append(line); });
    QSignalSpy ended(&run, &SolutionRun::ended);
    QVERIFY_RESULT(run.start(file, u"practice"_s));
    QVERIFY(run.isRunning());
    QVERIFY(!run.start(file, u"practice"_s)); // one at a time
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(!run.isRunning());
    lines.sort();
    QCOMPARE(lines,
        QStringList({u"class run - --cluster practice --yes --data-dir "_s + m_folder.filePath(u"data"_s),
            u"the table, without an end"_s}));
    QFile came(m_folder.filePath(u"data.class"_s));
    QVERIFY(came.open(QIODevice::ReadOnly));
    QCOMPARE(came.readAll(), writeClass(file));
}

void SolutionRunTest::saysHowItEnded_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<SolutionRunEnd>("how");
    QTest::newRow("all checks were seen") << QByteArray("exit 0") << SolutionRunEnd::Passed;
    QTest::newRow("not every check was seen") << QByteArray("exit 1") << SolutionRunEnd::NotPassed;
    QTest::newRow("wrong use") << QByteArray("exit 2") << SolutionRunEnd::Failed;
    QTest::newRow("the cluster is away") << QByteArray("exit 3") << SolutionRunEnd::Failed;
    QTest::newRow("it was killed") << QByteArray("kill -9 $$") << SolutionRunEnd::Failed;
}

void SolutionRunTest::saysHowItEnded()
{
    QFETCH(QByteArray, body);
    QFETCH(SolutionRunEnd, how);
    SolutionRun run(program(body), m_folder.path());
    QSignalSpy ended(&run, &SolutionRun::ended);
    QVERIFY_RESULT(run.start(unsignedClass(shippedClasses().first().file), u"practice"_s));
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(ended.first().first().value<SolutionRunEnd>(), how);
}

void SolutionRunTest::stopsIt()
{
    SolutionRun run(program("trap 'echo cancelled >&2; exit 143' TERM\necho ready >&2\nwhile :; do sleep 0.1; done"),
        m_folder.path());
    QStringList lines;
    connect(&run, &SolutionRun::linePrinted, &run, [&](const QString& line) { lines.append(line); });
    QSignalSpy ended(&run, &SolutionRun::ended);
    QVERIFY_RESULT(run.start(unsignedClass(shippedClasses().first().file), u"practice"_s));
    QTRY_COMPARE(lines, QStringList{u"ready"_s});
    run.stop();
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(ended.first().first().value<SolutionRunEnd>(), SolutionRunEnd::Stopped);
    QVERIFY(lines.contains(u"cancelled"_s));
}

void SolutionRunTest::notInstalled()
{
    SolutionRun run({}, m_folder.path());
    const auto begun = run.start(shippedClasses().first().file, u"practice"_s);
    QVERIFY(!begun);
    QVERIFY(begun.error().what.contains(u"not installed"_s));
}

void SolutionRunTest::cannotBeStarted()
{
    SolutionRun run(m_folder.filePath(u"none"_s), m_folder.path());
    QSignalSpy ended(&run, &SolutionRun::ended);
    QSignalSpy said(&run, &SolutionRun::linePrinted);
    QVERIFY_RESULT(run.start(shippedClasses().first().file, u"practice"_s));
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(ended.first().first().value<SolutionRunEnd>(), SolutionRunEnd::Failed);
    QCOMPARE(said.size(), 1);
}

RANKWRIGHT_TEST_MAIN(SolutionRunTest)
#include "tst_solutionrun.moc"
