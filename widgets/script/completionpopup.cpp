// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/completionpopup.h"

#include "widgets/base/card.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int rowHeight = 22;
constexpr int mostRows = 9;
constexpr int widest = 480;
constexpr int NoteRole = Qt::UserRole + 1;

/// Name in the code font, note after it in small print, cut where the room ends.
class RowPainter final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {160, rowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        using T = Theme::Token;
        const Theme& theme = themeOf(this);
        painter->save();
        if (option.state & QStyle::State_Selected) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.colour(T::AccentBackground));
            painter->drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), 4, 4);
        }
        QRect room = option.rect.adjusted(8, 0, -8, 0);
        painter->setFont(Theme::codeFont());
        painter->setPen(theme.colour(option.state & QStyle::State_Selected ? T::Accent : T::Foreground));
        const QString name = painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, room.width());
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
        room.setLeft(room.left() + painter->fontMetrics().horizontalAdvance(name) + 14);
        if (room.width() > 40) {
            painter->setFont(Theme::uiFont(11));
            painter->setPen(theme.colour(T::Foreground3));
            painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                painter->fontMetrics().elidedText(index.data(NoteRole).toString(), Qt::ElideRight, room.width()));
        }
        painter->restore();
    }
};

} // namespace

CompletionPopup::CompletionPopup(QWidget* editor) : QFrame(editor->window()), m_editor(editor)
{
    setProperty("card", true);
    setAttribute(Qt::WA_StyledBackground);
    setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4);
    column->setSpacing(2);
    m_list = new QListView(this);
    m_list->setAccessibleName(tr("Completions"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setItemDelegate(new RowPainter(m_list));
    m_model = new QStandardItemModel(this);
    m_list->setModel(m_model);
    m_note = makeLabel({}, "caption", this);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(8, 2, 8, 4);
    column->addWidget(m_list);
    column->addWidget(m_note);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { choose(index.row()); });
    // Left after by a click elsewhere, or by a page that goes.
    m_editor->installEventFilter(this);
    hide();
}

void CompletionPopup::offer(const QList<CompletionItem>& items, QPoint top, int bottom)
{
    if (items.isEmpty()) {
        hide();
        return;
    }
    if (items != m_items || isHidden()) {
        m_items = items;
        m_model->clear();
        for (const CompletionItem& item : items) {
            auto* row = new QStandardItem(item.text);
            row->setData(item.note, NoteRole);
            row->setAccessibleDescription(item.note);
            m_model->appendRow(row);
        }
        m_list->setCurrentIndex(m_model->index(0, 0));
    }
    showNote();
    placePopup(top, bottom);
    show();
    raise();
}

void CompletionPopup::placePopup(QPoint top, int bottom)
{
    if (parentWidget() != m_editor->window())
        setParent(m_editor->window());
    int wanted = 200;
    const QFontMetrics code(Theme::codeFont());
    const QFontMetrics small(Theme::uiFont(11));
    for (const CompletionItem& item : std::as_const(m_items))
        wanted = qMax(wanted, code.horizontalAdvance(item.text) + qMin(300, small.horizontalAdvance(item.note)) + 60);
    const QRect room = parentWidget()->rect().adjusted(6, 6, -6, -6);
    const int width = qMin(qMin(wanted, widest), room.width());
    m_list->setFixedHeight(rowHeight * qMin(mostRows, int(m_items.size())) + 2);
    m_note->setFixedWidth(width - 8);
    const int height = m_list->height() + (m_note->isHidden() ? 0 : m_note->heightForWidth(width - 8)) + 12;
    const QPoint above = m_editor->mapTo(parentWidget(), top);
    const int below = m_editor->mapTo(parentWidget(), QPoint(0, bottom)).y() + 2;
    const int x = qBound(room.left(), above.x() - 12, room.right() - width);
    const bool fits = below + height <= room.bottom();
    setGeometry(x, fits ? below : qMax(room.top(), above.y() - height - 2), width, height);
}

int CompletionPopup::current() const { return m_list->currentIndex().row(); }

void CompletionPopup::showNote()
{
    const QString note = m_items.value(current()).note;
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_list->setAccessibleDescription(m_items.value(current()).text + u": "_s + note);
}

void CompletionPopup::move(int by)
{
    const int count = int(m_items.size());
    // One step goes around the end; a page stops there.
    const int wanted = qAbs(by) == 1 ? (current() + by + count) % count : qBound(0, current() + by, count - 1);
    m_list->setCurrentIndex(m_model->index(wanted, 0));
    m_list->scrollTo(m_list->currentIndex());
    const QPoint corner = pos();
    showNote();
    resize(width(), m_list->height() + (m_note->isHidden() ? 0 : m_note->heightForWidth(width() - 8)) + 12);
    QFrame::move(corner);
}

void CompletionPopup::choose(int row)
{
    if (row < 0 || row >= m_items.size())
        return;
    const CompletionItem item = m_items.at(row);
    hide();
    emit chosen(item);
}

bool CompletionPopup::handleKey(QKeyEvent* event)
{
    if (isHidden() || (event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    switch (event->key()) {
    case Qt::Key_Up: move(-1); return true;
    case Qt::Key_Down: move(1); return true;
    case Qt::Key_PageUp: move(1 - mostRows); return true;
    case Qt::Key_PageDown: move(mostRows - 1); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab: choose(current()); return true;
    case Qt::Key_Escape: hide(); return true;
    default: return false;
    }
}

bool CompletionPopup::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_editor
        && (event->type() == QEvent::FocusOut || event->type() == QEvent::Hide || event->type() == QEvent::Wheel))
        hide();
    return QFrame::eventFilter(watched, event);
}

} // namespace rankwright
