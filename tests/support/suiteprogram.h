// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankwright::test {

/// One suite of a test program. Constructing it, before main(), makes the suite known to runSuite().
class SuiteEntry {
public:
    using Run = int (*)(int argc, char** argv);
    /// `file` is the source of the suite, whose base name ("tst_hostlist") is the suite's name.
    SuiteEntry(const char* file, Run run);
};

/// Runs the suite that argv[0] names (the program is called by a link), else the one that argv[1] names. Returns what
/// the suite returns; without such a suite prints the names of all and returns 2.
int runSuite(int argc, char** argv);

} // namespace rankwright::test
