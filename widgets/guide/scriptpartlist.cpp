// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/scriptpartlist.h"

#include "widgets/base/card.h"
#include "widgets/guide/guidewords.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

ScriptPartList::ScriptPartList(QWidget* parent) : QWidget(parent), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
}

void ScriptPartList::setParts(const QList<GuideScriptPart>& parts)
{
    if (parts == m_parts && m_body)
        return;
    m_parts = parts;
    if (m_body) {
        m_body->hide();
        m_body->deleteLater();
    }
    m_buttons.clear();
    m_body = new QWidget(this);
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    for (int i = 0; i < parts.size(); ++i) {
        const GuideScriptPart& part = parts.at(i);
        auto* button = new QPushButton(u"%1  %2"_s.arg(i + 1).arg(part.title), m_body);
        button->setProperty("link", true);
        button->setCheckable(true);
        button->setAccessibleDescription(part.text);
        auto* text = new QLabel(withTermLinks(part.text), m_body);
        text->setTextFormat(Qt::RichText);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::LinksAccessibleByMouse);
        text->setContentsMargins(4, 0, 0, 8);
        connect(text, &QLabel::linkActivated, this, [this, text](const QString& link) {
            if (const QString term = termOfLink(link); !term.isEmpty())
                emit termRequested(term, text);
        });
        connect(button, &QPushButton::clicked, this, [this, i] { choosePart(i); });
        column->addWidget(button, 0, Qt::AlignLeft);
        column->addWidget(text);
        m_buttons.append(button);
    }
    m_column->addWidget(m_body);
    m_body->show();
    choosePart(qBound(0, m_current, qMax(0, int(parts.size()) - 1)));
}

void ScriptPartList::choosePart(int part)
{
    m_current = part;
    for (int i = 0; i < m_buttons.size(); ++i) {
        QFont font = m_buttons.at(i)->font();
        font.setWeight(i == part ? QFont::DemiBold : QFont::Normal);
        m_buttons.at(i)->setFont(font);
        m_buttons.at(i)->setText((i == part ? u"▸ %1  %2"_s : u"%1  %2"_s).arg(i + 1).arg(m_parts.at(i).title));
        m_buttons.at(i)->setChecked(i == part);
    }
    emit currentChanged(part);
}

} // namespace rankwright
