// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classeffects.h"

#include "models/core/harmlesstext.h"
#include "models/core/quantitytext.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/classrules.h"

#include <QRegularExpression>
#include <QUrl>
#include <QUrlQuery>

#include <algorithm>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

/// Paths of fields as one reads them: "training.globalBatch" is "global batch".
QString plainNames(const QStringList& paths)
{
    static const QRegularExpression capital(u"([A-Z])"_s);
    QStringList names;
    for (const QString& path : paths)
        names.append(path.section(u'.', -1).replace(capital, u" \\1"_s).toLower());
    return names.join(u", "_s);
}

QString timeWords(const QDateTime& time) { return time.toUTC().toString(u"yyyy-MM-dd HH:mm"_s); }

QString clusterEffect(const ClassFile& file, const Catalogue& catalogue)
{
    const ClusterProfile* profile = catalogue.find(file.cluster);
    if (profile == nullptr)
        return u"It is for a cluster “%1” that this program's catalogue does not know: it cannot be used before you add that cluster."_s
            .arg(file.cluster);
    if (file.cluster == QString::fromUtf16(practiceName))
        return u"It uses the practice cluster on this computer; no account is needed and nothing leaves the machine."_s;
    const QString host = profile->login.host.isEmpty() ? u"the host that you enter"_s : profile->login.host;
    return u"When you press Connect, this program connects to %1 at %2. The host comes from this program's catalogue; the file cannot name one."_s
        .arg(profile->title, host);
}

QString settingsEffect(const ClassFile& file)
{
    QStringList parts;
    if (!file.account.isEmpty())
        parts.append(u"project "_s + file.account);
    if (!file.partition.isEmpty())
        parts.append(u"partition "_s + file.partition);
    if (file.reservation) {
        QString words = u"reservation "_s + file.reservation->name;
        if (file.reservation->begin.isValid() && file.reservation->end.isValid())
            words += u" (%1 to %2 UTC)"_s.arg(timeWords(file.reservation->begin), timeWords(file.reservation->end));
        parts.append(words);
    }
    if (!file.container.isEmpty())
        parts.append(u"container "_s + file.container);
    return parts.isEmpty() ? QString() : u"It sets "_s + parts.join(u", "_s) + u'.';
}

QString fieldsEffect(const ClassFile& file)
{
    if (!file.locked.isEmpty())
        return u"It locks the fields %1."_s.arg(plainNames(file.locked.keys()));
    return {};
}

QString limitsEffect(const ClassFile& file)
{
    QStringList parts;
    if (file.limits.maxNodes)
        parts.append(nodesText(*file.limits.maxNodes));
    if (file.limits.maxGpus)
        parts.append(gpusText(*file.limits.maxGpus, u"GPU"_s));
    if (file.limits.maxTime)
        parts.append(humanDuration(*file.limits.maxTime));
    return parts.isEmpty() ? QString() : u"It refuses jobs beyond "_s + parts.join(u", "_s) + u'.';
}

QStringList commandsOf(const ClassFile& file)
{
    QStringList commands;
    for (const ClassExercise& exercise : file.exercises) {
        commands.append(startingSpec(file, exercise).command.value_or(u"train.py"_s));
        if (const auto solution = solutionSpec(file, exercise))
            commands.append(solution->command.value_or(u"train.py"_s));
    }
    commands.removeDuplicates();
    return commands;
}

/// What the designs bring beside their command: images, environments, variables.
QString environmentEffect(const ClassFile& file)
{
    QStringList brought;
    for (const ClassExercise& exercise : file.exercises)
        for (const JobSpec& spec : {exercise.start, exercise.solution.value_or(exercise.start)}) {
            const JobSpec::Environment& environment = spec.environment;
            for (const auto& place : {environment.container, environment.venv, environment.conda, environment.uenv})
                if (place && *place != u"none")
                    brought.append(*place);
            brought += environment.modules + environment.binds;
            for (auto set = environment.variables.cbegin(); set != environment.variables.cend(); ++set)
                brought.append(set.key() + u'=' + set.value());
        }
    brought.removeDuplicates();
    return brought.isEmpty() ? QString() : u"Its jobs use "_s + brought.join(u", "_s) + u'.';
}

QString linksEffect(const ClassFile& file)
{
    if (file.links.isEmpty())
        return {};
    QStringList hosts;
    for (const ClassLink& link : file.links)
        hosts.append(QUrl(link.url).host());
    hosts.removeDuplicates();
    return u"It shows %1 (%2), opened in your browser only when you click."_s.arg(
        counted(file.links.size(), u"link"_s), hosts.join(u", "_s));
}

} // namespace

QStringList classEffects(const ClassFile& file, const Catalogue& catalogue)
{
    QStringList effects{clusterEffect(file, catalogue), settingsEffect(file), fieldsEffect(file), limitsEffect(file)};
    effects.append(
        u"It brings %1. Nothing runs until you press Launch; a job then starts on the cluster, as you: %2"_s.arg(
            counted(file.exercises.size(), u"exercise"_s), commandsOf(file).join(u"; "_s)));
    effects.append(environmentEffect(file));
    if (file.expires.isValid())
        effects.append(u"It can be opened until %1 UTC."_s.arg(timeWords(file.expires)));
    if (!file.progressFolder.isEmpty())
        effects.append(
            u"Only if you agree, it adds a line to a file of yours in %1 on the cluster after each step: the exercise, which checks are seen, the name of the last error, and a name only if you give one. Who can read that folder can read it."_s
                .arg(file.progressFolder));
    effects.append(linksEffect(file));
    effects.append(u"It runs nothing on this computer."_s);
    effects.removeAll(QString());
    return effects;
}

Result<ClassAddress> readClassAddress(const QString& link)
{
    const auto refuse = [](const QString& why) -> Unexpected<Error> {
        return fail(Fault::Invalid, u"This link to a class cannot be used: "_s + why, {},
            u"Ask the teacher for the class file and open it with File > Open."_s);
    };
    if (link.size() > 2000)
        return refuse(u"it is too long."_s);
    if (std::any_of(link.cbegin(), link.cend(), [](QChar c) { return isHarmful(c) || c.isSpace(); }))
        return refuse(u"it holds characters that do not belong into a link."_s);
    const QUrl url(link, QUrl::StrictMode);
    const QString action = url.host().isEmpty() ? url.path() : url.host();
    if (!url.isValid() || url.scheme() != u"rankwright" || action != u"class" || !url.userInfo().isEmpty()
        || url.port() != -1 || !url.fragment().isEmpty() || (!url.host().isEmpty() && url.path().size() > 1))
        return refuse(u"it must begin with rankwright://class?"_s);
    const QUrlQuery query(url);
    if (query.queryItems().size() != 1)
        return refuse(u"it must name one url or one file."_s);
    const QString key = query.queryItems().constFirst().first;
    const QString value = query.queryItemValue(key, QUrl::FullyDecoded);
    if (key == u"url") {
        if (!isHttpsLink(value))
            return refuse(u"what it names is not an https address."_s);
        return ClassAddress{value, {}};
    }
    if (key != u"file")
        return refuse(u"it must name one url or one file."_s);
    if (!value.startsWith(u'/') || value.startsWith(u"//") || value.contains(u"/../"_s) || !value.endsWith(u".rwclass")
        || std::any_of(value.cbegin(), value.cend(), isHarmful))
        return refuse(u"what it names is not an absolute path of an .rwclass file."_s);
    return ClassAddress{{}, value};
}

} // namespace rankwright::inline teaching
