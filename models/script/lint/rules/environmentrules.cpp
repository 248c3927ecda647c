// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintwords.h"
#include "models/script/lint/rules/lintsoftware.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

using Kind = LaunchLayer::Kind;

bool amd(const LintFacts& facts)
{
    return facts.node && facts.node->gpu.vendor == GpuVendor::Amd && facts.node->gpus > 0;
}
bool nvidia(const LintFacts& facts)
{
    return facts.node && facts.node->gpu.vendor == GpuVendor::Nvidia && facts.node->gpus > 0;
}

Hits visibleDevices(const LintFacts& facts)
{
    static const QRegularExpression name(u"^(?:CUDA|ROCR|HIP)_VISIBLE_DEVICES$"_s);
    const bool steps
        = std::any_of(facts.starts.cbegin(), facts.starts.cend(), [](const Start& one) { return one.srun; });
    Hits hits;
    for (const Setting& setting : facts.settings) {
        if (!steps || setting.inTask || setting.inFunction || !setting.exported || !setting.name.contains(name))
            continue;
        if (amd(facts) && setting.name != u"ROCR_VISIBLE_DEVICES")
            continue; // there Slurm sets only ROCR_VISIBLE_DEVICES
        hits.append({setting.line,
            u"At most sites srun sets %1 again in each step: what the batch shell sets has no effect there. Set it in the task, or leave it out."_s
                .arg(setting.name)});
    }
    return hits;
}

Hits visibleDevicesTwice(const LintFacts& facts)
{
    const Setting* rocr = facts.setting(u"ROCR_VISIBLE_DEVICES"_s);
    for (const QString& other : {u"HIP_VISIBLE_DEVICES"_s, u"CUDA_VISIBLE_DEVICES"_s}) {
        const Setting* second = facts.setting(other);
        if (rocr && second && rocr->inTask == second->inTask)
            return {{std::max(rocr->line, second->line),
                u"%1 counts within what ROCR_VISIBLE_DEVICES left over: both together hide GPUs. Keep one."_s.arg(
                    other)}};
    }
    return {};
}

/// Where each task sets a variable from its own number: by a command of its shell, or in a file that the script writes
/// for it.
struct TaskValue {
    int line = 0; ///< 0: nowhere
    QString name;
    QString written; ///< "NAME=value" as typed
};

TaskValue taskValue(const LintFacts& facts, const QStringList& names)
{
    static const QStringList numbers{u"SLURM_LOCALID"_s, u"SLURM_PROCID"_s, u"LOCAL_RANK"_s};
    for (const Setting& setting : facts.settings) {
        const bool isNumbered = std::any_of(numbers.cbegin(), numbers.cend(),
            [&](const QString& number) { return number != setting.name && setting.value->expands(number); });
        if (setting.inTask && isNumbered && names.contains(setting.name))
            return {setting.line, setting.name, setting.name + u'=' + setting.value->text};
    }
    const QRegularExpression written(
        uR"((?:^|[\s;])(%1)=["']?\\?\$\{?(?:SLURM_LOCALID|SLURM_PROCID|LOCAL_RANK)\}?["']?(?=$|[\s;]))"_s.arg(
            names.join(u'|')),
        QRegularExpression::MultilineOption);
    for (const HereDocument& document : facts.batch.shell.hereDocuments) {
        const auto match = document.target.isEmpty() ? QRegularExpressionMatch() : written.match(document.body);
        if (match.hasMatch())
            return {document.firstLine + int(document.body.left(match.capturedStart(1)).count(u'\n')),
                match.captured(1), match.captured(0).trimmed()};
    }
    return {};
}

/// Without the setting, a blank or an `export` that stood for it alone; empty: what is left would be another command.
std::optional<Fix> withoutSetting(const LintFacts& facts, const TaskValue& value)
{
    const QString line = facts.batch.lines.value(value.line - 1);
    const QString label = u"Leave out "_s + value.name;
    if (line.trimmed() == u"export "_s + value.written)
        return removeLine(facts, value.line);
    for (const QString& before : {u"export %1; "_s.arg(value.written), u"export %1 && "_s.arg(value.written)}) {
        if (line.contains(before))
            return replaceInLine(facts, value.line, before, {}, label);
    }
    static const QRegularExpression alone(u"export\\s+$"_s);
    const qsizetype at = line.indexOf(value.written);
    if (at > 0 && !line.left(at).contains(alone) && line.at(at - 1) == u' ')
        return replaceInLine(facts, value.line, u' ' + value.written, {}, label);
    if (at >= 0 && line.mid(at + value.written.size()).startsWith(u' '))
        return replaceInLine(facts, value.line, value.written + u' ', {}, label);
    return std::nullopt;
}

