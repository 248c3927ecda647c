// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classsharing.h"
#include "ssh/localshell.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <unistd.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The programs that note and collect progress, in the real shell of this machine.
class ClassSharingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void linesAreAppendedAndCollected();
    void followsNoLinks();
    void writesIntoNoOthersFile();
    void missingFolder();
    void hostileFolderIsNeverSent();
    void strangersFilesAreLeftOut();
    void nobodyFillsTheTableAlone();
    void anAliasIsNoPath();
    void asksTheSite();

private:
    static ProgressLine line(const QString& exercise)
    {
        return {u"k7m2p4xq"_s, exercise, {CheckState::Seen}, {},
            QDateTime::fromString(u"2026-11-01T10:00:00Z"_s, Qt::ISODate)};
    }
    std::optional<Result<void>> share(const QString& folder, const ProgressLine& what = line(u"one"_s))
    {
        std::optional<Result<void>> answer;
        shareProgress(m_shell, folder, what, this, [&](const Result<void>& done) { answer = done; });
        (void)test::comes([&] { return answer.has_value(); });
        return answer;
    }
    std::optional<Result<ReadProgress>> collect(const QString& folder)
    {
        std::optional<Result<ReadProgress>> answer;
        collectProgress(m_shell, folder, this, [&](const Result<ReadProgress>& read) { answer = read; });
        (void)test::comes([&] { return answer.has_value(); });
        return answer;
    }
    QString ownFile(const QString& folder)
    {
        verifyDone(share(folder));
        const QStringList files = QDir(folder).entryList({u"*.progress"_s}, QDir::Files);
        return files.isEmpty() ? QString() : QDir(folder).filePath(files.first());
    }
    static void verifyDone(const std::optional<Result<void>>& done)
    {
        QVERIFY(done.has_value());
        QVERIFY_RESULT(*done);
    }
    LocalShell m_shell;
};

void ClassSharingTest::linesAreAppendedAndCollected()
{
    const QTemporaryDir folder;
    const QString file = ownFile(folder.path());
    QVERIFY(!file.isEmpty());
    QVERIFY(share(folder.path(), line(u"two"_s))->hasValue());
    QVERIFY(!(QFileInfo(file).permissions() & (QFile::WriteGroup | QFile::WriteOther)));
    const auto all = collect(folder.path());
    QVERIFY(all.has_value());
    QVERIFY_RESULT(*all);
    QCOMPARE((*all)->lines.size(), 2);
    QCOMPARE((*all)->skipped, 0);
    QCOMPARE((*all)->lines.last().exercise, u"two"_s);
    QCOMPARE((*all)->lines.first().attendee, u"k7m2p4xq"_s);
    QCOMPARE(QFileInfo(file).fileName(), u"k7m2p4xq.progress"_s);
    QFile content(file);
    QVERIFY(content.open(QIODevice::ReadOnly));
    QVERIFY(!content.readAll().contains(qgetenv("USER").isEmpty() ? QByteArray("root") : qgetenv("USER")));
}

void ClassSharingTest::followsNoLinks()
{
    const QTemporaryDir folder;
    const QTemporaryDir elsewhere;
    const QString file = ownFile(folder.path());
    QVERIFY(QFile::remove(file));
    const QString target = elsewhere.filePath(u"bashrc"_s);
    QFile victim(target);
    QVERIFY(victim.open(QIODevice::WriteOnly));
    victim.close();
    QVERIFY(QFile::link(target, file));
    const auto done = share(folder.path());
    QVERIFY(done.has_value() && !done->hasValue());
    QVERIFY2(done->error().detail.contains(u"plain file"_s), qPrintable(done->error().oneLine()));
    QCOMPARE(QFileInfo(target).size(), 0);
    QVERIFY(QFile::remove(target)); // dangling: neither is it made
    QVERIFY(!share(folder.path())->hasValue());
    QVERIFY(!QFile::exists(target));
    QVERIFY((*collect(folder.path()))->lines.isEmpty());
}

void ClassSharingTest::writesIntoNoOthersFile()
{
    const QTemporaryDir folder;
    const QString file = ownFile(folder.path());
    const qint64 before = QFileInfo(file).size();
    QCOMPARE(::link(qPrintable(file), qPrintable(folder.filePath(u"second"_s))), 0); // a hard link to something of ours
    QVERIFY(!share(folder.path())->hasValue());
    QCOMPARE(QFileInfo(file).size(), before);
}

void ClassSharingTest::missingFolder()
{
    const auto done = share(u"/nowhere/at/all"_s);
    QVERIFY(done.has_value() && !done->hasValue());
    QVERIFY(done->error().detail.contains(u"not there"_s));
    QVERIFY(!collect(u"/nowhere/at/all"_s)->hasValue());
}

void ClassSharingTest::hostileFolderIsNeverSent()
{
    test::FakeShell shell;
    for (const QString& folder : {u"/tmp/$(id)"_s, u"relative"_s, u"/tmp/../etc"_s, u"-x"_s, u"/a\nb"_s}) {
        bool refused = false;
        shareProgress(shell, folder, line(u"one"_s), this, [&](const Result<void>& done) { refused = !done; });
        QVERIFY(refused);
        refused = false;
        collectProgress(shell, folder, this, [&](const Result<ReadProgress>& read) { refused = !read; });
        QVERIFY(refused);
    }
}

void ClassSharingTest::strangersFilesAreLeftOut()
{
    const QTemporaryDir folder;
    const QString mine = ownFile(folder.path());
    QVERIFY(QFile::copy(mine, folder.filePath(u"nobody-else.progress"_s))); // no alias
    QVERIFY(QFile::copy(mine, folder.filePath(u"x y;id.progress"_s)));
    QVERIFY(QFile::link(mine, folder.filePath(u"another.progress"_s)));
    const auto all = collect(folder.path());
    QVERIFY_RESULT(*all);
    QCOMPARE((*all)->lines.size(), 1);
}

/// One account cannot push the others' files out of the table.
void ClassSharingTest::nobodyFillsTheTableAlone()
{
    const QTemporaryDir folder;
    const QString mine = ownFile(folder.path());
    for (int i = 0; i < 70; ++i)
        QVERIFY(QFile::copy(mine, folder.filePath(u"a%1.progress"_s.arg(i))));
    const auto all = collect(folder.path());
    QVERIFY_RESULT(*all);
    QCOMPARE((*all)->lines.size(), 60);
}

void ClassSharingTest::anAliasIsNoPath()
{
    const QTemporaryDir folder;
    for (const QString& alias : {QString(), u"../x"_s, u"a b"_s, u"-x"_s, u"A"_s, u"$(id)"_s}) {
        ProgressLine hostile = line(u"one"_s);
        hostile.attendee = alias;
        const auto done = share(folder.path(), hostile);
        QVERIFY(done.has_value() && !done->hasValue());
    }
    QVERIFY(QDir(folder.path()).isEmpty());
}

void ClassSharingTest::asksTheSite()
{
    test::FakeShell shell;
    shell.expect(u"show reservation"_s, {}, true);
    std::optional<Result<SiteFacts>> answer;
    askSite(shell, this, [&](const Result<SiteFacts>& facts) { answer = facts; });
    QTRY_VERIFY(answer.has_value());
}

RANKWRIGHT_TEST_MAIN(ClassSharingTest)
#include "tst_classsharing.moc"
