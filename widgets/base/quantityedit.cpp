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
QFont hintFont() { return Theme::uiFont(11); }
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

QRect QuantityEdit::textRoom() const
{
    return m_options.isEmpty() ? textArea() : textArea().adjusted(0, 0, -arrowRoom, 0);
}

int QuantityEdit::hintRoom() const
{
    if (m_hint.isEmpty())
        return 0;
    const bool open = text().isEmpty();
    const QFontMetrics metrics = open ? QFontMetrics(Theme::uiFont()) : fontMetrics();
    const int wanted = metrics.horizontalAdvance(open ? m_placeholder : text()) + gap;
    const int hintWidth = QFontMetrics(hintFont()).horizontalAdvance(m_hint);
    const int room = textRoom().width();
    // The hint gives way to the value: a limit half covered by digits would be worse than none. What stands in for one
    // is cut for it only where it would be cut anyhow.
    const bool isCut = open && wanted - gap > room;
    return wanted + hintWidth <= room || (isCut && hintWidth < room / 2) ? hintWidth + gap : 0;
}

QString QuantityEdit::shownPlaceholder() const
{
    if (!text().isEmpty())
        return {};
    const QFontMetrics metrics(Theme::uiFont());
    const int room = textRoom().width() - hintRoom();
    return metrics.horizontalAdvance(m_placeholder) <= room ? m_placeholder
                                                            : metrics.elidedText(m_placeholder, Qt::ElideMiddle, room);
}

void QuantityEdit::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    if (!m_options.isEmpty()) {
        const QRect area = textArea();
        const QPointF middle(area.right() - 5, area.center().y() + 1);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.colour(T::Foreground3), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF{middle + QPointF(-4, -2), middle + QPointF(0, 2), middle + QPointF(4, -2)});
    }
    painter.setPen(theme.colour(T::Foreground3));
    if (hintRoom() > 0) {
        painter.setFont(hintFont());
        painter.drawText(textRoom(), Qt::AlignRight | Qt::AlignVCenter, m_hint);
    }
    painter.setFont(Theme::uiFont());
    painter.drawText(textRoom(), Qt::AlignLeft | Qt::AlignVCenter, shownPlaceholder());
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
