// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/core/logging.h"

#include <functional>

namespace rankwright {

/// Runs `work` between BEGIN IMMEDIATE, which locks out other writers from the start, and COMMIT; rolls back when
/// either fails. `run` executes one statement and answers with a Result. Error: that of the step that failed.
template <typename Run>
Result<void> inTransaction(Run&& run, const std::function<Result<void>()>& work)
{
    if (const auto begun = run(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return fail(begun.error());
    Result<void> done = work();
    if (done) {
        const auto committed = run(QStringLiteral("COMMIT"));
        if (committed)
            return {};
        done = fail(committed.error());
    }
    // A full disk may have ended the transaction already; then there is nothing to roll back.
    if (const auto undone = run(QStringLiteral("ROLLBACK")); !undone)
        qCDebug(logApp) << "roll back:" << undone.error().oneLine();
    return done;
}

} // namespace rankwright
