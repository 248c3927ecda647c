// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/classsharing.h"
#include "models/cluster/remote/remoteprogram.h"
#include "ssh/localshell.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QTemporaryDir>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int attendees = 40;
constexpr int firstUid = 21000; // of users that this machine has not got

QString attendeeName(int number) { return u"att%1"_s.arg(number, 2, 10, QLatin1Char('0')); }

/// This machine as a login node where forty attendees and their teacher have accounts, each of whom is somebody else to
/// the kernel. Wants root and a mount namespace.
class AttendeeShell final : public RemoteShell {
    Q_OBJECT
public:
    explicit AttendeeShell(const QString& folder) : m_passwd(folder + u"/passwd"_s)
    {
        QFile own(u"/etc/passwd"_s), file(m_passwd);
        if (!own.open(QIODevice::ReadOnly) || !file.open(QIODevice::WriteOnly))
            return;
        file.write(own.readAll());
        for (int i = 0; i <= attendees; ++i) // the last one is the teacher
            file.write(u"%1:x:%2:%2::/tmp:/bin/sh\n"_s.arg(attendeeName(i)).arg(firstUid + i).toUtf8());
    }
    void become(int number) { m_number = number; }
    LinkState state() const override { return LinkState::Online; }
    std::optional<Error> lastError() const override { return {}; }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override
    {
        const QString uid = QString::number(firstUid + m_number);
        RemoteCommand inside = RemoteCommand::of(
            {u"unshare"_s, u"-m"_s, u"/bin/sh"_s, u"-c"_s,
                uR"(mount --bind "$1" /etc/passwd && exec setpriv --reuid "$2" --regid "$2" --clear-groups /bin/sh -c "$3")"_s,
                u"_"_s, m_passwd, uid, command.line},
            command.input);
        inside.fenced = command.fenced;
        inside.outputLimit = command.outputLimit;
        return m_machine.start(inside);
    }

private:
    LocalShell m_machine;
    QString m_passwd;
    int m_number = 0;
};

} // namespace

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
    void imagesThatCanBeRead();
    void manyWritersAtOnce();
    void aFullDisk();
    void fortyAttendees();

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
    /// As somebody's own command; its exit status.
    std::optional<int> statusOf(RemoteShell& shell, const QStringList& words)
    {
        std::optional<std::optional<int>> status;
        shell.run(RemoteCommand::of(words), this,
            [&](const Result<CommandOutcome>& outcome) { status = outcome ? outcome->exitStatus : std::nullopt; });
        (void)test::comes([&] { return status.has_value(); });
        return status.value_or(std::nullopt);
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
    askSite(shell, {}, this, [&](const Result<SiteFacts>& facts) { answer = facts; });
    QTRY_VERIFY(answer.has_value());
}

void ClassSharingTest::imagesThatCanBeRead()
{
    const QTemporaryDir folder;
    QFile image(folder.filePath(u"torch.sif"_s));
    QVERIFY(image.open(QIODevice::WriteOnly));
    std::optional<QStringList> closed;
    m_shell.run(RemoteCommand::of({u"/bin/sh"_s, u"-c"_s, remoteProgram(u"class-images.sh"_s), u"_"_s, image.fileName(),
                    folder.filePath(u"no such image.sif"_s), u"~"_s}),
        this, [&](const Result<CommandOutcome>& outcome) {
            if (outcome)
                closed = QString::fromUtf8(outcome->output).split(u'\n', Qt::SkipEmptyParts);
        });
    QTRY_VERIFY(closed.has_value());
    QCOMPARE(closed->mid(0, 2), QStringList({u"readable"_s, u"closed"_s}));
    QCOMPARE(closed->size(), 3);
}

/// The same person in two windows, and in many: whole lines, none lost.
void ClassSharingTest::manyWritersAtOnce()
{
    const QTemporaryDir folder;
    int done = 0, failed = 0;
    for (int i = 0; i < attendees; ++i)
        shareProgress(m_shell, folder.path(), line(u"exercise-%1"_s.arg(i)), this, [&](const Result<void>& answer) {
            ++done;
            failed += answer ? 0 : 1;
        });
    QTRY_COMPARE(done, attendees);
    QCOMPARE(failed, 0);
    const auto all = collect(folder.path());
    QVERIFY_RESULT(*all);
    QCOMPARE((*all)->skipped, 0);
    QSet<QString> exercises;
    for (const ProgressLine& each : (*all)->lines)
        exercises.insert(each.exercise);
    QCOMPARE((*all)->lines.size(), attendees);
    QCOMPARE(exercises.size(), attendees);
}

