// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/elidinglabel.h"
#include "widgets/base/figurebutton.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QStringList>
#include <QToolButton>

/// What must not be seen in any window, whatever it shows and however large it is.
namespace rankwright::test {

/// Where and what, for the message of a failed test.
inline QString nameOf(const QWidget* widget)
{
    if (!widget)
        return QStringLiteral("nothing");
    QString text = widget->objectName();
    if (const auto* label = qobject_cast<const QLabel*>(widget))
        text = label->text();
    else if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
        text = button->text().isEmpty() ? button->accessibleName() : button->text();
    return QStringLiteral("%1 “%2” %3×%4")
        .arg(QLatin1String(widget->metaObject()->className()), text.left(80))
        .arg(widget->width())
        .arg(widget->height());
}

/// Partly outside of what holds it; what scrolls is whole further down.
inline bool isCutOff(const QWidget& widget, const QWidget& window)
{
    QRect area = widget.rect();
    const QWidget* at = &widget;
    while (at != &window && at->parentWidget()) {
        area.translate(at->pos());
        at = at->parentWidget();
        const auto* scroll = qobject_cast<const QAbstractScrollArea*>(at->parentWidget());
        if (scroll && scroll->viewport() == at) {
            const bool sideways = scroll->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
            return !sideways && (area.left() < -1 || area.right() > at->width());
        }
        if (!at->rect().adjusted(-1, -1, 1, 1).contains(area))
            return true;
    }
    return false;
}

inline bool textFits(const QLabel& label)
{
    if (label.wordWrap())
        return label.heightForWidth(label.width()) <= label.height() + 1;
    const QSize whole = label.sizeHint();
    return whole.width() <= label.width() + 1 && whole.height() <= label.height() + 1;
}

inline bool textFits(const QAbstractButton& button)
{
    if (!qobject_cast<const QPushButton*>(&button) && !qobject_cast<const QToolButton*>(&button))
        return true; // draws itself, and cuts with a mark
    const QSize whole = button.fontMetrics().size(Qt::TextShowMnemonic, button.text());
    const int frame = button.property("link").toBool() ? 2 : 4;
    return whole.width() <= button.width() - frame && whole.height() <= button.height();
}

/// Labels and buttons in view whose text is cut without a mark.
inline QStringList clippedTexts(const QWidget& window)
{
    QStringList found;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&window) || widget->window() != &window)
            continue;
        const auto* label = qobject_cast<const QLabel*>(widget);
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (!(label && !label->text().isEmpty()) && !(button && !button->text().isEmpty()))
            continue;
        const bool elides = qobject_cast<const ElidingLabel*>(widget) != nullptr;
        if ((label && !elides && !textFits(*label)) || (button && !textFits(*button)) || isCutOff(*widget, window))
            found.append(nameOf(widget) + QStringLiteral(" in ") + nameOf(widget->parentWidget()));
    }
    return found;
}

/// Figures in view that have less room than they need.
inline QStringList markedFigures(const QWidget& window)
{
    QStringList found;
    for (const FigureButton* figure : window.findChildren<FigureButton*>()) {
        if (figure->isVisibleTo(&window) && figure->window() == window.window() && !figure->isWhole())
            found.append(nameOf(figure) + QStringLiteral(" in ") + nameOf(figure->parentWidget()));
    }
    return found;
}

/// Captions that end with a mark in a window of at least 1024 × 700, where there is room for all of them.
/// Names that people choose may be cut in the middle, and links say in their tool tip what they lack.
inline QStringList markedTexts(const QWidget& window)
{
    QStringList found;
    if (window.width() < 1024 || window.height() < 700)
        return found;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&window) || widget->window() != &window)
            continue;
        const auto* label = qobject_cast<const ElidingLabel*>(widget);
        const bool isMarked = label && label->shownText() != label->text() && label->shownText().endsWith(u'…');
        if (isMarked)
            found.append(nameOf(widget) + QStringLiteral(" in ") + nameOf(widget->parentWidget()));
    }
    return found + markedFigures(window);
}

/// Visible, enabled widgets that Tab has to reach. Of choices side by side the taken one stands for all: arrows move.
inline QList<QWidget*> tabStops(const QWidget& window)
{
    QList<QWidget*> stops;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->isEnabled() || widget->window() != &window
            || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
            continue;
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        const QButtonGroup* group = button ? button->group() : nullptr;
        if (group && group->exclusive() && group->checkedButton() && !button->isChecked())
            continue;
        stops.append(widget);
    }
    return stops;
}

} // namespace rankwright::test
