// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/cluster/slurm/jobrecord.h"

namespace rankwright::inline cluster {

/// A node of a running job, as srun is told: a step beside the job's own ones (srun(1), --overlap).
struct NodeStep {
    QString job; ///< the number that --jobid takes
    QString node;
    bool operator==(const NodeStep&) const = default;
};

/// Is this a node's name as Slurm and DNS know them? Anything else is never sent.
bool isNodeName(const QString& text);

/// "Rank 5 is on n2". `ranksPerNode`: how many ranks one node holds, empty: unknown. Ranks stand on the nodes
/// in Slurm's order, block by block. Error: no such rank, or not known.
Result<QString> nodeOfRank(const NodeList& nodes, int rank, std::optional<int> ranksPerNode);
/// The node of a job that is meant: `node` where it belongs to the job, else the first. Error: it has none, or another.
Result<QString> nodeOfJob(const JobRecord& job, const QString& node);
/// The number for srun: of an array's task its own. Error: the job does not run.
Result<NodeStep> stepOn(const JobRecord& job, const QString& node);

/// "bash -l" (or `words`) on the node, in a terminal where there is one.
RemoteCommand shellCommand(
    const NodeStep& step, const std::optional<TerminalRequest>& terminal, const QStringList& words = {});
/// The relay of many connections; reports if the node has no Python.
RemoteCommand relayCommand(const NodeStep& step);
/// One connection to one port by what bash alone can do.
RemoteCommand bashRelayCommand(const NodeStep& step, int port);
/// The line that the node's side prints once its connection is open.
inline constexpr char bashRelayGreeting[] = "\nRANKWRIGHT-RELAY open\n";

/// How OpenSSH reaches the login node, for texts to copy.
struct LoginName {
    QString host;
    int port = 22;
    QString user;
    QString alias; ///< Host of ~/.ssh/config; empty: none
};
/// The same shell by OpenSSH alone: "ssh -t host 'srun ...'".
QString sshShellLine(const LoginName& login, const NodeStep& step);
/// "code --remote ssh-remote+host /path", quoted for a shell.
QString editorLine(const LoginName& login, const QString& folder);
/// A block of ~/.ssh/config for a compute node behind the login node.
QString sshConfigBlock(const LoginName& login, const QString& cluster, const QString& node);

} // namespace rankwright::inline cluster
