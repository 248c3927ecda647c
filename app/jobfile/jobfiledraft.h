// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfilemanifest.h"
#include "app/jobfile/jobfileparts.h"

#include <QTemporaryDir>

#include <atomic>
#include <memory>

namespace rankwright {

/// How far a job file is written; another thread may look, and stop it.
struct JobFileWriting {
    std::atomic<int> permille{0};
    std::atomic<bool> cancelled{false};
};

/// A job file before it is written: secrets are out of it, and its size is known. Keeps its recording in a folder of
/// its own that goes with this object.
class JobFileDraft final {
public:
    /// Error: the recording cannot be copied (damaged, no room for temporary files).
    static Result<std::unique_ptr<JobFileDraft>> make(const JobFileParts& parts);

    const JobFileManifest& manifest() const { return m_manifest; }
    /// Of the whole file.
    qint64 bytes() const;
    /// What is not in it that there is, one sentence each.
    const QStringList& notes() const { return m_notes; }
    /// As it goes out; of the recording, which is not text, empty.
    QByteArray text(qsizetype member) const { return m_texts.value(member); }
    /// Readable by the user alone; a file that is there is replaced when the new one is whole. Error: Io, Cancelled.
    Result<void> write(const QString& path, JobFileWriting* writing = nullptr) const;

private:
    JobFileDraft() = default;
    void add(JobFileMember member, const QByteArray& text);
    void addOutputs(const QList<JobFileOutput>& outputs, const std::function<QByteArray(const QByteArray&)>& clean);
    Result<void> addRecording(const QString& path, const std::function<QByteArray(const QByteArray&)>& clean);

    QTemporaryDir m_folder;
    JobFileManifest m_manifest;
    QList<QByteArray> m_texts; ///< of the members in their order; the recording's is empty
    QStringList m_notes;
};

/// "lumi-4711.rwjob"
QString jobFileName(const QString& cluster, const JobId& job);

} // namespace rankwright
