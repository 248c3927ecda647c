// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/differenceview.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/script/differencepane.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int sideBySideFrom = 760; // two columns of about 40 characters

PaneLine paneLine(PaneLine::Tint tint, std::optional<int> number, const QString& text)
{
    const QString sign = tint == PaneLine::Old ? u" −"_s : tint == PaneLine::New ? u" +"_s : u"  "_s;
    return {tint, number ? u"%1%2"_s.arg(*number + 1, 3).arg(sign) : QString(), text};
}

/// The rows that a comparison shows, and which difference each belongs to.
struct ShownDifference {
    QList<PaneLine> left; ///< empty in one column
    QList<PaneLine> right;
    QList<std::optional<int>> hunks; ///< by row; empty: none
};

void pairOf(PaneLine& before, PaneLine& after)
{
    const ChangedSpan span = changedSpan(before.text, after.text);
    // When most of the line differs, marking words says nothing.
    if (span.from == 0 && span.oldEnd == before.text.size())
        return;
    before.from = after.from = span.from;
    before.to = span.oldEnd;
    after.to = span.newEnd;
}

ShownDifference sideBySide(const QStringList& from, const QStringList& to, const QList<LineHunk>& hunks)
{
    ShownDifference layout;
    for (const DifferenceRow& row : differenceRows(from.size(), to.size(), hunks)) {
        const bool same = row.kind == DifferenceRow::Same;
        PaneLine before = row.from ? paneLine(same ? PaneLine::None : PaneLine::Old, row.from, from.at(*row.from))
                                   : paneLine(PaneLine::Filler, {}, {});
        PaneLine after = row.to ? paneLine(same ? PaneLine::None : PaneLine::New, row.to, to.at(*row.to))
                                : paneLine(PaneLine::Filler, {}, {});
        if (row.kind == DifferenceRow::Changed)
            pairOf(before, after);
        layout.left.append(before);
        layout.right.append(after);
        layout.hunks.append(row.hunk);
    }
    return layout;
}

ShownDifference oneColumn(const QStringList& from, const QStringList& to, const QList<LineHunk>& hunks)
{
    ShownDifference layout;
    const QList<DifferenceRow> rows = differenceRows(from.size(), to.size(), hunks);
    for (qsizetype i = 0; i < rows.size();) {
        const std::optional<int> hunk = rows.at(i).hunk;
        if (!hunk) {
            layout.right.append(paneLine(PaneLine::None, rows.at(i).to, to.at(*rows.at(i).to)));
            layout.hunks.append(hunk);
            ++i;
            continue;
        }
        QList<PaneLine> before;
        QList<PaneLine> after;
        for (; i < rows.size() && rows.at(i).hunk == hunk; ++i) {
            if (const std::optional<int> line = rows.at(i).from)
                before.append(paneLine(PaneLine::Old, line, from.at(*line)));
            if (const std::optional<int> line = rows.at(i).to)
                after.append(paneLine(PaneLine::New, line, to.at(*line)));
        }
        for (qsizetype k = 0; k < qMin(before.size(), after.size()); ++k)
            pairOf(before[k], after[k]);
        layout.right += before + after;
        layout.hunks += QList<std::optional<int>>(before.size() + after.size(), hunk);
    }
    return layout;
}

} // namespace

DifferenceView::DifferenceView(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Comparison of scripts"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    auto* panes = new QHBoxLayout;
    panes->setSpacing(0);
    m_left = new DifferencePane(this);
    m_right = new DifferencePane(this);
    m_left->setAccessibleName(tr("The other script"));
    m_right->setAccessibleName(tr("The script with its differences"));
    panes->addWidget(m_left, 1);
    panes->addWidget(m_right, 1);
    column->addLayout(panes, 1);
    m_left->hide();
    for (DifferencePane* pane : {m_left, m_right}) {
        connect(pane, &DifferencePane::rowClicked, this, &DifferenceView::choseRow);
        connect(pane, &DifferencePane::arrowClicked, this, [this](int row) {
            choseRow(row);
            requestAdoption();
        });
    }
    for (auto [one, other] : {std::pair{m_left, m_right}, std::pair{m_right, m_left}}) {
        follow(one->verticalScrollBar(), other->verticalScrollBar());
        follow(one->horizontalScrollBar(), other->horizontalScrollBar());
    }
}

/// One that cannot go as far does not hold back the other.
void DifferenceView::follow(QScrollBar* one, QScrollBar* other)
{
    connect(one, &QScrollBar::valueChanged, this, [this, other](int value) {
        if (std::exchange(m_follows, true))
            return;
        other->setValue(value);
        m_follows = false;
    });
}

/// No focus proxy: Tab takes one for a stop of its own and then goes past the buttons of the head.
void DifferenceView::focusInEvent(QFocusEvent* event) { m_right->setFocus(event->reason()); }

void DifferenceView::choseRow(int row)
{
    const std::optional<int> hunk = m_rowHunks.value(row);
    if (!hunk)
        return;
    m_current = hunk;
    showCurrent();
}

