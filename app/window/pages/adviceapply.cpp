// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/adviceapply.h"

#include "app/report/reportmaker.h"
#include "models/script/document/design.h"

#include <QCoreApplication>

namespace rankwright {

namespace {

QString saidOfAdvice(const char* text) { return QCoreApplication::translate("AdviceApply", text); }

} // namespace

QString whyNotApply(const Design& design, const QString& cluster)
{
    return design.spec().cluster == cluster ? QString() : saidOfAdvice("The open design is for another cluster.");
}

QString applyToDesign(Design& design, const ReportAdvice& advice, const QString& cluster, const JobId& job)
{
    if (!whyNotApply(design, cluster).isEmpty())
        return saidOfAdvice("The open design is for another cluster: nothing was changed.");
    const JobSpec before = design.spec();
    design.edit(saidOfAdvice("Advice of job %1").arg(job), [&advice](JobSpec& spec) { applyAdvice(spec, advice); });
    return design.spec() == before
        ? saidOfAdvice("The design says so already.")
        : saidOfAdvice("Written into the design “%1”; Undo takes it back.").arg(design.derived().resolved.name);
}

} // namespace rankwright
