// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/joblog.h"
#include "widgets/script/differenceview.h"

namespace rankwright {

/// The script that was sent last to a cluster, from the job log, to compare the present one with: of the design of this
/// name, else of any. `title` names the cluster where there is none.
ComparedScript lastSubmitted(const JobLog& log, const QString& cluster, const QString& title, const QString& name);

} // namespace rankwright
