// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/harmlesstext.h"
#include "models/core/programname.h"
#include "models/script/checks/designrule.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

using Hits = QList<RuleHit>;

Fix removeVariable(const QString& name)
{
    return {u"Remove "_s + name, [name](JobSpec& spec) { spec.environment.variables.remove(name); }};
}

QStringList variableNames(const RuleContext& context) { return context.spec.environment.variables.keys(); }

/// All texts that the user typed and the script repeats, with their fields.
QList<std::pair<FieldPath, QString>> typedTexts(const RuleContext& context)
{
    const JobSpec& spec = context.spec;
    QList<std::pair<FieldPath, QString>> texts{{field::name, spec.name},
        {field::partition, spec.partition.value_or(QString())}, {field::account, spec.account.value_or(QString())},
        {field::reservation, spec.reservation.value_or(QString())},
        {field::container, spec.environment.container.value_or(QString())},
        {field::command, spec.command.value_or(QString())}, {field::workdir, spec.workdir.value_or(QString())}};
    const auto& options = spec.options;
    const std::initializer_list<std::pair<QLatin1StringView, const std::optional<QString>*>> optional{
        {field::venv, &spec.environment.venv}, {field::conda, &spec.environment.conda},
        {field::uenv, &spec.environment.uenv}, {field::qos, &options.qos}, {field::constraint, &options.constraint},
        {field::exclude, &options.exclude}, {field::mpi, &options.mpi}, {field::config, &options.config},
        {field::signal, &options.signal}, {field::resumeArguments, &options.resumeArguments},
        {field::array, &options.array}, {field::dependency, &options.dependency}, {field::output, &options.output},
        {field::error, &options.error}, {field::mailUser, &options.mailUser}, {field::mailType, &options.mailType}};
    for (const auto& [name, text] : optional) {
        if (*text)
            texts.append({name, **text});
    }
    for (const QString& bind : spec.environment.binds)
        texts.append({field::binds, bind});
    for (const QString& line : spec.environment.setup)
        texts.append({field::setup, QString(line).remove(u'\t')}); // blanks at its beginning are its own
    for (const QString& module : spec.environment.modules)
        texts.append({field::modules, module});
    for (auto it = spec.environment.variables.begin(); it != spec.environment.variables.end(); ++it)
        texts.append({field::variables, it.value()});
    return texts;
}

Hits visibleDevices(const RuleContext& context)
{
    static const QStringList names{
        u"CUDA_VISIBLE_DEVICES"_s, u"ROCR_VISIBLE_DEVICES"_s, u"HIP_VISIBLE_DEVICES"_s, u"GPU_DEVICE_ORDINAL"_s};
    Hits hits;
    for (const QString& name : variableNames(context)) {
        if (names.contains(name))
            hits.append({field::variables,
                u"%1 set for the whole job is replaced by Slurm in each step, or hides GPUs from ranks that need them."_s
                    .arg(name),
                removeVariable(name)});
    }
    return hits;
}

Hits reservedVariables(const RuleContext& context)
{
    static const QStringList perRank{u"RANK"_s, u"LOCAL_RANK"_s, u"NODE_RANK"_s, u"GROUP_RANK"_s};
    static const QStringList ofScript{u"WORLD_SIZE"_s, u"LOCAL_WORLD_SIZE"_s, u"MASTER_ADDR"_s, u"MASTER_PORT"_s};
    Hits hits;
    for (const QString& name : variableNames(context)) {
        if (perRank.contains(name))
            hits.append({field::variables,
                u"%1 differs from rank to rank: set for the whole job it gives all ranks the same number, and they hang."_s
                    .arg(name),
                removeVariable(name)});
        else if (ofScript.contains(name) || name.startsWith(u"SLURM_"_s))
            hits.append({field::variables,
                u"%1 is set by %2 from the job itself: a fixed value breaks the rendezvous of the ranks."_s.arg(
                    name, name.startsWith(u"SLURM_"_s) ? u"Slurm"_s : u"the script"_s),
                removeVariable(name), Severity::Warning});
    }
    return hits;
}

