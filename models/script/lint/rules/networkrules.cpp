// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintrule.h"
#include "models/script/lint/rules/lintsoftware.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

const EnvironmentRule* siteVariable(const LintFacts& facts, const QString& name)
{
    const auto found = std::find_if(facts.profile->environment.cbegin(), facts.profile->environment.cend(),
        [&](const EnvironmentRule& rule) { return rule.name == name; });
    return found != facts.profile->environment.cend() ? &*found : nullptr;
}

Hits networkMissing(const LintFacts& facts)
{
    if (!facts.request.severalNodes() || !facts.request.nodesGiven || facts.request.gpuOptions.isEmpty()
        || facts.profile->environment.isEmpty())
        return {};
    static const QRegularExpression network(u"^(?:NCCL|FI|GLOO|UCX)_"_s);
    QStringList missing;
    for (const EnvironmentRule& rule : facts.profile->environment) {
        // What a container brings, or only large jobs need, is advised where it is known to be so.
        const bool applies = rule.multiNodeOnly && !rule.softwareOnly
            && facts.request.nodes.value_or(2) >= rule.fromNodes.value_or(2) && holdsHere(facts, rule);
        if (applies && rule.name.contains(network) && !facts.batch.text.contains(rule.name))
            missing.append(rule.name + u'=' + rule.value);
    }
    const bool training = std::any_of(facts.starts.cbegin(), facts.starts.cend(),
        [](const Start& start) { return start.training && (start.agent || start.kind == LaunchKind::Python); });
    if (missing.isEmpty() || !training)
        return {};
    int first = facts.batch.firstCommandLine;
    for (const Start& start : facts.starts)
        first = start.training ? facts.batch.shell.commands.at(start.launch->command).line : first;
    return {{facts.starts.first().line(),
        u"On several nodes %1 advises %2, unless a module of the script sets it."_s.arg(
            facts.profile->title, missing.join(u", "_s)),
        first > 0 ? std::optional(insertLine(first, u"export "_s + missing.join(u' '), u"Add it"_s)) : std::nullopt}};
}

/// An image of the LUMI AI Factory: "/appl/local/laifs/containers/…/lumi-multitorch-full-u24r70…sif", also the link
/// "lumi-multitorch-latest.sif".
bool isLumiFactoryImage(const QString& image)
{
    return image.section(u'/', -1).startsWith(u"lumi-multitorch") || image.contains(u"/local/laifs/containers/");
}

/// Those of ROCm 6.4, with which the level was still measured: "…u24r64f21m43t29-20260319…".
bool isOfRocm6(const QString& image)
{
    static const QRegularExpression tag(u"u\\d+r6\\d"_s);
    return image.section(u'/', -1).contains(tag);
}

/// A place that gives a variable a value: in a line of commands, or in #SBATCH --export.
struct GivenValue {
    int line = 0;
    QString value;
};

/// NAME=VALUE wherever it may stand: export, env, before a command, srun --export, a container's --env, and with the
/// prefix by which Singularity and Apptainer take it in.
const QRegularExpression& gdrLevel()
{
    static const QRegularExpression form(
        uR"((?<![A-Za-z0-9_])(?:SINGULARITYENV_|APPTAINERENV_)?NCCL_NET_GDR_LEVEL=("[^"]*"|'[^']*'|[^\s,;"'&|)]*))"_s);
    return form;
}

QList<GivenValue> gdrLevels(const LintFacts& facts)
{
    QList<GivenValue> found;
    const auto look = [&](const QString& text, int line) {
        for (const auto& match : gdrLevel().globalMatch(text))
            found.append({line, match.captured(1).remove(u'"').remove(u'\'')});
    };
    for (const BatchOption& option : facts.batch.options) {
        if (option.name == u"export")
            look(option.value, option.line);
    }
    for (int i = 0; i < facts.codeLines.size(); ++i)
        look(facts.codeLines.at(i), i + 1);
    return found;
}

