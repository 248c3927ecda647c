// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintfacts.h"

#include "models/script/lint/lintnumbers.h"
#include "models/script/lint/lintstarts.h"
#include "models/script/lint/lintuses.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

const NodeShape* shapeNamed(const ClusterProfile& profile, const QString& name)
{
    const auto found = std::find_if(
        profile.nodes.cbegin(), profile.nodes.cend(), [&](const NodeShape& shape) { return shape.name == name; });
    return found != profile.nodes.cend() ? &*found : nullptr;
}

/// The entry that the script asks for.
const Partition* partitionOf(const LintFacts& facts)
{
    return facts.profile->partitionAsked({facts.optionValue(u"partition"_s), facts.optionValue(u"qos"_s),
        facts.optionValue(u"constraint"_s), facts.optionValue(u"account"_s), facts.request.gpuType});
}

/// The kind of node that the job gets: its partition's, or the only one, or the only one with the GPU type named.
const NodeShape* nodeOf(const LintFacts& facts)
{
    if (facts.profile == nullptr)
        return nullptr;
    if (facts.partition != nullptr)
        return shapeNamed(*facts.profile, facts.partition->node);
    if (facts.option(u"partition"_s) && facts.profile->nodes.size() > 1)
        return nullptr; // a partition that the entry does not have
    const NodeShape* match = nullptr;
    const QStringList kinds = gpuKinds(facts.optionValue(u"constraint"_s));
    for (const NodeShape& shape : facts.profile->nodes) {
        const QString type = facts.request.gpuType;
        if (!allowsShape(kinds, shape))
            continue;
        if (!type.isEmpty() && !shape.gpu.slurmName.isEmpty() && shape.gpu.slurmName != type)
            continue;
        if (match != nullptr)
            return nullptr;
        match = &shape;
    }
    return match;
}

int rootOf(const BatchText& batch, int command)
{
    int at = command;
    while (at >= 0 && at < batch.shell.commands.size() && batch.shell.commands.at(at).parent)
        at = *batch.shell.commands.at(at).parent;
    return at;
}

/// Commands whose words start tasks: what is in their inner shells runs once per task.
QSet<int> taskCommands(const BatchText& batch)
{
    QSet<int> found;
    for (const Launch& launch : batch.launches) {
        if (launch.viaSrun() || launch.layer(LaunchLayer::Kind::Mpirun))
            found.insert(rootOf(batch, launch.command));
    }
    return found;
}

void collectSettings(LintFacts& facts)
{
    const BatchText& batch = facts.batch;
    QSet<QString> exported;
    for (const BatchVariable& variable : batch.variables) {
        if (variable.exported)
            exported.insert(variable.name);
    }
    const QSet<int> tasks = taskCommands(batch);
    for (int i = 0; i < batch.shell.commands.size(); ++i) {
        const ShellCommand& command = batch.shell.commands.at(i);
        if (command.inSubstitution)
            continue;
        const bool inTask = command.inInnerShell && tasks.contains(rootOf(batch, i));
        for (const ShellAssignment& assignment : command.assignments) {
            const bool prefix = !command.words.isEmpty() && command.words.first().begin > assignment.value.end;
            facts.settings.append({assignment.name, &assignment.value, assignment.line, inTask,
                prefix || inTask || exported.contains(assignment.name), !command.function.isEmpty(),
                prefix || inTask ? std::optional(rootOf(batch, i)) : std::nullopt});
        }
    }
    for (const Launch& launch : batch.launches) {
        bool behindSrun = false;
        for (const LaunchLayer& layer : launch.layers) {
            behindSrun = behindSrun || layer.kind == LaunchLayer::Kind::Srun;
            for (auto it = layer.variables.begin(); it != layer.variables.end(); ++it)
                facts.settings.append(
                    {it.key(), &it.value(), layer.line, behindSrun, true, false, rootOf(batch, launch.command)});
        }
    }
    for (int i = 0; i < facts.settings.size(); ++i)
        facts.settingsByName[facts.settings.at(i).name].append(i);
}

void collectShellOptions(LintFacts& facts)
{
    static const QRegularExpression shortE(u"^-[a-z]*e[a-z]*$"_s);
    facts.exitOnError = facts.batch.shebang.section(u' ', 1).contains(shortE);
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.name() != u"set" || command.parent)
            continue;
        for (qsizetype i = 1; i < command.words.size(); ++i) {
            const QString word = command.words.at(i).value;
            facts.exitOnError = facts.exitOnError || word == u"errexit" || word.contains(shortE);
            facts.pipefail = facts.pipefail || word == u"pipefail";
        }
    }
}

bool namesOneProcess(const LintFacts& facts)
{
    static const QRegularExpression drives(u"(?:^|[^a-z])(?:tensorflow|keras|tf2?_|jax|flax|ray|vllm)(?![a-z])"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression oneEach(
        u"torch|lightning|deepspeed|horovodrun|accelerate|megatron"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression horovod(u"horovod|hvd"_s, QRegularExpression::CaseInsensitiveOption);
    const bool ranks = std::any_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) {
        return start.kind == LaunchKind::Mpi || start.program.join(u' ').contains(horovod); // not: in an image's name
    });
    return facts.mentions(drives) && !facts.mentions(oneEach) && !ranks;
}

} // namespace

