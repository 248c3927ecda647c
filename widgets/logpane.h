// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/trainingprogress.h"

#include <QPlainTextEdit>

namespace rankwright {

/// Log text with a coloured rank badge before each line. Plain text always: what a job prints is never read as markup.
/// Holds what it is told to show, at most `maxLines`; which lines those are is JobLogView's affair.
class LogPane final : public QPlainTextEdit {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LogPane)
public:
    explicit LogPane(int maxLines, QWidget* parent = nullptr);

    void setLines(const QList<LogLine>& lines);
    /// Adds lines; one with `isProgress` replaces a progress line of the same rank at the end.
    void append(const QList<LogLine>& lines);
    /// Selects the next place of `text` after the cursor, from the top again at the end. False when there is none.
    bool findNext(const QString& text, bool backward = false);
    void paintBadges(QPaintEvent* event);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void placeMargin();
    void write(QTextCursor& cursor, const LogLine& line, bool replaceLast);

    QWidget* m_margin = nullptr;
    int m_marginWidth = 0;
    int m_highestRank = 0;
};

} // namespace rankwright
