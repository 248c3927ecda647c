// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangverdict.h"

namespace rankwright::inline insight {

/// The verdict for a message or a ticket: the sentence, a line for each rank (those that stand alike together), the
/// stacks of the odd ones, what was not reachable.
QString hangText(const HangVerdict& verdict);

/// What to do so that the next look sees more, a sentence each; empty: nothing was missing. Sources: PyTorch's
/// documentation of Flight Recorder and faulthandler's of Python; docs/where.md.
QStringList hangAdvice(const HangVerdict& verdict);

} // namespace rankwright::inline insight
