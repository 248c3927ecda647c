// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <optional>

namespace rankwright::inline insight::linecells {

/// What all lines of the sampling stream begin with: "TAG NODE EPOCH_MS REST".
struct Head {
    QByteArrayView node;
    qint64 takenMs = 0;
    QByteArrayView rest;
};

/// srun cuts output at 1024 bytes (SLURM_IO_MAX_MSG_LEN): a longer line is not one of ours.
inline constexpr qsizetype longestLine = 1023;

/// `tag`: one of linetags. A label in front ("3: ", right-aligned with ten tasks and more, as srun --label
/// prints it) is passed over. Empty: not such a line.
std::optional<Head> headOf(QByteArrayView line, QByteArrayView tag);

/// Digits with at most one point, always a point whatever the desktop's language; no sign, no exponent. Empty: anything
/// else, or outside [low, high].
std::optional<double> decimal(QByteArrayView cell, double low, double high);
std::optional<qint64> whole(QByteArrayView cell, qint64 high);
inline constexpr qint64 mostBytes = qint64(1) << 50;

/// Walks over the cells of one record, left to right. A cell that no `;` ends may have been cut: isWhole() says.
class Cells {
public:
    explicit Cells(QByteArrayView record) : m_rest(record) { }
    QByteArrayView next(); ///< empty behind the last one
    bool isWhole() const { return m_whole; } ///< of the cell that next() gave
    int count() const { return m_count; } ///< cells given that were there

private:
    QByteArrayView m_rest;
    bool m_more = true;
    bool m_whole = false;
    int m_count = 0;
};

} // namespace rankwright::inline insight::linecells
