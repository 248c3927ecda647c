// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scriptpanel.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/script/findbar.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptstatus.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

ScriptPanel::ScriptPanel(QWidget* parent) : QWidget(parent)
{
    setProperty("strip", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_editor = new ScriptEditor(this);
    column->addWidget(buildHead());
    m_stack = new QStackedWidget(this);
    auto* writing = new QWidget(m_stack);
    auto* inner = new QVBoxLayout(writing);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    m_find = new FindBar(*m_editor, writing);
    m_footer = new ScriptStatus(*m_editor, writing);
    inner->addWidget(m_find);
    inner->addWidget(m_editor, 1);
    inner->addWidget(makeLine(Qt::Horizontal, writing));
    inner->addWidget(m_footer);
    m_difference = new DifferenceView(m_stack);
    m_stack->addWidget(writing);
    m_stack->addWidget(m_difference);
    column->addWidget(m_stack, 1);
    connect(m_editor, &ScriptEditor::findRequested, this, &ScriptPanel::openSearch);
    connect(m_editor, &ScriptEditor::findNextRequested, m_find, &FindBar::next);
    connect(m_difference, &DifferenceView::closeRequested, this, [this] { setComparing(false); });
    connect(m_difference, &DifferenceView::adoptRequested, this, &ScriptPanel::adoptRequested);
    const auto add = [this](const QKeySequence& keys, const std::function<void()>& what) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, what);
    };
    add(QKeySequence::Find, [this] { openSearch(); });
}

QWidget* ScriptPanel::buildHead()
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(14, 9, 8, 5);
    row->setSpacing(4);
    m_title = makeLabel(tr("Batch script"), "title", head);
    m_caption = makeElidedLabel("caption", head);
    m_compare = iconButton(u"compare"_s, tr("Compare with the generated or the last submitted script (F9)"), head);
    m_compare->setCheckable(true);
    auto* find = iconButton(u"search"_s, tr("Search in the script (Ctrl+F)"), head);
    auto* copy = iconButton(u"copy"_s, tr("Copy the whole script"), head);
    m_rewrite = iconButton(u"design"_s, tr("Rewrite as a Rankwright design …"), head);
    m_rewrite->setObjectName(u"rewriteScript"_s);
    m_rewrite->hide();
    connect(m_rewrite, &QToolButton::clicked, this, &ScriptPanel::rewriteRequested);
    connect(m_compare, &QToolButton::clicked, this, &ScriptPanel::setComparing);
    connect(find, &QToolButton::clicked, this, [this] { openSearch(); });
    connect(copy, &QToolButton::clicked, this, &ScriptPanel::copyAll);
    row->addWidget(m_title);
    row->addWidget(m_caption, 1);
    row->addWidget(m_rewrite);
    row->addWidget(m_compare);
    row->addWidget(find);
    row->addWidget(copy);
    m_fold = iconButton(u"chevron-right"_s, tr("Move the script into a tab, to use its room"), head);
    m_fold->setObjectName(u"foldScript"_s);
    connect(m_fold, &QToolButton::clicked, this, &ScriptPanel::foldRequested);
    row->addWidget(m_fold);
    return head;
}

void ScriptPanel::setDocumentShown(const ScriptDocument& document, const QString& jobName)
{
    m_editor->setDocumentShown(document);
    const auto yours = std::count_if(document.lines.cbegin(), document.lines.cend(), isYours);
    QString caption = jobName + u" · "_s + counted(document.lines.size(), tr("line"));
    if (yours > 0)
        caption += tr(" · %1 yours").arg(humanNumber(double(yours)));
    m_caption->setText(caption);
    m_caption->setToolTip(caption);
    refreshDifference();
}

void ScriptPanel::focusFold() { m_fold->setFocus(Qt::OtherFocusReason); }

void ScriptPanel::setAuthored(bool authored)
{
    m_rewrite->setVisible(authored);
    m_difference->setFirstTitle(authored ? tr("Saved file") : tr("Generated"));
}

void ScriptPanel::setCanFold(bool can) { m_fold->setVisible(can); }

void ScriptPanel::setCompared(const QList<ComparedScript>& others)
{
    m_others = others;
    refreshDifference();
}

void ScriptPanel::refreshDifference()
{
    // Comparing costs too much for a keystroke while it is hidden.
    if (isComparing())
        m_difference->setScripts(m_editor->documentShown().text(), m_others);
}

void ScriptPanel::openSearch(bool replace)
{
    setComparing(false);
    m_find->open(replace);
}

bool ScriptPanel::isComparing() const { return m_stack->currentWidget() == m_difference; }

void ScriptPanel::setComparing(bool comparing)
{
    m_compare->setChecked(comparing);
    if (comparing == isComparing())
        return;
    if (comparing)
        emit comparisonWanted();
    m_stack->setCurrentIndex(comparing ? 1 : 0);
    refreshDifference();
    if (comparing) {
        m_difference->choose(m_difference->chosen());
        m_difference->setFocus(Qt::OtherFocusReason);
    } else {
        m_editor->setFocus(Qt::OtherFocusReason);
    }
}

void ScriptPanel::copyAll() { QGuiApplication::clipboard()->setText(m_editor->documentShown().text()); }

} // namespace rankwright