/// The line without the variable, and without what was there for its sake alone.
Fix withoutGdrLevel(const LintFacts& facts, int line)
{
    const QString token = gdrLevel().pattern();
    const QString label = u"Take NCCL_NET_GDR_LEVEL out"_s;
    const QString before = facts.batch.lines.value(line - 1);
    static const QRegularExpression alone(
        u"^\\s*(?:export|declare\\s+-x|typeset\\s+-x)?\\s*"_s + gdrLevel().pattern() + u"\\s*;?\\s*(?:#.*)?$"_s);
    if (before.contains(alone))
        return {label, {}, {{line, line, {}}}};
    QString after = before;
    const QStringList forms{u"(?:export|declare\\s+-x|typeset\\s+-x)\\s+%1\\s*(?:;|&&)\\s*"_s, // export NAME=VALUE; …
        u"\\s*(?:;|&&)\\s*(?:export|declare\\s+-x|typeset\\s+-x)\\s+%1(?=\\s*(?:$|;|&&|#|[\"']))"_s,
        u"--env(?:=|\\s+)[\"']?%1[\"']?(?![,\\w])\\s?"_s, // --env NAME=VALUE
        u"%1,"_s, u",%1"_s, u"%1[ \\t]+"_s, u"[ \\t]*%1"_s};
    for (const QString& form : forms) {
        after.replace(QRegularExpression(QString(form).replace(u"%1"_s, token)), QString());
    }
    return {label, {}, {{line, line, {after}}}};
}

/// Jobs hang at their first collective: all ranks print “Connected all rings”, none “Connected all trees”.
Hits gdrLevelHangs(const LintFacts& facts)
{
    QString image;
    for (const ImageUse& use : imagesOf(facts)) {
        if (isLumiFactoryImage(use.image) && (image.isEmpty() || !isOfRocm6(use.image)))
            image = use.image;
    }
    if (image.isEmpty() && imagesOf(facts).isEmpty()) { // its value is the shell's, but the script names one
        static const QRegularExpression named(u"[\\w./-]*lumi-multitorch[\\w.-]*"_s);
        for (const QString& line : facts.codeLines) {
            if (const auto match = named.match(line); match.hasMatch() && image.isEmpty())
                image = match.captured(0);
        }
    }
    static const QRegularExpression unset(u"\\bunset\\b.*NCCL_NET_GDR_LEVEL"_s);
    if (image.isEmpty() || facts.mentions(unset))
        return {};
    const QString name = image.section(u'/', -1);
    const bool old = isOfRocm6(image);
    static const QSet<QString> off{u"0"_s, u"LOC"_s}; // GPU memory is not sent by the card then
    Hits hits;
    for (const GivenValue& given : gdrLevels(facts)) {
        if (given.value.isEmpty() || off.contains(given.value.toUpper()))
            continue;
        const bool several = facts.request.severalNodes();
        hits.append({given.line,
            old ? u"LUMI's guide no longer sets NCCL_NET_GDR_LEVEL: with the later images of this kind (ROCm 7) jobs on several nodes hang with it."_s
                : u"NCCL_NET_GDR_LEVEL=%1 makes jobs on several nodes hang with the image %2: leave it out, RCCL finds the level itself."_s
                      .arg(given.value.left(20), quoted(name)),
            withoutGdrLevel(facts, given.line),
            old           ? std::optional(Severity::Hint)
                : several ? std::nullopt
                          : std::optional(Severity::Warning)});
    }
    return hits;
}

Hits foreignInterface(const LintFacts& facts)
{
    const EnvironmentRule* site = siteVariable(facts, u"NCCL_SOCKET_IFNAME"_s);
    const Setting* setting = facts.setting(u"NCCL_SOCKET_IFNAME"_s);
    if (!site || !setting || !setting->value->isStatic())
        return {};
    const QString value = setting->value->value;
    if (value.startsWith(u'^'))
        return {};
    const QStringList usual = site->value.split(u',');
    for (const QString& item : value.split(u',')) {
        const QString name = item.startsWith(u'=') ? item.mid(1) : item;
        const bool fits = std::any_of(usual.cbegin(), usual.cend(),
            [&](const QString& one) { return one.startsWith(name) || name.startsWith(one); });
        if (!name.isEmpty() && !fits)
            return {{setting->line,
                u"%1 has no interface %2 for this: its network is %3. The setting comes from another machine."_s.arg(
                    facts.profile->title, quoted(name), site->value),
                setting->inTask
                    ? std::nullopt
                    : replaceInLine(facts, setting->line, setting->value->text, site->value, u"Use "_s + site->value)}};
    }
    return {};
}

Hits foreignProvider(const LintFacts& facts)
{
    const Setting* setting = facts.setting(u"FI_PROVIDER"_s);
    if (!setting || setting->value->value != u"efa" || !facts.node || siteVariable(facts, u"FI_PROVIDER"_s))
        return {};
    return {
        {setting->line, u"FI_PROVIDER=efa is the network of a cloud: %1 does not have it."_s.arg(facts.profile->title),
            setting->inTask ? std::nullopt : std::optional(removeLine(facts, setting->line))}};
}

