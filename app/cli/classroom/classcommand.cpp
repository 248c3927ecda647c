// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/datafolder.h"
#include "app/classroom/classsigner.h"
#include "app/cli/classroom/classteacher.h"
#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "app/cli/inputstream.h"
#include "models/teaching/classroom/classeffects.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/shippedclasses.h"

#include <QFile>
#include <QSaveFile>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// A file, "-", or the name of a class that comes with the program.
Result<ClassFile> namedClass(const QString& word)
{
    const QList<ShippedClass> shipped = shippedClasses();
    const auto found
        = std::find_if(shipped.cbegin(), shipped.cend(), [&](const ShippedClass& one) { return one.name == word; });
    if (found != shipped.cend() && !QFile::exists(word))
        return found->file;
    const QString name = inputName(word);
    const Result<QByteArray> bytes = readInput(word, name);
    if (!bytes)
        return fail(bytes.error());
    return readClass(*bytes, name);
}

QString toText(ClassTrust trust)
{
    switch (trust) {
    case ClassTrust::Shipped: return u"shipped"_s;
    case ClassTrust::KnownKey: return u"known-key"_s;
    case ClassTrust::NewKey: return u"new-key"_s;
    case ClassTrust::ChangedKey: return u"changed-key"_s;
    case ClassTrust::Unsigned: return u"unsigned"_s;
    case ClassTrust::Broken: break;
    }
    return u"broken"_s;
}

/// Of one exercise: errors of its designs under the class, and which design checks they meet.
struct TriedDesign {
    QString exercise, design; ///< "start", "solution"
    QStringList errors;
    QList<CheckVerdict> checks;
};

QList<TriedDesign> triedDesigns(const ClassFile& file, const ClusterProfile& profile)
{
    QList<TriedDesign> all;
    for (const ClassExercise& exercise : file.exercises) {
        const auto solution = solutionSpec(file, exercise);
        for (const auto& [name, spec] :
            {std::pair(u"start"_s, std::optional(startingSpec(file, exercise))), std::pair(u"solution"_s, solution)}) {
            if (!spec)
                continue;
            JobSpec own = *spec; // as an attendee has it: with an account where the class leaves it open
            if (!own.account && profile.launch.accountRequired)
                own.account = profile.launch.accountExample;
            const Derived derived = derive(own, profile);
            TriedDesign tried{exercise.id, name, {}, {}};
            QList<Finding> findings = derived.findings();
            findings += classFindings(file, exercise, derived.resolved, QDateTime::currentDateTimeUtc());
            for (const Finding& finding : findings) {
                if (finding.severity == Severity::Error)
                    tried.errors.append(finding.text);
            }
            for (const ClassCheck& check : exercise.checks)
                if (looksAtDesign(check.kind))
                    tried.checks.append(evaluate(check, {&derived, {}, {}, file.limits}));
            all.append(tried);
        }
    }
    return all;
}

QJsonArray triedJson(const QList<TriedDesign>& all)
{
    QJsonArray list;
    for (const TriedDesign& tried : all) {
        QJsonArray checks;
        for (const CheckVerdict& verdict : tried.checks)
            checks.append(QJsonObject{
                {u"text"_s, verdict.text}, {u"state"_s, toText(verdict.state)}, {u"where"_s, orNull(verdict.where)}});
        list.append(QJsonObject{{u"exercise"_s, tried.exercise}, {u"design"_s, tried.design},
            {u"errors"_s, QJsonArray::fromStringList(tried.errors)}, {u"checks"_s, checks}});
    }
    return list;
}

void printTried(const CliContext& context, const QList<TriedDesign>& all)
{
    for (const TriedDesign& tried : all) {
        context.out << tried.exercise << u", "_s << tried.design << u":\n"_s;
        for (const QString& error : tried.errors)
            context.out << u"  error    "_s << error << u'\n';
        for (const CheckVerdict& verdict : tried.checks)
            context.out << u"  "_s << toText(verdict.state).leftJustified(9) << verdict.text << u" ("_s << verdict.where
                        << u")\n"_s;
    }
}

