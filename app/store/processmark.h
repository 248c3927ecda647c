// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// Names this very process beyond its life: boot, process id, start. Process ids are used again, so the id alone would
/// take a stranger for us.
QString ownProcessMark();

enum class ProcessLife { Running, Gone, OfAnotherBoot };
/// OfAnotherBoot: this machine was started again since, or the mark is of another machine with the same home folder.
ProcessLife lifeOf(const QString& mark);

} // namespace rankwright