QString LintFacts::optionValue(const QString& name) const
{
    const BatchOption* found = batch.option(name);
    return found ? found->value : QString();
}

bool LintFacts::wholeNodes() const
{
    if (request.exclusive || request.wholeMemory || (partition && !partition->shared))
        return true;
    return node && !node->gpu.isSlice() && request.gpusPerNode && node->gpus > 0 && *request.gpusPerNode >= node->gpus;
}

bool LintFacts::sharedNodes() const { return partition && partition->shared && !wholeNodes(); }

bool LintFacts::sets(const QString& name) const { return setting(name) != nullptr; }

const Setting* LintFacts::setting(const QString& name) const
{
    const auto found = settingsByName.constFind(name);
    return found != settingsByName.constEnd() ? &settings.at(found->last()) : nullptr;
}

const Setting* LintFacts::settingFor(const QString& name, const Start& start) const
{
    const int command = rootOf(batch, start.launch->command);
    const Setting* before = nullptr;
    const Setting* own = nullptr;
    for (const Setting* one : settingsOf(name)) {
        if (one->onlyFor == command)
            own = one;
        else if (!one->onlyFor && one->line <= start.line())
            before = one;
    }
    return own ? own : before;
}

QList<const Setting*> LintFacts::settingsOf(const QString& name) const
{
    QList<const Setting*> found;
    const QList<int> places = settingsByName.value(name);
    for (const int place : places)
        found.append(&settings.at(place));
    return found;
}

bool LintFacts::startsBy(LaunchKind kind) const
{
    return std::any_of(starts.cbegin(), starts.cend(), [&](const Start& one) { return one.kind == kind; });
}

bool LintFacts::reads(const QString& name) const
{
    const QList<int> places = usesByName.value(name);
    return std::any_of(places.cbegin(), places.cend(), [&](int place) { return !uses.at(place).isPrinted; });
}

bool LintFacts::meetsByStore(const Start& start) const
{
    static const QRegularExpression inConf(u"rdzv_backend=(?!static)\\w"_s);
    const BatchOption* backend = start.agentOption(u"rdzv-backend"_s);
    const BatchOption* conf = start.agentOption(u"rdzv-conf"_s);
    return (backend && !backend->value.isEmpty() && backend->value != u"static")
        || (conf && conf->value.contains(inConf)) || start.agentOption(u"standalone"_s);
}

bool LintFacts::otherThanInfiniBand() const
{
    static const QRegularExpression other(
        u"\\b(?:hsn\\d*|FI_PROVIDER=[\"']?(?:efa|cxi)|FI_EFA_\\w+|FI_CXI_\\w+|rccl-net-plugin|aws-ofi\\S*)"_s);
    const QStringList interfaces = node ? node->interfaces() : QStringList();
    const bool ofSite = std::any_of(
        interfaces.cbegin(), interfaces.cend(), [](const QString& name) { return name.startsWith(u"hsn"); });
    return ofSite || mentions(other);
}

bool LintFacts::mentions(const QRegularExpression& pattern) const { return lineOf(pattern) > 0; }

int LintFacts::lineOf(const QRegularExpression& pattern) const
{
    for (qsizetype i = 0; i < codeLines.size(); ++i) {
        if (codeLines.at(i).contains(pattern))
            return static_cast<int>(i) + 1;
    }
    return 0;
}

std::optional<QString> LintFacts::valueOf(const ShellWord& word) const { return staticValue(batch, word, word.line); }

std::optional<int> LintFacts::numberOf(const ShellWord& word) const { return wordNumber(*this, word); }

std::optional<int> LintFacts::numberOf(const BatchOption& option) const
{
    if (option.word)
        return wordNumber(*this, *option.word);
    bool fine = false;
    const int number = option.value.toInt(&fine);
    return fine ? std::optional(number) : std::nullopt;
}

LintFacts collectFacts(const BatchText& batch, const ClusterProfile* profile)
{
    LintFacts facts(batch, profile && !profile->name.isEmpty() ? profile : nullptr);
    facts.request = readRequest(batch);
    if (facts.profile != nullptr)
        facts.partition = partitionOf(facts);
    facts.node = nodeOf(facts);
    LintRequest& request = facts.request;
    if (facts.node && !request.nodesGiven && request.gpusTotal.value_or(0) > facts.node->gpus) {
        request.nodes.reset(); // Slurm takes as many nodes as these GPUs need
        request.gpusPerNode.reset();
    }
    facts.codeLines = codeLinesOf(batch);
    collectUses(facts);
    collectShellOptions(facts);
    collectSettings(facts);
    collectStarts(facts);
    facts.oneProcessDrivesAll = namesOneProcess(facts);
    facts.someMeetByStore = std::any_of(facts.starts.cbegin(), facts.starts.cend(),
        [&](const Start& start) { return start.agent && facts.meetsByStore(start); });
    return facts;
}

} // namespace rankwright::inline script::lint
