// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/joblogcontrols.h"

#include "widgets/base/card.h"
#include "widgets/log/logchoice.h"

#include <QAction>
#include <QBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

JobLogControls::JobLogControls(QWidget* parent) : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    m_find = new QLineEdit(this);
    m_find->setPlaceholderText(tr("Find"));
    m_find->setClearButtonEnabled(true);
    m_find->setAccessibleName(tr("Find in the output"));
    m_find->setMinimumWidth(100); // eight letters and the button that clears them
    m_find->setMaximumWidth(150);
    m_choice = new LogChoice(this);
    m_choice->setAccessibleName(tr("Lines of which rank or file"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(5);
    m_errors = addToggle(tr("Errors"), tr("Only lines that look like errors"));
    m_split = addToggle(tr("Split"), tr("Two ranks or files side by side"));
    m_follow = addToggle(tr("Follow"), tr("Stay at the newest line. Scrolling up stops it."));
    m_follow->setChecked(true);
    addMenu();
    for (QWidget* control : tabStops())
        row->addWidget(control);
    wireFind();
    showFound(true);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &JobLogControls::filterChanged);
    connect(m_errors, &QToolButton::toggled, this, &JobLogControls::filterChanged);
    connect(m_split, &QToolButton::toggled, this, &JobLogControls::splitToggled);
    connect(m_follow, &QToolButton::clicked, this, [this](bool on) {
        if (on)
            emit followRequested();
    });
}

QToolButton* JobLogControls::addToggle(const QString& text, const QString& tip)
{
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(tip);
    button->setCheckable(true);
    return button;
}

void JobLogControls::wireFind()
{
    const auto next = [this] { emit findRequested(m_find->text(), {}); };
    connect(m_find, &QLineEdit::textEdited, this, next);
    connect(m_find, &QLineEdit::returnPressed, this, next);
    const auto onKey = [this](const QKeySequence& keys, auto slot) {
        auto* action = new QAction(m_find);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_find->addAction(action);
        connect(action, &QAction::triggered, this, slot);
    };
    onKey(QKeySequence(Qt::SHIFT | Qt::Key_Return),
        [this] { emit findRequested(m_find->text(), QTextDocument::FindBackward); });
    onKey(QKeySequence(Qt::CTRL | Qt::Key_Return), [this] { searchFile(); });
}

void JobLogControls::addMenu()
{
    m_more = new QToolButton(this);
    m_more->setText(u"⋯"_s);
    m_more->setToolTip(tr("Search the whole file, line numbers, progress pattern"));
    m_more->setAccessibleName(tr("More about the output"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_more);
    connect(menu->addAction(tr("Search the whole file on the cluster")), &QAction::triggered, this,
        &JobLogControls::searchFile);
    m_expression = menu->addAction(tr("Search as a regular expression"));
    m_expression->setCheckable(true);
    m_exact = menu->addAction(tr("Match case"));
    m_exact->setCheckable(true);
    menu->addSeparator();
    m_numbers = menu->addAction(tr("Line numbers"));
    m_numbers->setCheckable(true);
    connect(m_numbers, &QAction::triggered, this, &JobLogControls::lineNumbersToggled);
    connect(menu->addAction(tr("Progress pattern…")), &QAction::triggered, this, &JobLogControls::patternWanted);
    m_more->setMenu(menu);
}

bool JobLogControls::isErrorsOnly() const { return m_errors->isChecked(); }

void JobLogControls::setErrorsOnly(bool on) { m_errors->setChecked(on); }

bool JobLogControls::isSplit() const { return m_split->isChecked(); }

void JobLogControls::setSplit(bool on) { m_split->setChecked(on); }

bool JobLogControls::isFollowing() const { return m_follow->isChecked(); }

void JobLogControls::setFollowing(bool on) { m_follow->setChecked(on); }

void JobLogControls::setLineNumbers(bool on) { m_numbers->setChecked(on); }

void JobLogControls::focusFind() { m_find->setFocus(); }

void JobLogControls::showFound(bool found)
{
    setStyleProperty(m_find, "invalid", !found);
    m_find->setToolTip(found ? tr("Enter: next match, Shift+Enter: the one before, Ctrl+Enter: the whole file")
                             : tr("Not in the lines shown; Ctrl+Enter searches the whole file on the cluster"));
}

QList<QWidget*> JobLogControls::tabStops() const { return {m_find, m_choice, m_errors, m_split, m_more, m_follow}; }

void JobLogControls::searchFile()
{
    if (m_find->text().isEmpty()) {
        m_find->setFocus();
        return;
    }
    emit fileSearchRequested({m_find->text(), m_expression->isChecked(), m_exact->isChecked()});
}

} // namespace rankwright
