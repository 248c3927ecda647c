// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tables/grid/gpugrid.h"

#include <QTimer>
#include <QWidget>

namespace rankwright {

class Card;
class HeatMapPanel;

/// The GPUs of the job that was launched, as they are now, beside the step that watches it. Flushes the grid while it
/// can be seen: the Live page, which does it otherwise, is hidden then.
class GpuPicture final : public QWidget {
    Q_OBJECT
public:
    /// `grid` must outlive the picture.
    explicit GpuPicture(GpuGrid& grid, QWidget* parent = nullptr);
    bool hasGpus() const;
    /// The job has ended: no fresh value is to be missed.
    void setOver(bool over);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();

    GpuGrid& m_grid;
    Card* m_card = nullptr;
    HeatMapPanel* m_panel = nullptr;
    QTimer m_timer;
};

} // namespace rankwright
