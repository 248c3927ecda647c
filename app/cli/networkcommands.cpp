// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networkcommands.h"
#include "app/cli/clilogin.h"

namespace rankwright {

QList<CliCommand> networkCommands()
{
    return {
        {"connect", "Log in to a cluster and tell what it says about itself",
            "CLUSTER [--host H] [--port P] [--user U] [--identity FILE]... [--jump H] [--known-hosts FILE] [--config "
            "FILE] [--password-fd N]",
            runConnect, RANKWRIGHT_LOGIN_OPTIONS, 1, 1},
        {"submit", "Submit a design once; the job log is written before anything is sent",
            "DESIGN [--upload PATH...] [--test-only] [--wait] [connection options as of connect]", runSubmit,
            RANKWRIGHT_LOGIN_OPTIONS " test-only wait upload=*", 1, 1},
        {"jobs", "The queue, with --past also what ended", "CLUSTER [--past DAYS] [connection options]", runJobs,
            RANKWRIGHT_LOGIN_OPTIONS " past=", 1, 1},
        {"cancel", "Cancel a job", "CLUSTER JOB [connection options]", runCancel, RANKWRIGHT_LOGIN_OPTIONS, 2, 2},
        {"watch", "Follow a job or a machine: one JSON document per line for samples, ranks, states, progress",
            "CLUSTER JOB | CLUSTER --via here | here [--seconds N] [--interval MS] [--via step|ssh|here] [--no-record] "
            "[--pattern REGEX]... [connection options]",
            runWatch, RANKWRIGHT_LOGIN_OPTIONS " no-record seconds= interval= via= pattern=+", 1, 2},
        {"gpu-records", "What jobs wrote of their GPUs by themselves, on the cluster: list or remove",
            "CLUSTER [JOB...] [--folder DIR] [--remove] [connection options]", runGpuRecords,
            RANKWRIGHT_LOGIN_OPTIONS " folder= remove", 1, 100},
        {"report", "What jobs used, how well, what to ask for next time; the speed-up over several",
            "CLUSTER JOB... [--markdown FILE|-] [--offline] [connection options]", runReport,
            RANKWRIGHT_LOGIN_OPTIONS " markdown= offline", 2},
        {"practice", "The practice cluster on this machine: up, down or status",
            "up|down|status [--shape CLUSTER|FILE] [--purge]", runPractice, "purge shape=", 1, 1},
    };
}

} // namespace rankwright
