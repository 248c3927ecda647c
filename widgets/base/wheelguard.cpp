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

constexpr const char* turns = "turnsWithTheWheel";

bool hasValue(const QWidget* widget)
{
    return qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget)
        || (qobject_cast<const QAbstractSlider*>(widget) && !qobject_cast<const QScrollBar*>(widget))
        || qobject_cast<const QTabBar*>(widget) || widget->property(turns).toBool();
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

/// Its own list counts, although that is a window.
bool isPartOf(const QWidget* widget, const QWidget* control)
{
    while (widget && widget != control)
        widget = widget->parentWidget();
    return widget != nullptr;
}

bool hasFocusWithin(const QWidget* control)
{
    const QWidget* focus = QApplication::focusWidget();
    return focus && (focus == control || control->isAncestorOf(focus) || control->focusProxy() == focus);
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

void WheelGuard::turnsWithTheWheel(QWidget* control) { control->setProperty(turns, true); }

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType()) {
        m_used = controlOf(watched);
    } else if (event->type() == QEvent::FocusIn && m_used && watched->isWidgetType()) {
        if (!isPartOf(static_cast<QWidget*>(watched), m_used))
            m_used.clear();
    } else if (event->type() == QEvent::Wheel) {
        const QWidget* control = controlOf(watched);
        if (control && (control != m_used || !hasFocusWithin(control))) {
            scrollInstead(*control, *static_cast<QWheelEvent*>(event));
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace rankwright
