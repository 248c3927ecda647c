// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/recordtable.h"

namespace rankwright {

/// Dresses a table over a LayoutModel: widths, bar, what is at the end.
void dressLayoutTable(RecordTable& table);

} // namespace rankwright
