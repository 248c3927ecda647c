// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QLabel>

namespace rankwright {

/// A label that remembers how high its text is at each width. Layouts ask that dozens of times for each change of a
/// page, and QLabel sets the whole text again for each answer, which was a quarter of the time from an edit to paint.
class WrappedLabel final : public QLabel {
    Q_OBJECT
public:
    explicit WrappedLabel(QWidget* parent = nullptr);
    explicit WrappedLabel(const QString& text, QWidget* parent = nullptr);
    int heightForWidth(int width) const override;
    /// The text with places where a long word may go on in the next line: after its separators, else somewhere. Nothing
    /// of it is seen or copied.
    static QString withBreaks(const QString& text);
    /// The text with its options ("--epochs", "-m") never parted at their dashes. Nothing of it is seen or copied.
    static QString withWholeOptions(const QString& text);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void copySelection() const;

    /// What the height hangs on, apart from what an event tells (font, style, frame).
    struct Subject {
        QString text;
        Qt::TextFormat format = Qt::AutoText;
        Qt::TextInteractionFlags interaction;
        Qt::Alignment alignment;
        int margin = 0;
        int indent = 0;
        QSize least; ///< QLabel answers no less
        bool wraps = false;
        bool operator==(const Subject&) const = default;
    };
    mutable Subject m_subject;
    mutable QHash<int, int> m_heights; ///< by width
};

/// Keeps a dialog's wrapped texts whole however narrow it is made: layouts of windows ask for no more height than the
/// texts need in one line. `least`: no smaller than this.
void fitTexts(QWidget& dialog, QSize least);

} // namespace rankwright
