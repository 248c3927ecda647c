// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace rankwright {

/// A page of the window. It fills the room that there is; one that needs more than the window has scrolls, so that
/// nothing is cut and the window is never larger than its screen. Takes no focus itself. A page is polished and laid
/// out when it is first shown: that is most of what it costs.
class PageFrame final : public QScrollArea {
    Q_OBJECT
public:
    explicit PageFrame(QWidget* page, QWidget* parent = nullptr);

    QWidget* page() const { return m_page; }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void showPage();
    void fitPage();

    QWidget* m_page; ///< a child from the start, QScrollArea's widget once it is shown
};

} // namespace rankwright
