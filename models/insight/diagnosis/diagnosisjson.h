// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/jsonreader.h"
#include "models/insight/diagnosis/diagnosis.h"

namespace rankwright::inline insight {

/// A known failure as `parse log` and `watch` print it and recordings keep it (docs/cli.md lists the members). What is
/// not known is null. Which of several outputs it is in is a number of the caller's, so `file` is not reported.
QJsonObject diagnosisJson(const Diagnosis& diagnosis);
/// No failure is any more: the class is null.
QJsonObject noDiagnosisJson();
/// Error: the class is missing, or a member is of another kind; it names the path. Further members are not an error.
Result<Diagnosis> diagnosisFromJson(JsonReader json);

} // namespace rankwright::inline insight
