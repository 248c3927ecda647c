// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/checks/fix.h"

#include <optional>

namespace rankwright::inline script {

enum class Severity { Error, Warning, Hint };
QString toText(Severity severity); ///< "error", "warning", "hint"

/// Lines of a script, counted from 1 as editors and bash count them.
struct LineRange {
    int first = 1;
    int last = 1;
    bool operator==(const LineRange&) const = default;
};

/// Slugs of findings that other code looks for.
namespace slug {
inline constexpr QLatin1StringView memoryDoesNotFit{"memory-does-not-fit"};
inline constexpr QLatin1StringView sizeByModel{"size-by-model"};
inline constexpr QLatin1StringView figuresUnpassed{"figures-unpassed"};
} // namespace slug

/// What a rule has against one place of a design or of a script.
struct Finding {
    Severity severity = Severity::Warning;
    QString rule; ///< "L35", or "R..." of ours
    QString slug; ///< "partition-limit"
    FieldPath field; ///< of the design; empty: none fits
    std::optional<LineRange> lines; ///< of the script; empty: the script as a whole, or a field
    QString text; ///< one sentence a colleague would say, with the figures
    std::optional<Fix> fix;
    QString source;
    QList<Fix> otherFixes = {}; ///< further changes, each of which cures it, too

    int line() const { return lines ? lines->first : 0; } ///< the first one; 0 sorts what has no line in front
    QStringList fixLabels() const; ///< of fix and otherFixes
};

/// What is found, and what comments in the script silence (docs/lint.md).
struct CheckResult {
    QList<Finding> findings;
    QList<Finding> silenced;
};

/// A rule's identity. Several may share an id: the id names the mistake (L…: the lint catalogue; R01–R41: rules of
/// layouts; R101 and on: this program's own), the slug its form.
struct Rule {
    QString id;
    QString slug;
    Severity severity = Severity::Warning; ///< the usual one; a finding may have another, the text then says why
    FieldPath field; ///< of the design, where all its findings have the same; may be empty
    QString what; ///< what it detects, as docs/lint.md says it
    QString source;
    bool needsSite = false; ///< silent without a cluster profile
};

/// Texts quote what somebody typed; a line break in it must not break the finding in two.
QString oneLine(QString text);

} // namespace rankwright::inline script
