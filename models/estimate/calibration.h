// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright {

/// One job that was predicted and then measured.
struct MeasuredRun {
    QString cluster;
    QString family; ///< "decoder", "vision", ...: toText(ModelFamily)
    QString stack;
    QString job; ///< "1234 · gpt-imdb", for the list that a person sees
    QDateTime when;
    double predictedBytes = 0;
    std::optional<double> measuredBytes; ///< peak of the worst GPU by the vendor tool
    double predictedSeconds = 0;
    std::optional<double> measuredSeconds; ///< median step
    bool operator==(const MeasuredRun&) const = default;
};

/// What the runs of one (cluster, family, stack) teach: factors for later predictions, pulled towards 1 when few.
struct Calibration {
    double memoryScale = 1;
    double timeScale = 1;
    int memoryRuns = 0;
    int timeRuns = 0;
    bool operator==(const Calibration&) const = default;
};

/// All of a user's measured runs. A value; the database keeps it.
struct CalibrationTable {
    QList<MeasuredRun> runs;
    /// For one kind of run; neutral when there is none.
    Calibration of(const QString& cluster, const QString& family, const QString& stack) const;
    bool operator==(const CalibrationTable&) const = default;
};

} // namespace rankwright