QString expiryText(const ClassFile& file) { return file.expires.toUTC().toString(Qt::ISODate); }

int runCheck(const CliContext& context, const QString& word)
{
    const auto file = namedClass(word);
    if (!file)
        return report(context, file.error());
    const auto verdict = verifyClass(*file, dataFolderPath(context.option(u"data-dir"_s)));
    if (!verdict)
        return report(context, verdict.error());
    const ClusterProfile* profile = context.catalogue.find(file->cluster);
    const QList<TriedDesign> tried = profile != nullptr ? triedDesigns(*file, *profile) : QList<TriedDesign>();
    const auto expired = expiryFault(*file, QDateTime::currentDateTimeUtc());
    SiteAnswer site;
    if (context.has(u"cluster"_s)) {
        site = askClassSite(context, *file, dataFolderPath(context.option(u"data-dir"_s)));
        if (site.failed != ExitDone)
            return site.failed;
    }
    const bool refused = profile == nullptr || !verdict->isUsable() || expired
        || std::any_of(tried.cbegin(), tried.cend(), [](const TriedDesign& one) { return !one.errors.isEmpty(); })
        || std::any_of(site.verdicts.cbegin(), site.verdicts.cend(),
            [](const SiteVerdict& one) { return one.state == SiteState::Bad; });
    const QStringList effects = classEffects(*file, context.catalogue);
    if (context.json) {
        printJson(context.out,
            {{u"title"_s, file->title}, {u"author"_s, file->author}, {u"cluster"_s, file->cluster},
                {u"clusterKnown"_s, profile != nullptr}, {u"trust"_s, toText(verdict->trust)},
                {u"fingerprint"_s, orNull(verdict->fingerprint)}, {u"usable"_s, verdict->isUsable() && !expired},
                {u"expires"_s, orNull(expiryText(*file))}, {u"expired"_s, expired.has_value()},
                {u"why"_s, orNull(expired ? expired->what : verdict->why.what)},
                {u"effects"_s, QJsonArray::fromStringList(effects)}, {u"designs"_s, triedJson(tried)},
                {u"site"_s, context.has(u"cluster"_s) ? QJsonValue(siteJson(site.verdicts)) : QJsonValue()}});
        return refused ? ExitNo : ExitDone;
    }
    context.out << file->title << u", by "_s << file->author << u": "_s << toText(verdict->trust) << u'\n';
    if (expired)
        context.out << expired->oneLine() << u'\n';
    if (!verdict->why.what.isEmpty())
        context.out << verdict->why.oneLine() << u'\n';
    for (const QString& effect : effects)
        context.out << u"- "_s << effect << u'\n';
    printTried(context, tried);
    printSite(context, site);
    return refused ? ExitNo : ExitDone;
}

QJsonObject exerciseJson(const ClassExercise& exercise)
{
    QJsonArray checks;
    for (const ClassCheck& check : exercise.checks)
        checks.append(QJsonObject{
            {u"check"_s, toText(check.kind)}, {u"text"_s, checkText(check)}, {u"hint"_s, orNull(check.hint)}});
    return {{u"id"_s, exercise.id}, {u"title"_s, exercise.title}, {u"task"_s, exercise.task}, {u"checks"_s, checks},
        {u"hints"_s, exercise.hints.size()}, {u"solution"_s, exercise.solution.has_value()}};
}

