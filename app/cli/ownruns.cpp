// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ownruns.h"

#include "app/base/datafolder.h"
#include "app/base/settings.h"
#include "app/store/database.h"
#include "app/store/measuredruns.h"

#include <QDir>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace rankwright {

QList<CliOption> withOwnRuns(const QList<CliOption>& own)
{
    return own
        + QList<CliOption>{
            {.name = "uncorrected", .text = "by published figures alone, without what your own runs measured"},
            {.name = "data-dir", .value = "FOLDER", .text = "where the program keeps your measured runs"}};
}

CalibrationTable ownRuns(const CliContext& context)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    if (context.has(u"uncorrected"_s) || !QFileInfo::exists(QDir(folder).filePath(u"rankwright.db"_s)))
        return {};
    if (!Settings(folder).ownRunsUsed())
        return {};
    auto database = Database::openOrCopy(folder);
    Result<CalibrationTable> table = database ? MeasuredRuns(**database).load() : fail(database.error());
    if (!table)
        report(context, table.error().within(u"your own runs are not used"_s));
    return table.valueOr({});
}

} // namespace rankwright
