// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace rankwright {

/// A label of one plain line that is elided where there is no room; the tool tip then has the whole text, unless one
/// was set. Names that people choose are cut in the middle, with a mark. What may give way to a title (see
/// makeElidedLabel()) is never cut: of "one · two · three" the first parts are shown that fit whole, or nothing.
class ElidingLabel final : public QLabel {
    Q_OBJECT
public:
    explicit ElidingLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideMiddle);
    QSize minimumSizeHint() const override;
    QString shownText() const; ///< the part of the text that fits

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode;
};

} // namespace rankwright
