// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

namespace rankwright::inline insight {

/// What a piece of advice would change of the next request. A hint names no change.
enum class AdviceKind { Time, Memory, Cpus, Gpus, Nodes, MicroBatch, Design, Hint };

/// As JSON has it in "kind" (docs/cli.md): "microBatch". Empty: no kind has that number.
QStringView wordOf(AdviceKind kind);

} // namespace rankwright::inline insight