int runShow(const CliContext& context, const QString& word)
{
    const auto file = namedClass(word);
    if (!file)
        return report(context, file.error());
    const auto expired = expiryFault(*file, QDateTime::currentDateTimeUtc());
    QJsonArray exercises;
    for (const ClassExercise& exercise : file->exercises)
        exercises.append(exerciseJson(exercise));
    if (context.json) {
        printJson(context.out,
            {{u"title"_s, file->title}, {u"author"_s, file->author}, {u"about"_s, orNull(file->about)},
                {u"cluster"_s, file->cluster}, {u"account"_s, orNull(file->account)},
                {u"reservation"_s, orNull(file->reservation ? file->reservation->name : QString())},
                {u"expires"_s, orNull(expiryText(*file))}, {u"expired"_s, expired.has_value()},
                {u"acknowledgement"_s, orNull(file->acknowledgement)}, {u"signed"_s, !file->signature.isEmpty()},
                {u"effects"_s, QJsonArray::fromStringList(classEffects(*file, context.catalogue))},
                {u"exercises"_s, exercises}});
        return ExitDone;
    }
    context.out << file->title << u", by "_s << file->author << u'\n' << file->about << u'\n';
    if (file->expires.isValid())
        context.out << (expired ? expired->what : u"It can be opened until %1."_s.arg(expiryText(*file))) << u'\n';
    for (const ClassExercise& exercise : file->exercises) {
        context.out << u'\n' << exercise.id << u": "_s << exercise.title << u'\n' << exercise.task << u'\n';
        for (const ClassCheck& check : exercise.checks)
            context.out << u"  o "_s << checkText(check) << u'\n';
    }
    return ExitDone;
}

/// Writes a class; an existing file is replaced only when it is the one that was read.
int writeTo(const CliContext& context, const QString& path, const ClassFile& file, bool replace)
{
    if (path.isEmpty() || path == u"-") {
        context.out << QString::fromUtf8(writeClass(file));
        return ExitDone;
    }
    if (!replace && QFile::exists(path))
        return report(context, {Fault::Io, path + u" is there already"_s, {}, u"choose another name"_s});
    QSaveFile out(path);
    if (!out.open(QIODevice::WriteOnly) || out.write(writeClass(file)) < 0 || !out.commit())
        return report(
            context, {Fault::Io, path + u" cannot be written"_s, out.errorString(), u"choose another folder"_s});
    if (context.json)
        printJson(context.out,
            {{u"file"_s, path}, {u"signed"_s, !file.signature.isEmpty()}, {u"key"_s, orNull(file.signature.key)}});
    else
        context.out << (file.signature.isEmpty() ? u"wrote "_s : u"signed "_s) << path << u'\n';
    return ExitDone;
}

int runNew(const CliContext& context, const QString& path)
{
    const QString cluster = context.option(u"cluster"_s, QString::fromUtf16(practiceName));
    if (context.catalogue.find(cluster) == nullptr)
        return report(context,
            {Fault::Invalid, u"--cluster: “%1” is not in the catalogue"_s.arg(cluster), {},
                u"choose one of "_s + context.catalogue.names().join(u", "_s)});
    const ClassFile file = newClass(cluster, context.option(u"title"_s, u"A class"_s),
        context.option(u"author"_s, qEnvironmentVariable("USER", u"teacher"_s)));
    if (const auto fault = classFault(file))
        return report(context, *fault);
    return writeTo(context, path, file, false);
}

int runSign(const CliContext& context, const QString& path)
{
    const auto file = namedClass(path);
    if (!file)
        return report(context, file.error());
    QString key = context.option(u"key"_s);
    if (key.isEmpty()) {
        const auto data = prepareDataFolder(context.option(u"data-dir"_s));
        if (!data)
            return report(context, data.error());
        const auto made = teacherKey(*data);
        if (!made)
            return report(context, made.error());
        key = *made;
    }
    const auto done = signClass(*file, key);
    if (!done)
        return report(context, done.error());
    return writeTo(context, context.option(u"output"_s, path), *done, !context.has(u"output"_s));
}

