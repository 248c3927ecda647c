// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/submitorder.h"

#include "app/session/sshsession.h"
#include "models/document/designjson.h"
#include "models/lint/lint.h"
#include "models/script/write/jobsampler.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Errors in lines that a person wrote into the script stop a launch as those of the design do. The writer's own lines
/// are right by its rules and are not read again.
QList<Finding> textErrors(const JobSpec& spec, const Derived& derived)
{
    QList<Finding> errors;
    if (spec.overrides == JobSpec().overrides)
        return errors;
    for (const LintFinding& lint : lintScript(parseBatch(derived.script.text()), derived.profile)) {
        if (lint.severity == Severity::Error)
            errors.append({lint.severity, lint.rule, lint.slug, lint.field, lint.line - 1, lint.text, {}, lint.source});
    }
    return errors;
}

} // namespace

SubmitOrder submitOrder(const JobSpec& spec, const Derived& derived, bool rehearseOnly)
{
    SubmitOrder order;
    order.cluster = spec.cluster;
    order.name = derived.resolved.name;
    order.design = writeDesign(spec);
    order.script = derived.script.text().toUtf8();
    order.workdir = spec.workdir.value_or(QString());
    order.findings = derived.findings + textErrors(spec, derived);
    order.rehearseOnly = rehearseOnly;
    order.recordsItself = derived.script.text().contains(samplerFileName);
    return order;
}

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
    spec.command = u"train_ddp.py --global-batch 256 --steps 90 --epochs 3 --seconds %1"_s.arg(seconds);
    spec.monitor.sampler = true; // what is begun in the window records itself unless one says no
    return spec;
}

} // namespace rankwright
