// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/forward/portforward.h"
#include "models/cluster/slurm/jobrecord.h"

#include <vector>

namespace rankwright {

/// The forwarded ports of one cluster's jobs. Each ends with its job, by stop(), or with this.
class PortForwards final : public QObject {
    Q_OBJECT
public:
    struct Entry {
        quint64 id = 0;
        JobId job;
        PortForward* forward = nullptr;
    };

    explicit PortForwards(RemoteShell& shell, QObject* parent = nullptr);
    ~PortForwards() override;

    /// `wanted`: the port of this computer; 0: the same number. The same port of the same node twice is the first one.
    Result<quint64> start(const JobRecord& job, const QString& node, int port, int wanted = 0);
    void stop(quint64 id);
    /// Takes ended ones out of the list.
    void removeEnded();
    /// What Slurm reports of all the user's jobs.
    void update(const QList<JobRecord>& queue);
    /// What Slurm reports of one; of a job that it does not know any more `record` is empty.
    void update(const JobId& job, const std::optional<JobRecord>& record);
    void stopAll(const QString& why);

    QList<Entry> entries() const;
    PortForward* find(quint64 id) const;

signals:
    void changed();

private:
    struct Kept {
        quint64 id;
        JobId job;
        std::unique_ptr<PortForward> forward;
    };

    RemoteShell& m_shell;
    std::vector<Kept> m_all;
    quint64 m_lastId = 0;
};

/// Is this a port? Error: a sentence.
Result<int> portOf(const QString& text);

} // namespace rankwright
