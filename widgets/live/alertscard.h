// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heatmap/heatmapscene.h"
#include "widgets/live/alerttext.h"

#include <QWidget>

class QPushButton;
class QScrollArea;

namespace rankwright {

class Card;
class AlertNotes;

/// The Live page's card "Alerts": what is wrong, since when, what it means and what to do, or that nothing is.
/// Looks again when it is asked to; decides nothing.
class AlertsCard final : public QWidget {
    Q_OBJECT
public:
    explicit AlertsCard(const GpuGrid& grid, QWidget* parent = nullptr);

    /// Looks at another grid, such as that of a replay.
    void setGrid(const GpuGrid& grid);
    /// A fault of the watching itself in words; empty: all is well with it again.
    void showTrouble(TroubleSource source, const std::optional<Error>& why);
    /// What is wrong with the job, worst first; shown at the next showFindings().
    void setAlerts(const QList<Alert>& alerts) { m_alerts = alerts; }
    /// Where the ranks report to be; empty: not of this moment. As above.
    void setBinding(const std::optional<RankBinding>& binding) { m_binding = binding; }
    /// Classes of failures whose line in the output can be shown; as above.
    void setLines(const QStringList& lines) { m_lines = lines; }
    /// Looks at the grid as it is now and shows what is to be said. Returns whom it is about, for the map.
    QList<HeatMapMark> showFindings(
        const JobRecord& job, const TrainingProgress& progress, std::optional<qint64> asOfMs = std::nullopt);
    /// Why no inspection of the ranks can begin now (empty: it can); none: nothing runs. As above.
    void setInspectionObstacle(const std::optional<QString>& why) { m_inspectionObstacle = why; }
    void forgetTroubles();
    /// Where the findings stand; its content says how much there is to say.
    QScrollArea* notes() const;
    QPushButton* hangInspectionButton() const { return m_inspect; }

signals:
    void hangInspectionClicked(); ///< where the job hangs is to be looked for
    void gpuClicked(rankwright::GpuAddress gpu);
    void fieldClicked(const QString& field);
    void lineClicked(const QString& failure); ///< its line in the output is to be shown

private:
    const GpuGrid* m_grid;
    Card* m_card = nullptr;
    AlertNotes* m_notes = nullptr;
    QPushButton* m_inspect = nullptr;
    QMap<TroubleSource, Error> m_troubles;
    QList<Alert> m_alerts;
    std::optional<RankBinding> m_binding;
    QStringList m_lines;
    std::optional<QString> m_inspectionObstacle;
};

} // namespace rankwright