Hits slowSwitches(const LintFacts& facts)
{
    static const QHash<QString, QString> switches{
        {u"NCCL_P2P_DISABLE"_s, u"sends all traffic between GPUs of a node through memory"_s},
        {u"NCCL_IB_DISABLE"_s, u"sends all traffic between nodes through TCP"_s},
        {u"NCCL_SHM_DISABLE"_s, u"sends traffic inside a node through the network"_s}};
    static const QHash<QString, QString> slow{
        {u"CUDA_LAUNCH_BLOCKING"_s, u"makes each kernel wait for the one before"_s},
        {u"HIP_LAUNCH_BLOCKING"_s, u"makes each kernel wait for the one before"_s},
        {u"AMD_SERIALIZE_KERNEL"_s, u"makes each kernel wait for the one before"_s}};
    Hits hits;
    for (const Setting& setting : facts.settings) {
        const QString off = switches.value(setting.name);
        const QString debug = slow.value(setting.name);
        if ((off.isEmpty() && debug.isEmpty()) || setting.value->value == u"0")
            continue;
        const bool oneNode = facts.request.nodes == 1;
        const bool alone = !off.isEmpty() && oneNode && facts.request.gpusPerNode == 1; // no other node to talk to
        if (alone || !setting.exported) // R250 speaks of what reaches no program
            continue;
        const bool changesNothing = setting.name == u"NCCL_IB_DISABLE" && (oneNode || facts.otherThanInfiniBand());
        hits.append({setting.line,
            u"%1=%2 %3: leave it out unless you are debugging."_s.arg(setting.name, setting.value->value, off + debug),
            setting.inTask ? std::nullopt : std::optional(removeLine(facts, setting.line)),
            debug.isEmpty() && !changesNothing ? std::nullopt : std::optional(Severity::Hint)});
    }
    return hits;
}

/// The folder below which the site keeps one set of images and binding modules: "/appl/local/laifs". Empty: the entry
/// does not say.
QString setFolder(const ContainerRule& container)
{
    QString shared;
    for (const QString& command : container.moduleCommands) {
        const QStringList words = command.simplified().split(u' ');
        if (words.value(1) != u"use")
            continue;
        const QStringList one = words.value(2).split(u'/');
        const QStringList other = container.image.split(u'/');
        qsizetype same = 0;
        while (same < one.size() && same < other.size() && one.at(same) == other.at(same))
            ++same;
        shared = one.mid(0, same).join(u'/');
    }
    return shared.count(u'/') >= 3 ? shared : QString();
}

/// A site keeps older sets of images and binding modules beside the present one; parts of two do not fit together.
Hits mixedSets(const LintFacts& facts)
{
    const QString own = setFolder(facts.profile->container);
    if (own.isEmpty())
        return {};
    const QString above = own.left(own.lastIndexOf(u'/') + 1);
    const auto setOf = [&](const QString& path) {
        return path.startsWith(above) ? above + path.mid(above.size()).section(u'/', 0, 0) : QString();
    };
    QString modules;
    int line = 0;
    bool binds = false;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.name() != u"module" && command.name() != u"ml")
            continue;
        for (const ShellWord& word : command.words.mid(1)) {
            binds = binds || word.value.contains(u"bindings");
            const QString set = setOf(facts.valueOf(word).value_or(QString()));
            if (!set.isEmpty() && command.words.value(1).value == u"use") {
                modules = set;
                line = command.line;
            }
        }
    }
    for (const Start& start : facts.starts) {
        const ShellWord image
            = start.container && !start.container->words.isEmpty() ? start.container->words.first() : ShellWord();
        const QString set = setOf(facts.valueOf(image).value_or(QString()));
        if (!binds || set.isEmpty() || modules.isEmpty() || set == modules || (set != own && modules != own))
            continue;
        return {{line,
            u"The modules are of the set in %1, the image is of the one in %2: they bind other libraries than the image was built for. Take both from one set."_s
                .arg(modules, set)}};
    }
    return {};
}

