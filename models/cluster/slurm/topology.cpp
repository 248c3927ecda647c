// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/topology.h"

#include "models/cluster/slurm/slurmtext.h"
#include "models/core/hostlist.h"

#include <QRegularExpression>
#include <QSet>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

RemoteCommand topologyCommand()
{
    return RemoteCommand::shell(u"scontrol -o show topology 2>/dev/null | grep -E 'Level=0 |^(Block|Ring|Torus)Name=' "
                                "| head -c 1000000; exit 0"_s)
        .withPurpose(u"Asks how the nodes are cabled"_s);
}

QHash<QString, QString> parseTopology(const QByteArray& answer, const QStringList& nodes)
{
    static const QRegularExpression leaf(
        uR"(^(?:SwitchName=(\S+) .*Level=0\b|(?:Block|Ring|Torus)Name=(\S+) ).*\bNodes=(\S+))"_s);
    const QSet<QString> asked(nodes.begin(), nodes.end());
    QHash<QString, QString> switchOf;
    for (const QByteArray& row : answer.split('\n')) {
        const QRegularExpressionMatch match = leaf.match(QString::fromUtf8(row));
        if (!match.hasMatch())
            continue;
        const QString name = slurmCell((match.captured(1) + match.captured(2)).toUtf8());
        const Result<QStringList> hosts = expandHostlist(match.captured(3));
        if (!hosts || name.isEmpty())
            continue;
        for (const QString& host : *hosts) {
            if (asked.contains(host))
                switchOf.insert(host, name);
        }
    }
    return switchOf;
}

} // namespace rankwright::inline cluster
