// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/upload.h"
#include "ssh/localshell.h"
#include "tests/support/cpuclock.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QThreadPool>
#include <QTimer>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Files copied beside a job: by a real shell and a real tar on this machine.
class UploadTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void tarIsReadByTar();
    void copiesFilesAndFolders();
    void copiesOnlyWhatChanged();
    void neverReplacesWhatIsNewer();
    void refusesWhatCannotBe_data();
    void refusesWhatCannotBe();
    void aBrokenLinkLeavesEverythingAsItWas();
    void aFileThatShrinksIsNotCopied();
    void followsTheConnection();
    void linksThatLeadOutStayHere();
    void comparingLeavesTheWindowAlive();
    void comparingCanBeStopped();
    void rightsAreKept();
    void oddNamesAreNames();
    void allOrNothing_data();
    void allOrNothing();

private:
    QString at(const QString& path) const { return m_folder->filePath(path); }
    void write(const QString& path, const QByteArray& bytes, int ageSeconds = 100) const
    {
        QVERIFY(QDir().mkpath(QFileInfo(at(path)).path()));
        QFile file(at(path));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush());
        QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(-ageSeconds), QFileDevice::FileModificationTime));
    }
    QByteArray read(const QString& path) const
    {
        QFile file(at(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
    }
    Result<UploadSummary> copy(const QStringList& paths, const QString& folder = u"there/job 1"_s) const
    {
        LocalShell shell;
        Upload upload(shell);
        std::optional<Result<UploadSummary>> outcome;
        connect(&upload, &Upload::finished, this, [&](const Result<UploadSummary>& result) { outcome = result; });
        QStringList local;
        for (const QString& path : paths)
            local.append(path.startsWith(u'/') ? path : at(path));
        upload.start(local, at(folder));
        if (!test::comes([&] { return outcome.has_value(); }))
            return fail(Fault::TimedOut, u"no answer"_s);
        return *outcome;
    }
    QStringList leftovers() const
    {
        return QDir(at(u"there/job 1"_s)).entryList({u".rankwright-upload*"_s}, QDir::AllEntries | QDir::Hidden);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void UploadTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
}

/// Names longer than the format's field and sizes beyond eleven octal digits, listed by tar itself.
void UploadTest::tarIsReadByTar()
{
    const QString deep = QString(u"folder/"_s).repeated(20) + u"a file's name ü.txt"_s;
    const QByteArray body = "hello\n";
    QByteArray stream = tarHeader({u"src"_s, true, 0755, 0, 1700000000});
    stream += tarHeader({deep, false, 0755, body.size(), 1700000000}) + body
        + QByteArray(int(tarPadding(body.size())), '\0');
    stream += tarEnd();
    QProcess tar;
    tar.start(u"tar"_s, {u"-tvf"_s, u"-"_s, u"--quoting-style=literal"_s});
    tar.write(stream);
    tar.closeWriteChannel();
    QVERIFY(tar.waitForFinished(test::longWaitMs));
    const QString listed = QString::fromUtf8(tar.readAllStandardOutput());
    QVERIFY2(tar.exitCode() == 0 && tar.readAllStandardError().isEmpty(), qPrintable(listed));
    QVERIFY2(
        listed.contains(deep) && listed.contains(u"-rwxr-xr-x"_s) && listed.contains(u" src/"_s), qPrintable(listed));
    const QByteArray large = tarHeader({u"big"_s, false, 0644, qint64(1) << 40, 0});
    QCOMPARE(large.mid(124, 12).toHex(), QByteArray("800000000000010000000000")); // GNU tar, "base-256"
    QCOMPARE(tarPadding(512), 0);
    QCOMPARE(tarPadding(513), 511);
}

void UploadTest::copiesFilesAndFolders()
{
    QByteArray large(3 * 1024 * 1024 + 7, '\0');
    for (qsizetype i = 0; i < large.size(); ++i)
        large[i] = char(i * 31 + i / 255);
    write(u"here/train.py"_s, "print('hi')\n");
    write(u"here/src/lab/__init__.py"_s, "");
    write(u"here/src/it's \"here\" $HOME.bin"_s, large);
    write(u"here/src/.hidden"_s, "x");
    QVERIFY(QFile::setPermissions(at(u"here/train.py"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const auto done = copy({u"here/train.py"_s, u"here/src/"_s});
    QVERIFY_RESULT(done);
    QCOMPARE(done->files, 4);
    QCOMPARE(done->unchanged, 0);
    QCOMPARE(done->bytes, qint64(12 + 1) + large.size());
    QCOMPARE(read(u"there/job 1/train.py"_s), QByteArray("print('hi')\n"));
    QVERIFY(QFileInfo(at(u"there/job 1/train.py"_s)).isExecutable());
    QCOMPARE(read(u"there/job 1/src/it's \"here\" $HOME.bin"_s), large);
    QCOMPARE(read(u"there/job 1/src/lab/__init__.py"_s), QByteArray());
    QCOMPARE(read(u"there/job 1/src/.hidden"_s), QByteArray("x"));
    QCOMPARE(leftovers(), QStringList());
}

void UploadTest::copiesOnlyWhatChanged()
{
    write(u"here/a.py"_s, "one\n");
    write(u"here/b.py"_s, "two\n");
    QVERIFY_RESULT(copy({u"here/a.py"_s, u"here/b.py"_s}));
    const auto same = copy({u"here/a.py"_s, u"here/b.py"_s});
    QVERIFY_RESULT(same);
    QCOMPARE(same->files, 0);
    QCOMPARE(same->unchanged, 2);
    write(u"here/b.py"_s, "new\n", 10); // the same size
    const auto one = copy({u"here/a.py"_s, u"here/b.py"_s});
    QVERIFY_RESULT(one);
    QCOMPARE(one->files, 1);
    QCOMPARE(one->unchanged, 1);
    QCOMPARE(read(u"there/job 1/b.py"_s), QByteArray("new\n"));
}

void UploadTest::neverReplacesWhatIsNewer()
{
    write(u"here/a.py"_s, "mine\n", 1000);
    write(u"here/b.py"_s, "other\n", 1000);
    write(u"there/job 1/a.py"_s, "changed there\n", 10);
    const auto refused = copy({u"here/a.py"_s, u"here/b.py"_s});
    QVERIFY(!refused);
    QVERIFY2(refused.error().what.startsWith(u"a.py is newer on the cluster"_s), qPrintable(refused.error().what));
    QCOMPARE(read(u"there/job 1/a.py"_s), QByteArray("changed there\n"));
    QCOMPARE(read(u"there/job 1/b.py"_s), QByteArray("(missing)")); // all or nothing
    write(u"there/job 1/a.py"_s, "mine\n", 10); // newer, but the same
    QVERIFY_RESULT(copy({u"here/a.py"_s, u"here/b.py"_s}));
    QCOMPARE(read(u"there/job 1/b.py"_s), QByteArray("other\n"));
}

void UploadTest::refusesWhatCannotBe_data()
{
    QTest::addColumn<QStringList>("paths");
    QTest::addColumn<QString>("says");
    QTest::newRow("missing") << QStringList{u"here/none.py"_s} << u"no such file"_s;
    QTest::newRow("one name twice") << QStringList{u"here/a.py"_s, u"here/x/a.py"_s} << u"Two files"_s;
    QTest::newRow("line break") << QStringList{u"here/y"_s} << u"line break"_s;
    QTest::newRow("folder over file") << QStringList{u"here/x"_s} << u"a folder on one side"_s;
    QTest::newRow("no regular file") << QStringList{u"/dev/null"_s} << u"not a readable file"_s;
}

void UploadTest::refusesWhatCannotBe()
{
    QFETCH(QStringList, paths);
    QFETCH(QString, says);
    write(u"here/a.py"_s, "1");
    write(u"here/x/a.py"_s, "2");
    write(u"here/y/two\nlines"_s, "3");
    write(u"there/job 1/x"_s, "a file");
    const auto refused = copy(paths);
    QVERIFY(!refused);
    QVERIFY2(refused.error().what.contains(says), qPrintable(refused.error().what));
    QCOMPARE(read(u"there/job 1/x"_s), QByteArray("a file"));
}

void UploadTest::aBrokenLinkLeavesEverythingAsItWas()
{
    write(u"here/a.py"_s, "new\n", 5);
    write(u"here/big.bin"_s, QByteArray(20 * 1024 * 1024, 'x'), 5);
    write(u"there/job 1/a.py"_s, "old one\n", 1000);
    {
        LocalShell shell;
        Upload upload(shell);
        bool begun = false;
        connect(&upload, &Upload::progressed, this, [&](qint64 sent, qint64) { begun = begun || sent > 100000; });
        upload.start({at(u"here/a.py"_s), at(u"here/big.bin"_s)}, at(u"there/job 1"_s));
        QVERIFY(test::comes([&] { return begun; }));
    }
    QCOMPARE(read(u"there/job 1/a.py"_s), QByteArray("old one\n"));
    QCOMPARE(read(u"there/job 1/big.bin"_s), QByteArray("(missing)"));
    // The killed shell may have left its folder; one of two days ago is taken away by the next upload.
    QDir(at(u"there/job 1"_s)).mkdir(u".rankwright-upload-1"_s);
    QProcess::execute(u"touch"_s, {u"-d"_s, u"2 days ago"_s, at(u"there/job 1/.rankwright-upload-1"_s)});
    QVERIFY_RESULT(copy({u"here/a.py"_s, u"here/big.bin"_s}));
    QVERIFY(!leftovers().contains(u".rankwright-upload-1"_s));
    QCOMPARE(read(u"there/job 1/a.py"_s), QByteArray("new\n"));
}

void UploadTest::aFileThatShrinksIsNotCopied()
{
    write(u"here/a.log"_s, QByteArray(1000, 'x'));
    LocalShell shell;
    Upload upload(shell);
    std::optional<Result<UploadSummary>> outcome;
    connect(&upload, &Upload::finished, this, [&](const Result<UploadSummary>& result) { outcome = result; });
    connect(&upload, &Upload::filesListed, this, [this] { write(u"here/a.log"_s, "short"); });
    upload.start({at(u"here/a.log"_s)}, at(u"there/job 1"_s));
    QVERIFY(test::comes([&] { return outcome.has_value(); }));
    QVERIFY(!*outcome);
    QVERIFY2(outcome->error().what.contains(u"was changed while it was read"_s), qPrintable(outcome->error().what));
    QCOMPARE(leftovers(), QStringList());
    QCOMPARE(read(u"there/job 1/a.log"_s), QByteArray("(missing)"));
}

/// No more than the window runs ahead of what the connection has taken.
void UploadTest::followsTheConnection()
{
    write(u"here/big.bin"_s, QByteArray(10 * 1024 * 1024, 'x'));
    test::FakeShell shell;
    shell.expect(u"sha256sum"_s, {});
    test::FakeShell::Reply stream;
    stream.staysOpen = true;
    shell.expect(u"tar -xof"_s, stream);
    Upload upload(shell);
    upload.start({at(u"here/big.bin"_s)}, u"/work"_s);
    QTRY_VERIFY(shell.newest() && shell.newest()->input().size() > 0);
    test::quietFor(50);
    const qsizetype first = shell.newest()->input().size();
    QVERIFY(first < 4 * 1024 * 1024);
    emit shell.newest()->inputSent(first);
    QTRY_VERIFY(shell.newest()->input().size() > first);
    QVERIFY(shell.newest()->input().size() < first + 4 * 1024 * 1024);
}

void UploadTest::linksThatLeadOutStayHere()
{
    write(u"home/.ssh/id_ed25519"_s, "PRIVATE KEY");
    write(u"src/train.py"_s, "print(1)");
    write(u"src/.env"_s, "TOKEN=1");
    write(u"src/sub/data.txt"_s, "d");
    QVERIFY(QFile::link(at(u"home/.ssh/id_ed25519"_s), at(u"src/key.txt"_s)));
    QVERIFY(QFile::link(u"../../home/.ssh/id_ed25519"_s, at(u"src/sub/key.txt"_s)));
    QVERIFY(QFile::link(at(u"home"_s), at(u"src/folder"_s)));
    QVERIFY(QFile::link(u"sub/data.txt"_s, at(u"src/inside.txt"_s)));
    QVERIFY(QFile::link(at(u"src/train.py"_s), at(u"named.py"_s)));
    QVERIFY(QFile::link(u"sub"_s, at(u"src/again"_s)));
    QVERIFY(QFile::link(u"."_s, at(u"src/ring"_s)));
    const auto listed = listUpload({at(u"src"_s), at(u"named.py"_s)});
    QVERIFY_RESULT(listed);
    UploadNotes notes = listed->notes;
    notes.skipped.sort();
    notes.folderLinks.sort();
    QCOMPARE(notes.skipped, (QStringList{u"src/folder"_s, u"src/key.txt"_s, u"src/sub/key.txt"_s}));
    QCOMPARE(notes.folderLinks, (QStringList{u"src/again"_s, u"src/ring"_s}));
    QCOMPARE(notes.hidden, QStringList{u"src/.env"_s});
    const auto done = copy({u"src"_s, u"named.py"_s});
    QVERIFY_RESULT(done);
    QCOMPARE(done->files, 5);
    QCOMPARE(read(u"there/job 1/src/inside.txt"_s), QByteArray("d"));
    QCOMPARE(read(u"there/job 1/named.py"_s), QByteArray("print(1)")); // a person named it
    for (const char* gone : {"src/key.txt", "src/sub/key.txt", "src/folder", "src/again", "src/ring"})
        QVERIFY2(!QFileInfo::exists(at(u"there/job 1/"_s + QString::fromLatin1(gone))), gone);
}

/// Sums of 4 GiB stopped the window for a minute and a half.
void UploadTest::comparingLeavesTheWindowAlive()
{
    constexpr qint64 size = 1LL << 30;
    QFile large(at(u"data.bin"_s));
    QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(size)); // sparse: it takes no room
    large.close();
    test::FakeShell shell;
    Upload upload(shell);
    QSignalSpy compared(&upload, &Upload::filesCompared);
    QSignalSpy finished(&upload, &Upload::finished);
    shell.expect(u"sh"_s, {"f 1 " + QByteArray::number(size) + " 00000000 data.bin\n", {}}, true);
    // Processor time of this thread between two turns: comparing all of it takes seconds of it.
    const test::CpuClock work;
    qint64 before = 0, longest = 0;
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&] {
        longest = qMax(longest, work.elapsedMs() - before);
        before = work.elapsedMs();
    });
    beat.start(10);
    upload.start({at(u"data.bin"_s)}, u"/x"_s);
    QTRY_VERIFY(finished.size() > 0 || shell.commands().size() > 1);
    QVERIFY2(longest < 400, qPrintable(QString::number(longest)));
    QVERIFY(compared.size() > 0);
    QCOMPARE(compared.first(), (QVariantList{0, 1}));
}

void UploadTest::comparingCanBeStopped()
{
    QFile large(at(u"data.bin"_s));
    QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(16LL << 30));
    large.close();
    test::FakeShell shell;
    auto upload = std::make_unique<Upload>(shell);
    QSignalSpy compared(upload.get(), &Upload::filesCompared);
    shell.expect(u"sh"_s, {"f 1 17179869184 00000000 data.bin\n", {}}, true);
    upload->start({at(u"data.bin"_s)}, u"/x"_s);
    QTRY_VERIFY(compared.size() > 0);
    const test::CpuClock work(test::CpuClock::Of::Process); // all 16 GiB take many seconds of it
    upload.reset();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(test::longWaitMs));
    QVERIFY2(work.elapsedMs() < 3000, qPrintable(QString::number(work.elapsedMs())));
}

