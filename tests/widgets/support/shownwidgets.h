// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QStringList>
#include <QTimer>

namespace rankwright::test {

/// The visible button with this text; null when there is none.
inline QPushButton* shownButton(const QWidget& page, const QString& text)
{
    for (QPushButton* one : page.findChildren<QPushButton*>()) {
        if (one->text() == text && one->isVisible())
            return one;
    }
    return nullptr;
}

/// What the visible labels say, a line each.
inline QString shownText(const QWidget& page)
{
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        if (label->isVisible())
            texts.append(label->text());
    }
    return texts.join(u'\n');
}

/// Answers the message box that comes next by the button with this text; `question` gets its words.
inline void answerNext(const QString& text, QString* question)
{
    QTimer::singleShot(0, qApp, [text, question] {
        for (QWidget* window : QApplication::topLevelWidgets()) {
            auto* box = qobject_cast<QMessageBox*>(window);
            if (!box || !box->isVisible())
                continue;
            *question = QString(box->text() + u' ' + box->informativeText()).trimmed();
            for (QAbstractButton* one : box->buttons()) {
                if (one->text() == text)
                    one->click();
            }
        }
    });
}

} // namespace rankwright::test
