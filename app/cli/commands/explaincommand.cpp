// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "app/cli/inputstream.h"
#include "models/script/document/design.h"
#include "models/teaching/learn/explanation.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr qsizetype mostOthers = 8;

QString wordOf(LearnHit::Kind kind) { return kind == LearnHit::Kind::Term ? u"term"_s : u"question"_s; }

/// Whose numbers: of a design file, or of an empty design for a cluster. Empty: no numbers.
Result<std::optional<Derived>> chosenDesign(const CliContext& context)
{
    if (context.has(u"design"_s) && context.has(u"cluster"_s))
        return fail(Fault::Invalid, u"--design and --cluster exclude each other"_s, {},
            u"a design names its cluster: leave --cluster out"_s);
    if (context.has(u"design"_s)) {
        const QString path = context.option(u"design"_s);
        const QString name = inputName(QFileInfo(path).fileName());
        const Result<QByteArray> bytes = readInput(path, name);
        if (!bytes)
            return fail(bytes.error());
        const Result<LoadedDesign> design = loadDesign(context, name, *bytes);
        if (!design)
            return fail(design.error());
        return std::optional(derive(design->resolved.spec, *design->profile));
    }
    if (!context.has(u"cluster"_s))
        return std::optional<Derived>();
    const QString name = context.option(u"cluster"_s);
    const ClusterProfile* profile = context.catalogue.find(name);
    if (profile == nullptr)
        return fail(Fault::Invalid, u"no cluster is called “%1”"_s.arg(name.left(60)), {},
            u"choose one of "_s + context.catalogue.names().join(u", "_s));
    JobSpec spec;
    spec.cluster = profile->name;
    return std::optional(derive(spec, *profile));
}

QJsonObject explanationJson(const Explanation& shown)
{
    QJsonArray related;
    for (const Explanation::Link& link : shown.related)
        related.append(link.id);
    return {
        {u"kind"_s, wordOf(shown.kind)},
        {u"id"_s, shown.id},
        {u"title"_s, shown.title},
        {u"alsoCalled"_s, QJsonArray::fromStringList(shown.alsoCalled)},
        {u"text"_s, orNull(shown.text)},
        {u"numbers"_s, orNull(shown.numbers)},
        {u"related"_s, related},
        {u"picture"_s, pictureText(shown.picture, shown.figures)},
    };
}

void printExplanation(const CliContext& context, const Explanation& shown)
{
    context.out << shown.title << u'\n';
    if (!shown.text.isEmpty())
        context.out << shown.text << u'\n';
    if (!shown.numbers.isEmpty())
        context.out << shown.numbers << u'\n';
    QStringList related;
    for (const Explanation::Link& link : shown.related)
        related.append(link.id);
    if (!related.isEmpty())
        context.out << u"See also: "_s << related.join(u", "_s) << u'\n';
}

int listAll(const CliContext& context, const Derived* derived)
{
    QJsonArray termRows;
    QJsonArray questionRows;
    TextTable table({u"id"_s, u"word or question"_s});
    for (const Question& question : questions()) {
        const QString title = explain(question, derived).title;
        questionRows.append(QJsonObject{{u"id"_s, question.id}, {u"title"_s, title}});
        table.add({question.id, title});
    }
    for (const Term& term : terms()) {
        const QString title = explain(term, derived).title;
        termRows.append(QJsonObject{{u"id"_s, term.id}, {u"title"_s, title}});
        table.add({term.id, title});
    }
    if (context.json)
        printJson(context.out, QJsonObject{{u"questions"_s, questionRows}, {u"terms"_s, termRows}});
    else
        table.print(context.out);
    return ExitDone;
}

int nothingFound(const CliContext& context, const QString& asked)
{
    if (context.json)
        printJson(
            context.out, QJsonObject{{u"asked"_s, asked}, {u"found"_s, QJsonValue()}, {u"others"_s, QJsonArray()}});
    return report(context,
        {Fault::Invalid, u"nothing is known about “%1”"_s.arg(asked.left(80)), {},
            u"explain without words lists all"_s},
        ExitNo);
}

QList<LearnHit> hitsFor(const QString& asked)
{
    QList<LearnHit> hits = searchLearn(asked);
    // An id is exact, whatever else has these letters.
    if (findQuestion(asked) != nullptr) {
        hits.removeIf([&asked](const LearnHit& hit) { return hit.id == asked; });
        hits.prepend({LearnHit::Kind::Question, asked, 100});
    }
    return hits;
}

int runExplain(const CliContext& context)
{
    const auto design = chosenDesign(context);
    if (!design)
        return report(context, design.error());
    const Derived* derived = *design ? &**design : nullptr;
    const QString asked = context.positional.join(u' ');
    if (asked.trimmed().isEmpty())
        return listAll(context, derived);
    const QList<LearnHit> hits = hitsFor(asked);
    const auto shown = hits.isEmpty() ? std::nullopt : explain(hits.first().kind, hits.first().id, derived);
    if (!shown)
        return nothingFound(context, asked);
    const QList<LearnHit> others = hits.mid(1, mostOthers);
    if (context.json) {
        QJsonArray rest;
        for (const LearnHit& hit : others)
            rest.append(QJsonObject{{u"kind"_s, wordOf(hit.kind)}, {u"id"_s, hit.id}});
        printJson(
            context.out, QJsonObject{{u"asked"_s, asked}, {u"found"_s, explanationJson(*shown)}, {u"others"_s, rest}});
        return ExitDone;
    }
    printExplanation(context, *shown);
    if (derived == nullptr)
        context.err << u"With --cluster NAME or --design FILE the answer has its figures.\n"_s;
    QStringList names;
    for (const LearnHit& hit : others)
        names.append(hit.id);
    if (!names.isEmpty())
        context.err << u"Also found: "_s << names.join(u", "_s) << u'\n';
    return ExitDone;
}

} // namespace

CliCommand explainCommand()
{
    return {
        .name = "explain",
        .summary = "Explain a word of the field, or answer a learner's question, with the figures of a design",
        .words = "[WORDS...]",
        .run = runExplain,
        .options = {{.name = "design", .value = "FILE", .text = "take the figures of this design"},
            {.name = "cluster", .value = "NAME", .text = "take the figures of this cluster, without a design"}},
    };
}

} // namespace rankwright
