// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/login/lightlist.h"

#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"

#include <QBoxLayout>
#include <QLabel>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

QString toneOf(Light light)
{
    switch (light) {
    case Light::Ok: return u"good"_s;
    case Light::Failed: return u"bad"_s;
    case Light::Unknown: return u"warn"_s;
    case Light::Pending: break;
    }
    return {};
}

QString wordOf(Light light)
{
    switch (light) {
    case Light::Ok: return LightList::tr("works");
    case Light::Failed: return LightList::tr("fails");
    case Light::Unknown: return LightList::tr("not known");
    case Light::Pending: break;
    }
    return LightList::tr("to come");
}

} // namespace

LightList::LightList(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(7);
    setAccessibleName(tr("Steps of the login"));
    for (qsizetype i = 0; i < LoginSteps().all().size(); ++i) {
        m_rows.append(makeRow());
        column->addWidget(m_rows.last().box);
    }
    showSteps(LoginSteps(), {});
}

LightList::Row LightList::makeRow()
{
    Row row;
    row.box = new QWidget(this);
    auto* grid = new QGridLayout(row.box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    row.symbol = makeLabel({}, "plain", row.box);
    row.title = makeText({}, "plain", row.box);
    row.word = makeLabel({}, "quiet", row.box);
    row.evidence = makeText({}, "quiet", row.box);
    row.advice = makeText({}, "plain", row.box);
    // The rows are texts: this is how the keyboard comes to them.
    for (QLabel* text : {row.title, row.evidence, row.advice})
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    row.symbol->setMinimumWidth(row.symbol->fontMetrics().horizontalAdvance(u"✓✕"_s));
    grid->addWidget(row.symbol, 0, 0, Qt::AlignTop);
    grid->addWidget(row.title, 0, 1);
    grid->addWidget(row.word, 0, 2, Qt::AlignTop | Qt::AlignRight);
    grid->addWidget(row.evidence, 1, 1, 1, 2);
    grid->addWidget(row.advice, 2, 1, 1, 2);
    grid->setColumnStretch(1, 1);
    return row;
}

void LightList::showSteps(const LoginSteps& steps, std::optional<LoginStepKind> current)
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const LoginStep& step = steps.all().at(i);
        const Row& row = m_rows.at(i);
        const Light light = step.outcome.light;
        const bool isTested = light == Light::Pending && current == step.kind;
        const QString word = isTested ? tr("being tested …") : wordOf(light);
        row.symbol->setText(isTested ? u"…"_s : lightSymbol(light));
        setStyleProperty(row.symbol, "tone", toneOf(light));
        row.title->setText(stepTitle(step.kind));
        row.word->setText(word);
        setStyleProperty(row.word, "tone", toneOf(light));
        row.evidence->setText(step.outcome.evidence);
        row.evidence->setVisible(!step.outcome.evidence.isEmpty());
        row.advice->setText(u"→ "_s + step.outcome.advice);
        row.advice->setVisible(!step.outcome.advice.isEmpty());
        QStringList said{stepTitle(step.kind) + u": "_s + word};
        for (const QString& part : {step.outcome.evidence, step.outcome.advice}) {
            if (!part.isEmpty())
                said.append(part);
        }
        row.title->setAccessibleName(said.join(u". "_s));
    }
}

} // namespace rankwright
