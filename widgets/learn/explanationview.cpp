// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/learn/explanationview.h"

#include "widgets/base/card.h"
#include "widgets/base/theme.h"
#include "widgets/learn/termpicture.h"
#include "widgets/learn/termtext.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

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
      m_well(new QFrame(this)), m_numbers(paragraph(m_well)), m_codeWell(new QFrame(this)),
      m_codeRoll(new QScrollArea(m_codeWell)), m_code(makeLabel({}, "plain", m_codeWell)),
      m_copy(new QPushButton(tr("Copy the lines"), m_codeWell)), m_related(new QLabel(this))
{
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(7);
    auto* row = new QHBoxLayout;
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
    buildCode();
    m_related->setWordWrap(true);
    m_related->setProperty("quiet", true);
    m_related->setAccessibleName(tr("Related terms"));
    column->addWidget(m_related);
    column->addStretch(1);
    row->addLayout(column, 1);
    whole->addLayout(row);
    whole->addWidget(m_codeWell); // over the whole width: wrapped lines of Python are hard to read
    whole->addStretch(1);
    connect(m_related, &QLabel::linkActivated, this, [this](const QString& link) {
        if (const QString id = linkedTerm(link); !id.isEmpty())
            emit termRequested(id);
    });
}

void ExplanationView::buildCode()
{
    m_codeWell->setProperty("well", true);
    m_code->setTextFormat(Qt::PlainText);
    m_code->setFont(Theme::codeFont(11));
    m_code->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_code->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_code->setAccessibleName(tr("Lines of Python"));
    m_copy->setObjectName(u"copyLines"_s);
    m_copy->setAutoDefault(false);
    auto* inside = new QVBoxLayout(m_codeWell);
    inside->setContentsMargins(10, 7, 10, 8);
    m_codeRoll->setWidget(m_code);
    m_codeRoll->setWidgetResizable(true);
    m_codeRoll->setFrameShape(QFrame::NoFrame);
    m_codeRoll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_codeRoll->setAccessibleName(m_code->accessibleName());
    m_codeRoll->viewport()->setAutoFillBackground(false);
    m_code->setAutoFillBackground(false);
    inside->addWidget(m_codeRoll);
    inside->addWidget(m_copy, 0, Qt::AlignLeft);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_shown.code);
        emit copied(m_shown.code);
    });
    m_codeWell->hide();
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
    m_code->setText(explanation.code.trimmed());
    // Lines of Python stay whole: a narrow view is scrolled to the side.
    m_codeRoll->setFixedHeight(m_code->sizeHint().height() + m_codeRoll->horizontalScrollBar()->sizeHint().height());
    m_codeWell->setVisible(!explanation.code.isEmpty());
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
    for (const QString& part : {m_shown.text, m_shown.numbers, m_shown.code}) {
        if (!part.isEmpty())
            parts.append(part);
    }
    return parts.join(u'\n');
}

} // namespace rankwright
