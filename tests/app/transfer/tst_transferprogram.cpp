// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/remotefiles.h"
#include "models/cluster/remote/remoteprogram.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The program of the transfers alone, in real shells.
class TransferProgramTest final : public test::Suite {
    Q_OBJECT
private slots:
    void shells();
    void lists_data() { shells(); }
    void lists();
    void missingAndForbidden_data() { shells(); }
    void missingAndForbidden();
    void homeIsTheBeginning_data() { shells(); }
    void homeIsTheBeginning();
    void asksAndSums_data() { shells(); }
    void asksAndSums();
    void partsAndFiles_data() { shells(); }
    void partsAndFiles();
    void onlyHiddenFilesAreThrownAway_data() { shells(); }
    void onlyHiddenFilesAreThrownAway();
    void newFoldersGoWhole_data() { shells(); }
    void newFoldersGoWhole();
    void allOfATreeOrNothing_data() { shells(); }
    void allOfATreeOrNothing();
    void roomIsSaid_data() { shells(); }
    void roomIsSaid();

private:
    struct Ended {
        QByteArray output;
        QByteArray error;
        int code = -1;
    };
    Ended run(
        const QStringList& words, const QByteArray& input = {}, const QString& program = u"transfer-files.sh"_s) const
    {
        QFETCH(QString, shell);
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"HOME"_s, m_folder.path());
        for (const char* name : {"SCRATCH", "SCRATCHDIR", "WORK", "PROJECT", "PROJECTDIR", "FLASH"})
            environment.remove(QString::fromLatin1(name));
        process.setProcessEnvironment(environment);
        process.start(shell, QStringList{u"-c"_s, remoteProgram(program), u"_"_s} + words);
        process.write(input);
        process.closeWriteChannel();
        process.waitForFinished(test::longWaitMs);
        return {process.readAllStandardOutput(), process.readAllStandardError(), process.exitCode()};
    }
    void write(const QString& path, const QByteArray& bytes) const
    {
        QVERIFY(QDir().mkpath(QFileInfo(m_folder.filePath(path)).path()));
        QFile file(m_folder.filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    QByteArray read(const QString& path) const
    {
        QFile file(m_folder.filePath(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
    }
    QString root(const QString& path = u"root"_s) const { return m_folder.filePath(path); }
    QTemporaryDir m_folder;
};

void TransferProgramTest::shells()
{
    QTest::addColumn<QString>("shell");
    for (const QString& shell : {u"bash"_s, u"dash"_s}) {
        if (!QStandardPaths::findExecutable(shell).isEmpty())
            QTest::newRow(qPrintable(shell)) << shell;
    }
}

void TransferProgramTest::lists()
{
    write(u"root/a b"_s, "12345");
    write(u"root/d/x\ny"_s, "1");
    const Ended whole = run({u"list"_s, root(), u"0"_s, u"100"_s});
    QVERIFY2(whole.code == 0 && whole.error.isEmpty(), whole.error.constData());
    const auto listing = parseListing(whole.output, 100);
    QVERIFY_RESULT(listing);
    QCOMPARE(listing->entries.size(), 3);
    QVERIFY(!listing->isCut);
    const auto flat = parseListing(run({u"list"_s, root(), u"1"_s, u"100"_s}).output, 100);
    QVERIFY(flat && flat->entries.size() == 2);
    const auto cut = parseListing(run({u"list"_s, root(), u"0"_s, u"1"_s}).output, 1);
    QVERIFY(cut && cut->isCut && cut->entries.size() == 1);
}

void TransferProgramTest::missingAndForbidden()
{
    const auto missing = parseListing(run({u"list"_s, root(u"nowhere"_s), u"0"_s, u"9"_s}).output, 9);
    QVERIFY(missing && missing->root.isEmpty());
    write(u"file"_s, "x");
    const Ended file = run({u"list"_s, root(u"file"_s), u"0"_s, u"9"_s});
    QVERIFY(file.code != 0 && file.error.contains("not a folder"));
    QVERIFY(run({u"give-file"_s, root(u"nowhere"_s), u"x"_s, u"0"_s}).code != 0);
    QCOMPARE(run({u"part"_s, root(u"nowhere"_s), u"x"_s, u"1"_s}).output, "0 -\n");
    QVERIFY(run({u"made-up"_s, m_folder.path()}).code == 2);
}

void TransferProgramTest::homeIsTheBeginning()
{
    write(u"sub/a"_s, "1");
    for (const QString& folder : {u"sub"_s, u"~/sub"_s, root(u"sub"_s)}) {
        const auto listing = parseListing(run({u"list"_s, folder, u"1"_s, u"9"_s}).output, 9);
        QVERIFY2(listing && listing->entries.size() == 1, qPrintable(folder));
    }
    const auto home = parseListing(run({u"list"_s, QString(), u"1"_s, u"9"_s}).output, 9);
    QVERIFY(home && !home->root.isEmpty());
    write(u"odd %s\\n$(id)'/a"_s, "1");
    const auto odd
        = parseListing(run({u"list"_s, QString::fromLatin1(stepPath("odd %s\\n$(id)'")), u"1"_s, u"9"_s}).output, 9);
    QVERIFY(odd && odd->entries.size() == 1);
}

void TransferProgramTest::asksAndSums()
{
    write(u"root/-n"_s, "abc");
    const QByteArray paths = stepPaths({"-n", "missing", "d\xff"});
    const auto states = parseStates(run({u"ask"_s, root()}, paths).output);
    QVERIFY_RESULT(states);
    QCOMPARE(states->size(), 1);
    QCOMPARE(states->value("-n").size, 3);
    const auto sums = parseSums(run({u"sum"_s, root()}, paths).output);
    QVERIFY_RESULT(sums);
    QCOMPARE(sums->value("-n"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); // FIPS 180-2, B.1
    QVERIFY(parseStates(run({u"ask"_s, root()}).output)->isEmpty());
}

void TransferProgramTest::partsAndFiles()
{
    const QString part = u"d/.rankwright-part-1"_s;
    const Ended first = run({u"take-file"_s, root(), part, u"0"_s, u"3"_s}, "ab");
    QVERIFY(first.code == 5 && first.error.contains("2 of 3 bytes"));
    QCOMPARE(read(u"root/d/.rankwright-part-1"_s), "ab"); // for the next try
    QVERIFY(
        run({u"part"_s, root(), part, u"3"_s}).output.startsWith("2 fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d"));
    const Ended rest = run({u"take-file"_s, root(), part, u"2"_s, u"3"_s}, "c");
    QCOMPARE(rest.output.trimmed(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const Ended placed = run({u"place-file"_s, root(), part, u"d/file"_s, u"640"_s, u"1700000000"_s});
    QVERIFY2(placed.code == 0, placed.error.constData());
    QCOMPARE(read(u"root/d/file"_s), "abc");
    QCOMPARE(QFileInfo(root(u"root/d/file"_s)).lastModified().toSecsSinceEpoch(), 1700000000);
    QCOMPARE(run({u"give-file"_s, root(), u"d/file"_s, u"1"_s}).output, "bc");
}

void TransferProgramTest::onlyHiddenFilesAreThrownAway()
{
    write(u"root/keep"_s, "x");
    QVERIFY(run({u"drop"_s, root(), u"keep"_s}).code == 2);
    QVERIFY(run({u"take-file"_s, root(), u"keep"_s, u"0"_s, u"1"_s}, "y").code == 2);
    QCOMPARE(read(u"root/keep"_s), "x");
    QFile::remove(root(u"root/.rankwright-part-2"_s));
    QVERIFY(QFile::link(root(u"root/keep"_s), root(u"root/.rankwright-part-2"_s)));
    QVERIFY(run({u"take-file"_s, root(), u".rankwright-part-2"_s, u"0"_s, u"1"_s}, "y").code == 2);
    QCOMPARE(read(u"root/keep"_s), "x");
}

void TransferProgramTest::newFoldersGoWhole()
{
    write(u"root/old/mine"_s, "stays");
    write(u"root/old/both"_s, "before");
    const QString staged = u"root/.rankwright-part-3/"_s;
    write(staged + u"old/both"_s, "after");
    write(staged + u"old/new/deep/file"_s, "1");
    write(staged + u"top/a b"_s, "2");
    write(staged + u"-x"_s, "3");
    const Ended placed = run({u"place-tree"_s, root(), u".rankwright-part-3"_s});
    QVERIFY2(placed.code == 0 && placed.error.isEmpty(), placed.error.constData());
    QCOMPARE(read(u"root/old/mine"_s), "stays");
    QCOMPARE(read(u"root/old/both"_s), "after");
    QCOMPARE(read(u"root/old/new/deep/file"_s), "1");
    QCOMPARE(read(u"root/top/a b"_s), "2");
    QCOMPARE(read(u"root/-x"_s), "3");
    QVERIFY(!QFileInfo::exists(root(staged)));
}

/// What cannot be put into place changes nothing of the rest.
void TransferProgramTest::allOfATreeOrNothing()
{
    struct Case {
        QString inTheWay;
        QString staged;
    };
    for (const Case& one : {Case{u"zz/inside"_s, u"zz"_s}, // a folder is called like a file
             Case{u"zz"_s, u"zz/inside"_s}, // a file is called like a folder
             Case{u"old/zz/inside"_s, u"old/zz"_s}}) {
        QVERIFY(QDir(root(u"whole"_s)).removeRecursively());
        write(u"whole/old/both"_s, "before");
        write(u"whole/odd\nname"_s, "before");
        write(u"whole/"_s + one.inTheWay, "in the way");
        QVERIFY(QFile::link(u"both"_s, root(u"whole/old/link"_s)));
        const QString part = u"whole/.rankwright-part-4/"_s;
        for (const QString& name : {u"old/both"_s, u"old/link"_s, u"old/made"_s, u"odd\nname"_s, u"new/deep/file"_s})
            write(part + name, "after");
        write(part + one.staged, "not to be placed");
        const Ended placed = run({u"place-tree"_s, root(u"whole"_s), u".rankwright-part-4"_s});
        QCOMPARE(placed.code, 1);
        QVERIFY2(placed.error.contains(one.staged.toUtf8()) && placed.error.contains("nothing was changed"),
            placed.error.constData());
        QCOMPARE(read(u"whole/old/both"_s), "before");
        QCOMPARE(read(u"whole/odd\nname"_s), "before");
        QCOMPARE(read(u"whole/"_s + one.inTheWay), "in the way");
        QCOMPARE(QFileInfo(root(u"whole/old/link"_s)).symLinkTarget(), root(u"whole/old/both"_s));
        QVERIFY(!QFileInfo::exists(root(u"whole/old/made"_s)));
        QVERIFY(!QFileInfo::exists(root(u"whole/new"_s)));
        QCOMPARE(
            QDir(root(u"whole"_s)).entryList({u".rankwright-*"_s}, QDir::AllEntries | QDir::Hidden), QStringList());
    }
}

void TransferProgramTest::roomIsSaid()
{
    write(u"scratch/a"_s, "1");
    const Ended said = run({u"scratch"_s, root(u"scratch"_s), u"gone"_s, root(u"nowhere"_s)}, {}, u"storage-room.sh"_s);
    QVERIFY2(said.code == 0, said.error.constData());
    const QList<StorageRoom> rooms = parseStorageRoom(said.output);
    QCOMPARE(rooms.size(), 2);
    QCOMPARE(rooms.at(0).place, u"scratch"_s);
    QCOMPARE(rooms.at(1).place, u"home"_s);
    QVERIFY(rooms.at(1).freeBytes.has_value());
}

RANKWRIGHT_TEST_MAIN(TransferProgramTest)
#include "tst_transferprogram.moc"
