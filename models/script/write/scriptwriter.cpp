// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/scriptwriter.h"

#include "models/script/bash/scriptquoting.h"
#include "models/script/write/directiveswriter.h"
#include "models/script/write/evidencelines.h"
#include "models/script/write/guards.h"
#include "models/script/write/jobsampler.h"
#include "models/script/write/launchers.h"
#include "models/script/write/overrides.h"
#include "models/script/write/rankcheck.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

QString tomlText(const QString& text) { return QString(text).replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s); }

/// Text inside double quotes of the shell, nothing expanded.
QString insideDoubleQuotes(const QString& text)
{
    static const QRegularExpression special(u"([\\\\\"$`])"_s);
    return QString(text).replace(special, u"\\\\\\1"_s);
}

void writeModules(ScriptBuilder& builder, const LaunchPlan& plan, const QStringList& commands)
{
    if (commands.isEmpty())
        return;
    const bool container = !plan.resolved.container.isEmpty();
    const QList<FieldPath> origins{container ? field::container : field::modules, field::modules};
    builder.heading(container ? u"Modules that connect the container to this cluster"_s : u"Software"_s, origins);
    for (const QString& command : commands) {
        builder.line(command, origins,
            container
                ? u"Part of this site's recipe for containers: network library, file systems and devices are bound."_s
                : u"Puts the software on the path; the job does not inherit it reliably from the login shell."_s,
            container && !plan.profile.container.source.isEmpty() ? plan.profile.container.source : u"R24"_s);
    }
    builder.blank();
}

/// Python's environment, before the strict options: activation scripts use unset variables.
void writeActivation(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const auto& environment = plan.resolved.spec.environment;
    const QString conda = environment.conda.value_or(QString());
    const QString venv = environment.venv.value_or(QString());
    if (!conda.isEmpty()) {
        builder.line(u"eval \"$(conda shell.bash hook)\""_s, {field::conda},
            u"Defines conda's commands in this shell, which no start-up file did."_s, u"R24"_s);
        builder.line(u"conda activate "_s + scriptPath(conda), {field::conda},
            u"Python and PyTorch of this environment; the tasks inherit it."_s, u"R24"_s);
    }
    if (!venv.isEmpty() && plan.resolved.container.isEmpty()) {
        builder.line(u"source "_s + venvScript(plan.resolved), {field::venv},
            u"Python and PyTorch of this environment; the tasks inherit it."_s, u"R24"_s);
    }
}

bool needsLoginShell(const LaunchPlan& plan, const QStringList& modules)
{
    static const QRegularExpression tools(
        u"^\\s*(?:module|ml|conda|mamba|micromamba|spack|uenv)\\b"_s, QRegularExpression::MultilineOption);
    const auto& environment = plan.resolved.spec.environment;
    return !modules.isEmpty() || !environment.conda.value_or(QString()).isEmpty()
        || std::any_of(environment.setup.cbegin(), environment.setup.cend(),
            [](const QString& lines) { return lines.contains(tools); });
}

/// The user's own lines, before the strict options: they may not work under these.
void writeSetup(ScriptBuilder& builder, const LaunchPlan& plan)
{
    for (const QString& text : plan.resolved.spec.environment.setup) {
        for (const QString& line : text.split(u'\n'))
            builder.line(line, {field::setup}, u"Yours: runs before the launch, in the batch shell."_s, u"R19"_s);
    }
}

/// Back to the job's folder before anything is read from it.
void writeFolder(ScriptBuilder& builder, const LaunchPlan& plan, bool loginShell)
{
    const QString workdir = plan.resolved.spec.workdir.value_or(QString());
    QString folder = u"\"${SLURM_SUBMIT_DIR:-.}\""_s;
    if (!workdir.isEmpty())
        folder = workdir.startsWith(u'/') || !fitsDirective(workdir) ? scriptWord(workdir)
                                                                     : folder + u'/' + scriptWord(workdir);
    if (!workdir.isEmpty() && !fitsDirective(workdir)) {
        builder.line(u"cd -- "_s + folder, {field::workdir},
            u"The folder's name has characters that no directive can carry."_s, u"R34"_s);
    } else if (loginShell) {
        builder.line(u"cd -- "_s + folder + u" || exit 1"_s, {field::workdir},
            u"Back to the job's folder: a start-up file of the login shell may have left it."_s, u"R34"_s);
    }
}

