// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// One call of a Python stack.
struct PythonFrame {
    QString function; ///< "all_reduce"; faulthandler's and py-spy's name of the code object
    QString file; ///< as the interpreter names it, mostly a whole path; may be relative
    std::optional<int> line; ///< from 1; empty: not known (native code)
    bool operator==(const PythonFrame&) const = default;
};

/// One thread of a Python program at one moment.
struct PythonThread {
    QString name; ///< "MainThread"; empty: the source names none (faulthandler)
    std::optional<bool> active; ///< runs on a processor (py-spy's guess)
    std::optional<bool> ownsGil; ///< holds the interpreter's lock
    bool isCurrent = false; ///< faulthandler's "Current thread": the one that the signal came to, mostly the main one
    QList<PythonFrame> frames; ///< innermost first
    bool isMain = false; ///< its number in the kernel is the process's own (py-spy)
    bool operator==(const PythonThread&) const = default;
};

enum class StackSource { PySpyJson, PySpyText, FaultHandler };

/// All threads of one process at one moment, as one tool printed them.
struct PythonStacks {
    StackSource source = StackSource::FaultHandler;
    QList<PythonThread> threads; ///< in the order of the text
    bool operator==(const PythonStacks&) const = default;

    /// The thread that runs the program: named MainThread, else of the process's own number, else the oldest one: the
    /// last, but the first in py-spy's text. Null: no thread.
    const PythonThread* mainThread() const;
};

/// "py-spy", "faulthandler": for people.
QString toText(StackSource source);

/// Reads what `py-spy dump --json`, `py-spy dump` or Python's faulthandler printed; which one is seen from the text.
/// Words around it (lines of a log) are skipped; of several dumps in one text the last is read. At most 256 threads of
/// 512 frames, names cut at 400 characters. Error: no stack is in it, or more than 8 MiB.
Result<PythonStacks> readPythonStacks(const QByteArray& text);

} // namespace rankwright::inline insight
