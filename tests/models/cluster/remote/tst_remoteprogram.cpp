// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/draft/clustersurvey.h"
#include "models/cluster/remote/remotelease.h"
#include "models/cluster/remote/remoteprogram.h"
#include "models/insight/log/logsearch.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

struct Finished {
    int code = -1;
    QByteArray output;
};

/// Runs words with a standard input that stays open until they end, as a channel of ssh does.
Finished runOpen(const QStringList& words, const QProcessEnvironment& environment = {})
{
    QProcess process;
    process.setProcessEnvironment(environment.isEmpty() ? QProcessEnvironment::systemEnvironment() : environment);
    process.start(words.first(), words.mid(1));
    const bool ended = process.waitForFinished(test::longWaitMs);
    return {ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        process.readAllStandardOutput()};
}

void write(const QString& path, const QByteArray& text, bool executable = false)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
    if (executable)
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

} // namespace

/// How a program comes out of resources/remote, and those that no other suite runs by itself.
class RemoteProgramTest final : public test::Suite {
    Q_OBJECT
private slots:
    void commentsAreLeftOut();
    void valuesAreQuoted();
    void everyPlaceNeedsAValue();
    void everyValueNeedsAPlace();
    void programsAreSentWithoutComments();
    void leaseEndsWithItsInput();
    void leaseHandsTheStatusOn();
    void searchFindsFromTheEnd();
    void searchSaysWhatIsWrong_data();
    void searchSaysWhatIsWrong();
    void surveyAsksInSections();
};

void RemoteProgramTest::commentsAreLeftOut()
{
    QCOMPARE(withoutComments(u"#!/bin/sh\n# what it does\n\n  # and why\necho '#' # stays\n#!no\n"_s),
        u"#!/bin/sh\necho '#' # stays\n"_s);
    QCOMPARE(withoutComments(u"# what it does\n#!/bin/sh\necho"_s), u"#!/bin/sh\necho\n"_s);
}

void RemoteProgramTest::valuesAreQuoted()
{
    const Result<QString> filled
        = withValues(u"echo @ONE@ \"$@\" @rw-end @TWO_3@ @ONE@"_s, {{u"ONE"_s, u"it's"_s}, {u"TWO_3"_s, u"@ONE@"_s}});
    QVERIFY_RESULT(filled);
    QCOMPARE(*filled, u"echo 'it'\\''s' \"$@\" @rw-end @ONE@ 'it'\\''s'"_s);
    QCOMPARE(*withValues(u"echo @EMPTY@."_s, {{u"EMPTY"_s, QString()}}), u"echo ''."_s);
}

void RemoteProgramTest::everyPlaceNeedsAValue()
{
    const Result<QString> filled = withValues(u"echo @ONE@ @TWO@"_s, {{u"ONE"_s, u"1"_s}});
    QVERIFY(!filled);
    QVERIFY2(filled.error().what.contains(u"@TWO@"), qPrintable(filled.error().what));
}

void RemoteProgramTest::everyValueNeedsAPlace()
{
    const Result<QString> filled = withValues(u"echo"_s, {{u"ONE"_s, u"1"_s}});
    QVERIFY(!filled);
    QVERIFY2(filled.error().what.contains(u"@ONE@"), qPrintable(filled.error().what));
}

void RemoteProgramTest::programsAreSentWithoutComments()
{
    const QString program = remoteProgram(u"lease.sh"_s);
    QVERIFY(program.startsWith(u"set -m\nwork "_s));
    QVERIFY(!program.contains(u"SPDX"_s) && !program.contains(u"\n\n"_s));
    QCOMPARE(remoteProgram(u"lease.sh"_s), program);
}

void RemoteProgramTest::leaseEndsWithItsInput()
{
    QString lease = remoteProgram(u"lease.sh"_s);
    QVERIFY(lease.contains(u"left=20"_s));
    lease.replace(u"left=20"_s, u"left=100000"_s); // silence does not end it
    QProcess process;
    process.start(u"bash"_s, {u"-c"_s, u"work() { echo begun; sleep 3000; }\n"_s + lease, u"rankwright"_s});
    QVERIFY(process.waitForReadyRead(test::longWaitMs));
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.exitCode(), 0);
}

