// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/headlessprogram.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>

namespace rankwright {

using namespace Qt::StringLiterals;

QString headlessProgram()
{
    const QString beside = QCoreApplication::applicationDirPath() + u"/rankwright-cli"_s;
    return QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable(u"rankwright-cli"_s);
}

} // namespace rankwright
