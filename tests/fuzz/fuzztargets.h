// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QtGlobal>

namespace rankwright::fuzz {

/// Ends the process when a promise is broken: the fuzzer keeps the bytes that led here.
inline void require(bool holds, const char* promise)
{
    if (!holds)
        qFatal("broken promise: %s", promise);
}

// One function for each kind of text that comes from outside. Each reads the bytes, uses what was read as the program
// does, and ends the process by require() when a promise is broken: a crash is the finding.

void catalogueFile(const QByteArray& bytes);
void designFile(const QByteArray& bytes);
void classFile(const QByteArray& bytes); ///< of a workshop, and what attendees noted
void batchScript(const QByteArray& bytes);
void scriptFields(const QByteArray& bytes); ///< places of the fields of a script, and edits in them
void runTable(const QByteArray& bytes);
void jobLog(const QByteArray& bytes);
void gpuToolOutput(const QByteArray& bytes); ///< whatever rocm-smi, amd-smi, nvidia-smi or sysfs may print
void samplerFile(const QByteArray& bytes); ///< the record that a job wrote of its GPUs
void recordedChunk(const QByteArray& bytes); ///< a piece of a recording's file, below zlib, or an entry beside them
void recordedEntry(const QByteArray& bytes); ///< JSON of an alert, a failure, progress, a job or its use
void transferredFiles(const QByteArray& bytes); ///< lists, states, sums, streams and quotas of transfers, ignore files
void samplingStream(const QByteArray& bytes); ///< lines of the samplers, whole, cut and mixed
void collectedLines(const QByteArray& bytes); ///< what the nodes of a hanging job answer, and packed texts
void relayedPort(const QByteArray& bytes); ///< what a relay on a node says, and services in a job's output
void muxPackets(const QByteArray& bytes); ///< what programs say at a control socket, and what a master answers
void keeperMessages(const QByteArray& bytes); ///< what programs and the connection agent say to each other
void jobFile(const QByteArray& bytes); ///< a .rwjob, its manifest, and texts that are given to others
void modelConfiguration(const QByteArray& bytes);
void scriptReading(const QByteArray& bytes); ///< the design of a script, and the same text again from it
void scriptLint(const QByteArray& bytes); ///< the linter's rules and fixes, with and without a cluster
void flightRecorderDump(const QByteArray& bytes); ///< a dump of PyTorch's Flight Recorder, and the verdict from it
void rasAnswer(const QByteArray& bytes); ///< of NCCL's or RCCL's RAS service, in either form
void pythonStacks(const QByteArray& bytes); ///< what py-spy or faulthandler printed
void slurmAnswer(
    const QByteArray& bytes); ///< what Slurm's programs print, lists of files, the practice cluster's words
void keptOutputs(const QByteArray& bytes); ///< outputs of an ended job, kept beside its recording
void keyExchange(const QByteArray& bytes); ///< the first bytes of a server: its greeting and what it offers
void sshCertificate(const QByteArray& bytes); ///< a line of KEY-cert.pub, its wire format, a key's text

} // namespace rankwright::fuzz