Hits visibleDeviceAndLocalRank(const LintFacts& facts)
{
    const TaskValue visible
        = taskValue(facts, {u"ROCR_VISIBLE_DEVICES"_s, u"HIP_VISIBLE_DEVICES"_s, u"CUDA_VISIBLE_DEVICES"_s});
    const TaskValue rank = taskValue(facts, {u"LOCAL_RANK"_s});
    if (visible.line == 0 || rank.line == 0)
        return {};
    return {{visible.line,
        u"%1 leaves each task one device, which it sees as number 0; LOCAL_RANK is 1, 2 … in the others: a program that takes device LOCAL_RANK ends there with “invalid device ordinal”. Leave %1 out."_s
            .arg(visible.name),
        withoutSetting(facts, visible)}};
}

Hits unreadVariable(const LintFacts& facts)
{
    static const QHash<QString, QString> meant{{u"MIOPEN_USER_DB"_s, u"MIOPEN_USER_DB_PATH"_s},
        {u"MIOPEN_CACHE_DIR"_s, u"MIOPEN_CUSTOM_CACHE_DIR"_s}, {u"NCCL_IFNAME"_s, u"NCCL_SOCKET_IFNAME"_s},
        {u"NCCL_GDR_LEVEL"_s, u"NCCL_NET_GDR_LEVEL"_s}, {u"OMP_THREADS"_s, u"OMP_NUM_THREADS"_s},
        {u"TOKENIZER_PARALLELISM"_s, u"TOKENIZERS_PARALLELISM"_s}};
    static const QSet<QString> known(readNames().cbegin(), readNames().cend());
    Hits hits;
    QSet<QString> seen;
    for (const Setting& setting : facts.settings) {
        if (known.contains(setting.name) || seen.contains(setting.name) || setting.name.size() < 7)
            continue;
        seen.insert(setting.name);
        QString near = meant.value(setting.name);
        for (const QString& name : readNames()) {
            if (near.isEmpty() && setting.exported && name.size() >= 9 && wordDistance(setting.name, name, 1) == 1)
                near = name;
        }
        if (near.isEmpty() || facts.batch.text.contains(u"$"_s + setting.name)
            || facts.batch.text.contains(u"${"_s + setting.name + u'}'))
            continue;
        hits.append({setting.line, u"No program reads %1; the name is %2."_s.arg(setting.name, near),
            replaceInLine(facts, setting.line, setting.name + u'=', near + u'=', u"Use "_s + near)});
    }
    return hits;
}

Hits ompThreads(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        if (!start.agent || start.kind == LaunchKind::Mpi
            || start.workers.value_or(facts.request.gpusPerNode.value_or(1)) < 2)
            continue;
        const int workers = start.workers.value_or(facts.request.gpusPerNode.value_or(2));
        const Setting* setting = facts.setting(u"OMP_NUM_THREADS"_s);
        if (!setting)
            continue;
        const std::optional<int> threads = facts.numberOf(*setting->value);
        const bool all = setting->value->expands(u"SLURM_CPUS_PER_TASK"_s) && !setting->value->value.contains(u'/');
        const bool many = threads && facts.request.cpusPerTask && *threads * workers > *facts.request.cpusPerTask;
        if (!all && !many)
            continue;
        hits.append({setting->line,
            u"Each of the %1 workers starts %2 threads on the same %3 cores: divide by the workers, or leave it unset."_s
                .arg(QString::number(workers), threads ? QString::number(*threads) : u"SLURM_CPUS_PER_TASK"_s,
                    facts.request.cpusPerTask ? QString::number(*facts.request.cpusPerTask) : QString()),
            replaceInLine(facts, setting->line, setting->value->text, u"$((SLURM_CPUS_PER_TASK / %1))"_s.arg(workers),
                u"Divide by the workers"_s)});
        break;
    }
    return hits;
}

