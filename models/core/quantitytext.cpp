// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"

#include "models/core/units.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

QString capitalised(QString text)
{
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

QString counted(qint64 count, const QString& one, const QString& many)
{
    return humanNumber(double(count), 0) + u' ' + nounFor(double(count), one, many);
}

QString isOrAre(qint64 count) { return count == 1 ? u"is"_s : u"are"_s; }

QString nounFor(double count, const QString& one, const QString& many)
{
    return qFuzzyCompare(count, 1.0) ? one : many.isEmpty() ? pluralOf(one) : many;
}

QString pluralOf(const QString& one) { return one + u's'; }

QString nodesText(qint64 count) { return counted(count, u"node"_s); }

QString gpusText(qint64 count, const QString& word) { return counted(count, word); }

QString amountText(double value, const QString& unit)
{
    // A tenth of a unit matters for small jobs only.
    const bool one = qFuzzyCompare(value, 1.0) && unit.endsWith(u"-hours"_s);
    return humanNumber(value, value < 100 ? 2 : 0) + u' ' + (one ? unit.chopped(1) : unit);
}

QString percentText(double percent) { return percentText(percent, std::abs(percent) < 1 ? 1 : 0); }

QString percentText(double percent, int decimals) { return humanNumber(percent, decimals) + u"\u2009%"_s; }

QString shareText(double share) { return percentText(100 * share, std::abs(share) < 0.1 ? 1 : 0); }

QString gibFigure(double bytes)
{
    const double value = bytes / bytesPerGib;
    return humanNumber(value, std::abs(value) < 1 ? 2 : std::abs(value) < 100 ? 1 : 0);
}

QString gibText(double bytes) { return gibFigure(bytes) + u"\u2009GiB"_s; }

} // namespace rankwright::inline core
