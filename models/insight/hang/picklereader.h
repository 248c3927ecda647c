// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/insight/hang/valuetree.h"

#include <QByteArray>

namespace rankwright::inline insight {

/// What a pickle may be at most: a record of 16,000 operations stays far below.
struct PickleBounds {
    qsizetype bytes = 64 << 20;
    qsizetype values = 4'000'000; ///< in all, also those that are nowhere kept
    qsizetype textBytes = 4 << 20; ///< of one text
    int openMarks = 64; ///< lists, tuples and dictionaries that are begun and not ended
};

/// Reads a pickle of protocol 2 that holds plain values: dictionaries, lists, tuples (given as lists), texts, whole
/// numbers of 64 bits (larger ones become None), floating-point numbers, True, False, None. A machine with a row of
/// values, which calls nothing and never goes into itself, so that a hostile file can use memory up to the bounds and
/// nothing else. Lists may hold themselves: ValueTree gives their places, not copies.
/// Source of the opcodes: Python's pickletools; PyTorch's own writer uses a subset of them.
/// Error, with the byte at which it is seen: another protocol; an opcode that would import, call or build something
/// (GLOBAL, STACK_GLOBAL, REDUCE, BUILD, INST, OBJ, NEWOBJ, PERSID, EXT and the like) or that plain values don't need;
/// cut off; a stack that lacks what an opcode takes; a bound.
Result<ValueTree> readPickle(const QByteArray& bytes, const PickleBounds& bounds = {});

} // namespace rankwright::inline insight
