// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/log/logpiece.h"

#include <QComboBox>

#include <set>

namespace rankwright {

/// Whose lines of a job's output are shown: all, one file's (where there are several) or one rank's.
class LogChoice final : public QComboBox {
    Q_OBJECT
public:
    explicit LogChoice(QWidget* parent = nullptr);

    /// Offers these; what is chosen stays chosen where it is still there. No signal.
    void offer(const QList<LogFileName>& files, const std::set<int>& ranks);
    std::optional<int> rank() const; ///< empty: not one rank
    std::optional<int> file() const; ///< empty: not one file
    void chooseRank(std::optional<int> rank); ///< empty, or one that is not offered: all
    /// Stays as it is when the file is not offered.
    void chooseFile(int file);
    void chooseAll() { setCurrentIndex(0); }
    /// Lines without a rank belong to all ranks.
    bool passes(const LogLine& line) const;
};

} // namespace rankwright
