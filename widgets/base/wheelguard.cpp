// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/wheelguard.h"

#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QScrollBar>
#include <QTabBar>
#include <QWheelEvent>

namespace rankwright {

namespace {

bool hasValue(const QWidget* widget)
{
    return qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget)
        || (qobject_cast<const QAbstractSlider*>(widget) && !qobject_cast<const QScrollBar*>(widget))
        || qobject_cast<const QTabBar*>(widget);
}

/// The control that a widget is, or is a part of; a list that drops down from one is a window of its own.
QWidget* controlOf(QObject* watched)
{
    for (auto* widget = qobject_cast<QWidget*>(watched); widget; widget = widget->parentWidget()) {
        if (hasValue(widget))
            return widget;
        if (widget->isWindow())
            break;
    }
    return nullptr;
}

/// The areas around a control get what was not meant for it, the nearest that can scroll first.
void scrollInstead(const QWidget& control, QWheelEvent& wheel)
{
    for (QWidget* outer = control.parentWidget(); outer; outer = outer->parentWidget()) {
        if (auto* area = qobject_cast<QAbstractScrollArea*>(outer)) {
            QWheelEvent passed(area->viewport()->mapFromGlobal(wheel.globalPosition()), wheel.globalPosition(),
                wheel.pixelDelta(), wheel.angleDelta(), wheel.buttons(), wheel.modifiers(), wheel.phase(),
                wheel.inverted(), wheel.source(), wheel.pointingDevice());
            passed.ignore();
            QCoreApplication::sendEvent(area->viewport(), &passed);
            if (passed.isAccepted())
                break;
        }
        if (outer->isWindow())
            break;
    }
    wheel.accept();
}

} // namespace

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel) {
        if (const QWidget* control = controlOf(watched)) {
            scrollInstead(*control, *static_cast<QWheelEvent*>(event));
            return true;
        }
    } else if (event->type() == QEvent::Polish || event->type() == QEvent::Show) {
        // Qt gives the focus before an event filter sees the wheel. Some set their policy after they are polished.
        auto* widget = qobject_cast<QWidget*>(watched);
        if (widget && widget->focusPolicy() == Qt::WheelFocus)
            widget->setFocusPolicy(Qt::StrongFocus);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace rankwright
