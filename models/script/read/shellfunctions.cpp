// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/shellfunctions.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// "name()" and "function name" announce a block; its brace opens it.
bool isHeader(const ShellCommand& command)
{
    static const QSet<QString> openers{
        u"if"_s, u"while"_s, u"until"_s, u"for"_s, u"select"_s, u"case"_s, u"{"_s, u"("_s};
    return command.kind == ShellCommand::Kind::BlockStart && !openers.contains(command.name());
}

} // namespace

QList<ShellFunction> shellFunctions(const BatchText& batch)
{
    QList<ShellFunction> units;
    const QList<ShellCommand>& commands = batch.shell.commands;
    int depth = 0;
    bool open = false; // the last unit is a block that goes on
    for (int i = 0; i < commands.size(); ++i) {
        const ShellCommand& command = commands.at(i);
        if (command.parent)
            continue;
        int last = command.lastLine;
        for (const ShellRedirection& redirection : command.redirections) {
            if (redirection.hereDocument)
                last = qMax(last, batch.shell.hereDocuments.at(*redirection.hereDocument).lastLine + 1);
        }
        last = qMin(last, static_cast<int>(batch.lines.size()));
        const bool shares = !units.isEmpty() && (open || command.line <= units.last().last);
        if (!shares)
            units.append({command.line, last, {}, false});
        ShellFunction& unit = units.last();
        unit.last = qMax(unit.last, last);
        unit.commands.append(i);
        const bool starts = command.kind == ShellCommand::Kind::BlockStart;
        unit.isBlock = unit.isBlock || starts;
        if (starts && !isHeader(command))
            ++depth;
        else if (command.kind == ShellCommand::Kind::BlockEnd)
            depth = qMax(0, depth - 1);
        // a && \n b, a | \n b and a |& \n b go on, too
        open = depth > 0 || isHeader(command) || isPipe(command.separator) || isAndOr(command.separator);
    }
    return units;
}

QStringList unitText(const BatchText& batch, const ShellFunction& unit)
{
    return batch.lines.mid(unit.first - 1, unit.last - unit.first + 1);
}

} // namespace rankwright::inline script
