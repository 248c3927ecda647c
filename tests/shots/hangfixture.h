// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangverdict.h"

/// A made-up look at a job of which one rank has not come to the operation that the others wait in.
namespace rankwright::shots {

/// A rank that waits in its operation, as a collection sees it: state, stack, Flight Recorder up to `number`.
inline RankEvidence waitingRank(int rank, qint64 number)
{
    using namespace Qt::StringLiterals;
    RankEvidence seen;
    seen.rank = rank;
    seen.node = u"nid%1"_s.arg(5001 + rank / 8, 6, 10, QChar(u'0'));
    seen.gpu = rank % 8;
    seen.pid = 40'000 + rank;
    seen.command = u"python3 train.py"_s;
    ProcessSnapshot look;
    look.state = ProcessState::Sleeping;
    look.waitChannel = u"futex_wait_queue"_s;
    look.syscall = 202;
    look.cpuTicks = 700;
    look.sleeps = 9;
    look.io.readChars = 1000;
    seen.before = look;
    seen.now = look;
    PythonStacks stacks;
    stacks.source = StackSource::PySpyJson;
    stacks.threads.append({u"MainThread"_s, false, false, false,
        {{u"all_reduce"_s, u"/opt/torch/distributed/distributed_c10d.py"_s, 2501},
            {u"step"_s, u"/home/ada/train.py"_s, 131}, {u"<module>"_s, u"/home/ada/train.py"_s, 210}}});
    seen.stacks = stacks;
    seen.stacksBefore = stacks;
    FlightRecord record;
    FlightGroup group;
    group.id = u"0"_s;
    group.name = u"fsdp"_s;
    group.description = u"fsdp"_s;
    group.enqueued = number;
    group.completed = number - 1;
    record.groups.append(group);
    FlightEntry entry;
    entry.groupId = u"0"_s;
    entry.groupName = u"fsdp"_s;
    entry.groupDescription = u"fsdp"_s;
    entry.recordId = number;
    entry.sequence = number;
    entry.name = u"all_reduce"_s;
    entry.state = FlightState::Started;
    entry.frames = {{u"step"_s, u"/home/ada/train.py"_s, 131}};
    entry.createdNs = 1'772'460'700'000'000'000;
    record.entries.append(entry);
    seen.record = record;
    seen.recordBefore = record;
    return seen;
}

/// Rank 11 (or the last one of fewer) reads a file that does not come; the others wait in all_reduce 4,812.
inline HangEvidence hangingEvidence(int ranks = 32)
{
    using namespace Qt::StringLiterals;
    HangEvidence evidence;
    for (int rank = 0; rank < ranks; ++rank)
        evidence.ranks.append(waitingRank(rank, 4812));
    RankEvidence& odd = evidence.ranks[qMin(11, ranks - 1)];
    for (auto* look : {&odd.before, &odd.now}) {
        (*look)->state = ProcessState::DiskSleep;
        (*look)->waitChannel = u"nfs_wait_bit_killable"_s;
        (*look)->syscall = 0;
    }
    for (auto* stacks : {&odd.stacks, &odd.stacksBefore}) {
        (*stacks)->threads.first().frames
            = {{u"read"_s, u"/home/ada/dataset.py"_s, 88}, {u"<module>"_s, u"/home/ada/train.py"_s, 210}};
    }
    for (auto* record : {&odd.record, &odd.recordBefore}) {
        (*record)->groups.first().enqueued = 4811;
        (*record)->groups.first().completed = 4811;
        (*record)->entries.first().sequence = 4811;
        (*record)->entries.first().state = FlightState::Completed;
    }
    evidence.worldSize = ranks;
    evidence.isComplete = true;
    evidence.secondsBetween = 3;
    evidence.seconds = 6.2;
    evidence.notes = {u"The RAS of the communication library on port 28028 did not answer."_s};
    return evidence;
}

} // namespace rankwright::shots
