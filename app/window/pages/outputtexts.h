// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/log/logpiece.h"

#include <QByteArray>

namespace rankwright {

/// One output file of a job as it is kept on this machine, or in a job file.
struct OutputText {
    QString path; ///< on the cluster, or its name alone
    std::optional<int> rank;
    QByteArray bytes; ///< its end, from a whole line on
    std::optional<qint64> wholeBytes; ///< of the file; empty: not known
    bool isCut() const { return wholeBytes.value_or(0) > bytes.size(); }
    bool operator==(const OutputText&) const = default;
};

constexpr int mostTextHits = 2000;

/// Lines of one of them, numbered as `file`; of one that is cut a note comes first.
QList<LogLine> linesOf(const OutputText& text, int file);
QList<LogFileName> namesOf(const QList<OutputText>& texts);
/// All lines in which `query` is, at most mostTextHits; offsets are those of linesOf(). The state's trouble: the
/// expression cannot be used.
QList<LogHit> hitsIn(const OutputText& text, int file, const LogQuery& query, LogSearchState& state);

} // namespace rankwright
