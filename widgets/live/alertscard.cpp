// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/alertscard.h"

#include "widgets/base/card.h"
#include "widgets/base/richtooltip.h"
#include "widgets/live/alertnotes.h"

#include <QBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace rankwright {

AlertsCard::AlertsCard(const GpuGrid& grid, QWidget* parent)
    : QWidget(parent), m_grid(&grid), m_card(new Card(tr("Alerts"), this)), m_notes(new AlertNotes(m_card)),
      m_inspect(new QPushButton(tr("Where does it hang?"), m_card))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_card);
    m_card->body()->addWidget(m_notes);
    connect(m_notes, &AlertNotes::gpuClicked, this, &AlertsCard::gpuClicked);
    connect(m_notes, &AlertNotes::fieldClicked, this, &AlertsCard::fieldClicked);
    m_inspect->setProperty("link", true);
    m_inspect->hide();
    m_card->head()->insertWidget(1, m_inspect);
    connect(m_inspect, &QPushButton::clicked, this, &AlertsCard::hangInspectionClicked);
    connect(m_notes, &AlertNotes::hangInspectionClicked, this, &AlertsCard::hangInspectionClicked);
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

QList<HeatMapMark> AlertsCard::showFindings(
    const JobRecord& job, const TrainingProgress& progress, std::optional<qint64> asOfMs)
{
    QList<HeatMapMark> marks;
    for (const Alert& alert : std::as_const(m_alerts)) {
        if (alert.level == Alert::Level::Normal || !isActive(job.state))
            continue;
        for (const GpuAddress gpu : alert.gpus)
            marks.append({gpu, alert.level});
    }
    QList<AlertText> findings = alertTexts({*m_grid, job, progress, m_troubles, m_alerts, m_lines, asOfMs, m_binding});
    for (AlertText& finding : findings) {
        if (finding.inspectionObstacle)
            finding.inspectionObstacle = m_inspectionObstacle;
    }
    m_notes->setFindings(findings);
    const QString why = m_inspectionObstacle.value_or(QString());
    m_inspect->setVisible(m_inspectionObstacle.has_value());
    m_inspect->setEnabled(why.isEmpty());
    const QString tip = why.isEmpty()
        ? tr("Inspects the ranks twice, a few seconds apart: which one hangs, in which call, "
             "who waits for whom")
        : why;
    m_inspect->setToolTip(richToolTip(tip));
    m_inspect->setAccessibleDescription(tip);
    const qsizetype alarms = std::count_if(findings.begin(), findings.end(),
        [](const AlertText& finding) { return finding.tone == Tone::Warn || finding.tone == Tone::Bad; });
    m_card->setCaption(alarms > 0 ? tr("%n to look at", nullptr, int(alarms)) : QString());
    return marks;
}

void AlertsCard::forgetTroubles() { m_troubles.clear(); }

QScrollArea* AlertsCard::notes() const { return m_notes; }

} // namespace rankwright
