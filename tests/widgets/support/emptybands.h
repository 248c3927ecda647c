// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/support/readable.h"
#include "widgets/base/card.h"
#include "widgets/live/alertnotes.h"

#include <QAbstractItemView>
#include <QImage>
#include <QPlainTextEdit>

namespace rankwright::test {

/// Rows [first, last) of an image in which nothing is drawn: every pixel has the colour of the row's first.
struct EmptyRows {
    int first = 0;
    int last = 0;
    int count() const { return last - first; }
};

inline EmptyRows largestEmptyRows(const QImage& image)
{
    EmptyRows largest;
    EmptyRows current;
    QRgb before = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        const bool isEmpty = std::all_of(row, row + image.width(), [row](QRgb pixel) { return pixel == row[0]; });
        if (!isEmpty || (current.count() > 0 && row[0] != before))
            current = {y, y};
        if (isEmpty)
            current.last = y + 1;
        else
            current = {y + 1, y + 1};
        before = row[0];
        if (current.count() > largest.count())
            largest = current;
    }
    return largest;
}

/// Cards in view of which a third, and more than a hundred pixels, is an empty band. Lists, tables and texts end where
/// they end: cards that hold one are left out.
inline QStringList emptyBands(QWidget& window)
{
    constexpr int frame = 3; // the card's border and its rounded corners
    constexpr int least = 100;
    QStringList found;
    for (Card* card : window.findChildren<Card*>()) {
        const QRect seen = seenOf(*card, window);
        if (!card->isVisible() || seen.height() < card->height() || seen.width() < card->width())
            continue; // what is below the edge of a scrolled page is looked at where it is in view
        const bool hasList = !card->findChildren<QAbstractItemView*>().isEmpty()
            || !card->findChildren<QPlainTextEdit*>().isEmpty() || card->findChild<AlertNotes*>() != nullptr;
        if (hasList)
            continue;
        const QImage image = card->grab(card->rect().adjusted(frame, frame, -frame, -frame))
                                 .toImage()
                                 .convertToFormat(QImage::Format_RGB32);
        const EmptyRows rows = largestEmptyRows(image);
        if (rows.count() > least && rows.count() > image.height() / 3)
            found.append(QStringLiteral("%1 “%2” %3×%4: rows %5 to %6")
                             .arg(QLatin1String(card->metaObject()->className()), card->title())
                             .arg(card->width())
                             .arg(card->height())
                             .arg(rows.first)
                             .arg(rows.last));
    }
    return found;
}

} // namespace rankwright::test
