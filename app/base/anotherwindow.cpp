// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/anotherwindow.h"

#include <QCoreApplication>
#include <QProcess>

namespace rankwright {

using namespace Qt::StringLiterals;

QStringList anotherWindowArguments(const QString& dataFolder, const QString& design)
{
    QStringList words{u"--data-dir"_s, dataFolder};
    if (!design.isEmpty())
        words << u"--design"_s << design;
    return words;
}

Result<void> startAnotherWindow(const QString& dataFolder, const QString& design, const QString& program)
{
    const QString path = program.isEmpty() ? QCoreApplication::applicationFilePath() : program;
    if (!QProcess::startDetached(path, anotherWindowArguments(dataFolder, design)))
        return fail(Fault::Io, u"Another window could not be started."_s, path,
            u"Start the program again from the desktop's menu."_s);
    return {};
}

} // namespace rankwright
