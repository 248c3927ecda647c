// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/settings.h"
#include "app/cli/clidata.h"
#include "app/cli/clioutput.h"
#include "app/store/database.h"
#include "app/store/measuredruns.h"
#include "models/core/quantitytext.h"
#include "models/planner/planning/estimatetext.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonObject runJson(const MeasuredRun& run)
{
    return {{u"cluster"_s, run.cluster}, {u"family"_s, run.family}, {u"framework"_s, run.stack}, {u"job"_s, run.job},
        {u"time"_s, run.when.toString(Qt::ISODate)}, {u"predictedBytes"_s, run.predictedBytes},
        {u"measuredBytes"_s, orNull(run.measuredBytes)}, {u"predictedSeconds"_s, run.predictedSeconds},
        {u"measuredSeconds"_s, orNull(run.measuredSeconds)}};
}

int runList(const CliContext& context, const CalibrationTable& table)
{
    if (context.json) {
        QJsonArray runs;
        for (const MeasuredRun& run : table.runs)
            runs.append(runJson(run));
        printJson(context.out, QJsonObject{{u"used"_s, table.used}, {u"runs"_s, runs}});
        return ExitDone;
    }
    context.out << (!table.used    ? u"Estimates are not corrected: switched off (learning on).\n"_s
            : table.runs.isEmpty() ? u"Estimates are not corrected: no run has been measured yet.\n"_s
                                   : u"Estimates are corrected by these runs.\n"_s);
    TextTable lines({u"job"_s, u"cluster"_s, u"kind"_s, u"memory"_s, u"measured"_s, u"step"_s, u"measured"_s});
    for (const MeasuredRun& run : table.runs)
        lines.add({run.job, run.cluster, run.family + u", "_s + run.stack, gibText(run.predictedBytes),
            run.measuredBytes ? gibText(*run.measuredBytes) : u"-"_s, EstimateText::time(run.predictedSeconds),
            run.measuredSeconds ? EstimateText::time(*run.measuredSeconds) : u"-"_s});
    lines.print(context.out);
    return ExitDone;
}

int runLearning(const CliContext& context)
{
    const QString verb = context.positional.value(0, u"list"_s);
    if (!QStringList{u"list"_s, u"on"_s, u"off"_s, u"forget"_s}.contains(verb))
        return report(context,
            {Fault::Invalid, u"“learning %1” is not known"_s.arg(verb), {}, u"give list, on, off or forget"_s});
    const auto data = openData(context);
    if (!data)
        return report(context, data.error());
    if (const auto& why = data->database->whyNotKept(); why && verb != u"list")
        return ExitNo; // openData() has said why
    Settings settings(data->folder);
    MeasuredRuns runs(*data->database);
    if (verb == u"on" || verb == u"off")
        settings.setOwnRunsUsed(verb == u"on");
    if (const auto done = verb == u"forget" ? runs.clear() : Result<void>(); !done)
        return report(context, done.error(), ExitNo);
    auto table = runs.load();
    if (!table)
        return report(context, table.error(), ExitNo);
    table->used = settings.ownRunsUsed();
    return runList(context, *table);
}

} // namespace

CliCommand learningCommand()
{
    return {
        .name = "learning",
        .summary
        = "Your own measured runs, which correct the estimates: list them, switch their use on or off, forget them",
        .words = "[list|on|off|forget]",
        .run = runLearning,
        .options = {{.name = "data-dir", .value = "FOLDER", .text = "where the program keeps your measured runs"}},
        .maximumWords = 1,
    };
}

} // namespace rankwright
