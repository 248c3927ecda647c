// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/measuredmodel.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/planning/estimatetext.h"

#include <cmath>

namespace rankwright::inline tables {

using namespace Qt::StringLiterals;

namespace {

using MeasuredColumn = RecordModel<MeasuredRun>::Column;

/// A whole column at once. Member by member: g++ 12 breaks down over nested braces of the template's members.
MeasuredColumn column(const QString& title, const std::function<QString(const MeasuredRun&)>& text,
    const std::function<QVariant(const MeasuredRun&)>& sort = {},
    const std::function<Tone(const MeasuredRun&)>& tone = {},
    const std::function<QString(const MeasuredRun&)>& toolTip = {}, bool right = false)
{
    MeasuredColumn made{.title = title, .text = text};
    made.sort = sort;
    made.tone = tone;
    made.toolTip = toolTip;
    if (right)
        made.alignment = Qt::AlignRight | Qt::AlignVCenter;
    return made;
}

QString errorText(const std::optional<double>& error)
{
    if (!error)
        return u"–"_s;
    return (*error < 0 ? u"−"_s : u"+"_s) + percentText(std::abs(*error) * 100, 1);
}

QVariant errorSort(const std::optional<double>& error) { return error ? QVariant(std::abs(*error)) : QVariant(-1.0); }

std::optional<double> memoryError(const MeasuredRun& run)
{
    return predictionError(run.predictedBytes, run.measuredBytes);
}
std::optional<double> timeError(const MeasuredRun& run)
{
    return predictionError(run.predictedSeconds, run.measuredSeconds);
}

QList<MeasuredColumn> measuredColumns()
{
    return {
        column(
            u"Job"_s, [](const MeasuredRun& run) { return run.job; }, [](const MeasuredRun& run) { return run.when; }),
        column(u"Kind"_s,
            [](const MeasuredRun& run) { return u"%1 · %2 · %3"_s.arg(run.cluster, run.family, run.stack); }),
        column(
            u"Memory: expected"_s, [](const MeasuredRun& run) { return gibText(run.predictedBytes); },
            [](const MeasuredRun& run) { return run.predictedBytes; }, {}, {}, true),
        column(
            u"measured"_s,
            [](const MeasuredRun& run) { return run.measuredBytes ? gibText(*run.measuredBytes) : u"–"_s; },
            [](const MeasuredRun& run) { return run.measuredBytes.value_or(-1); }, {}, {}, true),
        column(
            u"off by"_s, [](const MeasuredRun& run) { return errorText(memoryError(run)); },
            [](const MeasuredRun& run) { return errorSort(memoryError(run)); }, {}, {}, true),
        column(
            u"Step: expected"_s, [](const MeasuredRun& run) { return EstimateText::time(run.predictedSeconds); },
            [](const MeasuredRun& run) { return run.predictedSeconds; }, {}, {}, true),
        column(
            u"measured"_s,
            [](const MeasuredRun& run) {
                return run.measuredSeconds ? EstimateText::time(*run.measuredSeconds) : u"–"_s;
            },
            [](const MeasuredRun& run) { return run.measuredSeconds.value_or(-1); }, {}, {}, true),
        column(
            u"off by"_s, [](const MeasuredRun& run) { return errorText(timeError(run)); },
            [](const MeasuredRun& run) { return errorSort(timeError(run)); }, {}, {}, true)};
}

} // namespace

std::optional<double> predictionError(double predicted, const std::optional<double>& measured)
{
    if (!measured || !(*measured > 0) || !std::isfinite(predicted))
        return {};
    return (predicted - *measured) / *measured;
}

MeasuredModel::MeasuredModel(QObject* parent)
    : RecordModel<MeasuredRun>(
        measuredColumns(),
        [](const MeasuredRun& run) { return u"%1/%2/%3"_s.arg(run.cluster, run.job, run.when.toString(Qt::ISODate)); },
        parent)
{ }

} // namespace rankwright::inline tables
