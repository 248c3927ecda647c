// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/classroom/classteacher.h"

#include "app/base/datafolder.h"
#include "app/classroom/classsharing.h"
#include "app/classroom/classsigner.h"
#include "app/classroom/solutiontries.h"
#include "app/cli/classroom/classrunjson.h"
#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "app/cli/inputstream.h"
#include "app/cli/loginlimits.h"
#include "models/core/quantitytext.h"
#include "models/script/document/designjson.h"
#include "models/teaching/classroom/classeffects.h"
#include "models/teaching/classroom/classplan.h"
#include "ssh/localshell.h"

#include <QEventLoop>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int mostPeople = 100'000;

/// The cluster of --cluster, else the class's own. Null: reported.
const ClusterProfile* clusterOf(const CliContext& context, const ClassFile& file)
{
    const QString name = context.option(u"cluster"_s, file.cluster);
    const ClusterProfile* profile = context.catalogue.find(name);
    if (profile == nullptr)
        report(context,
            {Fault::Invalid, u"“%1” is not in the catalogue"_s.arg(name), {},
                u"choose one of "_s + context.catalogue.names().join(u", "_s)});
    return profile;
}

QString leftWords(const QStringList& left, const ClassFile& file)
{
    return u"Not used, since it belongs to %1: %2."_s.arg(file.cluster, left.join(u", "_s));
}

/// Jobs are begun with this person's account: what the class does is read first, unless its maker is known.
Result<void> agreed(const CliContext& context, const ClassFile& file)
{
    const auto verdict = verifyClass(file, dataFolderPath(context.option(u"data-dir"_s)));
    if (!verdict)
        return fail(verdict.error());
    if (verdict->trust == ClassTrust::Broken || verdict->trust == ClassTrust::ChangedKey)
        return fail(verdict->why);
    const bool isKnown = verdict->trust == ClassTrust::Shipped || verdict->trust == ClassTrust::KnownKey;
    if (isKnown || context.has(u"yes"_s))
        return {};
    for (const QString& effect : classEffects(file, context.catalogue))
        context.err << u"- "_s << effect << u'\n';
    context.err.flush();
    return fail(Fault::Invalid,
        verdict->trust == ClassTrust::Unsigned ? u"This class is not signed."_s
                                               : u"The key of this class was not seen before."_s,
        verdict->fingerprint, u"Read above what it does, and give --yes to have its exercises tried."_s);
}

Result<ClassRunOrder> orderOf(const CliContext& context, const ClassFile& file)
{
    ClassRunOrder order;
    order.file = file;
    order.only = context.option(u"exercise"_s);
    order.account = context.option(u"account"_s);
    order.folder = context.option(u"folder"_s);
    if (!order.only.isEmpty() && file.exerciseIndex(order.only) < 0) {
        QStringList ids;
        for (const ClassExercise& exercise : file.exercises)
            ids.append(exercise.id);
        return fail(Fault::Invalid, u"--exercise: there is no “%1” in this class."_s.arg(order.only), {},
            u"Give one of "_s + ids.join(u", "_s));
    }
    if (context.has(u"limit"_s)) {
        const auto limit = parseSlurmTime(context.option(u"limit"_s));
        if (!limit || limit->count < 1)
            return fail(Fault::Invalid, u"--limit %1 is not a time."_s.arg(context.option(u"limit"_s)), {},
                limit ? u"Give one that is not 0."_s : limit.error().remedy);
        order.limit = *limit;
    }
    if (context.has(u"design"_s)) {
        if (order.only.isEmpty())
            return fail(Fault::Invalid, u"--design is an answer to one exercise."_s, {},
                u"Name the exercise with --exercise."_s);
        const QString path = context.option(u"design"_s);
        const QString name = inputName(path);
        const auto bytes = readInput(path, name);
        if (!bytes)
            return fail(bytes.error());
        const auto design = readDesign(*bytes, name);
        if (!design)
            return fail(design.error());
        order.design = design->spec;
    }
    return order;
}

/// For the check before the class (solutionsTried): only when all of it was tried, with its own solutions.
void saveOutcome(const CliContext& context, const ClassFile& file, const ClusterProfile& profile, const ClassRun& run)
{
    if (!run.isWhole() || run.isInterrupted() || context.has(u"exercise"_s))
        return;
    SolutionsTried tried{profile.name, QDateTime::currentDateTimeUtc(), int(file.exercises.size()), {}};
    for (const ExerciseOutcome& outcome : run.outcomes())
        if (!outcome.isPassed())
            tried.failed.append(file.exercises.at(outcome.exercise).id);
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    if (const auto kept = saveSolutionsTried(file, tried, folder); !kept)
        report(context, kept.error());
}

QJsonArray progressJson(const QList<ProgressRow>& rows)
{
    QJsonArray list;
    for (const ProgressRow& row : rows)
        list.append(QJsonObject{{u"attendee"_s, row.attendee}, {u"name"_s, orNull(row.name)},
            {u"exercise"_s, row.exercise}, {u"seen"_s, row.seen}, {u"checks"_s, row.checks}, {u"done"_s, row.done},
            {u"stuckOn"_s, orNull(row.stuckOn)}, {u"stuckSince"_s, timeJson(row.stuckSince)},
            {u"last"_s, timeJson(row.last)}});
    return list;
}

