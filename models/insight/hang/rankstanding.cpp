// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/rankstanding.h"

#include <QHash>
#include <QSet>
#include <QStringList>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr double ticksPerSecond = 100; ///< USER_HZ of Linux on all that is in use
constexpr double leastShareOfCore = 0.15; ///< below: watchdogs and progress bars
constexpr qint64 leastReadChars = 16 * 1024; ///< a second; below: what monitors of the process read of /proc
constexpr qint64 leastWrittenChars = 1 << 20; ///< a second; below: lines of a log, stacks that faulthandler prints

QString systemCallOf(const ProcessSnapshot& snapshot)
{
    if (!snapshot.syscallName.isEmpty())
        return snapshot.syscallName;
    return snapshot.syscall ? systemCallName(*snapshot.syscall) : QString();
}

/// The frames of the main thread, to tell whether it is where it was.
QList<PythonFrame> mainFrames(const std::optional<PythonStacks>& stacks)
{
    const PythonThread* thread = stacks ? stacks->mainThread() : nullptr;
    return thread != nullptr ? thread->frames : QList<PythonFrame>();
}

template <typename Number>
std::optional<Number> grown(const std::optional<Number>& before, const std::optional<Number>& now)
{
    if (before && now)
        return *now - *before;
    return {};
}

void compareMoments(const RankEvidence& evidence, double seconds, RankStanding& standing)
{
    bool isCompared = false, moves = false;
    const bool waits = standing.isInCollective() || standing.mayWait();
    if (evidence.before && evidence.now) {
        const ProcessSnapshot &before = *evidence.before, &now = *evidence.now;
        isCompared = true;
        if (const auto ticks = grown(before.cpuTicks, now.cpuTicks))
            standing.computes = double(*ticks) >= leastShareOfCore * ticksPerSecond * seconds;
        const auto sleeps = grown(before.sleeps, now.sleeps);
        if (sleeps && (now.state == ProcessState::Sleeping || now.state == ProcessState::DiskSleep))
            standing.isSameWait = *sleeps == 0;
        const auto chars = grown(before.io.readChars, now.io.readChars);
        const auto written = grown(before.io.writtenChars, now.io.writtenChars);
        const auto bytes = grown(before.io.readBytes, now.io.readBytes);
        standing.reads = double(chars.value_or(0)) >= double(leastReadChars) * seconds
            || double(written.value_or(0)) >= double(leastWrittenChars) * seconds || bytes.value_or(0) > 0;
        moves = !waits && (standing.computes || standing.reads);
    }
    if (evidence.stacksBefore && evidence.stacks) {
        isCompared = true;
        standing.isElsewhere = mainFrames(evidence.stacksBefore) != mainFrames(evidence.stacks);
        moves = moves || standing.isElsewhere;
    }
    if (isCompared)
        standing.moves = moves;
}

} // namespace

RankStanding rankStanding(const RankEvidence& evidence, std::optional<double> secondsBetween)
{
    RankStanding standing;
    standing.rank = evidence.rank;
    standing.meaning = stackMeaning(evidence.stacks ? evidence.stacks : evidence.stacksBefore);
    const std::optional<ProcessSnapshot>& snapshot = evidence.now ? evidence.now : evidence.before;
    if (snapshot) {
        standing.state = snapshot->state;
        standing.call = systemCallOf(*snapshot);
        standing.channel = snapshot->waitChannel;
        standing.isStopped = snapshot->state == ProcessState::Stopped
            && (!evidence.before || !evidence.before->state || evidence.before->state == ProcessState::Stopped);
        const bool isDeep = snapshot->state == ProcessState::DiskSleep;
        const bool isChannelKnown = !snapshot->waitChannel.isEmpty();
        standing.waitsForFiles
            = isFileSystemChannel(snapshot->waitChannel) || (isDeep && !isChannelKnown && !standing.isInCollective());
    }
    standing.isGone = evidence.hasEnded || standing.state == ProcessState::Zombie;
    compareMoments(evidence, qBound(0.2, secondsBetween.value_or(1), 600.0), standing);
    return standing;
}

bool isFileSystemChannel(const QString& channel)
{
    static const QStringList beginnings{u"nfs"_s, u"rpc_wait"_s, u"rpc_"_s, u"ll_"_s, u"cl_"_s, u"osc_"_s, u"ldlm_"_s,
        u"ptlrpc"_s, u"lov_"_s, u"mdc_"_s, u"obd_"_s, u"wait_on_page"_s, u"folio_wait"_s, u"__folio_lock"_s,
        u"__lock_page"_s, u"io_schedule"_s, u"wait_on_buffer"_s, u"__wait_on_buffer"_s, u"bit_wait_io"_s, u"fuse_"_s,
        u"request_wait_answer"_s, u"ceph_"_s, u"cxiWait"_s, u"cxiFcntl"_s, u"kxWait"_s, u"gpfs"_s, u"beegfs"_s,
        u"fhgfs"_s, u"xfs_"_s, u"ext4_"_s, u"jbd2_"_s, u"btrfs_"_s, u"autofs_"_s, u"cifs_"_s, u"blkdev_"_s,
        u"p9_client"_s, u"dvs_"_s, u"squashfs"_s, u"balance_dirty"_s};
    return std::any_of(beginnings.begin(), beginnings.end(),
        [&channel](const QString& beginning) { return channel.startsWith(beginning); });
}

