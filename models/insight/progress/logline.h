// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/text/terminaltext.h"

#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// One line for people: progress bars folded to their last state, escape sequences made safe, rank found if reported.
struct LogLine {
    QString text;
    std::optional<int> rank;
    bool isError = false;
    bool isProgress = false; ///< replaces the progress line before it
    QList<TextSpan> spans = {}; ///< colours that the program asked for
    qint64 cutBytes = 0; ///< number of bytes of a very long line that are not in `text`
    std::optional<qint64> offset = {}; ///< of the line's first byte in its file; empty: not known
    int file = 0; ///< which of several files it is from
    bool isNote = false; ///< ours, not the program's: "… the first 3 GB are not shown"
    std::optional<qint64> readFrom = {}; ///< byte of its file at which this reading began; empty: not known
    qint64 nth = 0; ///< line of that reading, from 1; lines end with a line feed. With the line feeds before `readFrom`
                    ///< it is the line's number in its file
    bool operator==(const LogLine&) const = default;
};

} // namespace rankwright::inline insight
