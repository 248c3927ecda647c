// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classsafety.h"

#include "models/core/harmlesstext.h"
#include "models/teaching/classroom/classreader.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

bool matchesPattern(const QString& text, const char16_t* pattern)
{
    return QRegularExpression(QString::fromUtf16(pattern)).match(text).hasMatch();
}

/// Control, direction-turning and invisible characters; line breaks are allowed where texts have lines.
bool isForbidden(QChar c)
{
    return (isHarmful(c) && c != u'\n') || c.category() == QChar::Other_Format
        || c.category() == QChar::Other_NotAssigned || c.category() == QChar::Other_PrivateUse;
}

bool isPlainWords(const QString& text) { return matchesPattern(text, uR"(^[A-Za-z0-9_./:=,+@%\- ]*\z)"); }

/// A program of Python and plain arguments: nothing that a shell would act on.
bool isPlainCommand(const QString& command)
{
    if (!isPlainWords(command) || command.size() > 1000)
        return false;
    const QStringList words = command.split(u' ', Qt::SkipEmptyParts);
    if (words.isEmpty() || words.contains(u"-c"_s))
        return false;
    return words.first().endsWith(u".py"_s) && !words.first().startsWith(u'-')
        && !words.first().split(u'/').contains(u".."_s);
}

/// A variable that would start or load other programs.
bool loadsPrograms(const QString& variable)
{
    static const QStringList names{u"PATH"_s, u"ENV"_s, u"IFS"_s, u"SHELLOPTS"_s, u"BASHOPTS"_s, u"PS4"_s, u"HOME"_s};
    static const QStringList beginnings{u"LD_"_s, u"BASH_"_s, u"PYTHON"_s, u"SLURM_"_s, u"SBATCH_"_s, u"SRUN_"_s,
        u"SINGULARITY"_s, u"APPTAINER"_s, u"GIT_"_s};
    return names.contains(variable)
        || std::any_of(beginnings.cbegin(), beginnings.cend(),
            [&](const QString& beginning) { return variable.startsWith(beginning); });
}

std::pair<QString, QString> environmentFault(const JobSpec::Environment& environment)
{
    if (!environment.setup.isEmpty())
        return {u"environment.setup"_s, u"a class cannot bring lines of bash"_s};
    if (environment.container && *environment.container != u"none" && !isPlainPath(*environment.container))
        return {u"environment.container"_s, u"this is not a plain path of an image"_s};
    for (const auto& [key, path] : {std::pair(u"venv"_s, environment.venv), std::pair(u"conda"_s, environment.conda)})
        if (path && !isPlainPath(*path) && !isSlurmName(*path))
            return {u"environment."_s + key, u"this is not a plain path"_s};
    if (environment.uenv && !isPlainWords(*environment.uenv))
        return {u"environment.uenv"_s, u"this is not a plain name"_s};
    for (const QString& module : environment.modules)
        if (!matchesPattern(module, uR"(^[A-Za-z0-9_][A-Za-z0-9_.+/=\-]{0,100}\z)"))
            return {u"environment.modules"_s, u"this is not a name of a module"_s};
    for (const QString& bind : environment.binds)
        for (const QString& part : bind.split(u':'))
            if (!isPlainPath(part))
                return {u"environment.binds"_s, u"this is not a plain path"_s};
    for (auto set = environment.variables.cbegin(); set != environment.variables.cend(); ++set)
        if (!matchesPattern(set.key(), uR"(^[A-Za-z_][A-Za-z0-9_]{0,80}\z)") || loadsPrograms(set.key())
            || !isPlainWords(set.value()))
            return {u"environment.variables"_s,
                u"a class cannot set the variable “%1” in this way"_s.arg(set.key().left(40))};
    return {};
}

std::pair<QString, QString> optionsFault(const JobSpec::Options& options)
{
    if (options.array || options.mailUser || options.mailType || options.dependency || options.requeueAtLimit)
        return {u"options"_s, u"a class cannot set arrays, dependencies, mail or requeueing at the limit"_s};
    for (const auto& [key, text] :
        {std::pair(u"qos"_s, options.qos), std::pair(u"mpi"_s, options.mpi), std::pair(u"signal"_s, options.signal)})
        if (text && !isSlurmName(*text))
            return {u"options."_s + key, u"this is not a name that Slurm takes"_s};
    for (const auto& [key, text] :
        {std::pair(u"constraint"_s, options.constraint), std::pair(u"exclude"_s, options.exclude)})
        if (text && !matchesPattern(*text, uR"(^[A-Za-z0-9_][A-Za-z0-9_.,:&|\[\]*()\-]{0,200}\z)"))
            return {u"options."_s + key, u"this is not a list that Slurm takes"_s};
    for (const auto& [key, text] : {std::pair(u"output"_s, options.output), std::pair(u"error"_s, options.error)})
        if (text && !matchesPattern(*text, uR"(^[A-Za-z0-9_%][A-Za-z0-9_.%\-]{0,100}\z)"))
            return {u"options."_s + key, u"a class can name a log, but no folder for it"_s};
    if (options.config && *options.config != u"none" && !isPlainPath(*options.config))
        return {u"options.config"_s, u"this is not a plain path"_s};
    if (options.resumeArguments && !isPlainWords(*options.resumeArguments))
        return {u"options.resumeArguments"_s, u"these are not plain arguments"_s};
    return {};
}

