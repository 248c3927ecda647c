// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scriptpanel.h"

#include "models/core/units.h"
#include "widgets/card.h"
#include "widgets/icons.h"
#include "widgets/scripteditor.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QToolButton* iconButton(const QString& icon, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(lineIcon(icon));
    button->setIconSize(QSize(16, 16));
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

ScriptPanel::ScriptPanel(QWidget* parent) : QWidget(parent)
{
    setProperty("strip", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_editor = new ScriptEditor(this);
    column->addWidget(buildHead());
    column->addWidget(buildSearch());
    column->addWidget(m_editor, 1);
    connect(m_editor, &ScriptEditor::findRequested, this, &ScriptPanel::openSearch);
}

QWidget* ScriptPanel::buildHead()
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(14, 9, 8, 5);
    row->setSpacing(6);
    m_title = makeLabel(tr("Batch script"), "title", head);
    m_caption = makeLabel({}, "caption", head);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* find = iconButton(u"search"_s, tr("Search in the script (Ctrl+F)"), head);
    auto* copy = iconButton(u"copy"_s, tr("Copy the whole script"), head);
    connect(find, &QToolButton::clicked, this, &ScriptPanel::openSearch);
    connect(copy, &QToolButton::clicked, this, &ScriptPanel::copyAll);
    row->addWidget(m_title);
    row->addWidget(m_caption, 1);
    row->addWidget(find);
    row->addWidget(copy);
    return head;
}

QWidget* ScriptPanel::buildSearch()
{
    m_strip = new QWidget(this);
    auto* row = new QHBoxLayout(m_strip);
    row->setContentsMargins(12, 0, 8, 6);
    row->setSpacing(4);
    m_wanted = new QLineEdit(m_strip);
    m_wanted->setAccessibleName(tr("Search in the script"));
    m_wanted->setPlaceholderText(tr("Search"));
    m_outcome = makeLabel({}, "caption", m_strip);
    auto* previous = iconButton(u"previous"_s, tr("Previous"), m_strip);
    auto* next = iconButton(u"next"_s, tr("Next"), m_strip);
    auto* close = iconButton(u"close"_s, tr("Close the search"), m_strip);
    connect(m_wanted, &QLineEdit::textChanged, this, [this] { search(true); });
    connect(m_wanted, &QLineEdit::returnPressed, this, [this] { search(true); });
    connect(previous, &QToolButton::clicked, this, [this] { search(false); });
    connect(next, &QToolButton::clicked, this, [this] { search(true); });
    connect(close, &QToolButton::clicked, m_strip, &QWidget::hide);
    m_wanted->installEventFilter(this);
    row->addWidget(m_wanted, 1);
    row->addWidget(m_outcome);
    row->addWidget(previous);
    row->addWidget(next);
    row->addWidget(close);
    m_strip->hide();
    auto* shortcut = new QShortcut(QKeySequence::Find, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, &ScriptPanel::openSearch);
    return m_strip;
}

void ScriptPanel::setDocumentShown(const ScriptDocument& document, const QString& jobName)
{
    m_editor->setDocumentShown(document);
    m_caption->setText(tr("%1 · %2 lines").arg(jobName, humanNumber(double(document.lines.size()))));
}

void ScriptPanel::openSearch()
{
    m_strip->show();
    m_wanted->setFocus(Qt::ShortcutFocusReason);
    m_wanted->selectAll();
}

void ScriptPanel::search(bool forward)
{
    const bool found = m_editor->find(m_wanted->text(), forward);
    setStyleProperty(m_wanted, "invalid", !found);
    m_outcome->setText(found ? QString() : tr("not found"));
}

void ScriptPanel::copyAll() { QGuiApplication::clipboard()->setText(m_editor->documentShown().text()); }

bool ScriptPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_wanted && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        m_strip->hide();
        m_editor->setFocus();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankwright
