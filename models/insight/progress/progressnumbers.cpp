// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/progressnumbers.h"

#include <QRegularExpression>

#include <cmath>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

std::optional<double> decimalIn(QString text)
{
    bool fine = false;
    const double value = text.remove(u',').toDouble(&fine);
    return fine && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

std::optional<qint64> wholeIn(QString text)
{
    bool fine = false;
    const qint64 value = text.remove(u',').toLongLong(&fine);
    return fine ? std::optional<qint64>(value) : std::nullopt;
}

std::optional<double> scaledIn(const QString& text)
{
    if (text.isEmpty() || !text.back().isLetter())
        return decimalIn(text);
    const qsizetype power = QStringLiteral("KMGT").indexOf(text.back().toUpper());
    const auto value = decimalIn(text.chopped(1));
    return value && power >= 0 ? std::optional(*value * std::pow(1000.0, double(power + 1))) : std::nullopt;
}

std::optional<qint64> countIn(const QString& text)
{
    const auto value = scaledIn(text);
    return value && *value < 1e15 ? std::optional(qint64(std::llround(*value))) : std::nullopt;
}

std::optional<double> secondsIn(const QString& text)
{
    static const QRegularExpression clock(
        uR"(^\s*(?:(\d{1,9}) days?,?\s*)?(?:(\d{1,9}):)?(?:(\d{1,9}):)?(\d{1,12}(?:\.\d+)?)s?\s*$)"_s);
    static const QRegularExpression units(
        uR"(^\s*(?:([\d.]+)\s*d(?:ays?)?)?,?\s*(?:([\d.]+)\s*h(?:ours?|rs?)?)?,?\s*(?:([\d.]+)\s*m(?:in(?:utes?)?)?)?,?\s*(?:([\d.]+)\s*s(?:ec(?:onds?)?)?)?\s*$)"_s);
    if (const auto match = clock.match(text); match.hasMatch()) {
        const bool three = !match.captured(3).isEmpty();
        const double first = match.captured(2).toDouble();
        const double second = match.captured(3).toDouble();
        return match.captured(1).toDouble() * 86400 + (three ? first * 3600 + second * 60 : first * 60)
            + match.captured(4).toDouble();
    }
    const auto match = units.match(text);
    if (!match.hasMatch() || match.captured(0).trimmed().isEmpty())
        return {};
    return match.captured(1).toDouble() * 86400 + match.captured(2).toDouble() * 3600
        + match.captured(3).toDouble() * 60 + match.captured(4).toDouble();
}

} // namespace rankwright::inline insight