/// Only this makes another key of a class acceptable, and only because somebody typed it.
int runForget(const CliContext& context, const QString& path)
{
    const auto file = namedClass(path);
    if (!file)
        return report(context, file.error());
    const auto data = prepareDataFolder(context.option(u"data-dir"_s));
    if (!data)
        return report(context, data.error());
    if (const auto done = forgetClassKey(*file, *data); !done)
        return report(context, done.error());
    context.out << (context.json ? u"{}\n"_s : u"forgot the key of “%1”\n"_s.arg(file->title));
    return ExitDone;
}

int runList(const CliContext& context)
{
    QJsonArray list;
    TextTable table({u"name"_s, u"cluster"_s, u"exercises"_s, u"title"_s});
    for (const ShippedClass& one : shippedClasses()) {
        list.append(QJsonObject{{u"name"_s, one.name}, {u"title"_s, one.file.title}, {u"cluster"_s, one.file.cluster},
            {u"exercises"_s, one.file.exercises.size()}});
        table.add({one.name, one.file.cluster, QString::number(one.file.exercises.size()), one.file.title});
    }
    if (context.json)
        printJson(context.out, list);
    else
        table.print(context.out);
    return ExitDone;
}

int runClass(const CliContext& context)
{
    const QString verb = context.positional.value(0);
    const QString word = context.positional.value(1);
    if (verb == u"list" && word.isEmpty())
        return runList(context);
    if (verb == u"new")
        return runNew(context, word);
    static const QStringList ofFiles{u"check"_s, u"show"_s, u"run"_s, u"progress"_s, u"sign"_s, u"forget"_s};
    if (!ofFiles.contains(verb) || word.isEmpty())
        return report(context,
            {Fault::Invalid, u"“class %1” is not known."_s.arg(context.positional.join(u' ')), {},
                u"Give list, show FILE, check FILE, run FILE, progress FILE, new [FILE], sign FILE or forget FILE."_s});
    if (verb == u"check")
        return runCheck(context, word);
    if (verb == u"show")
        return runShow(context, word);
    if (verb == u"run" || verb == u"progress") {
        const auto file = namedClass(word);
        if (!file)
            return report(context, file.error());
        return verb == u"run" ? runClassTrial(context, *file) : runClassProgress(context, *file);
    }
    return verb == u"sign" ? runSign(context, word) : runForget(context, word);
}

} // namespace

CliCommand classCommand()
{
    return {
        .name = "class",
        .summary = "Class files for workshops: list, show, check, try, make, sign, follow",
        .words = "list | show FILE | check FILE | run FILE | progress FILE | new [FILE] | sign FILE | forget FILE",
        .run = runClass,
        .options
        = loginOptions({{.name = "key",
                            .value = "FILE",
                            .text = "sign: a private ed25519 key; without: one of your own, made when missing"},
            {.name = "output", .value = "FILE", .text = "sign: write here, and leave FILE as it is"},
            {.name = "cluster",
                .value = "CLUSTER",
                .text = "new: for this cluster; without: practice. check: ask this one whether the class is possible "
                        "there. run, progress: this one; without: the class's own"},
            {.name = "title", .value = "TEXT", .text = "new: its title"},
            {.name = "author", .value = "TEXT", .text = "new: its author"},
            {.name = "people", .value = "N", .text = "check --cluster: how many attendees at once; without: 1"},
            {.name = "exercise", .value = "ID", .text = "run: this one, and those that it is compared with"},
            {.name = "design", .value = "DESIGN", .text = "run --exercise: this answer in place of the solution"},
            {.name = "limit",
                .value = "TIME",
                .text = "run: a job that has not ended this long after its submission is cancelled"},
            {.name = "account", .value = "ACCOUNT", .text = "run: used where class and design do not set it"},
            {.name = "folder", .value = "FOLDER", .text = "run: where the jobs run, if class and design do not say"},
            {.name = "yes", .text = "run: agree to what a class that is not signed, or by an unknown key, does"},
            {.name = "here", .text = "progress: the folder is on this machine"}}),
        .minimumWords = 1,
        .maximumWords = 2,
    };
}

} // namespace rankwright
