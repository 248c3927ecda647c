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
}

void LiveFindingsCard::setGrid(const GpuGridModel& grid)
{
    m_grid = &grid;
    m_since.clear();
}

void LiveFindingsCard::showTrouble(const QString& source, const Error& why)
{
    if (why.what.isEmpty())
        m_troubles.remove(source);
    else
        m_troubles.insert(source, why);
}

QList<GpuAddress> LiveFindingsCard::look(
    const JobRecord& job, const TrainingProgress& progress, const std::optional<Seconds>& elapsed)
{
    QList<Standout> standouts;
    if (isActive(job.state))
        standouts = findStandouts(*m_grid);
    QList<GpuAddress> marked;
    QMap<GpuAddress, qint64> since;
    for (const Standout& one : std::as_const(standouts)) {
        if (!marked.contains(one.gpu))
            marked.append(one.gpu);
        since.insert(one.gpu, m_since.value(one.gpu, m_grid->nowMs()));
    }
    m_since = since;
    const QList<LiveFinding> findings = findingsOf({*m_grid, job, progress, m_troubles, standouts, since, elapsed});
    m_notes->setFindings(findings);
    const qsizetype alarms = std::count_if(findings.begin(), findings.end(),
        [](const LiveFinding& finding) { return finding.tone == Tone::Warn || finding.tone == Tone::Bad; });
    m_card->setCaption(alarms > 0 ? tr("%n to look at", nullptr, int(alarms)) : QString());
    return marked;
}

void LiveFindingsCard::forget() { m_since.clear(); }

void LiveFindingsCard::forgetTroubles() { m_troubles.clear(); }

QWidget* LiveFindingsCard::notes() const { return m_notes; }

} // namespace rankwright
