// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/logline.h"

#include <QMetaType>

namespace rankwright::inline insight {

/// A part of an output file that was asked for: what is before the lines shown, behind them, or around a place.
struct LogPiece {
    enum class Place { Before, Behind, Instead };
    int file = 0;
    Place place = Place::Instead;
    qint64 begin = 0; ///< bytes of the file
    qint64 end = 0;
    bool reachesEnd = false; ///< new output goes on from here
    std::optional<qint64> focus; ///< the byte that was asked for; empty: none
    std::optional<qint64> linesBefore; ///< line feeds before `begin`; empty: not counted
    QList<LogLine> lines;
};

/// An output file as the views name it.
struct LogFileName {
    int file = 0;
    QString path;
    QString name; ///< short
    std::optional<int> rank;
    bool operator==(const LogFileName&) const = default;
};

struct LogQuery {
    QString text;
    bool isExpression = false; ///< POSIX extended regular expression
    bool caseSensitive = false;
    bool operator==(const LogQuery&) const = default;
};

struct LogHit {
    int file = 0;
    qint64 offset = 0; ///< of its line's first byte
    QString text; ///< the line, or its first 1000 bytes
    bool operator==(const LogHit&) const = default;
};

/// How far a search has come. It goes from the end of the file to its beginning.
struct LogSearchState {
    bool isRunning = false;
    qint64 searched = 0; ///< bytes
    qint64 total = 0;
    int hits = 0;
    bool isCutShort = false; ///< it stopped at its limit of hits or bytes
    QString trouble; ///< one sentence
};

} // namespace rankwright::inline insight