void UploadTest::rightsAreKept()
{
    write(u"src/secret/token"_s, "t");
    write(u"src/run.sh"_s, "#!/bin/sh\n");
    QVERIFY(QFile::setPermissions(at(u"src/secret/token"_s), QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(QFile::setPermissions(at(u"src/run.sh"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(QFile::setPermissions(at(u"src/secret"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY_RESULT(copy({u"src"_s}));
    const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther
        | QFile::WriteOther | QFile::ExeOther;
    for (const char* path : {"src/secret", "src/secret/token", "src/run.sh"})
        QVERIFY2(!(QFile::permissions(at(u"there/job 1/"_s + QString::fromLatin1(path))) & others), path);
    QVERIFY(QFile::permissions(at(u"there/job 1/src/run.sh"_s)) & QFile::ExeOwner);
    QVERIFY(!(QFile::permissions(at(u"there/job 1/src/secret/token"_s)) & QFile::ExeOwner));
}

/// Blanks at the ends, backslashes, quotes, stars, UTF-8: each name is compared as it is.
void UploadTest::oddNamesAreNames()
{
    const QStringList names{u"trailing "_s, u" leading"_s, u"two  blanks"_s, u"back\\nslash"_s, u"-n"_s, u"*"_s,
        u"tab\there"_s, u"ü – 数据 "_s, u"it's \"so\""_s};
    for (const QString& name : names) {
        write(u"here/src/"_s + name, "mine\n", 1000);
        write(u"there/job 1/src/"_s + name, "changed there\n", 10);
        const auto refused = copy({u"here/src"_s});
        QVERIFY2(!refused && refused.error().what.startsWith(u"src/%1 is newer"_s.arg(name)), qPrintable(name));
        QCOMPARE(read(u"there/job 1/src/"_s + name), QByteArray("changed there\n"));
        write(u"there/job 1/src/"_s + name, "mine\n", 10);
        const auto same = copy({u"here/src"_s});
        QVERIFY_RESULT(same);
        QVERIFY2(same->files == 0, qPrintable(name));
    }
}

void UploadTest::allOrNothing_data()
{
    QTest::addColumn<QString>("stuck"); // what mv refuses there
    QTest::newRow("a file that is there") << u"b.py"_s;
    QTest::newRow("a new file in a new folder") << u"deep/er/c.py"_s;
    QTest::newRow("a new file in a folder that is there") << u"data/d.bin"_s;
}

/// One file that cannot be put into place: nothing of the others is new.
void UploadTest::allOrNothing()
{
    QFETCH(QString, stuck);
    write(u"bin/mv"_s,
        "#!/bin/sh\ncase \"$*\" in */" + stuck.toUtf8()
            + ") echo \"mv: cannot move: Permission denied\" >&2; exit 1;; esac\nexec /bin/mv \"$@\"\n");
    QVERIFY(QFile::setPermissions(at(u"bin/mv"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    for (const QString& name : {u"a.py"_s, u"b.py"_s, u"deep/er/c.py"_s, u"data/d.bin"_s, u"z.py"_s})
        write(u"here/src/"_s + name, "new\n", 10);
    for (const QString& name : {u"a.py"_s, u"b.py"_s, u"data/old.bin"_s, u"z.py"_s})
        write(u"there/job 1/src/"_s + name, "old one\n", 1000);
    QVERIFY(QDir().mkpath(at(u"there/job 1/src/empty"_s)));
    const auto tree = [this] {
        QProcess find;
        find.start(
            u"sh"_s, {u"-c"_s, u"cd \"$1\" && find . -exec stat -c '%n %a %s' {} + | sort"_s, u"_"_s, at(u"there"_s)});
        find.waitForFinished(test::longWaitMs);
        return QString::fromUtf8(find.readAllStandardOutput());
    };
    const QString before = tree();
    QVERIFY(before.contains(u"old.bin"));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", at(u"bin"_s).toUtf8() + ':' + path);
    const auto failed = copy({u"here/src"_s});
    qputenv("PATH", path);
    QVERIFY(!failed);
    QCOMPARE(tree(), before);
    QCOMPARE(read(u"there/job 1/src/a.py"_s), QByteArray("old one\n"));
    const QString what = failed.error().what;
    QVERIFY2(what.endsWith(u"src/%1 cannot be put into place: nothing was copied"_s.arg(stuck)), qPrintable(what));
    const QString said = what + failed.error().detail;
    QVERIFY2(!said.contains(u"trap") && !said.contains(u"mkdir"), qPrintable(said)); // not the program that did it
    QVERIFY_RESULT(copy({u"here/src"_s}));
    QCOMPARE(read(u"there/job 1/src/"_s + stuck), QByteArray("new\n"));
}

RANKWRIGHT_TEST_MAIN(UploadTest)
#include "tst_upload.moc"
