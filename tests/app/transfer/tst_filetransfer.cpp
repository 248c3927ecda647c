// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/filenames.h"
#include "ssh/localshell.h"
#include "tests/app/transfer/transferfixture.h"
#include "tests/support/fakeshell.h"

#include <QSignalSpy>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Transfers both ways by a real shell, tar and find of this machine.
class FileTransferTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void thereAndBack();
    void onlyWhatChangedIsSent();
    void newerIsAsked();
    void ignoredFilesStayHere();
    void oddNames();
    void linksThatLeadOutAreRefused();
    void nothingIsWrittenThroughALink();
    void aWrongChecksumIsSaid();
    void goesOnInsideAFile_data();
    void goesOnInsideAFile();
    void anotherBeginningIsNotGoneOnWith();
    void aFullDiskIsSaidAndTheRestKept();
    void aFileThatChangesIsSaid();
    void aServerThatSendsSomethingElse();
    void cancelledLeavesNothingInPlace();
    void emptyFoldersAndFiles();

private:
    std::unique_ptr<test::TransferFixture> m_files;
    LocalShell m_shell;
};

namespace {

QByteArray pattern(qsizetype size)
{
    QByteArray bytes(size, Qt::Uninitialized);
    for (qsizetype i = 0; i < size; ++i)
        bytes[i] = char(i * 31 + i / 257);
    return bytes;
}

} // namespace

void FileTransferTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_files = std::make_unique<test::TransferFixture>();
}