void printProgress(const CliContext& context, const ReadProgress& read)
{
    const QList<ProgressRow> rows = progressTable(read.lines);
    if (context.json) {
        printJson(context.out, {{u"attendees"_s, progressJson(rows)}, {u"skipped"_s, read.skipped}});
        return;
    }
    TextTable table(
        {u"attendee"_s, u"exercise"_s, u"seen"_s, u"done"_s, u"stuck on"_s, u"since (UTC)"_s, u"last (UTC)"_s});
    const auto clock = [](const QDateTime& time) {
        return time.isValid() ? time.toUTC().toString(u"yyyy-MM-dd HH:mm"_s) : QString();
    };
    for (const ProgressRow& row : rows)
        table.add({row.name.isEmpty() ? row.attendee : u"%1 (%2)"_s.arg(row.name, row.attendee), row.exercise,
            u"%1 of %2"_s.arg(row.seen).arg(row.checks), QString::number(row.done), row.stuckOn, clock(row.stuckSince),
            clock(row.last)});
    table.print(context.out);
    if (read.skipped > 0)
        context.err << u"Left out, since they are malformed: %1.\n"_s.arg(counted(read.skipped, u"line"_s));
}

int progressHere(const CliContext& context, const ClassFile& file)
{
    LocalShell shell;
    QEventLoop loop;
    int code = ExitDone;
    collectProgress(shell, file.progressFolder, &loop, [&](const Result<ReadProgress>& read) {
        if (read)
            printProgress(context, *read);
        else
            code = report(context, read.error(), ExitNo);
        loop.quit();
    });
    loop.exec();
    return code;
}

} // namespace

int runClassTrial(const CliContext& context, const ClassFile& file)
{
    const ClusterProfile* profile = clusterOf(context, file);
    if (profile == nullptr)
        return ExitUsage;
    const MovedClass moved = classOn(file, *profile);
    const auto order = orderOf(context, moved.file);
    if (!order)
        return report(context, order.error());
    if (const auto yes = agreed(context, file); !yes)
        return report(context, yes.error());
    CliLogin login(context);
    if (const auto failed = login.connectTo(*profile))
        return *failed;
    if (!moved.left.isEmpty())
        context.err << leftWords(moved.left, file) << u'\n';
    const auto reported = profileWithLimits(login, *profile);
    if (!reported)
        return report(context, reported.error(), ExitNo);
    ClassRun run(login, *reported, *order);
    run.start();
    const int code = login.wait();
    saveOutcome(context, file, *profile, run);
    if (context.json)
        printJson(context.out, classRunJson(run, moved.file, *profile));
    else
        printClassRun(run, moved.file, context.out);
    context.out.flush();
    return code;
}

int runClassProgress(const CliContext& context, const ClassFile& file)
{
    if (file.progressFolder.isEmpty())
        return report(context,
            {Fault::Invalid, u"This class names no folder for progress."_s, {},
                u"Give it the member progressFolder, and sign it again."_s});
    if (context.has(u"here"_s))
        return progressHere(context, file);
    const ClusterProfile* profile = clusterOf(context, file);
    if (profile == nullptr)
        return ExitUsage;
    CliLogin login(context);
    if (const auto failed = login.connectTo(*profile))
        return *failed;
    collectProgress(login.session().shell(), file.progressFolder, &login, [&](const Result<ReadProgress>& read) {
        if (!read) {
            login.finish(read.error());
            return;
        }
        printProgress(context, *read);
        login.finish(ExitDone);
    });
    return login.wait();
}

SiteAnswer askClassSite(const CliContext& context, const ClassFile& file, const QString& dataFolder)
{
    SiteAnswer answer;
    bool isCount = false;
    const int people = context.option(u"people"_s, u"1"_s).toInt(&isCount);
    if (!isCount || people < 1 || people > mostPeople) {
        answer.failed = report(context,
            {Fault::Invalid, u"--people %1 is not a number of attendees."_s.arg(context.option(u"people"_s)), {},
                u"Give a whole number."_s});
        return answer;
    }
    const ClusterProfile* profile = clusterOf(context, file);
    if (profile == nullptr) {
        answer.failed = ExitUsage;
        return answer;
    }
    CliLogin login(context);
    if (const auto failed = login.connectTo(*profile)) {
        answer.failed = *failed == ExitDone ? ExitUnreachable : *failed;
        return answer;
    }
    const MovedClass moved = classOn(file, *profile);
    answer.left = moved.left;
    askSite(login.session().shell(), classImages(moved.file), &login, [&](const Result<SiteFacts>& asked) {
        if (!asked) {
            login.finish(asked.error());
            return;
        }
        SiteFacts facts = *asked;
        facts.tried = solutionsTried(file, dataFolder);
        answer.verdicts = checkClassSite(moved.file, context.catalogue, facts, people);
        login.finish(ExitDone);
    });
    answer.failed = login.wait();
    return answer;
}

QJsonArray siteJson(const QList<SiteVerdict>& verdicts)
{
    QJsonArray list;
    for (const SiteVerdict& verdict : verdicts)
        list.append(QJsonObject{{u"subject"_s, verdict.subject},
            {u"good"_s,
                verdict.state == SiteState::Unknown ? QJsonValue() : QJsonValue(verdict.state == SiteState::Good)},
            {u"text"_s, verdict.text}});
    return list;
}

void printSite(const CliContext& context, const SiteAnswer& answer)
{
    if (!answer.left.isEmpty())
        context.out << u"Not checked, since it belongs to another cluster: "_s << answer.left.join(u", "_s) << u'\n';
    for (const SiteVerdict& verdict : answer.verdicts) {
        const QString word = verdict.state == SiteState::Good ? u"good"_s
            : verdict.state == SiteState::Bad                 ? u"bad"_s
                                                              : u"unknown"_s;
        context.out << word.leftJustified(9) << verdict.subject << u": "_s << verdict.text << u'\n';
    }
}

} // namespace rankwright
