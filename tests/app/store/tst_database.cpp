// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QThread>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

int number(Database& database, const QString& sql)
{
    auto query = database.run(sql);
    return query && query->next() ? query->value(0).toInt() : -1;
}

} // namespace

class DatabaseTest final : public test::Suite {
    Q_OBJECT
private slots:
    void makesItsFileForTheUserAlone();
    void keepsWhatWasCommittedOnThisDisk();
    void sharesNoMemoryWhereMachinesShareTheFolder_data();
    void sharesNoMemoryWhereMachinesShareTheFolder();
    void oneThatIsInUseKeepsItsJournal();
    void fiveOpenANewFolderAtOnce_data();
    void fiveOpenANewFolderAtOnce();
    void opensAgainWithoutLosingAnything();
    void refusesWhatItCannotRead_data();
    void refusesWhatItCannotRead();
    void refusesADamagedPageWithoutTouchingIt();
    void leavesANewerFileAlone();
    void reportsWhenTheFolderCannotBeUsed();
    void undoesAFailedTransaction();
    void servesTwoWritersAtOnce();
};

void DatabaseTest::makesItsFileForTheUserAlone()
{
    QTemporaryDir folder;
    const auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    const QFileInfo file((*database)->path());
    QVERIFY(file.exists());
    QVERIFY(!(file.permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther)));
    QCOMPARE(number(**database, u"PRAGMA user_version"_s), Database::currentSchema());
}

void DatabaseTest::keepsWhatWasCommittedOnThisDisk()
{
    QTemporaryDir folder;
    const auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    // sqlite.org/pragma.html: 2 is FULL, every commit is on the disk before it returns.
    QCOMPARE(number(**database, u"PRAGMA synchronous"_s), 2);
    auto mode = (*database)->run(u"PRAGMA journal_mode"_s);
    QVERIFY_RESULT(mode);
    QVERIFY(mode->next());
    QCOMPARE(mode->value(0).toString(), u"wal"_s);
}

void DatabaseTest::sharesNoMemoryWhereMachinesShareTheFolder_data()
{
    QTest::addColumn<QByteArray>("fileSystem");
    QTest::addColumn<Journal>("journal");
    for (const char* local : {"ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "apfs"})
        QTest::newRow(local) << QByteArray(local) << Journal::WriteAhead;
    for (const char* shared : {"nfs", "nfs4", "cifs", "lustre", "gpfs", "beegfs", "ceph", "fuse.sshfs", "afs"})
        QTest::newRow(shared) << QByteArray(shared) << Journal::Rollback;
}

void DatabaseTest::sharesNoMemoryWhereMachinesShareTheFolder()
{
    QFETCH(QByteArray, fileSystem);
    QFETCH(Journal, journal);
    QCOMPARE(journalFor(fileSystem), journal);
    QTemporaryDir folder;
    QVERIFY_RESULT(Database::open(folder.path(), Journal::WriteAhead)); // of an earlier release, or another machine
    const auto database = Database::open(folder.path(), journal);
    QVERIFY_RESULT(database);
    auto mode = (*database)->run(u"PRAGMA journal_mode"_s);
    QVERIFY(mode && mode->next());
    QCOMPARE(mode->value(0).toString(), journal == Journal::WriteAhead ? u"wal"_s : u"delete"_s);
    QCOMPARE(QFile::exists((*database)->path() + u"-shm"_s), journal == Journal::WriteAhead);
    QCOMPARE(number(**database, u"PRAGMA synchronous"_s), 2);
}

void DatabaseTest::oneThatIsInUseKeepsItsJournal()
{
    QTemporaryDir folder;
    const auto one = Database::open(folder.path(), Journal::WriteAhead);
    QVERIFY_RESULT(one);
    const auto other = Database::open(folder.path(), Journal::Rollback);
    QVERIFY_RESULT(other);
    QCOMPARE(number(**other, u"SELECT count(*) FROM entries"_s), 0);
}

void DatabaseTest::fiveOpenANewFolderAtOnce_data()
{
    QTest::addColumn<Journal>("journal");
    QTest::newRow("write-ahead log") << Journal::WriteAhead;
    QTest::newRow("rollback journal") << Journal::Rollback;
}

void DatabaseTest::fiveOpenANewFolderAtOnce()
{
    QFETCH(Journal, journal);
    for (int round = 0; round < 10; ++round) {
        QTemporaryDir folder;
        QList<QThread*> programs;
        QAtomicInt opened;
        for (int program = 0; program < 5; ++program) {
            programs.append(QThread::create([&folder, &opened, journal] {
                const auto database = Database::open(folder.path(), journal);
                if (database)
                    opened.fetchAndAddRelaxed(1);
                else
                    qWarning("%s", qPrintable(database.error().oneLine()));
            }));
            programs.last()->start();
        }
        for (QThread* program : programs) {
            QVERIFY(program->wait(60000));
            delete program;
        }
        QCOMPARE(opened.loadRelaxed(), 5);
    }
}

void DatabaseTest::opensAgainWithoutLosingAnything()
{
    QTemporaryDir folder;
    for (int run = 0; run < 3; ++run) {
        const auto database = Database::open(folder.path());
        QVERIFY_RESULT(database);
        QVERIFY_RESULT((*database)->run(
            u"INSERT INTO entries (id, token, cluster, name, design, script, script_sha256, workdir,"
            " created, changed, owner, stage) VALUES (?, ?, '', '', '', '', '', '', 0, 0, '', 'known')"_s,
            {QString::number(run), QString::number(run)}));
        QCOMPARE(number(**database, u"SELECT count(*) FROM entries"_s), run + 1);
    }
}

void DatabaseTest::refusesWhatItCannotRead_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<Fault>("fault");
    QTest::newRow("text") << QByteArray("this is not a database, but it is somebody's file\n").repeated(40)
                          << Fault::Unreadable;
    QTest::newRow("cut")
        << QByteArray("SQLite format 3\0\x10\x00\x01\x01\x00 then nonsense", 35).leftJustified(4096, 'x')
        << Fault::Unreadable;
}

void DatabaseTest::refusesWhatItCannotRead()
{
    QFETCH(QByteArray, bytes);
    QFETCH(Fault, fault);
    QTemporaryDir folder;
    const QString path = folder.filePath(u"rankwright.db"_s);
    write(path, bytes);
    const auto database = Database::open(folder.path());
    QVERIFY(!database);
    QCOMPARE(database.error().fault, fault);
    QVERIFY(database.error().what.contains(path));
    QVERIFY(!database.error().remedy.isEmpty());
    QCOMPARE(contents(path), bytes);
}

void DatabaseTest::refusesADamagedPageWithoutTouchingIt()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"rankwright.db"_s);
    {
        const auto database = Database::open(folder.path());
        QVERIFY_RESULT(database);
        QVERIFY_RESULT((*database)->run(u"PRAGMA journal_mode=DELETE"_s));
    }
    QByteArray bytes = contents(path);
    QVERIFY(bytes.size() > 8192);
    bytes.replace(4096, 600, QByteArray(600, '\xff'));
    write(path, bytes);
    const auto database = Database::open(folder.path());
    QVERIFY(!database);
    QCOMPARE(database.error().fault, Fault::Unreadable);
    QCOMPARE(contents(path), bytes);
}

