// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/rankevidence.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

std::optional<ProcessState> processStateOf(char letter)
{
    switch (letter) {
    case 'R': return ProcessState::Running;
    case 'S':
    case 'I': return ProcessState::Sleeping;
    case 'D': return ProcessState::DiskSleep;
    case 'T':
    case 't': return ProcessState::Stopped;
    case 'Z':
    case 'X':
    case 'x': return ProcessState::Zombie;
    default: return {};
    }
}

QString toText(ProcessState state)
{
    switch (state) {
    case ProcessState::Running: return u"R"_s;
    case ProcessState::Sleeping: return u"S"_s;
    case ProcessState::DiskSleep: return u"D"_s;
    case ProcessState::Stopped: return u"T"_s;
    case ProcessState::Zombie: return u"Z"_s;
    }
    return {};
}

} // namespace rankwright::inline insight
