// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/jobwatch.h"
#include "app/window/journey/paintmeter.h"
#include "app/workbench/workbench.h"
#include "widgets/base/theme.h"
#include "widgets/window/mainwindow.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QTimer>

namespace rankwright {

/// Drives the real window through one whole journey without a person: practice cluster up, connect, a design of two
/// nodes with four ranks each, Launch by its button, follow it live, until it has COMPLETED. Takes pictures on the way
/// and writes journey.json. For the demo, the manual's pictures and as an unattended test of the window.
class JourneyDriver final : public QObject {
    Q_OBJECT
public:
    /// `folder` is made when missing.
    JourneyDriver(Workbench& workbench, const QString& folder, QObject* parent = nullptr);

    void start();

signals:
    /// 0: COMPLETED, seen well enough, with a loss curve.
    void finished(int exitCode);

private:
    struct Shot {
        MainWindow::Page page;
        Theme::Mode theme;
        QSize size;
        QString name;
    };
    void handleLink(const LinkInfo& link);
    void design();
    void launch();
    void handleSubmit(const SubmitState& state);
    void followWatch();
    void handleTick();
    void handleOver(const JobRecord& record);
    void addShots(MainWindow::Page page, const QString& name);
    void captureNext();
    void capture(const Shot& shot);
    void checkOutcome();
    void end(const QString& reason);
    void note(const QString& name);
    QJsonObject report(const QString& reason) const;

    Workbench& m_workbench;
    QString m_folder;
    QElapsedTimer m_clock;
    QTimer m_deadline;
    QString m_step;
    QJsonObject m_times; ///< name -> seconds since the start
    QList<Shot> m_shots;
    bool m_taking = false;
    QStringList m_taken;
    JobRecord m_record;
    JobId m_job;
    std::optional<double> m_coverage;
    QList<LossPoint> m_losses;
    TrainingProgress m_progress;
    TelemetryFeed::Cost m_cost;
    PaintMeter m_meter;
    std::optional<double> m_residentAtRest;
    std::optional<double> m_residentLive;
    qint64 m_firstTickMs = 0;
    bool m_livePictured = false;
    bool m_over = false;
    bool m_ended = false;
};

} // namespace rankwright
