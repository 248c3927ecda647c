// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clidata.h"

#include "app/base/datafolder.h"
#include "app/store/database.h"

namespace rankwright {

using namespace Qt::StringLiterals;

Result<CliData> openData(const CliContext& context)
{
    const QString named = context.option(u"data-dir"_s);
    const auto prepared = prepareDataFolder(named);
    auto database = Database::openOrCopy(dataFolderPath(named));
    if (!database)
        return fail(database.error());
    if (const auto& why = (*database)->whyNotKept())
        report(context, (prepared ? *why : prepared.error()).within(u"nothing of this is kept on this machine"_s));
    return CliData{dataFolderPath(named), std::move(*database)};
}

} // namespace rankwright
