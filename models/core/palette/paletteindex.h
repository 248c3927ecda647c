// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/palette/paletteentry.h"

#include <QList>
#include <QStringList>

namespace rankwright::inline core {

/// An entry that answers a query.
struct PaletteHit {
    int entry = 0; ///< index in the list that the index was made from
    int score = 0; ///< higher is better; comparable within one query only
    QList<int> matched; ///< positions in the title that the query met, ascending; empty: it met other words
    bool operator==(const PaletteHit&) const = default;
};

/// Entries made ready to be searched: folded once, then a query over 10 000 of them takes a few milliseconds. Every
/// word of a query must be met by title, keywords or section. Ranked: whole title, beginning of the title, beginnings
/// of words, initials, inside a word, keywords, letters in order, one slip of the finger (a letter too many, too few,
/// another, two exchanged; from four letters on). What was used lately comes first among equals, and what is off last.
class PaletteIndex final {
public:
    PaletteIndex() = default;
    explicit PaletteIndex(QList<PaletteEntry> entries);

    const QList<PaletteEntry>& entries() const { return m_entries; }
    /// At most `most` hits, the best first. An empty query gives what was used lately, then all in their order.
    /// `recent`: ids, the latest first.
    QList<PaletteHit> search(const QString& query, const QStringList& recent = {}, int most = 60) const;

private:
    struct Folded {
        QString title; ///< small letters without marks, as long as the title
        QList<int> starts; ///< of words in it
        QString others; ///< keywords and section, each word behind a blank
        quint64 letters = 0; ///< which of them there are, of all
    };
    QList<PaletteEntry> m_entries;
    QList<Folded> m_folded;
};

/// Small letters without marks; as many characters as before, so that positions hold.
QString foldedForSearch(const QString& text);
/// One is the other with at most one letter added, left out, changed, or two neighbours exchanged.
bool isOneSlip(QStringView a, QStringView b);

} // namespace rankwright::inline core