QString systemCallName(int number)
{
    static const QHash<int, QString> names{{0, u"read"_s}, {1, u"write"_s}, {2, u"open"_s}, {4, u"stat"_s},
        {5, u"fstat"_s}, {6, u"lstat"_s}, {7, u"poll"_s}, {17, u"pread64"_s}, {18, u"pwrite64"_s}, {19, u"readv"_s},
        {20, u"writev"_s}, {21, u"access"_s}, {23, u"select"_s}, {35, u"nanosleep"_s}, {42, u"connect"_s},
        {45, u"recvfrom"_s}, {47, u"recvmsg"_s}, {61, u"wait4"_s}, {72, u"fcntl"_s}, {73, u"flock"_s}, {74, u"fsync"_s},
        {75, u"fdatasync"_s}, {87, u"unlink"_s}, {202, u"futex"_s}, {217, u"getdents64"_s}, {230, u"clock_nanosleep"_s},
        {232, u"epoll_wait"_s}, {247, u"waitid"_s}, {257, u"openat"_s}, {262, u"newfstatat"_s}, {270, u"pselect6"_s},
        {271, u"ppoll"_s}, {281, u"epoll_pwait"_s}, {332, u"statx"_s}};
    return names.value(number);
}

QString placeText(const RankStanding& standing)
{
    static const QSet<QString> ofFiles{u"read"_s, u"write"_s, u"open"_s, u"stat"_s, u"fstat"_s, u"lstat"_s,
        u"pread64"_s, u"pwrite64"_s, u"readv"_s, u"writev"_s, u"access"_s, u"fsync"_s, u"fdatasync"_s, u"unlink"_s,
        u"getdents64"_s, u"openat"_s, u"newfstatat"_s, u"statx"_s, u"flock"_s};
    if (standing.meaning.shown) {
        const PythonFrame& frame = *standing.meaning.shown;
        const bool isOfFiles = ofFiles.contains(standing.call) && !standing.isInCollective();
        const QString function = isOfFiles ? standing.call : frame.function;
        QString place = bareFileName(frame.file);
        if (frame.line)
            place += u':' + QString::number(*frame.line);
        if (function.isEmpty() || function.startsWith(u'<'))
            return place;
        return place.isEmpty() ? function + u"()"_s : u"%1() at %2"_s.arg(function, place);
    }
    if (!standing.call.isEmpty())
        return u"the system call %1"_s.arg(standing.call);
    if (!standing.channel.isEmpty())
        return u"the kernel's %1"_s.arg(standing.channel);
    return {};
}

QString reasonText(const RankStanding& standing)
{
    if (standing.isStopped)
        return u"stopped by a signal"_s;
    if (standing.waitsForFiles)
        return u"waiting for the file system"_s;
    if (standing.call == "flock"_L1 || standing.channel.contains("flock"_L1)
        || standing.channel.contains("posix_lock"_L1))
        return u"waiting for a lock on a file"_s;
    switch (standing.meaning.activity) {
    case StackActivity::DataWait: return u"waiting for its data loader"_s;
    case StackActivity::LockWait: return u"waiting for a lock or another thread of its own"_s;
    case StackActivity::Debugger: return u"waiting in the debugger"_s;
    case StackActivity::ErrorHandling: return u"handling an exception"_s;
    case StackActivity::Ending: return u"at the end of its program"_s;
    case StackActivity::Collective:
    case StackActivity::Backward: return u"waiting for other ranks"_s;
    case StackActivity::DeviceWait: return u"waiting for its GPU"_s;
    case StackActivity::OwnCode:
    case StackActivity::Unknown: break;
    }
    if (standing.computes)
        return u"computing"_s;
    if (standing.call.endsWith("nanosleep"_L1) || standing.channel.contains("nanosleep"_L1))
        return standing.meaning.isInDataLoader ? u"asleep in its data loader"_s : u"asleep"_s;
    if (standing.meaning.isInDataLoader)
        return u"in its data loader"_s;
    if (standing.call == "futex"_L1 || standing.channel.startsWith("futex"_L1))
        return u"waiting for a lock"_s;
    if (standing.call == "openat"_L1 || standing.call == "open"_L1)
        return u"waiting for a file or pipe to open"_s;
    if (standing.call == "read"_L1 || standing.call.startsWith("recv"_L1) || standing.channel.contains("pipe"_L1))
        return u"waiting for input"_s;
    if (standing.call == "wait4"_L1 || standing.call == "waitid"_L1)
        return u"waiting for a program that it started"_s;
    return {};
}

} // namespace rankwright::inline insight
