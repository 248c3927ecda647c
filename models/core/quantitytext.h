// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline core {

// Amounts in words for people; each is written in one way over the whole program. Between figure and unit is a thin
// space, as in units.h; digits as humanNumber() writes them.

/// A count with its noun: "1 node", "4 nodes". `many` empty: the noun with an s.
QString counted(qint64 count, const QString& one, const QString& many = {});
/// The text with its first letter large, as at the beginning of a sentence.
QString capitalised(QString text);
/// The noun alone, as it stands behind a count: "slice" behind 1, else "slices"; and without a count: "GPUs".
QString nounFor(double count, const QString& one, const QString& many = {});
QString pluralOf(const QString& one);
/// "is" behind 1, else "are".
QString isOrAre(qint64 count);
/// "1 node", "2 nodes"; "1 GCD", "16 GCDs".
QString nodesText(qint64 count);
QString gpusText(qint64 count, const QString& word);
/// "3.5 GPU-hours", "1 GPU-hour": an amount in a unit of the site.
QString amountText(double value, const QString& unit);
/// "97 %", below one "0.4 %"; or with at most this many decimals.
QString percentText(double percent);
QString percentText(double percent, int decimals);
/// The same of a share, 0..1; below a tenth "4.2 %".
QString shareText(double share);
/// A figure alone, in GiB: "0.42", "41.3", "128"; and with its unit.
QString gibFigure(double bytes);
QString gibText(double bytes);

} // namespace rankwright::inline core
