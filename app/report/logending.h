// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/progress/rankbinding.h"
#include "models/insight/progress/trainingprogress.h"

#include <QHash>

#include <optional>

namespace rankwright {

/// What the ends of a job's output files report together.
struct LogEnding {
    TrainingProgress progress;
    RankBinding binding; ///< from its beginning, too
    QList<Diagnosis> diagnoses; ///< `line` counts from where the reading began; `file`: which of them
    bool operator==(const LogEnding&) const = default;
};

/// One command that prints the last 256 KiB of each file and the lines in which its ranks reported where they are;
/// nothing for one that is not there or may not be read.
RemoteCommand logEndingCommand(const QStringList& paths);
/// What the command answered of one file.
struct LogEndingText {
    QByteArray end;
    QByteArray ranks; ///< lines in which ranks reported where they are
};
/// The answer by path; files that said nothing are left out.
QHash<QString, LogEndingText> splitLogEndings(const QByteArray& answer, const QStringList& paths);
/// Of one job: its output, then the file of its errors where that is another one.
LogEnding readLogEnding(const QList<LogEndingText>& files, std::optional<int> nodes = {});

} // namespace rankwright
