// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace rankwright {

/// A button that looks like a link. Its words may be more than a narrow panel holds: then they end with a mark, and are
/// whole in the accessible name and the tool tip. Words of others are shown as they are, "&" included.
class LinkButton final : public QPushButton {
    Q_OBJECT
public:
    LinkButton(const QString& text, QWidget* parent);

    void setWhole(const QString& text);
    const QString& whole() const { return m_whole; }
    /// Goes on in further lines where its room is narrow, instead of ending with a mark.
    void setWraps();
    /// Said beside the words, in the tool tip and to screen readers.
    void setNote(const QString& note);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitText();
    QString shownIn(int width) const;
    int heightOf(const QString& shown) const;

    QString m_whole;
    QString m_note;
    bool m_wraps = false;
};

} // namespace rankwright
