// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/madecourse.h"

namespace rankwright::test {

QList<MadeJob> faultyJobs() { return {}; }

} // namespace rankwright::test
