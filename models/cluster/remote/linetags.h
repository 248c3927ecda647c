// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <array>

/// The first words of the lines that the programs of resources/remote print: each program writes them, its reader here
/// compares with them (tests/architecture/tst_remoteprograms holds both together). What follows them:
/// docs/telemetry.md, docs/where.md.
namespace rankwright::inline cluster::linetags {

// The sampler of a node (node-sampler.sh).
inline constexpr QByteArrayView gpus = "@rw-gpus"; ///< figures of GPUs
inline constexpr QByteArrayView ranks = "@rw-ranks"; ///< the job's ranks
inline constexpr QByteArrayView node = "@rw-node"; ///< what the node has beside its GPUs
inline constexpr QByteArrayView cost = "@rw-cost"; ///< processor time of the sampler itself
inline constexpr QByteArrayView silence = "@rw-silence"; ///< why there are no figures

// What the ranks of a node are doing (node-hang.sh).
inline constexpr QByteArrayView hang = "@rw-hang";

// The record that a job writes beside its training (job-sampler.sh). Records of earlier releases have other words.
inline constexpr QByteArrayView recordStart = "@rw-start";
inline constexpr QByteArrayView recordFull = "@rw-full"; ///< it is as long as it may become
inline constexpr QByteArrayView earlierRecordStart = "@rws";
inline constexpr QByteArrayView earlierRecordFull = "@rwe";

/// Which line of the sampler a line of a record is: one letter, since a record has many.
struct RecordKind {
    char letter = 0;
    QByteArrayView tag;
};
inline constexpr std::array recordKinds{RecordKind{'1', gpus}, RecordKind{'p', ranks}, RecordKind{'n', node},
    RecordKind{'c', cost}, RecordKind{'h', silence}};

// Records read from the cluster (list-records.sh, fetch-record.sh with record-spans.awk).
inline constexpr QByteArrayView record = "@rw-record"; ///< a job has one
inline constexpr QByteArrayView reach = "@rw-reach"; ///< how far it reaches

// A job's output (follow-files.sh).
inline constexpr QByteArrayView following = "@rw-following"; ///< it has begun
inline constexpr QByteArrayView file = "@rw-file"; ///< a file was found
inline constexpr QByteArrayView bytes = "@rw-bytes"; ///< bytes of a file follow
inline constexpr QByteArrayView unreadable = "@rw-unreadable"; ///< a file may not be read

// The search of an output (search-file.sh).
inline constexpr QByteArrayView hits = "@rw-hits"; ///< hits of a piece follow
inline constexpr QByteArrayView searched = "@rw-searched"; ///< how much was searched so far

/// The last line of a search and of fetch-record.sh: why it ended.
inline constexpr QByteArrayView end = "@rw-end";

/// Does a line begin with this tag, and a blank behind it?
constexpr bool begins(QByteArrayView line, QByteArrayView tag)
{
    return line.size() > tag.size() && line[tag.size()] == ' ' && line.first(tag.size()) == tag;
}

} // namespace rankwright::inline cluster::linetags
