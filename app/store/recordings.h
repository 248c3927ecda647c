// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingfacts.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright {

/// Largest size of all recordings together, unless the settings say otherwise.
constexpr qint64 recordingsLimitBytes = 2LL << 30;

/// Where recordings lie: below the program's data folder.
QString recordingsFolder(const QString& dataFolder);
/// "lumi-123456.rwr", the second of the same id "lumi-123456.2.rwr"; characters that a file should not have are
/// replaced.
QString recordingName(const QString& cluster, const JobId& job, int number);

/// One recording as a list shows it.
struct RecordingInfo {
    QString path;
    RecordingFacts facts;
    TimeSpan span; ///< empty: no sample yet
    int nodes = 0;
    int gpusPerNode = 0;
    qint64 bytes = 0; ///< on disk, with its journal
    bool isWritten = false; ///< a program records it now
    std::optional<Error> fault; ///< why it, or its job's record, cannot be read; empty: it can
};

/// Error: not a recording, damaged, not there.
Result<RecordingFacts> readRecordingFacts(const QString& path);
Result<RecordingInfo> readRecordingInfo(const QString& path);
class RecordingFile;
Result<RecordingInfo> readRecordingInfo(RecordingFile& file);
/// All recordings, the one with the newest sample first; those that cannot be read last, with the reason.
QList<RecordingInfo> listRecordings(const QString& folder);
/// The newest recording of a job; empty: none.
QString findRecording(const QString& folder, const QString& cluster, const JobId& job);

/// Deletes a recording with its journal and its job's outputs. Error: it is being written, or cannot be deleted.
Result<void> deleteRecording(const QString& path);
/// A recording in the desktop's trash: where it lay, and its files there.
struct TrashedRecording {
    QString path;
    QStringList files; ///< the recording first, then its journal and its job's outputs, as far as there are such
    QStringList endings = {}; ///< of each of them: what follows the recording's path where it lay
};
/// Moves a recording there, so that it can come back. Error: it is being written, or this file system has no trash.
Result<TrashedRecording> trashRecording(const QString& path);
/// Takes it out of the trash again. Error: the trash was emptied, or another recording lies in its place now.
Result<void> restoreRecording(const TrashedRecording& trashed);
/// Deletes the oldest until at most `limitBytes` are left, never one that is being written, nor `keep`. Returns what
/// went.
QStringList pruneRecordings(const QString& folder, qint64 limitBytes, const QString& keep = {});

/// Names one writer beyond the life of its process; and whether it still writes. `silentMs`: since it wrote last, for
/// writers on other machines that share the folder.
QString newRecordingOwner();
bool isOwnerAlive(const QString& owner, qint64 silentMs);

} // namespace rankwright
