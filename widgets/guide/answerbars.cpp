// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/answerbars.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/teaching/guide/guidedesign.h"
#include "widgets/base/card.h"
#include "widgets/design/memoryview.h"

#include <QBoxLayout>
#include <QLabel>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString barName(const GuideAnswer& answer)
{
    return answer.term.isEmpty() ? answer.title : u"%1 (%2)"_s.arg(answer.title, answer.term);
}

/// In the guide's words: one GPU is what the question is about.
void nameLimit(StackedBarData& bar, double usableBytes, const QString& gpuWord)
{
    if (usableBytes <= 0)
        return;
    bar.limitText = AnswerBars::tr("%1: one %2 is full").arg(gibText(usableBytes), gpuWord);
    bar.overText
        = AnswerBars::tr("%1 more than one %2 has").arg(gibText(bar.total() * bytesPerGib - usableBytes), gpuWord);
}

} // namespace

QList<AnswerBar> copyBars(const GuideQuestion& question, const QString& gpuWord)
{
    QList<AnswerBar> bars;
    for (int i = 0; i < question.answers.size(); ++i) {
        const GuideAnswer& answer = question.answers.at(i);
        if (!answer.estimate)
            continue;
        const MemoryParts copy = wholeCopyParts(*answer.estimate);
        AnswerBar one{answer.term.isEmpty() ? answer.title : answer.term,
            gibText(copy.weights + copy.gradients + copy.optimizer), i == question.chosen, memoryBar(*answer.estimate)};
        one.bar.parts = one.bar.parts.mid(0, 3); // weights, gradients, optimiser: names and colours
        const std::array<double, 3> bytes{copy.weights, copy.gradients, copy.optimizer};
        for (int part = 0; part < one.bar.parts.size(); ++part)
            one.bar.parts[part].value = bytes.at(size_t(part)) / bytesPerGib;
        one.bar.low = one.bar.high = 0;
        nameLimit(one.bar, answer.estimate->memory.usableBytes, gpuWord);
        bars.append(one);
    }
    return bars;
}

QList<AnswerBar> rankBars(const GuideQuestion& question, const QString& gpuWord)
{
    QList<AnswerBar> bars;
    for (int i = 0; i < question.answers.size(); ++i) {
        const GuideAnswer& answer = question.answers.at(i);
        if (!answer.estimate)
            continue;
        AnswerBar one{barName(answer), answer.figures, i == question.chosen, memoryBar(*answer.estimate)};
        nameLimit(one.bar, answer.estimate->memory.usableBytes, gpuWord);
        bars.append(one);
    }
    return bars;
}

AnswerBars::AnswerBars(const QString& what, QWidget* parent) : QWidget(parent), m_what(what)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
}

AnswerBars::Row& AnswerBars::row(qsizetype at)
{
    while (m_rows.size() <= at) {
        Row row;
        row.box = new QWidget(this);
        auto* column = new QVBoxLayout(row.box);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(2);
        auto* head = new QHBoxLayout;
        head->setSpacing(12);
        row.name = new QLabel(row.box);
        row.note = makeLabel({}, "quiet", row.box);
        for (QLabel* label : {row.name, row.note}) {
            label->setTextFormat(Qt::PlainText);
            label->setWordWrap(true);
        }
        row.note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        head->addWidget(row.name, 1);
        head->addWidget(row.note, 1);
        row.bar = new StackedBar(m_what, row.box);
        column->addLayout(head);
        column->addWidget(row.bar);
        layout()->addWidget(row.box);
        m_rows.append(row);
    }
    return m_rows[at];
}

void AnswerBars::setBars(const QList<AnswerBar>& bars)
{
    m_bars = bars;
    double most = 0;
    for (const AnswerBar& one : bars)
        most = qMax(most, qMax(one.bar.total(), qMax(one.bar.high, one.bar.limit)));
    for (qsizetype i = 0; i < bars.size(); ++i) {
        AnswerBar& shown = m_bars[i];
        shown.bar.most = most;
        shown.bar.hasAxis = i + 1 == bars.size();
        shown.bar.hasLegend = shown.chosen;
        const Row& at = row(i);
        // Ring and dot as the round buttons of the answers.
        at.name->setText((shown.chosen ? u"● "_s : u"○ "_s) + shown.name);
        QFont font = at.name->font();
        font.setWeight(shown.chosen ? QFont::DemiBold : QFont::Normal);
        at.name->setFont(font);
        at.note->setText(shown.note);
        at.bar->setAccessibleName(u"%1: %2"_s.arg(m_what, shown.name));
        at.bar->setData(shown.bar, shown.chosen ? tr("%1 (chosen)").arg(shown.note) : shown.note);
    }
    for (qsizetype i = 0; i < m_rows.size(); ++i)
        m_rows.at(i).box->setVisible(i < bars.size());
}

} // namespace rankwright
