// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/numberspot.h"

#include "models/core/units.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr int leastSpotWidth = 64; // of the editor
constexpr int mostDigits = 13;
} // namespace

NumberSpot::NumberSpot(const QString& name, QWidget* parent) : QPushButton(parent), m_name(name)
{
    setProperty("spot", true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setCursor(Qt::IBeamCursor);
    connect(this, &QPushButton::clicked, this, [this] { openEditor(QString::number(m_value)); });
    describe();
}

void NumberSpot::setName(const QString& name)
{
    if (name == m_name)
        return;
    m_name = name;
    describe();
}

void NumberSpot::setValue(qint64 value)
{
    if (value == m_value && !text().isEmpty())
        return;
    m_value = value;
    setText(humanNumber(double(value), 0));
    fitSize();
    describe();
}

/// Of fixed size, so that another number of the same width lays nothing out around it.
void NumberSpot::fitSize()
{
    if (const QSize wanted = sizeHint(); wanted != minimumSize())
        setFixedSize(wanted);
}

bool NumberSpot::event(QEvent* event)
{
    const bool handled = QPushButton::event(event);
    if (event->type() == QEvent::Polish || event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        fitSize();
    return handled;
}

void NumberSpot::describe()
{
    setAccessibleName(u"%1: %2"_s.arg(m_name, QString::number(m_value)));
    setAccessibleDescription(tr("Enter to type another number, Up and Down for one more or less."));
    setToolTip(tr("%1. Click to type another number.").arg(m_name));
}

void NumberSpot::keyPressEvent(QKeyEvent* event)
{
    const QString typed = event->text();
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        const qint64 next = m_value + (event->key() == Qt::Key_Up ? 1 : -1);
        if (next >= 1)
            emit valueWanted(next, By::Arrow);
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_F2) {
        openEditor(QString::number(m_value));
    } else if (typed.size() == 1 && typed.at(0).isDigit()) {
        openEditor(typed);
    } else {
        QPushButton::keyPressEvent(event);
    }
}

void NumberSpot::openEditor(const QString& text)
{
    if (m_editor || !parentWidget())
        return;
    m_editor = new QLineEdit(parentWidget());
    m_editor->setAccessibleName(m_name);
    m_editor->setMaxLength(mostDigits);
    m_editor->setText(text);
    if (text == QString::number(m_value))
        m_editor->selectAll();
    QRect place = geometry();
    place.setWidth(qMax(place.width(), leastSpotWidth));
    place.moveRight(qMin(place.right(), parentWidget()->width() - 1));
    m_editor->setGeometry(place);
    m_editor->installEventFilter(this);
    m_editor->show();
    m_editor->setFocus(Qt::OtherFocusReason);
}

void NumberSpot::closeEditor(bool take)
{
    if (!m_editor)
        return;
    QLineEdit* editor = m_editor;
    m_editor = nullptr;
    editor->removeEventFilter(this);
    const bool focused = editor->hasFocus();
    static const QRegularExpression grouping(u"[\\s_\u2009\u202f]"_s);
    bool read = false;
    const qint64 value = editor->text().remove(grouping).toLongLong(&read);
    // It is gone for Tab and for the eye at once, and deleted when none of its event handlers runs.
    if (focused)
        setFocus(Qt::OtherFocusReason);
    editor->hide();
    editor->deleteLater();
    if (take && read && value != m_value)
        emit valueWanted(value, By::Typing);
}

bool NumberSpot::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_editor) {
        if (event->type() == QEvent::KeyPress) {
            const int key = static_cast<QKeyEvent*>(event)->key();
            if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape) {
                closeEditor(key != Qt::Key_Escape);
                return true;
            }
        }
        if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason) {
            closeEditor(true);
            return false;
        }
    }
    return QPushButton::eventFilter(watched, event);
}

} // namespace rankwright
