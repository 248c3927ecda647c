// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/logline.h"

#include <QPlainTextEdit>
#include <QTextBlock>

#include <map>

namespace rankwright {

/// Log text with a coloured rank badge before each line, in the colours that the program asked for. Plain text always:
/// what a job prints is never read as markup.
/// Holds what it is given to show, at most `maxLines`; which lines those are is JobLogView's affair.
class LogPane final : public QPlainTextEdit {
    Q_OBJECT
public:
    static constexpr int longestShown = 2000; ///< characters of a line; how many more there are is said

    explicit LogPane(int maxLines, QWidget* parent = nullptr);

    void setLines(const QList<LogLine>& lines);
    /// Adds lines; one with `isProgress` replaces a progress line of the same rank at the end.
    void append(const QList<LogLine>& lines);
    /// Selects the next place of `text` after the cursor, from the top again at the end. False when there is none.
    bool findNext(const QString& text, QTextDocument::FindFlags flags = {});
    /// Selects the line that holds this byte of its file, in the middle of the view. False when it is not here.
    bool showOffset(int file, qint64 offset);
    /// The topmost line that has a place in its file.
    std::optional<std::pair<int, qint64>> topPlace() const;
    /// Scrolls so that the line at this place is the topmost.
    void scrollToPlace(int file, qint64 offset);
    /// Numbers of lines in their file beside them, as far as they are known.
    void setLineNumbers(bool on);
    bool hasLineNumbers() const { return m_numbers; }
    /// The number of line feeds of this file before the byte at which a reading began.
    void setLinesBefore(int file, qint64 readFrom, qint64 lines);
    /// The number of a shown line (block) in its file; empty: not known.
    std::optional<qint64> numberOf(const QTextBlock& block) const;
    /// Nothing is known of any file any more.
    void forgetNumbers();
    /// Lines without a rank get a mark of their file's colour.
    void setMarksFiles(bool on);
    void paintBadges(QPaintEvent* event);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void placeMargin();
    enum class WriteTo { NewLine, LastLine };
    void write(QTextCursor& cursor, const LogLine& line, WriteTo where);

    void paintBadge(QPainter& painter, const QRectF& place, int rank);
    QTextBlock blockAt(int file, qint64 offset) const;

    QWidget* m_margin = nullptr;
    int m_marginWidth = 0;
    int m_numberWidth = 0; ///< part of the margin
    bool m_numbers = false;
    int m_digits = 3;
    std::map<std::pair<int, qint64>, qint64> m_before; ///< line feeds before a file's byte
    int m_highestRank = 0;
    bool m_marksFiles = false;
};

} // namespace rankwright
