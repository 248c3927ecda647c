// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/sentlog.h"
#include "models/tables/recordmodel.h"

namespace rankwright::inline tables {

/// What was sent to clusters, updated in place by number; secrets that are known as such are left out.
class SentModel final : public RecordModel<SentCommand> {
public:
    enum Column { Time, Cluster, Purpose, Command, Input, Outcome, Took };
    explicit SentModel(QObject* parent = nullptr);
};

} // namespace rankwright::inline tables
