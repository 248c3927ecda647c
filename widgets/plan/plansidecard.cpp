// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plansidecard.h"

#include "widgets/base/card.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/segmentedcontrol.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>

namespace rankwright {

PlanSideCard::PlanSideCard(QWidget* parent) : QWidget(parent), m_runs(new MeasuredModel(this))
{
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    m_card = new Card({}, this);
    whole->addWidget(m_card);
    m_tabs = new SegmentedControl({tr("Speed-up"), tr("Your runs")}, m_card);
    m_tabs->setCurrent(0);
    m_card->head()->insertWidget(0, m_tabs);
    auto* pages = new QStackedWidget(m_card);
    pages->addWidget(buildSpeedup());
    pages->addWidget(buildRuns());
    m_card->body()->addWidget(pages, 1);
    connect(m_tabs, &SegmentedControl::chosen, pages, &QStackedWidget::setCurrentIndex);
    connect(m_tabs, &SegmentedControl::chosen, this, &PlanSideCard::showCaption);
    connect(m_clear, &QPushButton::clicked, this, &PlanSideCard::clearRunsRequested);
    connect(m_use, &QCheckBox::clicked, this, &PlanSideCard::useRunsRequested);
}

QWidget* PlanSideCard::buildSpeedup()
{
    auto* page = new QWidget(m_card);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    m_speedup = new SpeedupPlot(page);
    m_speedupText = makeLabel({}, "quiet", page);
    m_speedupText->setWordWrap(true);
    column->addWidget(m_speedup, 1);
    column->addWidget(m_speedupText);
    return page;
}

QWidget* PlanSideCard::buildRuns()
{
    auto* page = new QWidget(m_card);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    m_runText = makeLabel({}, "quiet", page);
    m_runText->setWordWrap(true);
    m_runTable = new RecordTable(*m_runs, page);
    m_runTable->setAccessibleName(tr("Predicted and measured runs"));
    m_runTable->setMinimumHeight(80);
    m_use = new QCheckBox(tr("Correct estimates by these runs"), page);
    m_use->setToolTip(tr("Off: estimates rest on published figures alone, and the runs are kept."));
    m_clear = new QPushButton(tr("Forget these runs"), page);
    m_clear->setToolTip(tr("Estimates then rest on published figures alone."));
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_use, 1);
    foot->addWidget(m_clear);
    column->addWidget(m_runText);
    column->addWidget(m_runTable, 1);
    column->addLayout(foot);
    return page;
}

void PlanSideCard::setGpuWord(const QString& word)
{
    m_gpuWord = word;
    showCaption();
}

void PlanSideCard::showCaption()
{
    m_card->setCaption(
        m_tabs->current() == 0 ? tr("same batch, more %1s").arg(m_gpuWord) : tr("expected against measured"));
}

void PlanSideCard::showSpeedup(const SpeedupData& curve, const QString& sentence)
{
    m_speedup->setData(curve);
    m_speedupText->setText(sentence);
    m_speedupText->setVisible(!sentence.isEmpty());
}

void PlanSideCard::openRuns()
{
    constexpr int runs = 1;
    m_tabs->setCurrent(runs);
    emit m_tabs->chosen(runs);
}

void PlanSideCard::showRuns(const CalibrationTable& runs)
{
    m_shownRuns = runs;
    const bool any = !runs.runs.isEmpty();
    m_runs->assign(runs.runs);
    m_runTable->setVisible(any);
    m_clear->setVisible(any);
    m_use->setVisible(any || !runs.used);
    m_use->setChecked(runs.used);
    m_runText->setText(
        any ? tr(
            "What your own runs measured: later predictions for the same cluster and kind of model are based on these.")
            : tr(
                "When a job of yours has ended, what was expected of it and what was measured are listed here side by side, "
                "and make later predictions for that cluster and kind of model better."));
}

} // namespace rankwright
