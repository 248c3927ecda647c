// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/text/terminaltext.h"

#include <QTextCharFormat>

namespace rankwright {

class Theme;

/// How a style that a program asked its terminal for looks on our panel: the sixteen colours become those of the theme
/// (red is that of errors), fixed ones stay, and every colour is mixed with the theme's until it has the 4.5:1 of
/// WCAG 2.1 against what lies behind it.
QTextCharFormat terminalFormat(const TextStyle& style, const Theme& theme);

} // namespace rankwright
