// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/programidentity.h"

#include <QCoreApplication>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace rankwright {

void setProgramIdentity()
{
    QCoreApplication::setApplicationName(u"rankwright"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(RANKWRIGHT_VERSION));
}

QString userCatalogueFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/rankwright/clusters"_s;
}

} // namespace rankwright
