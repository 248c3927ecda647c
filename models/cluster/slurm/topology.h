// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"

#include <QHash>
#include <QStringList>

namespace rankwright::inline cluster {

/// Asks which leaf switch or block every node of the cluster hangs on: scontrol(1) show topology, its leaves only, at
/// most 1 MB. A cluster without a topology plugin answers nothing, which is not a failure.
RemoteCommand topologyCommand();
/// Reads the answer of the tree plugin ("SwitchName=s0 Level=0 ... Nodes=nid[1-8]") and of the block plugin
/// ("BlockName=b1 ... Nodes=..."). Out: node -> switch, of the asked `nodes` only. Lines that cannot be read are left
/// out.
QHash<QString, QString> parseTopology(const QByteArray& answer, const QStringList& nodes);

} // namespace rankwright::inline cluster
