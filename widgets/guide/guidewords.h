// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/tone.h"
#include "widgets/base/theme.h"

#include <QString>

namespace rankwright {

/// Words that the glossary explains become links "term:gcd"; the rest is escaped. Each word once.
QString withTermLinks(const QString& plain);
/// The same text; a number and its unit are not parted at the end of a line.
QString unbroken(QString text);
/// "gcd" of "term:gcd"; empty: another link.
QString termOfLink(const QString& link);

/// A tone as the theme's tokens, the style sheet's words and a shape name it.
Theme::Token toneColour(Tone tone);
QString toneIcon(Tone tone); ///< of resources/icons

} // namespace rankwright
