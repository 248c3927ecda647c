// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline teaching {

/// How a text names terms: "[gcd]" is the term's own name (the site's word for {gpu}), "[gcd|a die]" other words for
/// it.
enum class KnownWords { LeftAlone, Linked };

/// Rich text of a plain one: everything is escaped, marks of known terms become links `term:ID`; unknown marks stay as
/// they are written. With KnownWords::Linked also the first place where a term is named, without a mark.
QString termLinks(const QString& text, KnownWords words = KnownWords::LeftAlone);

/// The id of a link that termLinks() wrote, "term:gcd" -> "gcd"; empty: another link, or no term of that name.
QString linkedTerm(const QString& link);

} // namespace rankwright::inline teaching