void FileTransferTest::thereAndBack()
{
    const QByteArray large = pattern(largeFileBytes * 2 + 77);
    m_files->write(u"here/project/train.py"_s, "print('hi')\n");
    m_files->write(u"here/project/src/lab/__init__.py"_s, "");
    m_files->write(u"here/project/src/it's \"here\" $HOME.bin"_s, large);
    QVERIFY(QFile::setPermissions(
        m_files->at(u"here/project/train.py"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(QFile::link(u"src/lab"_s, m_files->at(u"here/project/lab"_s)));
    const auto sent = m_files->upload(m_shell, u"here/project"_s);
    QVERIFY_RESULT(sent);
    QCOMPARE(sent->files, 4);
    QCOMPARE(sent->bytes, 12 + large.size());
    QCOMPARE(m_files->read(u"there/project/src/it's \"here\" $HOME.bin"_s), large);
    QVERIFY(QFileInfo(m_files->at(u"there/project/train.py"_s)).isExecutable());
    QVERIFY(QFileInfo(m_files->at(u"there/project/lab"_s)).isSymLink());
    QCOMPARE(QFileInfo(m_files->at(u"there/project/train.py"_s)).lastModified().toSecsSinceEpoch(),
        QFileInfo(m_files->at(u"here/project/train.py"_s)).lastModified().toSecsSinceEpoch());
    const auto fetched = m_files->download(m_shell, "project");
    QVERIFY_RESULT(fetched);
    QCOMPARE(fetched->files, 4);
    QCOMPARE(m_files->read(u"back/project/src/it's \"here\" $HOME.bin"_s), large);
    QVERIFY(QFileInfo(m_files->at(u"back/project/train.py"_s)).isExecutable());
    QVERIFY(QFileInfo(m_files->at(u"back/project/lab"_s)).isSymLink());
    QCOMPARE(m_files->leftovers(), QStringList());
}

void FileTransferTest::onlyWhatChangedIsSent()
{
    m_files->write(u"here/p/a"_s, "one\n");
    m_files->write(u"here/p/b"_s, "two\n");
    QVERIFY_RESULT(m_files->upload(m_shell, u"here/p"_s));
    m_files->write(u"here/p/a"_s, "one\n", 10); // touched alone
    m_files->write(u"here/p/b"_s, "new\n", 10);
    const auto again = m_files->upload(m_shell, u"here/p"_s);
    QVERIFY_RESULT(again);
    QCOMPARE(again->files, 1);
    QCOMPARE(again->skipped, 1);
    QCOMPARE(m_files->read(u"there/p/b"_s), "new\n");
}

void FileTransferTest::newerIsAsked()
{
    m_files->write(u"here/p/a"_s, "mine\n", 1000);
    m_files->write(u"here/p/b"_s, "other\n", 1000);
    m_files->write(u"there/p/a"_s, "changed there\n", 10);
    const auto first = m_files->upload(m_shell, u"here/p"_s);
    QVERIFY_RESULT(first);
    QCOMPARE(first->newer, 1);
    QCOMPARE(first->files, 1);
    QCOMPARE(m_files->read(u"there/p/a"_s), "changed there\n");
    QVERIFY_RESULT(m_files->upload(m_shell, u"here/p"_s, true));
    QCOMPARE(m_files->read(u"there/p/a"_s), "mine\n");
    m_files->write(u"back/p/b"_s, "newer here\n", 1);
    const auto down = m_files->download(m_shell, "p");
    QVERIFY_RESULT(down);
    QCOMPARE(down->newer, 1);
    QCOMPARE(m_files->read(u"back/p/b"_s), "newer here\n");
}

void FileTransferTest::ignoredFilesStayHere()
{
    m_files->write(u"here/p/.gitignore"_s, "*.pt\n/data/\n");
    m_files->write(u"here/p/a.pt"_s, "x");
    m_files->write(u"here/p/data/big"_s, "x");
    m_files->write(u"here/p/src/.gitignore"_s, "!keep.pt\n");
    m_files->write(u"here/p/src/keep.pt"_s, "x");
    m_files->write(u"here/p/.git/config"_s, "x");
    QVERIFY_RESULT(m_files->upload(m_shell, u"here/p"_s));
    QVERIFY(!QFileInfo::exists(m_files->at(u"there/p/a.pt"_s)));
    QVERIFY(!QFileInfo::exists(m_files->at(u"there/p/data"_s)));
    QVERIFY(!QFileInfo::exists(m_files->at(u"there/p/.git"_s)));
    QVERIFY(QFileInfo::exists(m_files->at(u"there/p/src/keep.pt"_s)));
    m_files->write(u"here/p/.rankwrightignore"_s, "src/\n"); // counts in place of .gitignore
    QVERIFY_RESULT(m_files->upload(m_shell, u"here/p"_s));
    QVERIFY(QFileInfo::exists(m_files->at(u"there/p/a.pt"_s)));
}

void FileTransferTest::oddNames()
{
    const QList<QByteArray> names{
        "-rf", "a\nb", "\xff\xfe", " ", "*", "$(touch x)", "`id`", "a\\nb", "\"'", "~", "%s%n"};
    const QList<QByteArray> largeNames{"-rf", "a\nb", "\xff\xfe", "$(touch x)"}; // each travels alone
    QVERIFY(QDir().mkpath(m_files->at(u"here/p"_s)));
    for (const QByteArray& name : names) {
        for (const QByteArray& kind : {QByteArray("small"), QByteArray("large")}) {
            const QByteArray path = m_files->bytesAt(u"here/p"_s) + '/' + name + kind;
            const int file = ::open(path.constData(), O_WRONLY | O_CREAT, 0644);
            QVERIFY(file >= 0 && ::write(file, name.constData(), size_t(name.size())) == name.size());
            if (kind == "large" && largeNames.contains(name))
                QCOMPARE(::ftruncate(file, largeFileBytes + 1), 0);
            ::close(file);
        }
    }
    const auto sent = m_files->upload(m_shell, u"here/p"_s);
    QVERIFY_RESULT(sent);
    QCOMPARE(sent->files, 2 * names.size());
    const auto fetched = m_files->download(m_shell, "p");
    QVERIFY_RESULT(fetched);
    QCOMPARE(fetched->files, 2 * names.size());
    for (const QByteArray& name : names) {
        struct stat facts { };
        QCOMPARE(::stat(QByteArray(m_files->bytesAt(u"back/p"_s) + '/' + name + "large").constData(), &facts), 0);
        QCOMPARE(facts.st_size, largeNames.contains(name) ? largeFileBytes + 1 : name.size());
        QCOMPARE(::stat(QByteArray(m_files->bytesAt(u"back/p"_s) + '/' + name + "small").constData(), &facts), 0);
    }
    QCOMPARE(m_files->leftovers(), QStringList());
}

void FileTransferTest::linksThatLeadOutAreRefused()
{
    m_files->write(u"here/secret"_s, "s");
    m_files->write(u"here/p/a"_s, "a");
    QVERIFY(QFile::link(u"../secret"_s, m_files->at(u"here/p/out"_s)));
    QVERIFY(QFile::link(u"/etc/passwd"_s, m_files->at(u"here/p/passwd"_s)));
    const auto sent = m_files->upload(m_shell, u"here/p"_s);
    QVERIFY_RESULT(sent);
    QCOMPARE(sent->refused, 1 + 1);
    QVERIFY(!QFileInfo(m_files->at(u"there/p/passwd"_s)).isSymLink());
    QVERIFY(QDir().mkpath(m_files->at(u"there/q"_s)));
    QVERIFY(QFile::link(u"/etc"_s, m_files->at(u"there/q/etc"_s)));
    QCOMPARE(::mkfifo(m_files->bytesAt(u"there/q/pipe"_s).constData(), 0600), 0);
    const auto fetched = m_files->download(m_shell, "q");
    QVERIFY_RESULT(fetched);
    QCOMPARE(fetched->refused, 2);
    QVERIFY(
        QDir(m_files->at(u"back/q"_s)).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot));
}

void FileTransferTest::nothingIsWrittenThroughALink()
{
    m_files->write(u"there/p/d/a"_s, "new");
    m_files->write(u"elsewhere/a"_s, "old");
    QVERIFY(QDir().mkpath(m_files->at(u"back/p"_s)));
    QVERIFY(QFile::link(m_files->at(u"elsewhere"_s), m_files->at(u"back/p/d"_s)));
    const auto fetched = m_files->download(m_shell, "p");
    QVERIFY_RESULT(fetched);
    QCOMPARE(fetched->refused, 2);
    QCOMPARE(m_files->read(u"elsewhere/a"_s), "old");
}

/// A machine whose sha256sum says something else than what arrived.
void FileTransferTest::aWrongChecksumIsSaid()
{
    m_files->write(u"bin/sha256sum"_s, "#!/bin/sh\ncat > /dev/null; echo " + QByteArray(64, '0') + "' ' -\n");
    QVERIFY(
        QFile::setPermissions(m_files->at(u"bin/sha256sum"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_files->write(u"bin/openssl"_s, "#!/bin/sh\nexit 1\n");
    QVERIFY(
        QFile::setPermissions(m_files->at(u"bin/openssl"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_files->write(u"here/large.bin"_s, pattern(largeFileBytes + 5));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_files->bytesAt(u"bin"_s) + ':' + path);
    const auto sent = m_files->upload(m_shell, u"here/large.bin"_s);
    qputenv("PATH", path);
    QVERIFY(!sent);
    QVERIFY2(sent.error().what.contains(u"checksum"_s), qPrintable(sent.error().oneLine()));
    QVERIFY(!QFileInfo::exists(m_files->at(u"there/large.bin"_s)));
    QCOMPARE(m_files->leftovers(), QStringList());
}

void FileTransferTest::goesOnInsideAFile_data()
{
    QTest::addColumn<qint64>("have");
    for (const qint64 have : {qint64(1), largeFileBytes / 2 + 3, largeFileBytes + 10})
        QTest::addRow("%lld", have) << have;
}

void FileTransferTest::goesOnInsideAFile()
{
    QFETCH(qint64, have);
    const QByteArray bytes = pattern(largeFileBytes + 10);
    m_files->write(u"here/large.bin"_s, bytes);
    const QFileInfo info(m_files->at(u"here/large.bin"_s));
    const QString part
        = QString::fromLatin1(partialName("large.bin", bytes.size(), info.lastModified().toSecsSinceEpoch()));
    m_files->write(u"there/"_s + part, bytes.left(have));
    const auto sent = m_files->upload(m_shell, u"here/large.bin"_s);
    QVERIFY_RESULT(sent);
    QCOMPARE(sent->resumedBytes, have);
    QCOMPARE(m_files->read(u"there/large.bin"_s), bytes);
    m_files->write(u"back/"_s + part, bytes.left(have));
    const auto fetched = m_files->download(m_shell, "large.bin");
    QVERIFY_RESULT(fetched);
    QCOMPARE(fetched->resumedBytes, have);
    QCOMPARE(m_files->read(u"back/large.bin"_s), bytes);
    QCOMPARE(m_files->leftovers(), QStringList());
}

void FileTransferTest::anotherBeginningIsNotGoneOnWith()
{
    const QByteArray bytes = pattern(largeFileBytes + 10);
    m_files->write(u"here/large.bin"_s, bytes);
    const QFileInfo info(m_files->at(u"here/large.bin"_s));
    m_files->write(u"there/"_s
            + QString::fromLatin1(partialName("large.bin", bytes.size(), info.lastModified().toSecsSinceEpoch())),
        QByteArray(1000, 'x'));
    const auto sent = m_files->upload(m_shell, u"here/large.bin"_s);
    QVERIFY_RESULT(sent);
    QCOMPARE(sent->resumedBytes, 0);
    QCOMPARE(m_files->read(u"there/large.bin"_s), bytes);
}

namespace {

/// A shell whose commands may write files of this many KiB only, as on a full quota.
class LimitedShell final : public RemoteShell {
    Q_OBJECT
public:
    LinkState state() const override { return m_shell.state(); }
    std::optional<Error> lastError() const override { return {}; }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override
    {
        RemoteCommand limited = command;
        limited.line = u"ulimit -f 4000; "_s + command.line; // blocks of 512 bytes
        return m_shell.start(limited);
    }

private:
    LocalShell m_shell;
};

} // namespace

void FileTransferTest::aFullDiskIsSaidAndTheRestKept()
{
    const QByteArray bytes = pattern(largeFileBytes + 10);
    m_files->write(u"here/large.bin"_s, bytes);
    LimitedShell limited;
    const auto sent = m_files->upload(limited, u"here/large.bin"_s);
    QVERIFY(!sent);
    QVERIFY2(!sent.error().detail.isEmpty(), qPrintable(sent.error().oneLine()));
    QCOMPARE(m_files->leftovers().size(), 1);
    const auto again = m_files->upload(m_shell, u"here/large.bin"_s);
    QVERIFY_RESULT(again);
    QVERIFY(again->resumedBytes > 1000000);
    QCOMPARE(m_files->read(u"there/large.bin"_s), bytes);
    const CommandOutcome full{{}, "tee: x: No space left on device\n3 of 9 bytes are there\n", 5, {}};
    const Error error = stepError(full, {}, u"Not taken"_s);
    QVERIFY(error.what.contains(u"disk on the cluster is full"_s) && error.remedy.contains(u"kept"_s));
    const CommandOutcome quota{{}, "tar: a: Cannot write: Disk quota exceeded\n", 5, {}};
    QVERIFY(stepError(quota, {}, u"Not taken"_s).what.contains(u"quota"_s));
}

void FileTransferTest::aFileThatChangesIsSaid()
{
    m_files->write(u"here/p/a"_s, "one\n");
    UploadTransfer transfer(m_shell, {m_files->at(u"here/p"_s)}, m_files->bytesAt(u"there"_s));
    const auto sent = test::TransferFixture::finish(
        transfer, false, [this](const TransferPlan&) { m_files->write(u"here/p/a"_s, "longer than before\n"); });
    QVERIFY(!sent);
    QVERIFY2(sent.error().what.contains(u"changed"_s), qPrintable(sent.error().oneLine()));
    QVERIFY(!QFileInfo::exists(m_files->at(u"there/p/a"_s)));
}

/// The names in a stream are compared with what was asked for.
void FileTransferTest::aServerThatSendsSomethingElse()
{
    test::FakeShell shell;
    shell.expect(u" _ ask "_s, {QByteArrayList{"81a4 5 1", "a", "end", ""}.join('\0')});
    shell.expect(u" _ sum "_s, {QByteArray(64, '0') + "  a" + '\0'});
    const QByteArray evil = tarHeaderOf({"../evil", FileEntry::Kind::File, 5, 1, 0644, {}}) + QByteArray(512, 'x')
        + QByteArray(1024, '\0');
    shell.expect(u" _ give-tar "_s, {evil});
    DownloadTransfer transfer(shell, "there", {"a"}, m_files->bytesAt(u"back"_s));
    const auto fetched = test::TransferFixture::finish(transfer);
    QVERIFY(!fetched);
    QVERIFY2(fetched.error().what.contains(u"not asked for"_s), qPrintable(fetched.error().oneLine()));
    QVERIFY(!QFileInfo::exists(m_files->at(u"evil"_s)));
}

void FileTransferTest::cancelledLeavesNothingInPlace()
{
    m_files->write(u"here/large.bin"_s, pattern(largeFileBytes * 4));
    {
        UploadTransfer transfer(m_shell, {m_files->at(u"here/large.bin"_s)}, m_files->bytesAt(u"there"_s));
        QSignalSpy progress(&transfer, &FileTransfer::progressed);
        connect(&transfer, &FileTransfer::transferPlanned, &transfer, [&transfer] { transfer.go(false); });
        transfer.compareSides();
        QTRY_VERIFY(!progress.isEmpty());
    }
    QVERIFY(!QFileInfo::exists(m_files->at(u"there/large.bin"_s)));
}

void FileTransferTest::emptyFoldersAndFiles()
{
    QVERIFY(QDir().mkpath(m_files->at(u"here/p/empty/deep"_s)));
    m_files->write(u"here/p/nothing"_s, "");
    QVERIFY_RESULT(m_files->upload(m_shell, u"here/p"_s));
    QVERIFY(QFileInfo(m_files->at(u"there/p/empty/deep"_s)).isDir());
    QCOMPARE(m_files->read(u"there/p/nothing"_s), "");
    QVERIFY_RESULT(m_files->download(m_shell, "p"));
    QVERIFY(QFileInfo(m_files->at(u"back/p/empty/deep"_s)).isDir());
    QCOMPARE(m_files->leftovers(), QStringList());
}

RANKWRIGHT_TEST_MAIN(FileTransferTest)
#include "tst_filetransfer.moc"
