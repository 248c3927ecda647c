// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/joblogview.h"

#include "widgets/card.h"
#include "widgets/icons.h"
#include "widgets/logpane.h"
#include "widgets/theme.h"

#include <QAction>
#include <QBoxLayout>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QShortcut>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

JobLogView::JobLogView(QWidget* parent) : QWidget(parent), m_pane(new LogPane(maxLines, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pane);
    setFocusProxy(m_pane);
    setMinimumSize(220, 110);
    buildControls();
    connect(m_pane->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_moving)
            m_follow->setChecked(value >= m_pane->verticalScrollBar()->maximum());
    });
    // The colours of lines already written belong to the old theme.
    connect(&themeOf(this), &Theme::changed, this, [this] { rebuild(); });
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_find, [this] { m_find->setFocus(); });
}

void JobLogView::buildControls()
{
    m_controls = new QWidget(this);
    auto* row = new QHBoxLayout(m_controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_find = new QLineEdit(m_controls);
    m_find->setPlaceholderText(tr("Find"));
    m_find->setClearButtonEnabled(true);
    m_find->setAccessibleName(tr("Find in the output"));
    m_find->setToolTip(tr("Enter: next place, Shift+Enter: the one before"));
    m_find->setMinimumWidth(70);
    m_find->setMaximumWidth(150);
    m_filter = new QComboBox(m_controls);
    m_filter->addItem(tr("all ranks"));
    m_filter->setAccessibleName(tr("Lines of which rank"));
    m_filter->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_follow = new QToolButton(m_controls);
    m_follow->setText(tr("Follow"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_follow->setToolTip(tr("Stay at the newest line. Scrolling up stops it."));
    for (QWidget* control :
        {static_cast<QWidget*>(m_find), static_cast<QWidget*>(m_filter), static_cast<QWidget*>(m_follow)})
        row->addWidget(control);
    connect(m_find, &QLineEdit::textEdited, this, [this] { search(false); });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { search(false); });
    auto* backward = new QAction(m_find);
    backward->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_Return));
    backward->setShortcutContext(Qt::WidgetShortcut);
    m_find->addAction(backward);
    connect(backward, &QAction::triggered, this, [this] { search(true); });
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] { rebuild(); });
    connect(m_follow, &QToolButton::toggled, this, [this](bool on) {
        if (on)
            scrollToEnd();
    });
}

void JobLogView::clear()
{
    m_lines.clear();
    m_ranks.clear();
    m_filter->setCurrentIndex(0);
    while (m_filter->count() > 1)
        m_filter->removeItem(1);
    m_follow->setChecked(true);
    rebuild();
}

void JobLogView::append(const QList<LogLine>& lines)
{
    QList<LogLine> shown;
    for (const LogLine& line : lines) {
        keep(line);
        if (passes(line))
            shown.append(line);
    }
    if (shown.isEmpty())
        return;
    const int place = m_pane->verticalScrollBar()->value();
    m_moving = true;
    m_pane->append(shown);
    m_moving = false;
    if (m_follow->isChecked())
        scrollToEnd();
    else
        m_pane->verticalScrollBar()->setValue(place);
}

void JobLogView::keep(const LogLine& line)
{
    const bool renews
        = line.isProgress && !m_lines.isEmpty() && m_lines.last().isProgress && m_lines.last().rank == line.rank;
    if (renews)
        m_lines.last() = line;
    else
        m_lines.append(line);
    if (m_lines.size() > maxLines)
        m_lines.remove(0, m_lines.size() - maxLines);
    if (!line.rank || m_ranks.contains(*line.rank))
        return;
    const auto place = m_ranks.insert(*line.rank).first;
    m_filter->insertItem(1 + int(std::distance(m_ranks.begin(), place)), tr("rank %1").arg(*line.rank), *line.rank);
}

std::optional<int> JobLogView::rankFilter() const
{
    const QVariant rank = m_filter->currentData();
    return rank.isValid() ? std::optional(rank.toInt()) : std::nullopt;
}

void JobLogView::setRankFilter(std::optional<int> rank)
{
    m_filter->setCurrentIndex(rank ? qMax(0, m_filter->findData(*rank)) : 0);
}

bool JobLogView::isFollowing() const { return m_follow->isChecked(); }

QList<QWidget*> JobLogView::tabStops() const { return {m_find, m_filter, m_follow, m_pane}; }

QString JobLogView::shownText() const { return m_pane->toPlainText(); }

bool JobLogView::passes(const LogLine& line) const
{
    const std::optional<int> wanted = rankFilter();
    return !wanted || !line.rank || line.rank == wanted;
}

void JobLogView::rebuild()
{
    QList<LogLine> shown;
    for (const LogLine& line : std::as_const(m_lines)) {
        if (passes(line))
            shown.append(line);
    }
    m_moving = true;
    m_pane->setLines(shown);
    m_moving = false;
    if (m_follow->isChecked())
        scrollToEnd();
}

void JobLogView::scrollToEnd()
{
    m_moving = true;
    m_pane->verticalScrollBar()->setValue(m_pane->verticalScrollBar()->maximum());
    m_moving = false;
}

void JobLogView::search(bool backward)
{
    const bool found = m_pane->findNext(m_find->text(), backward);
    setStyleProperty(m_find, "invalid", !found);
    m_find->setToolTip(found ? tr("Enter: next place, Shift+Enter: the one before") : tr("Not in the lines shown"));
}

} // namespace rankwright
