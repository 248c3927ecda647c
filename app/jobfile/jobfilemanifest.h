// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/error.h"

#include <QByteArray>
#include <QList>

namespace rankwright {

/// One thing inside a job file. Its name is never a path on this machine.
struct JobFileMember {
    enum class Kind {
        Recording, ///< samples and events: a recording's file (docs/recording.md)
        Output, ///< the end of an output file
        Script, ///< the batch script
        Design, ///< the design file
        Usage, ///< what the cluster reported of its use, JSON
        Report, ///< the report of whoever made the file, as `report --json` prints it
        ReportText, ///< the same as Markdown
        Other, ///< from a newer program: ignored
    };
    QString name; ///< in the archive: "output/1.txt"
    Kind kind = Kind::Other;
    qint64 bytes = 0;
    QByteArray sha256; ///< hexadecimal, lower case
    QString file; ///< of outputs: what the file is called on the cluster, without its folder
    std::optional<qint64> wholeBytes; ///< of outputs: of the whole file; empty: not known
    bool operator==(const JobFileMember&) const = default;
};
/// In the file: "recording", "output", "script", "design", "usage", "report", "reportText".
QString toText(JobFileMember::Kind kind);
/// The most bytes that a member of this kind may have; 0: no limit, since its bytes are not kept.
qint64 largestOf(JobFileMember::Kind kind);

/// What stands first in a job file: what it is of, and what is in it (docs/job_file.md).
struct JobFileManifest {
    int minorVersion = 0; ///< grows with what older programs may leave alone
    QString program; ///< version of the one that wrote it
    QDateTime made;
    QString cluster; ///< name in the catalogue
    QString clusterTitle;
    JobRecord job; ///< without its user
    int secretsLeftOut = 0;
    QList<JobFileMember> members;
    bool operator==(const JobFileManifest&) const = default;

    const JobFileMember* member(const QString& name) const; ///< null: none
    const JobFileMember* first(JobFileMember::Kind kind) const; ///< null: none
};

constexpr int jobFileVersion = 1; ///< grows with what older programs would misread
constexpr qint64 largestJobManifest = 1 << 20;
constexpr int mostJobFileMembers = 256;
inline const QString jobManifestName = QStringLiteral("manifest.json");
inline const QString jobFileSuffix = QStringLiteral(".rwjob");

QByteArray manifestBytes(const JobFileManifest& manifest);
/// Error: no manifest, one of a newer version, or one that promises what may not be: it says which member.
Result<JobFileManifest> manifestFrom(const QByteArray& bytes);

} // namespace rankwright
