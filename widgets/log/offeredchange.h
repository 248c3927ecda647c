// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// A change of the design that is offered beside why a job failed.
struct OfferedChange {
    QString text; ///< one sentence: "Halve the micro-batch."
    QString reason;
    QString whyNot; ///< why it cannot be written into the open design; empty: it can
    QString done; ///< what became of it; empty: it was not asked for
    bool operator==(const OfferedChange&) const = default;
};

} // namespace rankwright
