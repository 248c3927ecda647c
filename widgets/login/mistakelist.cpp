// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/login/mistakelist.h"

#include "models/cluster/login/loginmistakes.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace rankwright {

MistakeList::MistakeList(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_heading = makeLabel({}, "quiet", this);
    m_texts = new QVBoxLayout;
    m_texts->setSpacing(8);
    m_more = new QPushButton(this);
    m_more->setAutoDefault(false);
    column->addWidget(m_heading);
    column->addLayout(m_texts);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    connect(m_more, &QPushButton::clicked, this, [this] {
        m_showsAll = !m_showsAll;
        rebuild();
    });
    rebuild();
}

void MistakeList::showLikely(const QStringList& ids)
{
    if (m_likely == ids)
        return;
    m_likely = ids;
    rebuild();
}

void MistakeList::rebuild()
{
    while (QLayoutItem* item = m_texts->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    QStringList ids = m_likely;
    if (m_showsAll) {
        for (const LoginMistake& each : loginMistakes()) {
            if (!ids.contains(each.id))
                ids.append(each.id);
        }
    }
    for (const QString& id : std::as_const(ids)) {
        const LoginMistake* mistake = loginMistake(id);
        if (!mistake)
            continue;
        auto* box = new QFrame(this);
        box->setProperty("well", true);
        auto* column = new QVBoxLayout(box);
        column->setSpacing(3);
        QLabel* title
            = makeText(m_likely.contains(id) ? tr("%1 (likely)").arg(mistake->title) : mistake->title, "plain", box);
        title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        title->setAccessibleName(QStringList{mistake->title, mistake->why, mistake->remedy}.join(u". "_s));
        column->addWidget(title);
        column->addWidget(makeText(mistake->why, "quiet", box));
        column->addWidget(makeText(u"→ "_s + mistake->remedy, "plain", box));
        m_texts->addWidget(box);
    }
    m_heading->setText(m_likely.isEmpty() ? tr("What most first logins fail on") : tr("What it looks like"));
    m_more->setText(m_showsAll ? tr("Show fewer") : tr("Show the ten commonest mistakes"));
}

} // namespace rankwright
