// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "app/cli/harmlessoutput.h"
#include "app/cli/inputstream.h"
#include "models/core/linediff.h"
#include "models/script/batch/scriptbytes.h"
#include "models/script/bind/scriptfields.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// "FIELD=VALUE", "command+=WORDS". An argument's name may hold no '=': the first one ends the field.
Result<FieldEdit> editOf(const QString& word)
{
    const qsizetype equals = word.indexOf(u'=');
    if (equals < 1)
        return fail(Fault::Invalid, u"“%1” is not of the form FIELD=VALUE"_s.arg(word), {},
            u"name a field that “rankwright-cli read --json” lists, for instance time=02:00:00"_s);
    FieldEdit edit;
    edit.path = word.left(equals);
    edit.value = word.mid(equals + 1);
    edit.appends = edit.path.endsWith(u'+');
    if (edit.appends)
        edit.path.chop(1);
    return edit;
}

QString unified(const QString& before, const QString& after, const QString& name)
{
    const QStringList from = before.split(u'\n'), to = after.split(u'\n');
    QString out = u"--- %1\n+++ %1\n"_s.arg(name);
    for (const LineHunk& hunk : lineDifference(from, to)) {
        const qsizetype removed = hunk.fromEnd - hunk.from, added = hunk.toEnd - hunk.to;
        out += u"@@ -%1,%2 +%3,%4 @@\n"_s.arg(hunk.from + (removed > 0 ? 1 : 0))
                   .arg(removed)
                   .arg(hunk.to + (added > 0 ? 1 : 0))
                   .arg(added);
        for (qsizetype i = hunk.from; i < hunk.fromEnd; ++i)
            out += u'-' + from.at(i) + u'\n';
        for (qsizetype i = hunk.to; i < hunk.toEnd; ++i)
            out += u'+' + to.at(i) + u'\n';
    }
    return out;
}

int runSet(const CliContext& context)
{
    const QString path = context.positional.first();
    const QString name = inputName(path);
    QList<FieldEdit> edits;
    for (const QString& word : context.positional.mid(1)) {
        const Result<FieldEdit> edit = editOf(word);
        if (!edit)
            return report(context, edit.error());
        edits.append(*edit);
    }
    const Result<QByteArray> bytes = readInput(path, name);
    if (!bytes)
        return report(context, bytes.error());
    if (bytes->contains('\0'))
        return report(context, {Fault::Unreadable, name + u": not text"_s, {}, u"give a batch script as plain text"_s});
    const ScriptBytes script = ScriptBytes::read(*bytes);
    const Result<EditedScript> edited = setFields(script.text, edits);
    if (!edited) {
        report(context, edited.error());
        return ExitNo;
    }
    const Result<QByteArray> out = script.write(edited->text);
    if (!out) {
        report(context, out.error());
        return ExitNo;
    }
    for (const QString& note : edited->notes)
        context.err << u"note: "_s << note << Qt::endl;
    if (context.has(u"diff"_s))
        context.out << unified(script.text, edited->text, name);
    else
        writeExactly(context.out, *out);
    return ExitDone;
}

} // namespace

CliCommand setCommand()
{
    return {
        .name = "set",
        .summary = "Set fields of a hand-written batch script in its own text",
        .words = "SCRIPT.sh|- FIELD=VALUE...",
        .run = runSet,
        .options = {{.name = "diff", .text = "what changes, instead of the script"}},
        .minimumWords = 2,
    };
}

} // namespace rankwright
