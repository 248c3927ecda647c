// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/card.h"
#include "widgets/log/diagnosisstrip.h"
#include "widgets/log/joblogview.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logsearchpanel.h"

#include <QAction>
#include <QBoxLayout>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

// What JobLogView is built of; what its parts do stands in joblogview.cpp.

void JobLogView::buildPanes()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_cause = new DiagnosisStrip(this);
    m_panes = new QSplitter(Qt::Horizontal, this);
    m_panes->setChildrenCollapsible(false);
    m_pane = new LogPane(maxLines, m_panes);
    m_secondSide = new QWidget(m_panes);
    auto* side = new QVBoxLayout(m_secondSide);
    side->setContentsMargins(6, 0, 0, 0);
    side->setSpacing(4);
    m_second = new QComboBox(m_secondSide);
    m_second->setAccessibleName(tr("Lines of which rank or file, at the right"));
    m_secondPane = new LogPane(maxLines, m_secondSide);
    m_secondPane->setAccessibleName(tr("Output of the job, at the right"));
    side->addWidget(m_second);
    side->addWidget(m_secondPane, 1);
    m_secondSide->hide();
    m_hits = new LogSearchPanel(this);
    column->addWidget(m_cause);
    column->addWidget(m_panes, 3);
    column->addWidget(m_hits, 2);
}

QToolButton* JobLogView::addToggle(const QString& text, const QString& tip)
{
    auto* button = new QToolButton(m_controls);
    button->setText(text);
    button->setToolTip(tip);
    button->setCheckable(true);
    return button;
}

void JobLogView::buildControls()
{
    m_controls = new QWidget(this);
    auto* row = new QHBoxLayout(m_controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    m_find = new QLineEdit(m_controls);
    m_find->setPlaceholderText(tr("Find"));
    m_find->setClearButtonEnabled(true);
    m_find->setAccessibleName(tr("Find in the output"));
    m_find->setToolTip(tr("Enter: next place, Shift+Enter: the one before, Ctrl+Enter: the whole file"));
    m_find->setMinimumWidth(60);
    m_find->setMaximumWidth(150);
    m_filter = new QComboBox(m_controls);
    m_filter->setAccessibleName(tr("Lines of which rank or file"));
    m_filter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_filter->setMinimumContentsLength(8);
    m_errors = addToggle(tr("Errors"), tr("Only lines that look like errors"));
    m_split = addToggle(tr("Split"), tr("Two ranks or files side by side"));
    m_follow = addToggle(tr("Follow"), tr("Stay at the newest line. Scrolling up stops it."));
    m_follow->setChecked(true);
    addMenu();
    for (QWidget* control : std::initializer_list<QWidget*>{m_find, m_filter, m_errors, m_split, m_more, m_follow})
        row->addWidget(control);
    connect(m_find, &QLineEdit::textEdited, this, [this] { search(false); });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { search(false); });
    const auto onKey = [this](const QKeySequence& keys, auto slot) {
        auto* action = new QAction(m_find);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_find->addAction(action);
        connect(action, &QAction::triggered, this, slot);
    };
    onKey(QKeySequence(Qt::SHIFT | Qt::Key_Return), [this] { search(true); });
    onKey(QKeySequence(Qt::CTRL | Qt::Key_Return), [this] { searchAll(); });
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] { rebuild(); });
    connect(m_second, &QComboBox::currentIndexChanged, this, [this] { rebuild(); });
    connect(m_errors, &QToolButton::toggled, this, [this] { rebuild(); });
    connect(m_split, &QToolButton::toggled, this, [this](bool on) {
        m_secondSide->setVisible(on);
        if (on && m_second->currentIndex() == m_filter->currentIndex() && m_second->count() > 2)
            m_second->setCurrentIndex(m_filter->currentIndex() < 2 ? 2 : 1);
        rebuild();
    });
    connect(m_follow, &QToolButton::clicked, this, [this](bool on) {
        if (!on)
            return;
        if (m_detached)
            emit latestWanted(onlyFile().value_or(m_lines.isEmpty() ? 0 : m_lines.last().file));
        scrollToEnd();
    });
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_find, [this] { m_find->setFocus(); });
}

void JobLogView::addMenu()
{
    m_more = new QToolButton(m_controls);
    m_more->setText(u"⋯"_s);
    m_more->setToolTip(tr("Search the whole file, line numbers, progress pattern"));
    m_more->setAccessibleName(tr("More about the output"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_more);
    connect(menu->addAction(tr("Search the whole file on the cluster")), &QAction::triggered, this,
        [this] { searchAll(); });
    QAction* expression = menu->addAction(tr("Search as a regular expression"));
    expression->setCheckable(true);
    connect(expression, &QAction::toggled, this, [this](bool on) { m_isExpression = on; });
    QAction* exact = menu->addAction(tr("Search upper and lower case apart"));
    exact->setCheckable(true);
    connect(exact, &QAction::toggled, this, [this](bool on) { m_caseSensitive = on; });
    menu->addSeparator();
    m_numbers = menu->addAction(tr("Line numbers"));
    m_numbers->setCheckable(true);
    connect(m_numbers, &QAction::triggered, this, [this](bool on) {
        setLineNumbers(on);
        emit lineNumbersToggled(on);
    });
    connect(menu->addAction(tr("Progress pattern…")), &QAction::triggered, this, &JobLogView::patternWanted);
    m_more->setMenu(menu);
}

} // namespace rankwright
