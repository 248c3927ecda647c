// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptdocument.h"

namespace rankwright::test {

/// A script longer than any window: a head, `filler` exports, and the start of the program on the last line.
inline ScriptDocument longDocument(int nodes, int filler = 120)
{
    using namespace Qt::StringLiterals;
    ScriptDocument document;
    document.lines.append({u"#!/bin/bash"_s, {}, u"The shell that runs the script."_s, {}});
    document.lines.append(
        {u"#SBATCH --nodes=%1"_s.arg(nodes), {u"resources.nodes"_s}, u"Machines of the job."_s, u"R03"_s});
    document.lines.append({QString(), {}, {}, {}});
    for (int i = 0; i < filler; ++i)
        document.lines.append({u"export VALUE_%1=%1"_s.arg(i), {u"environment.variables"_s}, u"Yours."_s, {}});
    document.lines.append({u"srun --nodes=%1 train.py"_s.arg(nodes), {u"resources.nodes"_s, u"command"_s},
        u"Starts the program."_s, u"R30"_s});
    return document;
}

} // namespace rankwright::test
