// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankwright {

/// What this process holds in memory (passphrases, keys that were opened, codes) is in no core file of a crash: none is
/// written, and a handler that the system starts instead is given no memory (core(5)). Programs that are started from
/// here begin with the same setting and may raise it. Linux alone; elsewhere only the limit is set.
void excludeMemoryFromCores();

} // namespace rankwright
