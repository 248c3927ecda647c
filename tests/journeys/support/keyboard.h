// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QTest>
#include <QWidget>

namespace rankwright::test {

/// A key to whatever has the focus, as a keyboard sends it.
inline void pressKey(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWidget* at = QApplication::activePopupWidget();
    if (!at)
        at = QApplication::focusWidget();
    if (!at)
        at = QApplication::activeWindow();
    QTest::keyClick(at, Qt::Key(key), modifiers);
}

/// Types into what has the focus.
inline void typeKeys(const QString& text) { QTest::keyClicks(QApplication::focusWidget(), text); }

/// By Tab alone; false: it is never reached.
inline bool tabTo(const QWidget* wanted)
{
    constexpr int mostTabs = 250;
    for (int i = 0; wanted && i < mostTabs; ++i) {
        const QWidget* at = QApplication::focusWidget();
        if (at && (at == wanted || wanted->isAncestorOf(at)))
            return true;
        pressKey(Qt::Key_Tab);
    }
    return false;
}

} // namespace rankwright::test
