// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/plannerdata.h"

#include "models/core/jsonreader.h"
#include "models/core/logging.h"

#include <QFile>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must be outside any namespace: the function it calls is a global one. A static library's resources
// are not linked in unless somebody calls it.
static void initPlannerResource() { Q_INIT_RESOURCE(planner); }

namespace rankwright::inline planner {

QJsonObject plannerData(const QString& fileName)
{
    initPlannerResource();
    QFile file(u":/planner/"_s + fileName);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const auto object = parseJsonObject(file.readAll(), file.fileName());
    if (!object)
        qCCritical(logApp) << object.error().oneLine();
    return object.valueOr({});
}

} // namespace rankwright::inline planner
