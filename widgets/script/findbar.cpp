// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/findbar.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptsearch.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

FindBar::FindBar(ScriptEditor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 0, 8, 6);
    column->setSpacing(4);
    column->addWidget(buildSearch());
    m_replaceRow = buildReplace();
    column->addWidget(m_replaceRow);
    m_wanted->installEventFilter(this);
    m_with->installEventFilter(this);
    // The count follows what is typed or changed in the script.
    connect(&m_editor, &QsciScintilla::textChanged, this, [this] {
        if (isVisible())
            QMetaObject::invokeMethod(this, &FindBar::showHits, Qt::QueuedConnection);
    });
    hide();
}

QWidget* FindBar::buildSearch()
{
    auto* row = new QWidget(this);
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(3);
    m_wanted = new QLineEdit(row);
    m_wanted->setAccessibleName(tr("Search in the script"));
    m_wanted->setPlaceholderText(tr("Search"));
    m_outcome = makeLabel({}, "caption", row);
    m_case = iconButton({}, tr("Match case"), row);
    m_case->setText(u"Aa"_s);
    m_case->setCheckable(true);
    auto* previous = iconButton(u"previous"_s, tr("Previous (Shift+F3)"), row);
    auto* following = iconButton(u"next"_s, tr("Next (F3)"), row);
    auto* shut = iconButton(u"close"_s, tr("Close the search (Esc)"), row);
    connect(m_wanted, &QLineEdit::textChanged, this, [this] {
        // From the hit's own beginning, so that it grows with what is typed.
        int line = 0;
        int from = 0;
        int lineTo = 0;
        int to = 0;
        m_editor.getSelection(&line, &from, &lineTo, &to);
        if (line >= 0)
            m_editor.setCursorPosition(line, from);
        next(true);
    });
    connect(m_case, &QToolButton::toggled, this, [this] { next(true); });
    connect(previous, &QToolButton::clicked, this, [this] { next(false); });
    connect(following, &QToolButton::clicked, this, [this] { next(true); });
    connect(shut, &QToolButton::clicked, this, &FindBar::close);
    across->addWidget(m_wanted, 1);
    across->addWidget(m_outcome);
    across->addWidget(m_case);
    across->addWidget(previous);
    across->addWidget(following);
    across->addWidget(shut);
    return row;
}

QWidget* FindBar::buildReplace()
{
    auto* row = new QWidget(this);
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(4);
    m_with = new QLineEdit(row);
    m_with->setAccessibleName(tr("Replace with"));
    m_with->setPlaceholderText(tr("Replace with"));
    auto* one = new QPushButton(tr("Replace"), row);
    auto* all = new QPushButton(tr("All"), row);
    all->setAccessibleName(tr("Replace all"));
    connect(one, &QPushButton::clicked, this, &FindBar::replaceOne);
    connect(all, &QPushButton::clicked, this, &FindBar::replaceAll);
    across->addWidget(m_with, 1);
    across->addWidget(one);
    across->addWidget(all);
    return row;
}

Qt::CaseSensitivity FindBar::sensitivity() const
{
    return m_case->isChecked() ? Qt::CaseSensitive : Qt::CaseInsensitive;
}

void FindBar::open(bool replace)
{
    const QString chosen = m_editor.selectedText();
    if (!chosen.isEmpty() && !chosen.contains(u'\n')) {
        const QSignalBlocker quiet(m_wanted);
        m_wanted->setText(chosen);
    }
    show();
    m_replaceRow->setVisible(replace);
    m_wanted->setFocus(Qt::ShortcutFocusReason);
    m_wanted->selectAll();
    showHits();
}

void FindBar::close()
{
    hide();
    m_editor.search().markHits({}, Qt::CaseInsensitive);
    m_editor.setFocus(Qt::OtherFocusReason);
}

void FindBar::next(bool forward)
{
    const bool found = m_editor.search().find(m_wanted->text(),
        forward ? ScriptSearch::Direction::Forward : ScriptSearch::Direction::Backward, sensitivity());
    setStyleProperty(m_wanted, "invalid", !found);
    showHits();
}

void FindBar::showHits()
{
    const int hits = m_editor.search().markHits(isVisible() ? m_wanted->text() : QString(), sensitivity());
    m_outcome->setText(m_wanted->text().isEmpty() ? QString() : hits == 0 ? tr("not found") : counted(hits, tr("hit")));
    setStyleProperty(m_wanted, "invalid", hits == 0 && !m_wanted->text().isEmpty());
}

void FindBar::replaceOne()
{
    m_editor.search().replaceHit(m_wanted->text(), m_with->text(), sensitivity());
    showHits();
}

void FindBar::replaceAll()
{
    const int count = m_editor.search().replaceAll(m_wanted->text(), m_with->text(), sensitivity());
    showHits();
    m_outcome->setText(tr("%1 replaced").arg(humanNumber(count)));
}

bool FindBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (key->key() == Qt::Key_Escape)
            close();
        else if (isReturn && watched == m_with)
            replaceOne();
        else if (isReturn || key->key() == Qt::Key_F3)
            next(!(key->modifiers() & Qt::ShiftModifier));
        else
            return QWidget::eventFilter(watched, event);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankwright
