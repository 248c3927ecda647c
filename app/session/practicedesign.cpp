// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/practicedesign.h"

#include "models/cluster/catalogue/catalogue.h"

namespace rankwright {

using namespace Qt::StringLiterals;

void fillFromPractice(JobSpec& spec, const PracticeStatus& status)
{
    if (!spec.account && !status.account.isEmpty())
        spec.account = status.account;
    if (!spec.workdir && !status.workdir.isEmpty())
        spec.workdir = status.workdir;
}

JobSpec workshopDesign(int seconds)
{
    JobSpec spec;
    spec.name = u"first-run"_s;
    spec.cluster = QString::fromUtf16(practiceName);
    spec.partition = u"small-g"_s;
    spec.account = u"project_465000001"_s;
    spec.time = Seconds{15 * 60};
    spec.resources.nodes = 2;
    spec.resources.gpusPerNode = 4;
    spec.training.globalBatch = 256;
    spec.training.microBatch = 16;
    spec.parallel.strategy = Strategy::Ddp;
    spec.launcher = Launcher::Torchrun;
    spec.command = u"train_ddp.py --steps 90 --epochs 3 --seconds %1"_s.arg(seconds);
    spec.program.globalBatch = u"--global-batch"_s;
    spec.program.microBatch = u"--micro-batch"_s;
    spec.monitor.sampler = true; // what is begun in the window records itself unless one says no
    return spec;
}

} // namespace rankwright
