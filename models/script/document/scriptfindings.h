// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"
#include "models/script/lint/lint.h"

namespace rankwright::inline script {

/// All findings of a design: those of its fields and those of the linter over its script, whose hints count only where
/// the script differs from the generated one, be it by a deleted line. Comments silence the linter, not the fields.
/// Reads all of `derived` but its findings; the profile must outlive what is returned.
CheckResult allFindings(const Derived& derived);
/// Findings of fields and of a script's text as one list, errors first. Of a slug that both have, the side with the
/// more severe finding stays; on a tie the fields' side, whose fixes are edits of fields.
QList<Finding> joinedFindings(const QList<Finding>& fields, const QList<Finding>& script);
/// What the linter says of a script's text, hints included; a fix is an edit of the text, and so of the design.
/// `profile` must outlive the findings; null: no cluster is known, and only the rules that need none speak.
CheckResult textFindings(const QString& text, const ClusterProfile* profile);

/// The design whose script is `text`. Unchanged lines follow the fields, as long as everything that differs
/// from the script of `derived`, the design before the edit, is there as typed.
JobSpec editedSpec(const Derived& derived, const QString& text);
/// The same of a design of which only the fields are known.
JobSpec editedSpec(const JobSpec& spec, const ClusterProfile& profile, const QString& text);

} // namespace rankwright::inline script
