// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Linux: /proc/self/coredump_filter. Elsewhere: setrlimit() of POSIX alone.
#include "app/base/coreprivacy.h"

#include <QFile>

#include <sys/resource.h>

namespace rankwright {

void excludeMemoryFromCores()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_CORE, &limit) == 0) {
        limit.rlim_cur = 0; // the hard limit stays: what the user starts from here may want its cores
        ::setrlimit(RLIMIT_CORE, &limit);
    }
    // A handler behind a pipe in core_pattern is started whatever the limit says. Not PR_SET_DUMPABLE: it would also
    // take /proc/self away from desktop portals, which then refuse their file dialogs.
    QFile filter(QStringLiteral("/proc/self/coredump_filter"));
    if (filter.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        filter.write("0x0\n");
}

} // namespace rankwright