Hits variableForm(const RuleContext& context)
{
    static const QRegularExpression form(u"\\A[A-Za-z_][A-Za-z0-9_]*\\z"_s);
    Hits hits;
    for (const QString& name : variableNames(context)) {
        if (!form.match(name).hasMatch())
            hits.append({field::variables,
                u"“%1” cannot be the name of a shell variable: letters, digits and underscores only, no digit first."_s
                    .arg(name.left(60)),
                removeVariable(name)});
    }
    return hits;
}

Hits variableNotExpanded(const RuleContext& context)
{
    static const QRegularExpression shell(u"\\$[A-Za-z_{(]|`"_s);
    static const QRegularExpression ofTask(u"\\$\\{?(SLURM_(?:LOCALID|PROCID|NODEID)|LOCAL_RANK|RANK)\\b"_s);
    Hits hits;
    const auto& variables = context.spec.environment.variables;
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        // A number that each task has for itself: the program would take its name for the number.
        if (const auto number = ofTask.match(it.value()); number.hasMatch())
            hits.append({field::variables,
                u"%1 differs from task to task, but the value of %2 is taken literally: every rank gets the text “%3”. Let the program read %1 itself (in Python: os.environ[\"%1\"]); RANK and LOCAL_RANK are set by the script."_s
                    .arg(number.captured(1), it.key(), it.value().left(60)),
                removeVariable(it.key()), Severity::Error});
        else if (shell.match(it.value()).hasMatch())
            hits.append({field::variables,
                u"The value of %1 is taken literally: “%2” will not be replaced by the shell."_s.arg(
                    it.key(), it.value().left(60))});
    }
    return hits;
}

Hits variableUnread(const RuleContext& context)
{
    if (!context.spec.environment.variables.contains(u"MIOPEN_USER_DB"_s))
        return {};
    return {{field::variables, u"No program reads MIOPEN_USER_DB; MIOpen looks for MIOPEN_USER_DB_PATH."_s,
        Fix{u"Rename it"_s, [](JobSpec& spec) {
                auto& variables = spec.environment.variables;
                variables.insert(u"MIOPEN_USER_DB_PATH"_s, variables.take(u"MIOPEN_USER_DB"_s));
            }}}};
}

Hits placeholders(const RuleContext& context)
{
    static const QRegularExpression left(
        u"<[A-Za-z][^<>]*>|X{4,}|_X{3,}|\\b(?:TODO|FIXME|CHANGE_?ME)\\b|\\byour[-_ ]?(?:project|account|name|image|path)\\b|/path/to/"_s,
        QRegularExpression::CaseInsensitiveOption);
    Hits hits;
    for (const auto& [path, text] : typedTexts(context)) {
        const auto match = left.match(text);
        if (match.hasMatch())
            hits.append(
                {path, u"“%1” looks like a placeholder that was not filled in."_s.arg(match.captured(0).left(60))});
    }
    return hits;
}

