// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"

namespace rankwright::inline insight {

/// A failure's title, as alerts, the report and lists of jobs say it: who failed, as far as the output says, and of
/// what
/// ("Rank 3: GPU out of memory"). `isRunning`: more of the output may still come.
QString failureTitle(const Diagnosis& diagnosis, bool isRunning);
/// What a class of failure is called in it (docs/diagnosis.md): "GPU out of memory".
QString failureWords(const QString& kind);

} // namespace rankwright::inline insight
