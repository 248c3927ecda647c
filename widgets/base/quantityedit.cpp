// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/quantityedit.h"

#include "widgets/base/card.h"
#include "widgets/base/theme.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QStringListModel>
#include <QStyleOptionFrame>
#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
constexpr int arrowRoom = 20;
constexpr int gap = 8;
constexpr int longList = 24; // more than a menu can show at once
} // namespace

QuantityEdit::QuantityEdit(QWidget* parent) : QLineEdit(parent)
{
    connect(this, &QLineEdit::textChanged, this, qOverload<>(&QWidget::update));
}

void QuantityEdit::setHint(const QString& hint)
{
    if (hint == m_hint)
        return;
    m_hint = hint;
    update();
}

void QuantityEdit::setPlaceholder(const QString& text)
{
    if (text == m_placeholder)
        return;
    m_placeholder = text;
    update();
}

void QuantityEdit::setOptions(const QStringList& options)
{
    if (options == m_options)
        return;
    m_options = options;
    if (!m_arrow && !options.isEmpty()) {
        m_arrow = new QAction(tr("Show the choices"), this);
        m_arrow->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Down));
        m_arrow->setShortcutContext(Qt::WidgetShortcut);
        connect(m_arrow, &QAction::triggered, this, &QuantityEdit::showOptions);
        addAction(m_arrow);
    }
    if (options.size() > longList)
        offerCompletions();
    makeRoom();
}

void QuantityEdit::offerCompletions()
{
    if (!m_completer) {
        m_completions = new QStringListModel(this);
        m_completer = new QCompleter(m_completions, this);
        m_completer->setCaseSensitivity(Qt::CaseInsensitive);
        m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
        m_completer->setMaxVisibleItems(12);
        setCompleter(m_completer);
        connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &QuantityEdit::optionChosen);
        // Before the completer looks: it shows what this leaves.
        connect(this, &QLineEdit::textEdited, this,
            [this](const QString& text) { m_completions->setStringList(optionsWith(text)); });
    }
    m_completions->setStringList(m_options);
}

/// The options in which each word of `text` occurs, those that begin with it first: “llama 3 70” finds “Llama 3/3.1
/// 70B”.
QStringList QuantityEdit::optionsWith(const QString& text) const
{
    const QStringList words = text.split(QRegularExpression(u"[\\s/_-]+"_s), Qt::SkipEmptyParts);
    QStringList first;
    QStringList others;
    for (const QString& option : m_options) {
        const bool all = std::all_of(words.begin(), words.end(),
            [&option](const QString& word) { return option.contains(word, Qt::CaseInsensitive); });
        if (all)
            (option.startsWith(text.trimmed(), Qt::CaseInsensitive) ? first : others).append(option);
    }
    return first + others;
}

void QuantityEdit::setInvalid(bool invalid) { setStyleProperty(this, "invalid", invalid); }

void QuantityEdit::makeRoom() { setTextMargins(0, 0, m_options.isEmpty() ? 0 : arrowRoom, 0); }

void QuantityEdit::showOptions()
{
    if (m_completer) {
        m_completions->setStringList(m_options);
        m_completer->setCompletionPrefix({});
        m_completer->complete();
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setMinimumWidth(width());
    for (const QString& option : std::as_const(m_options)) {
        auto* action = menu->addAction(option);
        action->setCheckable(true);
        action->setChecked(option == text());
        connect(action, &QAction::triggered, this, [this, option] { emit optionChosen(option); });
    }
    if (!text().isEmpty()) {
        menu->addSeparator();
        connect(
            menu->addAction(tr("Let Rankwright choose")), &QAction::triggered, this, [this] { emit optionChosen({}); });
    }
    menu->popup(mapToGlobal(QPoint(0, height() + 2)));
}

QRect QuantityEdit::textArea() const
{
    QStyleOptionFrame option;
    initStyleOption(&option);
    return style()->subElementRect(QStyle::SE_LineEditContents, &option, this).adjusted(2, 0, -2, 0);
}

void QuantityEdit::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    QRect area = textArea();
    if (!m_options.isEmpty()) {
        const QPointF middle(area.right() - 5, area.center().y() + 1);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.colour(T::Foreground3), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF{middle + QPointF(-4, -2), middle + QPointF(0, 2), middle + QPointF(4, -2)});
        area.setRight(area.right() - arrowRoom);
    }
    const bool open = text().isEmpty();
    const QString main = open ? m_placeholder : text();
    const int wanted = fontMetrics().horizontalAdvance(main) + gap;
    painter.setPen(theme.colour(T::Foreground3));
    const QFont small = Theme::uiFont(11);
    const int hintWidth = QFontMetrics(small).horizontalAdvance(m_hint);
    // The hint gives way to the value: a limit half covered by digits would be worse than none. What stands in for one
    // is cut for it only where it would be cut anyhow.
    const bool isCut = open && wanted - gap > area.width();
    const bool hintFits
        = !m_hint.isEmpty() && (wanted + hintWidth <= area.width() || (isCut && hintWidth < area.width() / 2));
    if (hintFits) {
        painter.setFont(small);
        painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter, m_hint);
        area.setRight(area.right() - hintWidth - gap);
    }
    if (open) {
        painter.setFont(Theme::uiFont());
        painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(m_placeholder, Qt::ElideMiddle, area.width()));
    }
}

void QuantityEdit::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Down && !m_options.isEmpty()) {
        showOptions();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

bool QuantityEdit::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && !property("invalid").toBool()) {
        // Every keystroke that can be read is in the document already, so the document's undo is the right one; text
        // that cannot be read exists here only, and this field's own undo takes it back.
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    if (event->type() == QEvent::MouseButtonPress && !m_options.isEmpty()) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->position().x() > textArea().right() - arrowRoom) {
            setFocus(Qt::MouseFocusReason);
            showOptions();
            return true;
        }
    }
    return QLineEdit::event(event);
}

} // namespace rankwright
