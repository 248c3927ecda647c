// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/templates/designsummary.h"

namespace rankwright::inline planner {

/// A design that was opened or saved lately, as its file is now.
struct RecentDesign {
    QString path;
    DesignSummary summary; ///< its title is the file's name without ending
    QString trouble; ///< why nothing is known of it, one sentence: "The file is not there any more."; empty: none
    bool operator==(const RecentDesign&) const = default;
};

} // namespace rankwright::inline planner
