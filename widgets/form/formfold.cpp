// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/formfold.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr int mostNamed = 4;

/// "a, b, c, d and 3 more"
QString listed(const QStringList& texts)
{
    if (texts.size() <= mostNamed)
        return texts.join(u", "_s);
    return FormFold::tr("%1 and %2 more").arg(texts.mid(0, mostNamed).join(u", "_s)).arg(texts.size() - mostNamed);
}
} // namespace

FormFold::FormFold(const QString& title, QWidget* parent) : QWidget(parent), m_title(title)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    m_head = new QPushButton(this);
    m_head->setProperty("fold", true);
    m_head->setFocusPolicy(Qt::StrongFocus);
    m_head->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_head->setIconSize(QSize(12, 12));
    column->addWidget(m_head);
    m_note = makeLabel({}, "caption", this);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(16, 0, 0, 2);
    m_note->setTextFormat(Qt::PlainText);
    column->addWidget(m_note);
    m_trouble = makeLabel({}, "fault", this);
    m_trouble->setWordWrap(true);
    m_trouble->setContentsMargins(16, 0, 0, 2);
    m_trouble->setTextFormat(Qt::PlainText);
    column->addWidget(m_trouble);
    m_body = new QWidget(this);
    m_grid = new QGridLayout(m_body);
    m_grid->setContentsMargins(0, 2, 0, 6);
    column->addWidget(m_body);
    connect(m_head, &QPushButton::clicked, this, [this] {
        setOpen(!m_open);
        emit toggled(m_open);
    });
    refresh();
}

void FormFold::setOpen(bool open)
{
    if (open == m_open)
        return;
    m_open = open;
    refresh();
}

void FormFold::setForced(Forced forced)
{
    if (forced == m_forced)
        return;
    m_forced = forced;
    refresh();
}

void FormFold::setContents(int fields, const QStringList& set, const QStringList& troubles)
{
    if (fields == m_fields && set == m_set && troubles == m_troubles && !m_head->text().isEmpty())
        return;
    m_fields = fields;
    m_set = set;
    m_troubles = troubles;
    refresh();
}

void FormFold::refresh()
{
    const bool open = m_forced == Forced::Open || (m_forced == Forced::No && m_open);
    setVisible(m_forced != Forced::Away);
    // The focus goes to the head, not out of the form, when what holds it is folded away.
    if (!open && m_body->isAncestorOf(m_body->focusWidget()) && m_body->focusWidget()->hasFocus())
        m_head->setFocus(Qt::OtherFocusReason);
    m_body->setVisible(open);
    QStringList words{m_title, tr("%1 more %2").arg(m_fields).arg(nounFor(m_fields, tr("field")))};
    if (!m_set.isEmpty())
        words.append(tr("%1 set").arg(m_set.size()));
    m_head->setText(words.join(u" · "_s));
    m_head->setIcon(lineIcon(open ? u"fold-open"_s : u"fold-closed"_s));
    m_note->setText(listed(m_set));
    m_note->setVisible(!open && !m_set.isEmpty());
    m_trouble->setText(u"\u25b2 "_s + tr("Look at %1").arg(listed(m_troubles)));
    m_trouble->setVisible(!open && !m_troubles.isEmpty());
    m_head->setAccessibleName(words.join(u", "_s) + (open ? tr(", unfolded") : tr(", folded")));
    QStringList reported;
    if (!m_set.isEmpty())
        reported.append(tr("Set: %1.").arg(m_set.join(u", "_s)));
    if (!m_troubles.isEmpty())
        reported.append(tr("With a finding: %1.").arg(m_troubles.join(u", "_s)));
    m_head->setAccessibleDescription(reported.join(u' '));
    m_head->setToolTip(richToolTip(reported.join(u'\n')));
}

void FormFold::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace rankwright