void DatabaseTest::leavesANewerFileAlone()
{
    QTemporaryDir folder;
    QString path;
    {
        const auto database = Database::open(folder.path());
        QVERIFY_RESULT(database);
        path = (*database)->path();
        QVERIFY_RESULT((*database)->run(u"PRAGMA journal_mode=DELETE"_s));
        QVERIFY_RESULT((*database)->run(u"PRAGMA user_version=%1"_s.arg(Database::currentSchema() + 1)));
    }
    const QByteArray before = contents(path);
    const auto database = Database::open(folder.path());
    QVERIFY(!database);
    QCOMPARE(database.error().fault, Fault::Invalid);
    QVERIFY2(database.error().what.contains(u"newer"_s), qPrintable(database.error().what));
    QCOMPARE(contents(path), before);
}

void DatabaseTest::reportsWhenTheFolderCannotBeUsed()
{
    QTemporaryDir folder;
    const auto database = Database::open(folder.filePath(u"does/not/exist"_s));
    QVERIFY(!database);
    QVERIFY(!database.error().what.isEmpty());
}

void DatabaseTest::undoesAFailedTransaction()
{
    QTemporaryDir folder;
    const auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    const auto done = (*database)->transact([&]() -> Result<void> {
        const auto added
            = (*database)->run(u"INSERT INTO events (entry, time, kind, text) VALUES ('nobody', 0, '', '')"_s);
        return added ? Result<void>() : Result<void>(fail(added.error()));
    });
    QVERIFY(!done); // the entry does not exist: foreign keys are on
    QCOMPARE(number(**database, u"SELECT count(*) FROM events"_s), 0);
    QVERIFY_RESULT((*database)->transact([]() -> Result<void> { return {}; }));
}

void DatabaseTest::servesTwoWritersAtOnce()
{
    QTemporaryDir folder;
    QVERIFY_RESULT(Database::open(folder.path()));
    constexpr int each = 40;
    QList<QThread*> writers;
    QAtomicInt failures;
    for (int writer = 0; writer < 2; ++writer) {
        writers.append(QThread::create([&folder, &failures, writer] {
            const auto own = Database::open(folder.path());
            for (int i = 0; i < each; ++i) {
                const QString id = u"%1-%2"_s.arg(writer).arg(i);
                const bool good = own && (*own)->transact([&]() -> Result<void> {
                    const auto added
                        = (*own)->run(u"INSERT INTO entries (id, token, cluster, name, design, script, "
                                      u"script_sha256, workdir, created, changed,"
                                      " owner, stage) VALUES (?, ?, '', '', '', '', '', '', 0, 0, '', 'known')"_s,
                            {id, id});
                    return added ? Result<void>() : Result<void>(fail(added.error()));
                });
                failures.fetchAndAddRelaxed(good ? 0 : 1);
            }
        }));
        writers.last()->start();
    }
    for (QThread* writer : writers) {
        QVERIFY(writer->wait(60000));
        delete writer;
    }
    QCOMPARE(failures.loadRelaxed(), 0);
    const auto database = Database::open(folder.path());
    QVERIFY_RESULT(database);
    QCOMPARE(number(**database, u"SELECT count(*) FROM entries"_s), 2 * each);
}

RANKWRIGHT_TEST_MAIN(DatabaseTest)
#include "tst_database.moc"
