// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/rankevidence.h"

#include <QString>
#include <QStringList>

/// Made-up evidence of jobs that hang.
namespace rankwright::test::madejob {

using namespace Qt::StringLiterals;

inline const QString site = u"/opt/venv/lib/python3.12/site-packages/"_s;

/// "function file:line", innermost first.
inline PythonStacks stacksOf(const QStringList& frames)
{
    PythonStacks stacks;
    stacks.source = StackSource::PySpyJson;
    PythonThread thread;
    thread.name = u"MainThread"_s;
    for (const QString& frame : frames)
        thread.frames.append(
            {frame.section(u' ', 0, 0), frame.section(u' ', 1).section(u':', 0, -2), frame.section(u':', -1).toInt()});
    stacks.threads.append(thread);
    return stacks;
}

inline QStringList inCollective(const QString& call, const QString& place)
{
    return {
        call + u' ' + site + u"torch/distributed/distributed_c10d.py:2806"_s, place, u"<module> /home/u/train.py:90"_s};
}

inline const QString stepPlace = u"step /home/u/train.py:52"_s;
inline const QStringList waits = inCollective(u"all_reduce"_s, stepPlace);

inline ProcessSnapshot asleep(const QString& channel = u"futex_wait_queue"_s, int call = 202)
{
    ProcessSnapshot look;
    look.state = ProcessState::Sleeping;
    look.waitChannel = channel;
    look.syscall = call;
    look.io = {1000, 2000, 0};
    look.cpuTicks = 500;
    return look;
}

inline void stands(RankEvidence& rank, const QStringList& frames, const ProcessSnapshot& look = asleep())
{
    rank.stacks = rank.stacksBefore = stacksOf(frames);
    rank.before = rank.now = look;
}

/// Ranks on nodes of four GPUs, all waiting in one all_reduce.
inline HangEvidence job(int ranks)
{
    HangEvidence evidence;
    evidence.worldSize = ranks;
    evidence.isComplete = true;
    evidence.secondsBetween = 3;
    evidence.seconds = 5.5;
    for (int i = 0; i < ranks; ++i) {
        RankEvidence rank;
        rank.rank = i;
        rank.node = u"n%1"_s.arg(i / 4 + 1, 2, 10, QChar(u'0'));
        rank.gpu = i % 4;
        rank.pid = 4000 + i;
        stands(rank, waits);
        evidence.ranks.append(rank);
    }
    return evidence;
}

/// A record whose group has `last` operations, of which the last one waits.
inline FlightRecord recordOf(qint64 last, int members, const QString& group = u"fsdp"_s, bool isOver = false)
{
    FlightRecord record;
    record.version = u"2.5"_s;
    FlightGroup itself;
    itself.id = u"3"_s;
    itself.name = u"7"_s;
    itself.description = group;
    for (int i = 0; i < members; ++i)
        itself.ranks.append(i);
    itself.enqueued = last;
    itself.completed = isOver ? last : last - 1;
    record.groups.append(itself);
    for (qint64 number = qMax<qint64>(1, last - 3); number <= last; ++number) {
        FlightEntry entry;
        entry.groupId = itself.id;
        entry.groupName = itself.name;
        entry.groupDescription = group;
        entry.recordId = entry.sequence = number;
        entry.backend = u"nccl"_s;
        entry.name = u"all_reduce"_s;
        entry.state = number == last && !isOver ? FlightState::Started : FlightState::Completed;
        entry.inputSizes = entry.outputSizes = {{1024, 1024}};
        entry.inputTypes = entry.outputTypes = {u"Float"_s};
        entry.createdNs = 1'000'000'000 * number;
        entry.frames = stacksOf(waits).threads.first().frames;
        record.entries.append(entry);
    }
    return record;
}

inline HangEvidence recordedJob(int ranks, qint64 last)
{
    HangEvidence evidence = job(ranks);
    for (RankEvidence& rank : evidence.ranks)
        rank.record = recordOf(last, ranks);
    return evidence;
}

inline QString plain(QString text) { return text.replace(QChar(0x2009), u' ').replace(QChar(0x202f), u' '); }

} // namespace rankwright::test::madejob
