// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/submitorder.h"

#include "models/script/batch/batchtext.h"
#include "models/script/document/designjson.h"
#include "models/script/write/jobsampler.h"
#include "models/script/write/overrides.h"

using namespace Qt::StringLiterals;

namespace rankwright {

SubmitOrder submitOrder(const JobSpec& spec, const Derived& derived, SubmitPurpose purpose)
{
    SubmitOrder order;
    order.cluster = spec.cluster;
    order.name = derived.resolved.name;
    order.design = writeDesign(spec);
    const auto script = scriptFile(derived.script.text(), spec.overrides);
    order.script = script.valueOr(QByteArray());
    order.workdir = spec.workdir.value_or(QString());
    for (const BatchOption& option : parseBatch(derived.script.text()).options) {
        order.options.append(option.name);
        if (option.name == u"partition")
            order.partition = option.value;
    }
    order.findings = derived.findings();
    if (!script)
        order.findings.prepend(
            {Severity::Error, {}, u"script-encoding"_s, {}, {}, script.error().what, std::nullopt, QString()});
    order.rehearseOnly = purpose == SubmitPurpose::Rehearsal;
    order.recordsItself = derived.script.text().contains(samplerFileName);
    return order;
}

QList<Finding> letPassUnfitting(SubmitOrder& order)
{
    QList<Finding> passed;
    for (Finding& finding : order.findings) {
        if (finding.slug != slug::memoryDoesNotFit || finding.severity != Severity::Error)
            continue;
        passed.append(finding);
        finding.severity = Severity::Warning;
    }
    return passed;
}

} // namespace rankwright