/// The number after an option of the program: "--num-workers 8", "--num_workers=$N".
std::optional<std::pair<int, const ShellWord*>> programNumber(
    const LintFacts& facts, const Start& start, const QRegularExpression& option)
{
    for (const LaunchLayer& layer : start.launch->layers) {
        for (qsizetype i = 0; i < layer.words.size(); ++i) {
            const ShellWord& word = layer.words.at(i);
            const auto match = option.match(word.value);
            if (!match.hasMatch())
                continue;
            if (match.capturedLength(0) == word.value.size() && !word.value.endsWith(u'=')) {
                const std::optional<int> number
                    = i + 1 < layer.words.size() ? facts.numberOf(layer.words.at(i + 1)) : std::nullopt;
                return number ? std::optional(std::pair(*number, &word)) : std::nullopt;
            }
            ShellWord rest = word;
            rest.value = word.value.mid(match.capturedLength(0));
            if (!rest.expansions.isEmpty() && rest.expansions.first().text != rest.value)
                return std::nullopt;
            const std::optional<int> number = facts.numberOf(rest);
            return number ? std::optional(std::pair(*number, &word)) : std::nullopt;
        }
    }
    return std::nullopt;
}

Hits loaderWorkers(const LintFacts& facts)
{
    static const QRegularExpression option(
        u"^--(?:num[-_]workers|dataloader[-_]num[-_]workers|workers|n[-_]workers|train\\.num_workers|data[-_]workers|num[-_]loader[-_]workers)(?:=|$)"_s);
    Hits hits;
    for (const Start& start : facts.starts) {
        const auto number = programNumber(facts, start, option);
        if (!number || !facts.request.cpusPerTask)
            continue;
        if (start.agent && !start.workers)
            continue;
        // in the batch shell a program has all cores that the job has on its node
        const int tasks = start.srun ? 1 : facts.request.tasksPerNode.value_or(1);
        const int ranks = start.agent ? start.workers.value_or(1) : 1;
        const int cores = *facts.request.cpusPerTask * tasks / std::max(1, ranks);
        if (number->first <= std::max(1, cores))
            continue;
        const bool ownCores = start.srun || tasks == 1;
        hits.append({number->second->line,
            u"%1 loader workers for each rank, but a rank has %2 cores: they slow each other down."_s.arg(number->first)
                .arg(cores),
            std::nullopt, ownCores ? std::nullopt : std::optional(Severity::Hint)});
    }
    return hits;
}

Hits deviceConnections(const LintFacts& facts)
{
    static const QRegularExpression fsdp(u"fsdp"_s, QRegularExpression::CaseInsensitiveOption);
    // Megatron's tensor and sequence groups need the 1, and a switch in the script may have FSDP off
    static const QRegularExpression tensorGroups(
        u"tensor[-_]model[-_]parallel|sequence[-_]parallel|\\bmegatron"_s, QRegularExpression::CaseInsensitiveOption);
    const bool off = std::any_of(facts.settings.cbegin(), facts.settings.cend(), [](const Setting& one) {
        static const QSet<QString> no{u"0"_s, u"false"_s, u"False"_s, u"no"_s, QString()};
        return one.name.contains(fsdp) && one.value->isStatic() && no.contains(one.value->value);
    });
    Hits hits;
    if (off || facts.mentions(tensorGroups))
        return hits;
    for (const Setting* setting : facts.settingsOf(u"CUDA_DEVICE_MAX_CONNECTIONS"_s)) {
        if (setting->value->value == u"1" && facts.mentions(fsdp))
            hits.append({setting->line,
                u"CUDA_DEVICE_MAX_CONNECTIONS=1 keeps FSDP from overlapping communication with computation: leave it out."_s,
                setting->inTask ? std::nullopt : std::optional(removeLine(facts, setting->line))});
    }
    return hits;
}

Hits oldNames(const LintFacts& facts)
{
    static const QHash<QString, QString> names{{u"NCCL_ASYNC_ERROR_HANDLING"_s, u"TORCH_NCCL_ASYNC_ERROR_HANDLING"_s},
        {u"NCCL_BLOCKING_WAIT"_s, u"TORCH_NCCL_BLOCKING_WAIT"_s}, {u"TRANSFORMERS_CACHE"_s, u"HF_HOME"_s},
        {u"PYTORCH_TRANSFORMERS_CACHE"_s, u"HF_HOME"_s}};
    Hits hits;
    for (const Setting& setting : facts.settings) {
        const QString name = names.value(setting.name);
        if (!name.isEmpty())
            hits.append({setting.line, u"%1 is an old name; it is called %2 now."_s.arg(setting.name, name),
                replaceInLine(facts, setting.line, setting.name + u'=', name + u'=', u"Use "_s + name)});
    }
    for (const Start& start : facts.starts) {
        if (!start.oldLauncher)
            continue;
        const int line = start.agent->line;
        hits.append(
            {line, u"torch.distributed.launch is the old launcher; torchrun (torch.distributed.run) replaces it."_s,
                replaceInLine(facts, line, u"torch.distributed.launch"_s, u"torch.distributed.run"_s,
                    u"Use torch.distributed.run"_s)});
    }
    return hits;
}

