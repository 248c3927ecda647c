// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace rankwright::inline core {

/// A word of a fixed set, as a file, a database or JSON holds it. A word that a newer version wrote and this one does
/// not know is kept and written back unchanged.
///
/// The values of Enum count from 0 without gaps. Beside it stands `QStringView wordOf(Enum)`: the published word, never
/// empty; empty for a number that is not in the set.
template <typename Enum>
class FixedWord {
public:
    FixedWord() = default; ///< no word
    FixedWord(Enum value) : m_value(value) { }
    /// Any text; empty: no word.
    static FixedWord read(const QString& written)
    {
        FixedWord word;
        for (int number = 0; !wordOf(Enum(number)).isEmpty(); ++number) {
            if (wordOf(Enum(number)) == written)
                return Enum(number);
        }
        word.m_unknown = written;
        return word;
    }

    bool isEmpty() const { return !m_value && m_unknown.isEmpty(); }
    std::optional<Enum> value() const { return m_value; } ///< empty: no word, or one that this version does not know
    QString text() const { return m_value ? wordOf(*m_value).toString() : m_unknown; }
    bool operator==(const FixedWord&) const = default;

private:
    std::optional<Enum> m_value;
    QString m_unknown; ///< as written; only without a value
};

} // namespace rankwright::inline core
