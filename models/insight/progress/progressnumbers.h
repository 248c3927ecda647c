// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace rankwright::inline insight {

// Numbers as training programs print them; empty: no number.

std::optional<double> decimalIn(QString text); ///< "5,856.5": thousands
std::optional<qint64> wholeIn(QString text);
/// With the letter of a thousand or more, as tqdm (unit_scale) and others print it: "4.20k", "31K", "1.5M".
std::optional<double> scaledIn(const QString& text);
/// The same, to the next whole number; empty beyond 10¹⁵.
std::optional<qint64> countIn(const QString& text);
/// "1:15:33", "01:43", "1 day, 2:00:00", "8s", "12.5m", "1h 2m 3s", "43"; empty for "?".
std::optional<double> secondsIn(const QString& text);

} // namespace rankwright::inline insight
