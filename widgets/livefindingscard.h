// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/livefindings.h"

#include <QWidget>

namespace rankwright {

class Card;
class FindingNotes;

/// The Live page's card "What I see": what stands out now, since when, and what it means. Looks again when it is asked
/// to; remembers since when a GPU has stood out.
class LiveFindingsCard final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LiveFindingsCard)
public:
    explicit LiveFindingsCard(const GpuGridModel& grid, QWidget* parent = nullptr);

    /// Looks at another grid, such as that of a replay.
    void setGrid(const GpuGridModel& grid);
    /// A fault of feed or tail in words; empty text clears it.
    void showTrouble(const QString& source, const Error& why);
    /// Looks at the grid as it is now and shows what is to be said. Returns the GPUs that stand out.
    QList<GpuAddress> look(
        const JobRecord& job, const TrainingProgress& progress, const std::optional<Seconds>& elapsed);
    /// Another job, or another picture of it: forgets since when.
    void forget();
    void forgetTroubles();
    QWidget* notes() const;

signals:
    void gpuClicked(rankwright::GpuAddress gpu);

private:
    const GpuGridModel* m_grid;
    Card* m_card = nullptr;
    FindingNotes* m_notes = nullptr;
    QMap<QString, Error> m_troubles;
    QMap<GpuAddress, qint64> m_since;
};

} // namespace rankwright
