// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/progress/rankbinding.h"
#include "models/insight/progress/trainingprogress.h"
#include "models/remote/remotecommand.h"

#include <QHash>

namespace rankwright {

/// What the end of a job's output reports.
struct LogEnding {
    TrainingProgress progress;
    RankBinding binding; ///< from its beginning, too
    QList<Diagnosis> diagnoses; ///< `line` counts from where the reading began
    bool operator==(const LogEnding&) const = default;
};

/// One command that prints the last 256 KiB of each file and the lines in which its ranks reported where they are;
/// nothing for one that is not there or may not be read.
RemoteCommand logEndingCommand(const QStringList& paths);
/// The answer by path; files that reported nothing are left out.
QHash<QString, LogEnding> parseLogEnding(const QByteArray& answer, const QStringList& paths);

} // namespace rankwright