/// Only with a PyTorch that the script itself names: each newer one takes both spellings.
Hits dashedFlags(const LintFacts& facts)
{
    const QVersionNumber release = torchReleaseOf(facts);
    if (release.isNull() || release.majorVersion() >= 2)
        return {};
    Hits hits;
    for (const Start& start : facts.starts) {
        if (start.kind != LaunchKind::Agent)
            continue;
        Fix fix{u"Write underscores"_s, {}, {}};
        QStringList dashed;
        QMap<int, QString> lines;
        int first = 0;
        for (const BatchOption& option : start.agent->options) {
            const QString name = option.typedName;
            QString line = lines.value(option.line, facts.batch.lines.value(option.line - 1));
            const qsizetype at = line.indexOf(name); // nowhere: a word made of pieces, no option that somebody typed
            static const QStringList newer{u"--numa-binding"_s, u"--signals-to-handle"_s}; // no old PyTorch has them
            if (!name.startsWith(u"--") || !name.mid(2).contains(u'-') || at < 0 || newer.contains(name))
                continue;
            dashed.append(name);
            first = first == 0 ? option.line : first;
            line.replace(at + 2, name.size() - 2, name.mid(2).replace(u'-', u'_'));
            lines.insert(option.line, line);
        }
        if (dashed.isEmpty())
            continue;
        for (auto it = lines.cbegin(); it != lines.cend(); ++it)
            fix.edits.append({it.key(), it.key(), {it.value()}});
        hits.append({first,
            u"PyTorch %1 knows no %2: before 2.0 torchrun's options have underscores, which every later release takes, too."_s
                .arg(release.toString(), dashed.first()),
            fix});
    }
    return hits;
}

Hits vendorNames(const LintFacts& facts)
{
    // RCCL has variables of its own: RCCL_P2P_NET_DISABLE, RCCL_P2P_BATCH_ENABLE, RCCL_MSCCL_ENABLE (RCCL_PARAM in src)
    static const QRegularExpression ncclOnly(
        u"^RCCL_(?:SOCKET_IFNAME|DEBUG|DEBUG_SUBSYS|DEBUG_FILE|NET_GDR_LEVEL|IB_\\w+|P2P_(?:LEVEL|DISABLE|DIRECT_DISABLE)|CROSS_NIC|NET|ALGO|PROTO|TIMEOUT|ASYNC_ERROR_HANDLING)$"_s);
    static const QRegularExpression backend(u"(--?[\\w.-]*backend[= ]+)rccl\\b"_s);
    Hits hits;
    for (const Setting& setting : facts.settings) {
        if (!setting.name.contains(ncclOnly))
            continue;
        const QString name = u"NCCL"_s + setting.name.mid(4);
        hits.append({setting.line,
            u"RCCL reads the variables of NCCL: no program reads %1, the name is %2."_s.arg(setting.name, name),
            replaceInLine(facts, setting.line, setting.name + u'=', name + u'=', u"Use "_s + name)});
    }
    if (const int line = facts.lineOf(backend); line > 0) {
        const auto match = backend.match(facts.codeLines.at(line - 1));
        hits.append({line, u"PyTorch calls the backend “nccl” on AMD GPUs, too: “rccl” is refused."_s,
            replaceInLine(facts, line, match.captured(0), match.captured(1) + u"nccl"_s, u"Use nccl"_s),
            Severity::Error});
    }
    return hits;
}

