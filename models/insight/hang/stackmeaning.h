// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/pythonstack.h"

#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// What the main thread of a rank does, from its innermost frames up to the user's own code.
enum class StackActivity {
    Unknown, ///< no stack
    Collective, ///< in a call of torch.distributed or the like that waits for other ranks
    Backward, ///< in autograd: computes gradients, and waits for their reduction where it does so in native code
    DeviceWait, ///< waits for the GPU
    DataWait, ///< waits for its data loader's workers
    LockWait, ///< waits for a lock, a queue or a thread of its own
    Debugger, ///< waits for somebody's input
    ErrorHandling, ///< prints or handles an exception
    Ending, ///< the program has ended, the interpreter is shutting down
    OwnCode ///< none of these: the user's code, or a library at work
};

struct StackMeaning {
    StackActivity activity = StackActivity::Unknown;
    QString collective; ///< "all_reduce": the call that the user's code or its trainer made; empty: in none
    std::optional<PythonFrame> shown; ///< innermost frame of the user's code, else the innermost of all
    bool isInDataLoader = false; ///< the shown frame was called by a data loader
    bool operator==(const StackMeaning&) const = default;
};

/// Reads the main thread; of no stacks: Unknown.
StackMeaning stackMeaning(const std::optional<PythonStacks>& stacks);

/// Is this a file of Python, of PyTorch or of an installed package, and not of the user's own?
bool isLibraryFile(const QString& file);
/// "dataset.py", without folders.
QString bareFileName(const QString& file);

} // namespace rankwright::inline insight
