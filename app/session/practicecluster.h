// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStringList>

#include <memory>
#include <optional>

namespace rankwright {

/// Why a program of ours must not be executed: it or a folder above it belongs to somebody else (neither root, nor this
/// user, nor the owner of this program), or everybody may write to it. Empty: it may.
QString whyNotExecuted(const QString& script);

/// What practice.py reports about the practice cluster. Empty when it is not running.
struct PracticeStatus {
    bool running = false;
    QString mode;
    QString host;
    int port = 0;
    QString user;
    QString identity; ///< private key made for this practice cluster
    QString knownHosts;
    QStringList fingerprints;
    QString account;
    QString reservation;
    QString trainScript;
    QString workdir;
    QStringList differences; ///< from a real site, in words
    QJsonObject json; ///< all of it, as reported
    bool operator==(const PracticeStatus&) const = default;
};
/// Error: no JSON object, or a running cluster that does not say how to reach it.
Result<PracticeStatus> readPracticeStatus(const QByteArray& json);

/// One line of the script's progress: "practice: [3/9] starting slurmctld".
struct PracticeStep {
    int number = 0;
    int of = 0;
    QString text;
    bool operator==(const PracticeStep&) const = default;
};
std::optional<PracticeStep> readPracticeStep(const QByteArray& line);

/// Starts, stops and asks the practice cluster by its script, asynchronously, one order at a time. The cluster outlives
/// this object (and the program): it is stopped only when asked. Lives on the GUI thread.
class PracticeCluster final : public QObject {
    Q_OBJECT
public:
    /// `stateFolder` empty: the script's own choice ($RANKWRIGHT_PRACTICE_DIR or the user's state folder).
    explicit PracticeCluster(const QString& stateFolder = {}, QObject* parent = nullptr);
    ~PracticeCluster() override;

    void up(QObject* guard, Then<PracticeStatus> then);
    void down(QObject* guard, Then<PracticeStatus> then);
    void status(QObject* guard, Then<PracticeStatus> then);
    /// Other orders of the script (faults, for tests); the JSON as reported.
    void order(const QStringList& words, QObject* guard, Then<QByteArray> then);
    bool isBusy() const { return m_process != nullptr; }

    /// Where the script lies: beside the installed program, else in the source tree this was built from; empty:
    /// nowhere.
    static QString scriptPath();

signals:
    void progressed(const rankwright::PracticeStep& step);

private:
    void ask(const QString& word, QObject* guard, Then<PracticeStatus> then);
    void readErrors();

    QString m_stateFolder;
    std::unique_ptr<QProcess> m_process;
    QByteArray m_errors; ///< all of stderr but the progress lines, its tail
    QByteArray m_pending;
};

} // namespace rankwright
