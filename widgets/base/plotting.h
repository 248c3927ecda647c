// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// QCustomPlot 2.1's header still loops with Qt's old keyword, which this project switches off (QT_NO_FOREACH). A range
// for does the same in the two read-only loops concerned; nothing else may see the macro.
#define foreach(variable, container) for (variable : container) // NOLINT(bugprone-macro-parentheses): a declaration
#include <qcustomplot.h>
#undef foreach