Hits vendorTools(const LintFacts& facts)
{
    static const QRegularExpression ofNvidia(
        u"(?:^|[\\s;&|(\"'])(nvidia-smi|nvcc|dcgmi)\\b|\\b(?:exec|run|shell)\\s(?:[^|;&]*\\s)?(--nv)\\s|module\\s+load\\s(?:[^;&|]*\\s)?(cuda|nccl|cudnn)\\b"_s);
    static const QRegularExpression ofAmd(
        u"(?:^|[\\s;&|(\"'])(rocm-smi|amd-smi|rocminfo|hipcc)\\b|\\b(?:exec|run|shell)\\s(?:[^|;&]*\\s)?(--rocm)\\s|module\\s+load\\s(?:[^;&|]*\\s)?(rocm|hip)\\b"_s);
    if (!amd(facts) && !nvidia(facts))
        return {};
    const QRegularExpression& foreign = amd(facts) ? ofNvidia : ofAmd;
    static const QRegularExpression guard(u"command -v|which\\s|\\|\\|"_s);
    Hits hits;
    for (qsizetype i = 0; i < facts.codeLines.size(); ++i) {
        const QString& line = facts.codeLines.at(i);
        const auto match = foreign.match(line);
        if (!match.hasMatch() || line.contains(guard))
            continue;
        const QString word = match.captured(1) + match.captured(2) + match.captured(3);
        const QString other = word == u"nvidia-smi" ? u"rocm-smi"_s
            : word == u"rocm-smi"                   ? u"nvidia-smi"_s
            : word == u"--nv"                       ? u"--rocm"_s
            : word == u"--rocm"                     ? u"--nv"_s
                                                    : QString();
        const int number = static_cast<int>(i) + 1;
        hits.append({number,
            u"%1 has %2 GPUs (%3): %4 is for the other vendor's%5."_s.arg(facts.profile->title,
                amd(facts) ? u"AMD"_s : u"NVIDIA"_s, facts.node->gpu.model, quoted(word),
                other.isEmpty() ? QString() : u", here it is "_s + other),
            other.isEmpty() ? std::nullopt : replaceInLine(facts, number, word, other, u"Use "_s + other)});
    }
    return hits;
}

} // namespace

QList<LintRule> environmentRules()
{
    const QString measured = u"measured with Slurm 22.05"_s;
    return {
        {{u"L30"_s, u"variable-unread"_s, Severity::Warning, {},
             u"a variable name that no program reads, close to one that is read"_s,
             u"MIOpen, NCCL and PyTorch documentation"_s},
            unreadVariable},
        {{u"L40"_s, u"visible-devices"_s, Severity::Hint, {}, u"CUDA/ROCR/HIP_VISIBLE_DEVICES set before srun"_s,
             measured},
            visibleDevices},
        {{u"L44"_s, u"omp-threads"_s, Severity::Warning, {},
             u"OMP_NUM_THREADS = all cores of the node under an agent"_s, u"torchrun documentation"_s},
            ompThreads},
        {{u"L45"_s, u"loader-workers"_s, Severity::Warning, {}, u"more loader workers than a rank has cores"_s,
             u"LUMI workshop; PyTorch DataLoader"_s},
            loaderWorkers},
        {{u"L46"_s, u"device-connections"_s, Severity::Warning, {}, u"CUDA_DEVICE_MAX_CONNECTIONS=1 with FSDP"_s,
             u"Megatron-LM, arguments.py"_s},
            deviceConnections},
        {{u"L51"_s, u"old-name"_s, Severity::Hint, {},
             u"old names: torch.distributed.launch, NCCL_ASYNC_ERROR_HANDLING, TRANSFORMERS_CACHE"_s,
             u"PyTorch and transformers release notes"_s},
            oldNames},
        {{u"L52"_s, u"dashed-flags"_s, Severity::Warning, {},
             u"torchrun options with dashes and a PyTorch before 2.0"_s, u"measured with PyTorch 1.13"_s},
            dashedFlags},
        {{u"R254"_s, u"visible-devices-twice"_s, Severity::Warning, {},
             u"ROCR_VISIBLE_DEVICES together with HIP_ or CUDA_VISIBLE_DEVICES"_s, u"LUMI training materials 2026"_s},
            visibleDevicesTwice},
        {{u"R297"_s, u"visible-devices-local-rank"_s, Severity::Warning, {},
             u"one visible device for each task beside its LOCAL_RANK"_s,
             u"LUMI training materials 2026; PyTorch, torch.cuda.set_device"_s},
            visibleDeviceAndLocalRank},
        {{u"R255"_s, u"vendor-names"_s, Severity::Warning, {},
             u"RCCL_ variables and “rccl”, which no program reads (an error for the backend)"_s,
             u"RCCL and PyTorch documentation"_s},
            vendorNames},
        {{u"R256"_s, u"vendor-tools"_s, Severity::Warning, {},
             u"tools, modules or container options of the other GPU vendor"_s, u"the site's node table"_s, true},
            vendorTools},
    };
}

} // namespace rankwright::inline script::lint
