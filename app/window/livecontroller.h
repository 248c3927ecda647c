// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobwatch.h"

#include <QTimer>

namespace rankwright {

class ClusterSession;
class GpuGridModel;
class LivePage;

/// Brings one watched job to the Live page: shape of the grid, samples, progress, output, what the sampling costs and
/// how much of the job was seen. Owns nothing of the cluster: the watch belongs to its session.
class LiveController final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LiveController)
public:
    LiveController(GpuGridModel& grid, LivePage& page, QObject* parent = nullptr);

    /// Starts watching; what was shown before goes. `strategy` as the page shows it, empty when not known.
    void follow(ClusterSession& session, const JobId& job, const QString& strategy = {});
    /// The session goes: what was seen stays on the page.
    void letGo();
    JobWatch* watch() const { return m_watch; }

signals:
    void jobOver(const rankwright::JobRecord& record);
    /// The first sample of the job that is followed.
    void firstSample(const QString& node);

private:
    void connectWatch();
    void showRecord(const JobRecord& record);
    void shapeGrid(const JobRecord& record);
    void showCost();

    GpuGridModel& m_grid;
    LivePage& m_page;
    QPointer<ClusterSession> m_session;
    QPointer<JobWatch> m_watch;
    JobId m_job;
    bool m_shaped = false;
    bool m_sampled = false;
    QTimer m_tell;
};

} // namespace rankwright
