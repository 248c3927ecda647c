// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shelltext.h"

#include "models/script/bash/shellparser.h"

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

bool ShellWord::expands(const QString& variable) const
{
    return std::any_of(expansions.cbegin(), expansions.cend(),
        [&](const Expansion& expansion) { return expansion.names.contains(variable); });
}

namespace {

ShellReading readingOf(const QString& text)
{
    ShellReading reading;
    reading.lineStarts.append(0);
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text.at(at) == u'\n')
            reading.lineStarts.append(at + 1);
    }
    return reading;
}

} // namespace

ShellText parseShell(const QString& text)
{
    ShellReading reading = readingOf(text);
    ShellParser(text, reading).run();
    return reading.out;
}

ShellText parseShell(const QString& text, const std::vector<bool>& early)
{
    ShellReading reading = readingOf(text);
    ShellInnerText inner{text, {}, early};
    inner.origins.resize(static_cast<std::size_t>(text.size()));
    std::iota(inner.origins.begin(), inner.origins.end(), 0);
    ShellParser(inner, reading, {}, 0).run();
    return reading.out;
}

} // namespace rankwright::inline script
