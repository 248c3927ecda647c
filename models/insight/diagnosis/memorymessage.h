// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"

#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// The figures of a message that a GPU's memory is full. Empty: it does not say. Of PyTorch for CUDA and HIP (the
/// wordings of 1.x, 2.0 and from 2.1 on), of XLA the size alone.
struct MemoryMessage {
    enum class Runtime { Unknown, Cuda, Hip };
    Runtime runtime = Runtime::Unknown; ///< whose words it uses
    std::optional<Bytes> tried; ///< that could not be allocated
    std::optional<Bytes> capacity; ///< of the GPU
    std::optional<Bytes> free; ///< of it, at that moment
    std::optional<Bytes> inUse; ///< by this process, beside the allocator's too
    std::optional<Bytes> allocated; ///< by the program's tensors
    std::optional<Bytes> unused; ///< reserved by the allocator, in pieces that nothing used
    std::optional<Bytes> others; ///< by other processes on that GPU
    bool operator==(const MemoryMessage&) const = default;

    /// What the program would have needed at that moment, at least: empty where the message does not say what it had.
    std::optional<Bytes> needed() const;
};

/// Of one line; empty: no figure of this kind is in it. Looks at 4 KiB at most.
std::optional<MemoryMessage> readMemoryMessage(const QString& line);

} // namespace rankwright::inline insight