/// The file that describes a container to CSCS's container engine, for a design that names an image.
void writeEngineFile(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const QString& container = plan.resolved.container;
    if (!usesEngineFile(container, plan.profile) || isEngineFile(container))
        return;
    const QList<FieldPath> origins{field::container, field::binds};
    QStringList mounts{u"\\\"$PWD:$PWD\\\""_s};
    for (const QString& bind : plan.resolved.spec.environment.binds) {
        if (!bind.isEmpty())
            mounts.append(
                u"\\\""_s + insideDoubleQuotes(tomlText(bind.contains(u':') ? bind : bind + u':' + bind)) + u"\\\""_s);
    }
    builder.heading(u"Container for srun --environment, written by the job"_s, origins);
    builder.line(u"printf '%s\\n' 'image = \"'\"$SIF\"'\"' \\"_s, origins, u"The image by its exact name."_s, u"R24"_s);
    builder.line(u"    \"mounts = [%1]\" \"workdir = \\\"$PWD\\\"\" '[annotations]' \\"_s.arg(mounts.join(u", "_s)),
        origins, u"Folders that the program sees; it starts in the job's."_s, u"R24"_s);
    builder.line(u"    'com.hooks.aws_ofi_nccl.enabled = \"true\"' 'com.hooks.aws_ofi_nccl.variant = \"cuda-dl\"' \\"_s,
        origins, u"The hook brings the plugin that carries NCCL over Slingshot; without it NCCL stops at NCCL_NET."_s,
        u"R26"_s);
    builder.line(u"    > \"$PWD/rankwright-$SLURM_JOB_ID.toml\""_s, origins,
        u"In the job's folder, which all nodes see."_s, u"R24"_s);
    builder.blank();
}

void writeStrictness(ScriptBuilder& builder)
{
    builder.line(u"set -euo pipefail"_s, {},
        u"Any failing step fails the job; without it a crashed training can be shown as COMPLETED. After the modules, "
        "since module systems use unset variables."_s,
        u"R29"_s);
    builder.blank();
}

void writeImage(ScriptBuilder& builder, const LaunchPlan& plan)
{
    if (plan.resolved.container.isEmpty())
        return;
    const bool exported = expandsInTask(plan);
    builder.line((exported ? u"export SIF="_s : u"SIF="_s) + scriptPath(plan.resolved.container), {field::container},
        u"The image with Python, PyTorch and the GPU libraries, by its exact name, so that the run can be repeated."_s,
        u"R24"_s);
    builder.blank();
}

void writeEnvironment(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const EnvironmentPlan& environment = plan.environment;
    if (environment.batch.isEmpty() && environment.refused.isEmpty())
        return;
    builder.heading(u"Environment of every task"_s, {field::variables});
    for (const PlannedVariable& variable : environment.batch)
        builder.line(
            u"export %1=%2"_s.arg(variable.name, variable.value), variable.origins, variable.reason, variable.source);
    for (const QString& name : environment.refused) {
        builder.heading(
            u"NOT SET: %1 is not a name that a shell can export"_s.arg(commentText(name, 40)), {field::variables});
    }
    builder.blank();
}

/// The trainer's configuration as a here-document with a quoted delimiter, so that nothing in it is expanded.
void writeConfigFile(ScriptBuilder& builder, const LaunchPlan& plan)
{
    if (!plan.trainer.file)
        return;
    const ConfigFile& file = *plan.trainer.file;
    const QString folder = jobFilesVariable;
    const QList<FieldPath> origins{field::config, field::strategy, field::launcher};
    builder.heading(
        u"Configuration of %1, written by the job, so that this one file is the whole job"_s.arg(file.title), origins);
    builder.line(jobFilesLine(), origins,
        u"A folder that all nodes see and no other job uses; it stays behind as a record of the run."_s, u"R17"_s);
    builder.line(u"mkdir -p \"$%1\""_s.arg(folder), origins,
        u"Made once, here: the working directory is shared by the nodes."_s, u"R25"_s);
    builder.line(u"cat > \"$%1/%2\" <<'END_OF_FILE'"_s.arg(folder, file.name), origins,
        u"The quoted word keeps the shell out of the text below."_s, u"R17"_s);
    for (const ScriptLine& line : file.lines)
        builder.line(line.text, line.origins, line.reason, line.source);
    builder.line(u"END_OF_FILE"_s, origins, u"End of the file."_s, u"R17"_s);
    builder.blank();
}

