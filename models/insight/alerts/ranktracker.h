// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/ranksample.h"

#include <array>
#include <map>
#include <vector>

namespace rankwright::inline insight {

/// What one look at a node's network and file systems showed.
struct ResourceLook {
    qint64 ms = 0;
    std::optional<bool> waits; ///< a process of the job waited for a file
    std::optional<double> someWait, linkShare;
};

/// The same of several.
struct ResourceMean {
    int looks = 0; ///< that tell of waiting processes
    int waitingLooks = 0; ///< in which one waited
    std::optional<double> someWait, linkShare; ///< means, 0..1
};

/// What is known of the job's ranks from the processes on its nodes: who is there since when, who has gone, who sleeps.
/// Constant memory per rank; times in ms by the caller's clock. Does not know GPUs.
class RankTracker {
public:
    struct Entry {
        RankSample last;
        QList<int> cpus; ///< of last.cpus
        int node = 0; ///< row
        qint64 firstMs = 0;
        qint64 lastMs = 0; ///< newest line that has it
        qint64 workedMs = 0; ///< when it was seen last to use half a core or more; 0: never
        qint64 quietSinceMs = 0; ///< under a tenth of a core used, not running, since then; 0: busy, or not reported
        qint64 goneSinceMs = 0; ///< its node reports processes, and not this one, since then
        int goneLines = 0; ///< number of such lines
        int lines = 0;
    };
    struct Node {
        qint64 lastMs = 0; ///< of its newest line; 0 none
        qint64 takenMs = 0; ///< node's clock of that line: a long line may come in parts
        qint64 partMs = 0; ///< when the first part of that line came
        int lines = 0;
        int ranks = 0; ///< in the newest whole line
        int counting = 0;
        int agents = 0; ///< in the newest line
        std::vector<int> who; ///< ranks ever seen here
        std::optional<int> cpus;
        std::optional<qint64> hostTotal, hostAvailable;
        std::optional<NodeResources> resources; ///< as last reported
        std::array<ResourceLook, 16> looks{}; ///< the newest
        int lookCount = 0; ///< ever
        /// What its newest looks showed together: at most `most`, none before `fromMs`.
        ResourceMean newestResources(int most, qint64 fromMs) const;
    };

    void addProcesses(const NodeProcesses& processes, int row, qint64 ms);
    /// Rows moved: `newRow.at(old)`.
    void moveRows(const std::vector<int>& newRow);

    const std::map<int, Entry>& ranks() const { return m_ranks; }
    const Entry* find(int rank) const;
    /// Null: that node never reported processes.
    const Node* node(int row) const;
    int nodesReported() const; ///< nodes that ever reported a rank
    /// Ranks that are there by the newest line of their node.
    int present() const;
    int presentOn(int row) const;
    std::optional<int> worldSize() const { return m_worldSize; } ///< as the processes' environment says
    /// The ranks are known by RANK. Else they are a step's tasks, which may be wrappers that will start ranks.
    bool isCertain() const { return m_isCertain; }
    int agents() const; ///< by the newest line of each node
    bool hasReports() const { return m_lastMs > 0; }
    qint64 newestRankMs() const { return m_newestRankMs; } ///< when a rank was first seen last
    qint64 lastMs() const { return m_lastMs; } ///< of the newest line of any node; 0 none
    bool isPresent(const Entry& entry) const { return entry.goneSinceMs == 0; }

private:
    static void addResources(Node& node, const NodeResources& resources, qint64 ms);
    void closeLine(int row);
    void forgetTasks();

    std::map<int, Entry> m_ranks;
    std::vector<Node> m_nodes;
    std::optional<int> m_worldSize;
    bool m_isCertain = false;
    qint64 m_newestRankMs = 0;
    qint64 m_lastMs = 0;
};

/// CPUs of a list as Linux writes it, ascending: "0-2,8" -> 0, 1, 2, 8. Empty: not readable.
QList<int> cpusOfList(const QString& list);

} // namespace rankwright::inline insight
