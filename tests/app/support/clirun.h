// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commandline.h"
#include "app/cli/commands/commands.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace rankwright::test {

/// What a headless command answered.
struct Answer {
    int code = -1;
    QString out;
    QString err;
    QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
    QJsonArray jsonArray() const { return QJsonDocument::fromJson(out.toUtf8()).array(); }
};

/// Runs a command line in this process; `userCatalogue`: folder of the user's own cluster files.
inline Answer run(const QStringList& arguments, const QString& userCatalogue = {})
{
    Answer answer;
    QTextStream out(&answer.out);
    QTextStream err(&answer.err);
    answer.code = runCommandLine(allCommands(), arguments, out, err, userCatalogue);
    out.flush();
    err.flush();
    return answer;
}

} // namespace rankwright::test
