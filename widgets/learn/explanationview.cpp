// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/learn/explanationview.h"

#include "widgets/base/card.h"
#include "widgets/learn/termpicture.h"
#include "widgets/learn/termtext.h"

#include <QBoxLayout>
#include <QLabel>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QLabel* paragraph(QWidget* parent)
{
    QLabel* label = makeLabel({}, "plain", parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

ExplanationView::ExplanationView(QWidget* parent)
    : QWidget(parent), m_picture(new TermPicture(this)), m_title(makeLabel({}, "title", this)), m_text(paragraph(this)),
      m_well(new QFrame(this)), m_numbers(paragraph(m_well)), m_related(new QLabel(this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    row->addWidget(m_picture, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(7);
    m_title->setWordWrap(true);
    column->addWidget(m_title);
    column->addWidget(m_text);
    m_well->setProperty("well", true);
    auto* inside = new QVBoxLayout(m_well);
    inside->setContentsMargins(10, 7, 10, 8);
    inside->addWidget(m_numbers);
    column->addWidget(m_well);
    m_related->setWordWrap(true);
    m_related->setProperty("quiet", true);
    m_related->setAccessibleName(tr("Related terms"));
    column->addWidget(m_related);
    column->addStretch(1);
    row->addLayout(column, 1);
    connect(m_related, &QLabel::linkActivated, this, [this](const QString& link) {
        if (const QString id = linkedTerm(link); !id.isEmpty())
            emit termRequested(id);
    });
}

void ExplanationView::setExplanation(const Explanation& explanation)
{
    m_shown = explanation;
    m_picture->setPicture(explanation.picture, explanation.figures);
    m_title->setText(explanation.title);
    m_text->setText(explanation.text);
    m_text->setVisible(!explanation.text.isEmpty());
    m_numbers->setText(explanation.numbers);
    m_well->setVisible(!explanation.numbers.isEmpty());
    QStringList links;
    for (const Explanation::Link& link : explanation.related)
        links.append(u"[%1|%2]"_s.arg(link.id, QString(link.name).replace(u'[', u'(').replace(u']', u')')));
    setTermText(m_related, tr("See also: %1").arg(links.join(u", "_s)));
    m_related->setVisible(!links.isEmpty());
    updateGeometry();
}

QString ExplanationView::plainText() const
{
    QStringList parts{m_shown.title};
    for (const QString& part : {m_shown.text, m_shown.numbers}) {
        if (!part.isEmpty())
            parts.append(part);
    }
    return parts.join(u'\n');
}

} // namespace rankwright