/// As a full quota: a part of the line is written, and no more. It is reported, what was there stays, and the next line
/// is whole again.
void ClassSharingTest::aFullDisk()
{
    const QTemporaryDir folder;
    const QString file = ownFile(folder.path());
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit little{rlim_t(QFileInfo(file).size() + 24), before.rlim_max};
    std::optional<Result<void>> answer;
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &little), 0); // the program that is started has it, too
    shareProgress(m_shell, folder.path(), line(u"lost"_s), this, [&](const Result<void>& done) { answer = done; });
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    QTRY_VERIFY(answer.has_value());
    QVERIFY(!answer->hasValue());
    QCOMPARE(QFileInfo(file).size(), qint64(little.rlim_cur));
    auto all = collect(folder.path());
    QVERIFY_RESULT(*all);
    QCOMPARE((*all)->lines.size(), 1);
    QCOMPARE((*all)->skipped, 1);
    verifyDone(share(folder.path(), line(u"two"_s)));
    all = collect(folder.path());
    QVERIFY_RESULT(*all);
    QCOMPARE((*all)->lines.size(), 2);
    QCOMPARE((*all)->lines.last().exercise, u"two"_s);
    QCOMPARE((*all)->skipped, 1);
}

/// Each of them somebody else to the kernel, all at one moment; two files are damaged afterwards.
void ClassSharingTest::fortyAttendees()
{
    const QTemporaryDir folder, accounts;
    AttendeeShell room(accounts.path());
    if (statusOf(room, {u"true"_s}) != 0)
        QSKIP("users of its own want root, unshare and setpriv");
    QCOMPARE(::chmod(qPrintable(accounts.path()), 0755), 0);
    QCOMPARE(::chmod(qPrintable(folder.path()), 01777), 0);
    int done = 0, failed = 0;
    for (int i = 0; i < attendees; ++i) {
        room.become(i);
        ProgressLine step = line(i % 2 == 0 ? u"one"_s : u"two"_s);
        step.attendee = attendeeName(i);
        step.stuckOn = i % 4 == 0 ? u"oom_gpu"_s : QString();
        shareProgress(room, folder.path(), step, this, [&](const Result<void>& answer) {
            ++done;
            failed += answer ? 0 : 1;
        });
    }
    QTRY_COMPARE(done, attendees);
    QCOMPARE(failed, 0);
    const QString seventh = folder.filePath(attendeeName(7) + u".progress"_s);
    const QString eighth = folder.filePath(attendeeName(8) + u".progress"_s);
    QFile damaged(seventh), cut(eighth);
    QVERIFY(damaged.open(QIODevice::Append));
    damaged.write(QByteArray(3000, '\0') + "\x1b[2J{\"exercise\":\n" + QByteArray(70000, '['));
    damaged.close();
    QVERIFY(cut.open(QIODevice::ReadWrite) && cut.resize(cut.size() / 2));
    cut.close();

    room.become(attendees); // the teacher
    std::optional<Result<ReadProgress>> all;
    collectProgress(room, folder.path(), this, [&](const Result<ReadProgress>& read) { all = read; });
    QTRY_VERIFY(all.has_value());
    QVERIFY_RESULT(*all);
    const QList<ProgressRow> rows = progressTable((*all)->lines);
    QStringList names, stuck;
    for (const ProgressRow& row : rows) {
        names.append(row.attendee);
        if (!row.stuckOn.isEmpty())
            stuck.append(row.attendee);
        QCOMPARE(row.exercise, row.attendee.last(2).toInt() % 2 == 0 ? u"one"_s : u"two"_s);
    }
    names.sort();
    QStringList expected, expectedStuck;
    for (int i = 0; i < attendees; ++i) {
        if (i != 8 && i != 7) // of the seventh only the last 64 KiB are read, and they say nothing
            expected.append(attendeeName(i));
        if (i % 4 == 0 && i != 8)
            expectedStuck.append(attendeeName(i));
    }
    QCOMPARE(names, expected);
    QCOMPARE(stuck, expectedStuck);
    QVERIFY((*all)->skipped >= 2);

    room.become(1); // what is another's can be neither written, nor replaced, nor taken away
    const QString others = folder.filePath(attendeeName(0) + u".progress"_s);
    const qint64 size = QFileInfo(others).size();
    QVERIFY(0 != statusOf(room, {u"/bin/sh"_s, u"-c"_s, u"echo x >>\"$0\""_s, others}));
    QVERIFY(0 != statusOf(room, {u"rm"_s, u"-f"_s, others}));
    QVERIFY(0 != statusOf(room, {u"mv"_s, u"-f"_s, folder.filePath(attendeeName(1) + u".progress"_s), others}));
    QCOMPARE(QFileInfo(others).size(), size);
    QVERIFY(statusOf(room, {u"true"_s}) == 0); // it was not the shell that refused
}

RANKWRIGHT_TEST_MAIN(ClassSharingTest)
#include "tst_classsharing.moc"
