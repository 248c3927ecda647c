// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace rankwright {

/// What can be taken away from the Live page.
enum class LiveExport : quint8 {
    MapPicture,
    PagePicture,
    Csv, ///< for people: ISO times, units in the header
    ParquetCsv, ///< typed, with a schema beside it
    Json ///< one object per line
};

} // namespace rankwright
