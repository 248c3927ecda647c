// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline core {

/// "python", "python3.11", "pypy3", also by a path.
bool isPython(const QString& word);

/// What a command runs: "train.py" of "FOO=1 venv/bin/python -W ignore train.py --x", the module "torchtitan.train" of
/// "-m torchtitan.train". Empty name: nothing with a name (python -c).
struct NamedProgram {
    QString name; ///< as written, with its path
    bool isModule = false;
};
NamedProgram programOf(const QString& command);

} // namespace rankwright::inline core
