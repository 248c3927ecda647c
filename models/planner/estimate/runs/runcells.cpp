// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runcells.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::runs {

QString RunCells::text(const QString& column) const
{
    const auto found = m_columns.constFind(column);
    return found != m_columns.cend() && *found < m_cells.size() ? m_cells.at(*found).trimmed() : QString();
}

std::optional<qint64> RunCells::count(const QString& column, qint64 least, qint64 most) const
{
    const QString written = text(column);
    if (written.isEmpty())
        return std::nullopt;
    bool read = false;
    const double value = written.toDouble(&read);
    if (read && value >= static_cast<double>(least) && value <= static_cast<double>(most) && std::floor(value) == value)
        return static_cast<qint64>(value);
    const QString fault = u"%1 is “%2”: a whole number from %3 to %4 is needed."_s.arg(
        column, written.left(40).simplified(), QString::number(least), QString::number(most));
    if (!m_faults.contains(fault))
        m_faults.append(fault);
    return std::nullopt;
}

std::optional<double> RunCells::number(const QString& column) const
{
    bool read = false;
    const double value = text(column).toDouble(&read);
    return read && std::isfinite(value) && value > 0 ? std::optional(value) : std::nullopt;
}

} // namespace rankwright::inline planner::runs