/// ShellCheck takes every variable within single quotes for a slip (SC2016), and quotes within quotes, too (SC1003);
/// here they are what is meant, so the script says so once, where it holds for the whole file.
void allowLiteralQuotes(ScriptDocument& document)
{
    static const QRegularExpression quotedVariable(u"^[^#]*'[^']*[$`]|\\b(?:ba)?sh -c '"_s);
    const auto any = [&](const auto& condition) {
        return std::any_of(document.lines.cbegin(), document.lines.cend(),
            [&](const ScriptLine& line) { return condition(line.text); });
    };
    QStringList codes;
    if (any([](const QString& text) { return quotedVariable.match(text).hasMatch(); }))
        codes.append(u"SC2016"_s);
    if (any([](const QString& text) { return text.contains(u"\\'"_s); }))
        codes.append(u"SC1003"_s);
    if (codes.isEmpty())
        return;
    document.lines.insert(2,
        {u"# shellcheck disable=%1 # single quotes are meant: tasks expand, or nobody does"_s.arg(codes.join(u',')), {},
            u"A word to the checker ShellCheck; the shell ignores it."_s, {}});
}

} // namespace

ScriptDocument generatedScript(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const LaunchPlan plan = planLaunch(resolved, profile);
    const QStringList modules = moduleCommands(resolved, profile);

    ScriptBuilder builder;
    const bool loginShell = needsLoginShell(plan, modules);
    writeDirectives(builder, resolved, profile, loginShell ? BatchShell::Login : BatchShell::Plain);
    writeModules(builder, plan, modules);
    writeFolder(builder, plan, loginShell);
    writeActivation(builder, plan);
    writeSetup(builder, plan);
    writeStrictness(builder);
    writeImage(builder, plan);
    writeGuards(builder, plan);
    if (!launchObstacle(plan).isEmpty())
        return builder.take();
    writeEnvironment(builder, plan);
    writeConfigFile(builder, plan);
    writeEvidence(builder, plan);
    writeEngineFile(builder, plan);
    writeRendezvous(builder, plan);
    writeMasks(builder, plan);
    if (checksRanks(resolved, plan.binding))
        writeRankCheck(builder, resolved, profile);
    if (!plan.binding.refusal.isEmpty()) {
        builder.heading(u"NOT BOUND: "_s + commentText(plan.binding.refusal, 200), {field::cpuBinding});
        builder.blank();
    }
    writeSampler(builder, resolved, profile);
    writeLaunch(builder, plan);
    ScriptDocument document = builder.take();
    allowLiteralQuotes(document);
    return document;
}

ScriptDocument writeScript(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (authorText(resolved.spec.overrides)) {
        const OverrideBlock& whole = resolved.spec.overrides.first();
        ScriptDocument document;
        for (const QString& line : whole.lines)
            document.lines.append({line, {}, {}, {}});
        document.finalNewline = !whole.noFinalNewline;
        return document;
    }
    const ScriptDocument generated = generatedScript(resolved, profile);
    return resolved.spec.overrides.isEmpty() ? generated : applyOverrides(generated, resolved.spec.overrides).document;
}

WrittenScript writtenScript(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    WrittenScript written;
    ScriptDocument& document = written;
    const QList<OverrideBlock>& blocks = resolved.spec.overrides;
    if (authorText(blocks)) {
        document = writeScript(resolved, profile);
    } else {
        document = written.generated = generatedScript(resolved, profile);
        if (!blocks.isEmpty()) {
            OverriddenScript overridden = applyOverrides(written.generated, blocks);
            document = std::move(overridden.document);
            written.notes = std::move(overridden.notes);
        }
    }
    written.batch = parseBatch(written.text());
    return written;
}

} // namespace rankwright::inline script
