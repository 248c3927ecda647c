// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfilereader.h"

#include <QTemporaryDir>

#include <memory>

namespace rankwright {

/// A job file that somebody made, opened: its recording and what the cluster reported lie in a folder of their own,
/// laid out as the program's data folder, so that all that reads one reads this. Nothing of it comes among this
/// machine's own jobs. The folder goes with this object.
class JobFile final {
public:
    /// Error: as readJobFile; also when what is inside is of another job than the file says.
    static Result<std::unique_ptr<JobFile>> open(const QString& path);

    const QString& path() const { return m_path; }
    qint64 bytes() const { return m_bytes; }
    const JobFileManifest& manifest() const { return m_contents.manifest; }
    int ignoredEntries() const { return m_contents.ignored; }
    QString dataFolder() const { return m_folder.path(); }
    QString recording() const { return m_recording; } ///< path; empty: there is none
    /// Of the first member of a kind; empty: there is none.
    QByteArray text(JobFileMember::Kind kind) const;
    QByteArray text(const JobFileMember& member) const { return m_contents.texts.value(member.name); }
    /// "from lumi-4711.rwjob, made on 2026-11-28"
    QString origin() const;

private:
    JobFile() = default;
    Result<void> unpack();

    QTemporaryDir m_folder;
    JobFileContents m_contents;
    QString m_path;
    QString m_recording;
    qint64 m_bytes = 0;
};

} // namespace rankwright
