// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

namespace rankwright {

class SbatchLexer;

/// One row of a pane: a line of text with its own number, tinted by what happened to it.
struct PaneLine {
    enum Tint { None, Old, New, Filler } tint = None;
    QString number; ///< as shown in the margin; may be empty
    QString text;
    int from = 0; ///< characters [from, to) that changed within the line
    int to = 0;
    bool offersOther = false; ///< an arrow in the margin takes over the other text
};

/// A read-only column of a comparison, coloured like the script. Knows nothing of differences.
class DifferencePane final : public QsciScintilla {
    Q_OBJECT
public:
    /// What becomes of lines that are longer than the pane: broken at spaces, or scrolled to.
    enum class LongLines { Wrapped, Scrolled };

    explicit DifferencePane(QWidget* parent = nullptr);

    void setLongLines(LongLines how);
    int widestLine() const; ///< pixels
    /// How far one can scroll sideways: as for a line of `pixels`.
    void setScrolledWidth(int pixels);
    void setLines(const QList<PaneLine>& lines);
    /// Frames rows [first, last); scrolls them into view.
    void frame(int first, int last);

signals:
    void rowClicked(int row);
    void arrowClicked(int row);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyTheme();

    SbatchLexer* m_lexer = nullptr;
    QList<PaneLine> m_lines;
};

} // namespace rankwright
