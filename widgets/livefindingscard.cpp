// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/livefindingscard.h"

#include "widgets/card.h"
#include "widgets/findingnotes.h"

#include <QBoxLayout>

#include <algorithm>

namespace rankwright {

LiveFindingsCard::LiveFindingsCard(const GpuGridModel& grid, QWidget* parent)
    : QWidget(parent), m_grid(&grid), m_card(new Card(tr("What I see"), this)), m_notes(new FindingNotes(m_card))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    m_card->body()->addWidget(m_notes);
    connect(m_notes, &FindingNotes::gpuClicked, this, &LiveFindingsCard::gpuClicked);
    connect(m_notes, &FindingNotes::fieldClicked, this, &LiveFindingsCard::fieldClicked);
    connect(m_notes, &FindingNotes::lineClicked, this, &LiveFindingsCard::lineClicked);
}

void LiveFindingsCard::setGrid(const GpuGridModel& grid) { m_grid = &grid; }

void LiveFindingsCard::showTrouble(const QString& source, const Error& why)
{
    if (why.what.isEmpty())
        m_troubles.remove(source);
    else
        m_troubles.insert(source, why);
}

QList<HeatMapMark> LiveFindingsCard::look(const JobRecord& job, const TrainingProgress& progress)
{
    QList<HeatMapMark> marks;
    for (const Alert& alert : std::as_const(m_alerts)) {
        if (alert.level == Alert::Level::Normal || !isActive(job.state))
            continue;
        for (const GpuAddress gpu : alert.gpus)
            marks.append({gpu, alert.level});
    }
    const QList<LiveFinding> findings = findingsOf({*m_grid, job, progress, m_troubles, m_alerts, m_lines});
    m_notes->setFindings(findings);
    const qsizetype alarms = std::count_if(findings.begin(), findings.end(),
        [](const LiveFinding& finding) { return finding.tone == Tone::Warn || finding.tone == Tone::Bad; });
    m_card->setCaption(alarms > 0 ? tr("%n to look at", nullptr, int(alarms)) : QString());
    return marks;
}

void LiveFindingsCard::forgetTroubles() { m_troubles.clear(); }

QWidget* LiveFindingsCard::notes() const { return m_notes; }

} // namespace rankwright
