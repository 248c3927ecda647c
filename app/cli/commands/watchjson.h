// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/jobwatch.h"

#include <QJsonObject>
#include <QMap>
#include <QTextStream>

#include <functional>

namespace rankwright {

/// Prints what a watch reports, one document per line (docs/cli.md), flushed, so that a pipe sees it at once. Does not
/// own the stream.
class WatchJson final : public QObject {
    Q_OBJECT
public:
    explicit WatchJson(QTextStream& out) : m_out(out) { }

    void printEvent(const QString& event, QJsonObject fields);
    void printPlan(const SamplingPlan& plan);
    /// Dies that share one power reading.
    void setGpusPerPackage(int gpus) { m_gpusPerPackage = gpus; }
    void printTick(const NodeTick& tick, qint64 arrivedMs);
    void printPhase(const JobPhase& phase);
    void printProcesses(const NodeProcesses& processes, qint64 arrivedMs);
    void printState(const JobRecord& record);
    void printProgress(const TrainingProgress& progress);
    void printBinding(const RankBinding& binding);
    /// `files`: of the job's output, to name the one that says it.
    void printDiagnoses(const QList<Diagnosis>& diagnoses, const QList<LogFileName>& files);
    /// Reports what changed since the last call as events: what came, what says something else now, what is over.
    void printAlerts(const QList<Alert>& alerts);
    void printTrouble(TroubleSource source, const std::optional<Error>& why);
    void printEnd(const QString& why, const JobWatch& watch);
    void printCost(const TelemetryFeed::Cost& cost);
    /// Prints the cost twice a minute.
    void printCosts(const std::function<TelemetryFeed::Cost()>& ask);

private:
    void print(const QJsonObject& object);
    void printAlert(const QString& change, const Alert& alert);

    QTextStream& m_out;
    QTimer m_costs;
    int m_gpusPerPackage = 1;
    JobState m_state = JobState::Unknown;
    QString m_reason;
    QMap<QString, Alert> m_alerts; ///< those that stand, by what and whom they are about
};

} // namespace rankwright