Hits containerBinds(const LintFacts& facts)
{
    const QStringList commands = facts.profile->container.moduleCommands;
    if (commands.isEmpty())
        return {};
    static const QRegularExpression binds(u"\\b(?:SINGULARITY|APPTAINER)_BIND(?:PATH)?\\b|EBROOT|--overlay"_s);
    static const QRegularExpression module(u"\\b(?:module|ml)\\s+(?:load|add)\\s+\\S|\\bml\\s+[A-Za-z]"_s);
    static const QRegularExpression bare(
        u"\\b(?:module|ml)\\s+(?:load|add)\\s+(?:(?:LUMI|CrayEnv|partition|PrgEnv|rocm|craype)[^\\s;&]*\\s*)+$"_s);
    bool loaded = false;
    for (const QString& line : facts.codeLines)
        loaded = loaded || (line.contains(module) && !line.trimmed().contains(bare));
    if (loaded || facts.mentions(binds))
        return {};
    Hits hits;
    for (const Start& start : facts.starts) {
        const LaunchLayer* container = start.container;
        const bool runs
            = container && (container->name.startsWith(u"singularity") || container->name.startsWith(u"apptainer"));
        if (!runs || container->option(u"B"_s) || container->option(u"bind"_s) || container->option(u"mount"_s))
            continue;
        const bool several = start.nodes.value_or(1) > 1;
        hits.append({start.line(),
            u"The container sees neither the network libraries nor Slurm's files of %1: load the site's modules (%2) or bind them with -B."_s
                .arg(facts.profile->title, commands.join(u"; "_s)),
            std::nullopt, several ? std::nullopt : std::optional(Severity::Hint)});
    }
    return hits;
}

Hits cacheInHome(const LintFacts& facts)
{
    static const QRegularExpression name(
        u"(?:^HF_HOME|^TORCH_HOME|_CACHE(?:_DIR)?$|^TRITON_CACHE_DIR|^XDG_CACHE_HOME)"_s);
    static const QRegularExpression home(u"^[\"']?(?:\\$\\{?HOME\\}?|~)(?:/|$)"_s);
    Hits hits;
    for (const Setting& setting : facts.settings) {
        if (setting.name.contains(name) && setting.value->text.contains(home))
            hits.append({setting.line,
                u"%1 in the home directory fills its small quota: put it on the project's scratch."_s.arg(
                    setting.name)});
    }
    return hits;
}

Hits latestImage(const LintFacts& facts)
{
    static const QRegularExpression latest(u"(?:[-_:]latest)(?:\\.sif)?$"_s);
    Hits hits;
    for (const Setting& setting : facts.settings) {
        if (setting.value->isStatic() && setting.value->value.contains(latest) && !setting.inTask)
            hits.append({setting.line,
                u"%1 changes without notice: name the image by its version, so that the run can be repeated."_s.arg(
                    quoted(setting.value->value.section(u'/', -1)))});
    }
    return hits;
}

} // namespace

QList<LintRule> networkRules()
{
    const QString guide = u"the site's user guide"_s;
    return {
        {{u"R257"_s, u"network-missing"_s, Severity::Hint, {},
             u"several nodes without the network variables that the site advises"_s, guide, true},
            networkMissing},
        {{u"R300"_s, u"gdr-level-hangs"_s, Severity::Error, {},
             u"NCCL_NET_GDR_LEVEL together with an image of the LUMI AI Factory"_s,
             u"lumi-ai-factory/laifs-container-recipes, issues 28 and 30; LUMI AI guide, pull request 97"_s},
            gdrLevelHangs},
        {{u"R258"_s, u"network-foreign"_s, Severity::Warning, {}, u"a network interface that the site does not have"_s,
             guide, true},
            foreignInterface},
        {{u"R259"_s, u"provider-foreign"_s, Severity::Warning, {}, u"FI_PROVIDER=efa outside the cloud that has it"_s,
             guide, true},
            foreignProvider},
        {{u"R260"_s, u"slow-switch"_s, Severity::Warning, {}, u"switches that make communication or kernels slow"_s,
             u"NCCL documentation"_s},
            slowSwitches},
        {{u"R261"_s, u"container-binds"_s, Severity::Warning, u"environment.container"_s,
             u"a container without the site's binds"_s, u"LUMI workshop, Getting Started with AI"_s, true},
            containerBinds},
        {{u"R269"_s, u"module-sets"_s, Severity::Warning, u"environment.modules"_s,
             u"binding modules of one set of the site with an image of another"_s,
             u"LUMI AI guide; LUMI training materials 2026"_s, true},
            mixedSets},
        {{u"R262"_s, u"cache-in-home"_s, Severity::Hint, {}, u"caches in the home directory"_s, guide}, cacheInHome},
        {{u"R263"_s, u"image-latest"_s, Severity::Hint, u"environment.container"_s, u"an image named “latest”"_s,
             u"LUMI AI guide"_s},
            latestImage},
    };
}

} // namespace rankwright::inline script::lint
