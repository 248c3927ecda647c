// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/teaching/classroom/classprogress.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace rankwright {

class Connections;

/// Notes the steps of one attendee who agreed to it: a line each in a folder on the cluster. Steps of one exercise that
/// follow one another soon are one line, the same step is noted once, and what could not be noted goes with the next
/// one or when the cluster is there again. Lives on the GUI thread.
class ClassSharer final : public QObject {
    Q_OBJECT
public:
    /// `connections` outlives it.
    explicit ClassSharer(Connections& connections, QObject* parent = nullptr);
    ~ClassSharer() override;

    /// From now on: nothing is noted before this, and nothing after stop().
    /// `alias`: of the attendee's file; `name`: as they give it, may be empty.
    void begin(const QString& cluster, const QString& folder, const QString& alias, const QString& name = {});
    void stop();
    bool isSharing() const { return !m_folder.isEmpty(); }
    /// Where the attendee is now; alias, name and time are added here.
    void note(const ProgressLine& line);
    /// Steps that are not known to be noted.
    QList<ProgressLine> left() const;
    /// How long steps of one exercise may follow one another to be one line.
    void setPatience(int milliseconds) { m_soon.setInterval(milliseconds); }

signals:
    /// It stands in the folder.
    void lineWritten(const rankwright::ProgressLine& line);
    void failed(const rankwright::Error& why);

private:
    bool isReachable() const;
    void followLink();
    void writeSoon();
    void write();
    void putBack();
    void handleWritten(const Result<void>& done);

    Connections& m_connections;
    QString m_cluster;
    QString m_folder; ///< empty: nothing is noted
    QString m_alias, m_name;
    QList<ProgressLine> m_waiting; ///< the latest of each exercise, in the order of the steps
    std::optional<ProgressLine> m_written; ///< on its way
    std::optional<ProgressLine> m_latest; ///< of all, whatever became of it
    bool m_isReachable = false; ///< as it was last tried
    std::unique_ptr<QObject> m_writing; ///< guard of the line that is written; null: none is
    QTimer m_soon;
};

} // namespace rankwright