Hits secrets(const RuleContext& context)
{
    static const QRegularExpression name(u"(?:^|_)(?:TOKEN|API_?KEY|ACCESS_KEY|SECRET|SECRET_KEY|PASSWORD|PASSWD)$"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression value(
        u"\\b(?:hf_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|AKIA[0-9A-Z]{16})"_s);
    static const QRegularExpression option(
        u"--?(?:api[-_]?key|password|passwd|(?:access[-_]?|auth[-_]?|hf[-_]?)?token)[= ]\\S"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QString advice
        = u"everybody who can read the script or Slurm's record of the job can read it. Keep it in a file of mode 600 that the program reads."_s;
    Hits hits;
    const auto& variables = context.spec.environment.variables;
    for (auto it = variables.begin(); it != variables.end(); ++it) {
        if (!it.value().isEmpty() && (name.match(it.key()).hasMatch() || value.match(it.value()).hasMatch()))
            hits.append({field::variables, u"%1 holds a secret: "_s.arg(it.key()) + advice, removeVariable(it.key())});
    }
    const QString command = context.spec.command.value_or(QString());
    if (value.match(command).hasMatch() || option.match(command).hasMatch())
        hits.append({field::command, u"The command holds a secret: "_s + advice});
    return hits;
}

Hits controlCharacters(const RuleContext& context)
{
    Hits hits;
    for (const auto& [path, text] : typedTexts(context)) {
        if (std::any_of(text.cbegin(), text.cend(), turnsDirection))
            hits.append({path,
                u"“%1” has a character that reverses the direction of text: what is executed differs from what is shown."_s
                    .arg(harmlessLine(text, 60))});
        else if (std::any_of(text.cbegin(), text.cend(), isHarmful))
            hits.append({path,
                u"“%1” has a line break or another control character, which a script cannot carry there."_s.arg(
                    harmlessLine(text, 60))});
    }
    return hits;
}

Hits commandStarter(const RuleContext& context)
{
    static const QRegularExpression starter(
        u"^\\s*(?:\\S*/)?(python[0-9.]*|torchrun|srun|mpirun|accelerate|deepspeed|bash|sh)\\s+(?=\\S)"_s);
    const QString command = context.spec.command.value_or(QString());
    const auto match = starter.match(command);
    if (!match.hasMatch())
        return {};
    const QString word = match.captured(1);
    const bool python = isPython(word);
    if (python && match.captured(0).contains(u'/')) // an environment's own interpreter
        return {};
    const Fix strip{u"Remove “%1”"_s.arg(word), [length = match.capturedLength(0)](JobSpec& spec) {
                        spec.command = spec.command.value_or(QString()).mid(length);
                    }};
    const QString text
        = u"The command starts with “%1”, but the script starts the program itself: write what comes after “%2”."_s.arg(
            word, context.profile.launch.pythonCommand);
    return {{field::command, text, python ? std::optional(strip) : std::nullopt}};
}

Hits nameWithSlash(const RuleContext& context)
{
    if (!context.resolved.name.contains(u'/'))
        return {};
    return {{field::name,
        u"The log file is named after the job: with “/” in “%1” it would lie in a folder that does not exist, and the job fails at once without a message."_s
            .arg(context.resolved.name.left(60)),
        Fix{u"Write - instead"_s, [](JobSpec& spec) { spec.name.replace(u'/', u'-'); }}}};
}

} // namespace

QList<DesignRule> textChecks()
{
    const QString slurm = u"measured with Slurm 22.05"_s;
    return {
        {{u"L40"_s, u"visible-devices"_s, Severity::Warning, {}, {}, slurm}, visibleDevices},
        {{u"R15"_s, u"variable-reserved"_s, Severity::Error, {}, {}, slurm}, reservedVariables},
        {{u"R111"_s, u"variable-name"_s, Severity::Error, {}, {}, u"POSIX shell, 2.5.3"_s}, variableForm},
        {{u"R112"_s, u"variable-literal"_s, Severity::Warning, {}, {}, u"how this program writes variables"_s},
            variableNotExpanded},
        {{u"L30"_s, u"variable-unread"_s, Severity::Warning, {}, {}, u"MIOpen documentation"_s}, variableUnread},
        {{u"L53"_s, u"placeholder"_s, Severity::Error, {}, {}, u"found in public scripts"_s}, placeholders},
        {{u"L54"_s, u"secret"_s, Severity::Error, {}, {}, u"found in public scripts"_s}, secrets},
        {{u"R115"_s, u"control-character"_s, Severity::Error, {}, {}, u"sbatch(1)"_s}, controlCharacters},
        {{u"R114"_s, u"command-starter"_s, Severity::Error, {}, {}, u"rule R01"_s}, commandStarter},
        {{u"L14"_s, u"job-name"_s, Severity::Error, {}, {}, slurm}, nameWithSlash},
    };
}

} // namespace rankwright::inline script
