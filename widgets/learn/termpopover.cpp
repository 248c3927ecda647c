// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/learn/termpopover.h"

#include "widgets/base/card.h"
#include "widgets/base/theme.h"
#include "widgets/learn/explanationview.h"

#include <QAccessible>
#include <QApplication>
#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int gap = 4; // to the anchor
constexpr int edge = 8; // to the window's
constexpr int padding = 12;
constexpr int leastHeight = 90;

QPushButton* linkButton(const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setProperty("link", true);
    button->setAutoDefault(false);
    return button;
}

/// A key as it looks on the keyboard.
class KeyCap final : public QLabel {
public:
    KeyCap(const QString& key, QWidget* parent) : QLabel(key, parent)
    {
        setProperty("caption", true);
        setContentsMargins(6, 1, 6, 2);
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(themeOf(this).colour(Theme::Token::FieldLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        QLabel::paintEvent(event);
    }
};

} // namespace

TermPopover::TermPopover(QWidget* parent)
    : QFrame(parent), m_scroll(new QScrollArea(this)), m_nodes(linkButton(tr("Show on my nodes"), this)),
      m_words(linkButton(tr("All words"), this))
{
    setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(padding, padding, padding, 8);
    column->setSpacing(6);
    m_view = new ExplanationView;
    m_scroll->setWidget(m_view);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_view->setAutoFillBackground(false);
    column->addWidget(m_scroll, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_nodes);
    row->addWidget(m_words);
    row->addStretch(1);
    row->addWidget(new KeyCap(u"F1"_s, this));
    column->addLayout(row);
    connect(m_view, &ExplanationView::termRequested, this, &TermPopover::termRequested);
    connect(m_nodes, &QPushButton::clicked, this, [this] { emit nodesRequested(shown().id); });
    connect(m_words, &QPushButton::clicked, this, [this] { emit allWordsRequested(shown().id); });
    hide();
}

const Explanation& TermPopover::shown() const { return m_view->shown(); }

void TermPopover::showContent(const Explanation& explanation)
{
    m_view->setExplanation(explanation);
    m_nodes->setVisible(m_offersNodes && explanation.onNodes);
    setAccessibleName(tr("What is %1?").arg(explanation.title));
    setAccessibleDescription(m_view->plainText());
    m_scroll->setAccessibleName(explanation.title);
    m_words->setAccessibleDescription(m_view->plainText()); // read when the focus comes in
}

void TermPopover::open(const Explanation& explanation, QWidget* anchor, const QRect& part, Focus focus)
{
    QWidget* window = anchor->window();
    if (parentWidget() != window) {
        hide();
        setParent(window);
    }
    if (!isOpen())
        m_before = QApplication::focusWidget();
    m_anchor = anchor;
    m_part = part;
    showContent(explanation);
    placePopover();
    show();
    raise();
    placePopover(); // styled and measured by now
    if (focus == Focus::Taken)
        m_words->setFocus(Qt::PopupFocusReason);
    QAccessibleEvent announced(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&announced);
}

void TermPopover::showInstead(const Explanation& explanation)
{
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    showContent(explanation);
    placePopover();
    if (hadFocus)
        m_words->setFocus(Qt::OtherFocusReason); // the link that was followed is gone
}

void TermPopover::shut()
{
    if (!isOpen())
        return;
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (hadFocus && m_before)
        m_before->setFocus(Qt::OtherFocusReason);
    m_anchor.clear();
    m_before.clear();
    emit shutDown();
}

QRect TermPopover::anchorRect() const
{
    const QRect all = m_anchor->rect();
    const QRect part = m_part.isEmpty() ? all : m_part.intersected(all);
    return {m_anchor->mapTo(m_anchor->window(), part.topLeft()), part.size()};
}

void TermPopover::placePopover()
{
    if (!m_anchor)
        return;
    const QRect room = parentWidget()->rect().adjusted(edge, edge, -edge, -edge);
    // About 78 letters beside the picture, whatever the size of the text.
    const int wide = fontMetrics().averageCharWidth() * 54 + m_view->minimumSizeHint().width() / 4;
    const int width = qMin(room.width(), qMax(360, wide));
    const int inside = width - 2 * padding;
    m_view->layout()->activate();
    const int text = m_view->layout()->hasHeightForWidth() ? m_view->layout()->heightForWidth(inside)
                                                           : m_view->sizeHint().height();
    const int rest = layout()->contentsMargins().top() + layout()->contentsMargins().bottom() + layout()->spacing()
        + m_words->sizeHint().height();
    setGeometry(placeFor({width, text + rest + 2}, anchorRect(), room));
}

QRect TermPopover::placeFor(QSize wanted, const QRect& anchor, const QRect& room)
{
    const int width = qMin(wanted.width(), room.width());
    const int height = qMin(wanted.height(), room.height());
    const auto within
        = [&](int low, int size, int least, int most) { return qBound(least, low, qMax(least, most - size)); };
    const int x = within(anchor.left(), width, room.left(), room.right() + 1);
    const int y = within(anchor.top(), height, room.top(), room.bottom() + 1);
    const int below = room.bottom() + 1 - (anchor.bottom() + 1 + gap);
    const int above = anchor.top() - gap - room.top();
    const int right = room.right() + 1 - (anchor.right() + 1 + gap);
    const int left = anchor.left() - gap - room.left();
    if (below >= height)
        return {x, anchor.bottom() + 1 + gap, width, height};
    if (above >= height)
        return {x, anchor.top() - gap - height, width, height};
    if (right >= width)
        return {anchor.right() + 1 + gap, y, width, height};
    if (left >= width)
        return {anchor.left() - gap - width, y, width, height};
    if (below >= leastHeight && below >= above)
        return {x, anchor.bottom() + 1 + gap, width, below};
    if (above >= leastHeight)
        return {x, room.top(), width, above};
    // The anchor fills the window: at the lower right, where least is read.
    return {room.right() + 1 - width, room.bottom() + 1 - height, width, height};
}

void TermPopover::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    painter.setBrush(theme.colour(Theme::Token::Panel));
    painter.setPen(QPen(theme.colour(Theme::Token::Accent), 1.2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.6, 0.6, -0.6, -0.6), 9, 9);
}

void TermPopover::enterEvent(QEnterEvent* event)
{
    QFrame::enterEvent(event);
    emit entered();
}

void TermPopover::leaveEvent(QEvent* event)
{
    QFrame::leaveEvent(event);
    emit left();
}

void TermPopover::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange && isOpen())
        placePopover();
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace rankwright
