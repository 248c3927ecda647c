// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicontext.h"
#include "models/core/error.h"

#include <memory>

namespace rankwright {

class Database;

/// The data folder of a command that can do its work without writing there.
struct CliData {
    QString folder; ///< --data-dir, or the user's own; may be missing
    std::unique_ptr<Database> database;
};

/// Where the folder cannot be written (read-only, full, not yours) the command works on a copy of its database in
/// memory, and one line of stderr says that nothing is kept. Fails where the database is damaged or of a newer program.
Result<CliData> openData(const CliContext& context);

} // namespace rankwright
