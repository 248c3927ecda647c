// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace rankwright {

/// Colours of the report's pictures: of the window, or of paper (always light).
struct ReportColours {
    QColor background, line, foreground, quiet;
    QColor use, memory, power; ///< curves
    QColor missing; ///< hatching where nothing was recorded
    static ReportColours of(bool dark);
};

} // namespace rankwright
