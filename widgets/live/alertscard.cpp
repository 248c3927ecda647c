// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/alertscard.h"

#include "widgets/base/card.h"
#include "widgets/live/alertnotes.h"

#include <QBoxLayout>

#include <algorithm>

namespace rankwright {

AlertsCard::AlertsCard(const GpuGrid& grid, QWidget* parent)
    : QWidget(parent), m_grid(&grid), m_card(new Card(tr("Alerts"), this)), m_notes(new AlertNotes(m_card))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    m_card->body()->addWidget(m_notes);
    connect(m_notes, &AlertNotes::gpuClicked, this, &AlertsCard::gpuClicked);
    connect(m_notes, &AlertNotes::fieldClicked, this, &AlertsCard::fieldClicked);
    connect(m_notes, &AlertNotes::lineClicked, this, &AlertsCard::lineClicked);
}

void AlertsCard::setGrid(const GpuGrid& grid) { m_grid = &grid; }

void AlertsCard::showTrouble(TroubleSource source, const std::optional<Error>& why)
{
    if (why)
        m_troubles.insert(source, *why);
    else
        m_troubles.remove(source);
}

QList<HeatMapMark> AlertsCard::look(
    const JobRecord& job, const TrainingProgress& progress, std::optional<qint64> asOfMs)
{
    QList<HeatMapMark> marks;
    for (const Alert& alert : std::as_const(m_alerts)) {
        if (alert.level == Alert::Level::Normal || !isActive(job.state))
            continue;
        for (const GpuAddress gpu : alert.gpus)
            marks.append({gpu, alert.level});
    }
    const QList<AlertText> findings
        = alertTexts({*m_grid, job, progress, m_troubles, m_alerts, m_lines, asOfMs, m_binding});
    m_notes->setFindings(findings);
    const qsizetype alarms = std::count_if(findings.begin(), findings.end(),
        [](const AlertText& finding) { return finding.tone == Tone::Warn || finding.tone == Tone::Bad; });
    m_card->setCaption(alarms > 0 ? tr("%n to look at", nullptr, int(alarms)) : QString());
    return marks;
}

void AlertsCard::forgetTroubles() { m_troubles.clear(); }

QScrollArea* AlertsCard::notes() const { return m_notes; }

} // namespace rankwright
