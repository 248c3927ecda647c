// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

// Tool tips of plain text that may come from a cluster: no markup of it is read.

/// Long lines are folded; each line of the text is a paragraph.
QString richToolTip(const QString& text);
/// Lines stay as they are.
QString unfoldedToolTip(const QString& text);

} // namespace rankwright