/// Every character outside texts.
template <typename Take>
void eachSign(const QByteArray& bytes, Take take)
{
    bool inText = false;
    for (qsizetype i = 0; i < bytes.size(); ++i) {
        const char c = bytes.at(i);
        if (inText && c == '\\')
            ++i;
        else if (c == '"')
            inText = !inText;
        else if (!inText)
            take(c);
    }
}

/// Of all objects in it.
qsizetype membersOf(const QJsonValue& value)
{
    qsizetype count = 0;
    for (const QJsonValue& part : value.toArray())
        count += membersOf(part);
    const QJsonObject object = value.toObject();
    for (auto member = object.constBegin(); member != object.constEnd(); ++member)
        count += 1 + membersOf(member.value());
    return count;
}

} // namespace

bool repeatsMembers(const QByteArray& bytes, const QJsonObject& parsed)
{
    qsizetype written = 0;
    eachSign(bytes, [&written](char sign) { written += sign == ':' ? 1 : 0; });
    return written != membersOf(parsed);
}

int nestingOf(const QByteArray& bytes)
{
    int depth = 0, deepest = 0;
    eachSign(bytes, [&](char sign) {
        if (sign == '{' || sign == '[')
            deepest = std::max(deepest, ++depth);
        else if (sign == '}' || sign == ']')
            --depth;
    });
    return deepest;
}

std::optional<std::pair<QString, QString>> textFault(const QJsonValue& value, const QString& path)
{
    const auto wrong = [&](const QString& text, int longest) -> QString {
        if (text.size() > longest)
            return u"this text is longer than %1 characters"_s.arg(longest);
        if (std::any_of(text.cbegin(), text.cend(), isForbidden) || !text.isValidUtf16())
            return u"this text holds control or invisible characters"_s;
        return {};
    };
    if (value.isString()) {
        const QString why = wrong(value.toString(), classbounds::textLength);
        return why.isEmpty() ? std::nullopt : std::optional(std::pair(path, why));
    }
    if (value.isArray()) {
        int i = 0;
        for (const QJsonValue& part : value.toArray())
            if (auto fault = textFault(part, path + u"[%1]"_s.arg(i++)))
                return fault;
    }
    const QJsonObject object = value.toObject();
    for (auto member = object.constBegin(); member != object.constEnd(); ++member) {
        if (const QString why = wrong(member.key(), classbounds::lineLength); !why.isEmpty())
            return std::pair(path, why);
        if (auto fault = textFault(member.value(), path + u'.' + member.key()))
            return fault;
    }
    return {};
}

std::pair<QString, QString> designFault(const JobSpec& spec)
{
    if (!spec.overrides.isEmpty())
        return {field::overrides, u"a class cannot bring script lines of its own"_s};
    if (spec.command && !isPlainCommand(*spec.command))
        return {u"command"_s, u"a class can start a Python program (.py) with plain arguments, and nothing else"_s};
    if (!spec.name.isEmpty() && !isSlurmName(spec.name))
        return {u"name"_s, u"this is not a job name that Slurm takes"_s};
    for (const auto& [key, text] : {std::pair(u"account"_s, spec.account), std::pair(u"partition"_s, spec.partition),
             std::pair(u"reservation"_s, spec.reservation)})
        if (text && !isSlurmName(*text))
            return {key, u"this is not a name that Slurm takes"_s};
    if (spec.workdir && !isPlainPath(*spec.workdir))
        return {u"workdir"_s, u"this is not a plain path"_s};
    if (spec.model.contains(u"hfConfig"_s))
        return {u"model"_s, u"a class cannot have a file of this computer read"_s};
    const auto fault = environmentFault(spec.environment);
    return fault.first.isEmpty() ? optionsFault(spec.options) : fault;
}

bool isSlurmName(const QString& text)
{
    return matchesPattern(text, uR"(^[A-Za-z0-9_.@:+][A-Za-z0-9_.@:+\-]{0,63}\z)");
}

bool isPlainPath(const QString& text)
{
    return matchesPattern(text, uR"(^(~|~?(/[A-Za-z0-9_.+@=,%\-]+)+/?)\z)") && text.size() <= 400
        && !text.split(u'/').contains(u".."_s);
}

bool isHttpsLink(const QString& text)
{
    if (!matchesPattern(text, uR"(^https://[A-Za-z0-9.\-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~:/?#\[\]@!$&()*+,;=%\-]*)?\z)")
        || text.size() > 500)
        return false;
    const QUrl url(text, QUrl::StrictMode);
    return url.isValid() && url.scheme() == u"https" && !url.host().isEmpty() && url.userInfo().isEmpty();
}

} // namespace rankwright::inline teaching
