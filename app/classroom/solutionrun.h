// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/teaching/classroom/classfile.h"

#include <QObject>

#include <memory>

class QProcess;

namespace rankwright {

/// How a run of a class's solutions ended.
enum class SolutionRunEnd {
    Passed, ///< every check of every exercise was seen
    NotPassed,
    Stopped, ///< by stop(); its job was cancelled
    Failed, ///< not all were tried: the last lines say why
};

/// Runs the solutions of a class on a cluster, one job after the other: `rankwright-cli class run` as a process of its
/// own, with a connection of its own, so that the window's jobs and its Live page stay as they are. Its outcome is kept
/// by that program (solutionsTried).
class SolutionRun final : public QObject {
    Q_OBJECT
public:
    /// `program`: rankwright-cli (headlessProgram); empty: it is not installed, and start() refuses.
    SolutionRun(QString program, QString dataFolder, QObject* parent = nullptr);
    /// A run that is still going is asked to cancel its job, and waited for some seconds.
    ~SolutionRun() override;

    /// Whoever calls it has the class's effects agreed to: the file need not be signed. One run at a time.
    Result<void> start(const ClassFile& file, const QString& cluster);
    /// Cancels its job; called again: ends at once and leaves the job.
    void stop();
    bool isRunning() const { return m_process != nullptr; }

signals:
    void linePrinted(const QString& line); ///< a step, or a line of the table at the end; harmless text
    void ended(rankwright::SolutionRunEnd how);

private:
    void readLines(QByteArray& kept, const QByteArray& came);
    void finish(SolutionRunEnd how);

    const QString m_program;
    const QString m_dataFolder;
    std::unique_ptr<QProcess> m_process;
    QByteArray m_steps, m_table; ///< begun lines of standard error and output
    bool m_isStopped = false;
};

} // namespace rankwright
