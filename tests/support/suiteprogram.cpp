// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suiteprogram.h"

#include <cstdio>
#include <map>
#include <string>

namespace rankwright::test {
namespace {

/// A function's variable, since entries are constructed before other static values may be.
std::map<std::string, SuiteEntry::Run>& suites()
{
    static std::map<std::string, SuiteEntry::Run> entries;
    return entries;
}

std::string baseName(const std::string& path)
{
    const std::string name = path.substr(path.find_last_of('/') + 1);
    return name.substr(0, name.find('.'));
}

} // namespace

SuiteEntry::SuiteEntry(const char* file, Run run) { suites().emplace(baseName(file), run); }

int runSuite(int argc, char** argv)
{
    if (const auto found = suites().find(baseName(argv[0])); found != suites().end())
        return found->second(argc, argv);
    if (argc > 1) {
        if (const auto found = suites().find(baseName(argv[1])); found != suites().end())
            return found->second(argc - 1, argv + 1);
    }
    std::fputs(
        "This program holds these suites; call it by the name of one, or name one as the first argument:\n", stderr);
    for (const auto& [name, run] : suites())
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}

} // namespace rankwright::test

/// Of every test program that has no main() of its own.
int main(int argc, char** argv) { return rankwright::test::runSuite(argc, argv); }