void RemoteProgramTest::leaseHandsTheStatusOn()
{
    const Finished ended = runOpen({u"bash"_s, u"-c"_s,
        u"work() { echo \"$2\"; exit 5; }\n"_s + remoteProgram(u"lease.sh"_s), u"rankwright"_s, u"a"_s, u"b c"_s});
    QCOMPARE(ended.output, QByteArray("b c\n"));
    QCOMPARE(ended.code, 5);
}

void RemoteProgramTest::searchFindsFromTheEnd()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"a log"_s);
    write(path, "loss 1\nstep\rLoss 2\nnothing\n");
    const Finished ended = runOpen({u"bash"_s, u"-c"_s, leasedProgram(u"search-file.sh"_s), u"rankwright"_s, path,
        u"F"_s, u"loss"_s, u"loss"_s, u"i"_s, u"1000000"_s, u"10"_s});
    QCOMPARE(ended.output, QByteArray("@rw-hits 0\n0:loss 1\n12:Loss 2\n@rw-searched 27 27\n@rw-end all\n"));
    QCOMPARE(ended.code, 0);
}

void RemoteProgramTest::searchSaysWhatIsWrong_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<int>("status");
    QTest::newRow("no expression") << u"log"_s << u"("_s << 2;
    QTest::newRow("no file") << u"none"_s << u"x"_s << 5;
}

void RemoteProgramTest::searchSaysWhatIsWrong()
{
    QFETCH(QString, file);
    QFETCH(QString, pattern);
    QFETCH(int, status);
    QTemporaryDir folder;
    write(folder.filePath(u"log"_s), "x\n");
    const Finished ended = runOpen({u"bash"_s, u"-c"_s, leasedProgram(u"search-file.sh"_s), u"rankwright"_s,
        folder.filePath(file), u"E"_s, pattern, pattern, QString(), u"1000"_s, u"10"_s});
    QCOMPARE(ended.code, status);
}

void RemoteProgramTest::surveyAsksInSections()
{
    // Placeholders that say what they were asked; of a site without sacctmgr the rest still comes.
    QTemporaryDir tools;
    for (const QString& name : {u"scontrol"_s, u"sinfo"_s, u"hostname"_s})
        write(tools.filePath(name), "#!/bin/sh\necho \"${0##*/} $*\"\n", true);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"PATH"_s, tools.path() + u':' + environment.value(u"PATH"_s));
    environment.insert(u"SCRATCH"_s, u"/scratch"_s);
    environment.insert(u"HOME"_s, tools.path());
    const Finished ended = runOpen({u"/bin/sh"_s, u"-c"_s, surveyCommand().line}, environment);
    QCOMPARE(ended.code, 0);
    QByteArrayList heads;
    QHash<QByteArray, QByteArray> sections;
    for (const QByteArray& part : ended.output.split('\x1d').mid(1)) {
        heads.append(part.left(part.indexOf('\n')));
        sections.insert(heads.last(), part.mid(part.indexOf('\n') + 1));
    }
    QCOMPARE(heads.join(' '),
        QByteArray(
            "host config partitions nodes sinfo qos accounts defaultaccount shares reservations scratch modules"));
    QCOMPARE(sections.value("host"), QByteArray("hostname -f\n"));
    QCOMPARE(sections.value("nodes"), QByteArray("scontrol -a -o show node\n"));
    QVERIFY2(sections.value("sinfo").startsWith("sinfo -a -h -e -o %R"), sections.value("sinfo").constData());
    QCOMPARE(sections.value("scratch"), QByteArray("yes\n"));
}

RANKWRIGHT_TEST_MAIN(RemoteProgramTest)
#include "tst_remoteprogram.moc"
