// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/findingjson.h"

#include "models/core/jsonvalue.h"

using namespace Qt::StringLiterals;

namespace rankwright {

QJsonObject findingJson(const Finding& finding)
{
    return {
        {u"severity"_s, toText(finding.severity)},
        {u"rule"_s, orNull(finding.rule)},
        {u"slug"_s, orNull(finding.slug)},
        {u"line"_s, finding.lines ? QJsonValue(finding.lines->first) : QJsonValue()},
        {u"field"_s, orNull(finding.field)},
        {u"text"_s, finding.text},
        {u"fix"_s, orNull(finding.fix ? finding.fix->label : QString())},
        {u"fixes"_s, QJsonArray::fromStringList(finding.fixLabels())},
        {u"source"_s, orNull(finding.source)},
    };
}

QJsonArray findingsJson(const QList<Finding>& findings)
{
    QJsonArray list;
    for (const Finding& finding : findings)
        list.append(findingJson(finding));
    return list;
}

} // namespace rankwright
