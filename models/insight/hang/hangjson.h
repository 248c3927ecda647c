// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangverdict.h"

#include <QJsonObject>

namespace rankwright::inline insight {

/// The answer of `where` (docs/cli.md lists the members): ranks, the odd ones in front, sentence, odd ranks, what each
/// part of the sentence rests on, notes, seconds. What is not known is null.
QJsonObject hangJson(const HangVerdict& verdict);

} // namespace rankwright::inline insight