QWidget* DifferenceView::buildHead()
{
    auto* head = new QWidget(this);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(14, 0, 8, 6);
    column->setSpacing(3);
    auto* across = new QHBoxLayout;
    across->setSpacing(3);
    m_switch = new SegmentedControl({tr("Generated"), tr("Last submitted")}, head);
    m_switch->setCurrent(0);
    m_count = makeLabel({}, "quiet", head);
    m_previous = iconButton(u"previous"_s, tr("Difference above (Shift+F7)"), head);
    m_next = iconButton(u"next"_s, tr("Difference below (F7)"), head);
    m_take = iconButton(u"undo"_s, tr("Use the other text for this difference (Ctrl+Shift+Backspace)"), head);
    m_close = iconButton(u"close"_s, tr("Back to the script (Esc)"), head);
    connect(m_switch, &SegmentedControl::chosen, this, &DifferenceView::choose);
    connect(m_previous, &QToolButton::clicked, this, [this] { next(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { next(true); });
    connect(m_take, &QToolButton::clicked, this, &DifferenceView::requestAdoption);
    connect(m_close, &QToolButton::clicked, this, &DifferenceView::closeRequested);
    across->addWidget(m_switch);
    across->addStretch(1);
    across->addWidget(m_close);
    column->addLayout(across);
    // A line of their own: beside the switch a narrow script would cut its words.
    auto* walk = new QHBoxLayout;
    walk->setSpacing(3);
    walk->addWidget(m_count, 1);
    for (auto* button : {m_previous, m_next, m_take})
        walk->addWidget(button);
    column->addLayout(walk);
    m_caption = makeLabel({}, "caption", head);
    m_caption->setWordWrap(true);
    column->addWidget(m_caption);
    return head;
}

void DifferenceView::setShownOnly()
{
    m_shownOnly = true;
    m_switch->hide();
    m_take->hide();
    m_close->hide();
}

void DifferenceView::setFirstTitle(const QString& title)
{
    if (auto* first = m_switch->findChild<QAbstractButton*>())
        first->setText(title);
}

void DifferenceView::setScripts(const QString& shown, const QList<ComparedScript>& others)
{
    if (shown == m_shown && others == m_others)
        return;
    m_shown = shown;
    m_others = others;
    rebuild();
}

void DifferenceView::choose(int index)
{
    m_chosen = index;
    m_current.reset();
    m_switch->setCurrent(index);
    rebuild();
    if (!m_hunks.isEmpty())
        next(true);
}

void DifferenceView::rebuild()
{
    const ComparedScript other = m_others.value(m_chosen);
    const bool there = other.missing.isEmpty() && m_chosen < m_others.size();
    m_hunks = there ? lineDifference(linesOfText(other.text), linesOfText(m_shown)) : QList<LineHunk>();
    if (m_hunks.isEmpty())
        m_current.reset();
    else if (m_current)
        m_current = qMin(*m_current, differences() - 1);
    m_caption->setText(there ? other.caption : other.missing);
    m_caption->setVisible(!m_caption->text().isEmpty());
    fillPanes();
    showCurrent();
}

void DifferenceView::fillPanes()
{
    const bool there = m_others.value(m_chosen).missing.isEmpty();
    const QStringList to = linesOfText(m_shown);
    const QStringList from = there ? linesOfText(m_others.value(m_chosen).text) : to;
    ShownDifference layout = m_sideBySide ? sideBySide(from, to, m_hunks) : oneColumn(from, to, m_hunks);
    m_rowHunks = layout.hunks;
    for (qsizetype row = 0; row < m_rowHunks.size(); ++row)
        layout.right[row].offersOther
            = !m_shownOnly && m_rowHunks.at(row) && m_rowHunks.value(row - 1) != m_rowHunks.at(row);
    m_left->setVisible(m_sideBySide && there);
    // Side by side each row is as high as the one beside it.
    m_right->setLongLines(m_sideBySide ? DifferencePane::LongLines::Scrolled : DifferencePane::LongLines::Wrapped);
    m_left->setLines(m_sideBySide ? layout.left : QList<PaneLine>());
    m_right->setLines(layout.right);
    const int widest = std::max(m_left->widestLine(), m_right->widestLine());
    m_left->setScrolledWidth(widest);
    m_right->setScrolledWidth(widest);
}

void DifferenceView::showCurrent()
{
    const bool there = m_others.value(m_chosen).missing.isEmpty();
    const int count = differences();
    m_count->setText(!there ? tr("nothing to compare with")
            : count == 0    ? tr("no difference")
            : m_current     ? tr("difference %1 of %2").arg(*m_current + 1).arg(count)
                            : counted(count, tr("difference")));
    m_previous->setEnabled(count > 0);
    m_next->setEnabled(count > 0);
    m_take->setEnabled(m_current.has_value());
    int first = 0;
    int last = 0;
    if (m_current) {
        first = int(m_rowHunks.indexOf(m_current));
        last = int(m_rowHunks.lastIndexOf(m_current)) + 1;
    }
    m_left->frame(first, last);
    m_right->frame(first, last);
}

void DifferenceView::next(bool forward)
{
    const int count = differences();
    if (count == 0)
        return;
    m_current = m_current ? (*m_current + (forward ? 1 : count - 1)) % count : (forward ? 0 : count - 1);
    showCurrent();
}

void DifferenceView::requestAdoption()
{
    if (m_shownOnly || !m_current || *m_current >= differences())
        return;
    const LineHunk hunk = m_hunks.at(*m_current);
    const QStringList other = linesOfText(m_others.value(m_chosen).text);
    emit adoptRequested(int(hunk.to), int(hunk.toEnd - hunk.to), other.mid(hunk.from, hunk.fromEnd - hunk.from));
}

void DifferenceView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool wide = width() >= sideBySideFrom;
    if (wide == m_sideBySide)
        return;
    m_sideBySide = wide;
    fillPanes();
    showCurrent();
}

void DifferenceView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F7)
        next(!(event->modifiers() & Qt::ShiftModifier));
    else if (event->key() == Qt::Key_Escape && !m_shownOnly)
        emit closeRequested();
    else if (event->key() == Qt::Key_Backspace && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier))
        requestAdoption();
    else
        QWidget::keyPressEvent(event);
}

} // namespace rankwright
