// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/jobspec.h"

#include <QJsonObject>

namespace rankwright::test {

/// One published script as settings (tests/data/script_cases.jsonl; fields: docs/script_cases.md).
struct ScriptCase {
    QString id;
    QJsonObject row;
    QJsonObject inputs() const { return row.value(u"inputs").toObject(); }
    QJsonObject expected() const { return row.value(u"expected").toObject(); }
    QJsonObject corrected() const { return row.value(u"corrected").toObject(); }
};

/// All of them; empty when the file cannot be read.
QList<ScriptCase> readScriptCases();

/// The catalogue's entry of a case's cluster: by its name, else the one for clusters that nothing is known of.
const ClusterProfile* clusterOf(const ScriptCase& one, const Catalogue& catalogue);

/// The design that a user would make from a case's inputs. Nothing here knows a case; where the cluster publishes no
/// cores or memory, the user has to say them, so the published figures are handed over.
JobSpec designOf(const ScriptCase& one, const ClusterProfile& profile);

} // namespace rankwright::test
