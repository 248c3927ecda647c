// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/document/design.h"

namespace rankwright {

/// The design whose script is `text`. Lines that nobody touched follow the fields, as long as everything that differs
/// from `shown`, the script before the edit, stands there as typed.
JobSpec editedSpec(const JobSpec& spec, const ClusterProfile& profile, const QString& shown, const QString& text);
/// What the form alone would write, without a person's own lines.
QString generatedText(const Derived& derived);
/// What the linter says of a script's text; a fix is an edit of the text, and so of the design. `profile` must outlive
/// the findings.
QList<Finding> textFindings(const QString& text, const ClusterProfile& profile);

} // namespace rankwright
