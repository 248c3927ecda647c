// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintsite.h"
#include "models/script/lint/lintwords.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

const LaunchDefaults& defaults(const LintFacts& facts) { return facts.profile->launch; }

bool isPlaceholder(const QString& value) { return value.contains(u'<') || value.contains(u'$'); }

Hits retired(const LintFacts& facts)
{
    if (facts.profile->acceptsJobs)
        return {};
    return {{0, u"%1 no longer accepts jobs: %2."_s.arg(facts.profile->title, facts.profile->status)}};
}

Hits accountMissing(const LintFacts& facts)
{
    if (!defaults(facts).accountRequired || facts.option(u"account"_s) || facts.batch.options.isEmpty())
        return {};
    const QString example = defaults(facts).accountExample;
    return {{facts.batch.options.first().line,
        u"%1 refuses a job without a project: add --account%2, unless it is given when the job is submitted."_s.arg(
            facts.profile->title, example.isEmpty() ? QString() : u", for instance "_s + example),
        std::nullopt, Severity::Hint}};
}

Hits accountForm(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"account"_s);
    const QString pattern = defaults(facts).accountPattern;
    if (!option || pattern.isEmpty() || isPlaceholder(option->value))
        return {};
    const QRegularExpression form(QRegularExpression::anchoredPattern(pattern));
    static const QRegularExpression masked(u"X{3,}|x{3,}|YYYY|_?0{6,}$"_s); // L53 speaks of places left open
    if (form.match(option->value).hasMatch() || option->value.contains(masked))
        return {};
    // Slurm does not tell capitals from small letters here. A name of quite another form may be a special project.
    const QRegularExpression anyCase(
        QRegularExpression::anchoredPattern(pattern), QRegularExpression::CaseInsensitiveOption);
    if (anyCase.match(option->value).hasMatch())
        return {};
    static const QRegularExpression letters(u"^\\^?([A-Za-z]{3,}_?)"_s);
    const QString beginning = letters.match(pattern).captured(1);
    const bool nearMiss = !beginning.isEmpty() && option->value.startsWith(beginning, Qt::CaseInsensitive);
    const QString example = defaults(facts).accountExample;
    return {{option->line,
        u"%1 does not look like a project of %2%3."_s.arg(quoted(option->value), facts.profile->title,
            example.isEmpty() ? QString() : u"; one is written like "_s + example),
        std::nullopt, nearMiss ? std::nullopt : std::optional(Severity::Hint)}};
}

/// The account of another kind of node than the job asks for; and an account whose nodes nothing asks for, so that the
/// job goes to others and is refused there. As the check of the same name says it of a design: one of the two is shown.
Hits accountSuffix(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"account"_s);
    if (!option || isPlaceholder(option->value) || !facts.partition || facts.partition->accountSuffix.isEmpty())
        return {};
    const Partition& entry = *facts.partition;
    const QString name = option->value;
    const QString sign = entry.accountSuffix.left(1);
    if (!name.endsWith(entry.accountSuffix)) {
        if (!name.contains(sign)) // accountForm speaks of it
            return {};
        const QString right = u"--account="_s + name.section(sign, 0, 0) + entry.accountSuffix;
        return {{option->line,
            u"Jobs in %1 are billed to accounts that end in %2; %3 is refused there."_s.arg(
                entry.name, entry.accountSuffix, quoted(name)),
            replaceOption(facts, *option, right, u"Use "_s + right)}};
    }
    if (entry.constraint.isEmpty() || facts.option(u"constraint"_s) || facts.option(u"partition"_s))
        return {};
    const QString missing = u"--constraint="_s + entry.constraint;
    return {{option->line,
        u"%1 bills to %2, and nothing asks for these nodes: add %3, else the job goes to others and is refused."_s.arg(
            quoted(name), entry.name, missing),
        addDirective(facts, missing)}};
}

Hits partitionUnknown(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"partition"_s);
    if (!option || facts.profile->partitions.isEmpty() || isPlaceholder(option->value))
        return {};
    QStringList names; // those that Slurm knows: an entry may also stand for a QoS or a kind of node
    bool allWritten = true; // else Slurm may know the others by names that the entry does not have
    bool complete = false; // an entry that lists even what is closed to jobs leaves none out
    for (const Partition& partition : facts.profile->partitions) {
        const auto named = [&](const QString& name) { return partition.note.contains(u'(' + name + u')'); };
        if (named(option->value)) // Slurm's own name for it, which need not be given
            return {};
        allWritten = allWritten && partition.partitionWritten;
        complete = complete || (partition.partitionWritten && partition.offered == Partition::Offer::Never);
        if (partition.partitionWritten && !names.contains(partition.slurmName()))
            names.append(partition.slurmName());
    }
    if (names.isEmpty())
        return {};
    const QStringList asked = option->value.split(u',');
    for (const QString& name : asked) {
        const QString nearest = nearestWord(name, names);
        // The catalogue lists what has GPUs: any other name may be a partition for CPU jobs.
        if (names.contains(name) || (facts.request.gpuOptions.isEmpty() && wordDistance(name, nearest, 1) > 1))
            continue;
        const QString written = u"--partition="_s + nearest;
        return {{option->line,
            u"%1 has no partition %2 with GPUs; there are %3."_s.arg(
                facts.profile->title, quoted(name), names.join(u", "_s)),
            nearest.isEmpty() ? std::nullopt
                              : std::optional(replaceOption(facts, *option, written, u"Use "_s + written)),
            complete || (allWritten && !nearest.isEmpty()) ? std::nullopt : std::optional(Severity::Warning)}};
    }
    return {};
}

/// The names that the site's entry gives are those of its GPU queues; a site may have more, also with names that are
/// nearly the same (acc_ehpc, acc_xehpc), so that this stays a hint.
Hits qosUnknown(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"qos"_s);
    if (!option || isPlaceholder(option->value))
        return {};
    QStringList names;
    for (const Partition& partition : facts.profile->partitions) {
        for (const QString& name : {partition.qos, partition.defaultQos}) {
            if (!name.isEmpty() && !names.contains(name))
                names.append(name);
        }
    }
    if (names.isEmpty() || names.contains(option->value) || option->value == u"normal")
        return {};
    const QString nearest = nearestWord(option->value, names);
    if (nearest.isEmpty())
        return {{option->line,
            u"%1 is not among the QoS known for %2 (%3): if it does not exist, the job is refused."_s.arg(
                quoted(option->value), facts.profile->title, names.join(u", "_s)),
            std::nullopt, Severity::Hint}};
    const QString written = u"--qos="_s + nearest;
    return {{option->line,
        u"%1 has no QoS %2; %3 was probably meant."_s.arg(facts.profile->title, quoted(option->value), quoted(nearest)),
        replaceOption(facts, *option, written, u"Use "_s + written), Severity::Hint}};
}

/// A QoS that the entry has, with a partition that the entry has, but never the two together.
Hits qosPartition(const LintFacts& facts)
{
    const BatchOption* qos = facts.option(u"qos"_s);
    const BatchOption* partition = facts.option(u"partition"_s);
    if (!qos || !partition || isPlaceholder(qos->value))
        return {};
    QStringList places;
    bool known = false;
    bool together = false;
    bool open = false; // the partition takes jobs whose QoS the entry does not say
    for (const Partition& one : facts.profile->partitions) {
        const bool here = one.slurmName() == partition->value;
        known = known || here;
        open = open || (here && one.qos.isEmpty());
        if (one.qos != qos->value && one.defaultQos != qos->value)
            continue;
        together = together || here || !one.partitionWritten;
        if (!places.contains(one.slurmName()))
            places.append(one.slurmName());
    }
    if (!known || together || places.isEmpty())
        return {};
    return {{qos->line,
        u"The QoS %1 belongs to %2 at %3; the script asks for %4: the job may be refused."_s.arg(
            quoted(qos->value), places.join(u", "_s), facts.profile->title, partition->written),
        std::nullopt, open ? std::optional(Severity::Hint) : std::nullopt}};
}

Hits partitionMissing(const LintFacts& facts)
{
    if (!defaults(facts).partitionRequired || facts.option(u"partition"_s) || facts.batch.options.isEmpty()
        || facts.profile->partitions.isEmpty() || facts.request.gpuOptions.isEmpty())
        return {};
    const bool someNeedNone = std::any_of(facts.profile->partitions.cbegin(), facts.profile->partitions.cend(),
        [](const Partition& partition) { return !partition.partitionWritten; });
    if (someNeedNone)
        return {};
    return {{facts.request.gpuOptions.first()->line,
        u"%1 has no default partition for GPU jobs: name one with --partition, unless it is given at submission."_s.arg(
            facts.profile->title),
        std::nullopt, Severity::Hint}};
}

/// As the check of the same name says it of a design's field: one of the two is shown.
Hits closed(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"partition"_s);
    if (!facts.partition || !option || facts.partition->offered != Partition::Offer::Never)
        return {};
    const QString note = facts.partition->note.section(u'\n', 0, 0);
    const QString text = u"%1 is closed to ordinary batch jobs%2"_s.arg(
        facts.partition->name, note.isEmpty() ? u"."_s : u": "_s + note);
    return {{option->line, text.endsWith(u'.') ? text : text + u'.'}};
}

Hits limits(const LintFacts& facts)
{
    if (!facts.partition)
        return {};
    Hits hits;
    for (const LimitBroken& broken : brokenLimits(facts, *facts.partition)) {
        std::optional<Fix> fix;
        if (broken.option && !broken.value.isEmpty()) {
            const QString written = u"--%1=%2"_s.arg(broken.option->name, broken.value);
            fix = replaceOption(facts, *broken.option, written, u"Use "_s + written);
        }
        hits.append({broken.option ? broken.option->line : 0, broken.text, fix});
    }
    return hits;
}

/// Slurm counts each task of an array as a job of the user and refuses the array as a whole.
Hits arrayLimit(const LintFacts& facts)
{
    const BatchOption* array = facts.option(u"array"_s);
    if (!array || !facts.partition || !facts.partition->maxSubmittedJobs)
        return {};
    const std::optional<int> tasks = arrayTasks(array->value);
    if (!tasks || *tasks <= *facts.partition->maxSubmittedJobs)
        return {};
    return {{array->line,
        u"%1 are more than the %2 that a user may have queued and running in %3: Slurm refuses the array."_s.arg(
            counted(*tasks, u"task"_s), counted(*facts.partition->maxSubmittedJobs, u"job"_s), facts.partition->name)}};
}

/// Where the GPU's type is in an option as written: gpu:TYPE, gpu:TYPE:4, --gpus-per-node=TYPE:4; -1: nowhere.
qsizetype placeOfGpuType(const QString& written, const QString& type)
{
    const QRegularExpression place(uR"((?:\bgpu[:=]|--gpus[a-z-]*[= ]\s*["']?|^-G\s*["']?)(%1)(?=[:,"'\s]|$))"_s.arg(
        QRegularExpression::escape(type)));
    return place.match(written).capturedStart(1);
}

Hits gpuType(const LintFacts& facts)
{
    const QString asked = facts.request.gpuType;
    if (asked.isEmpty() || isPlaceholder(asked))
        return {};
    QStringList known;
    for (const NodeShape& shape : facts.profile->nodes) {
        if (!shape.gpu.slurmName.isEmpty() && !known.contains(shape.gpu.slurmName))
            known.append(shape.gpu.slurmName);
        if (shape.gpu.slurmName.isEmpty()
            && shape.gpu.model.section(u' ', 0, 0).compare(asked, Qt::CaseInsensitive) == 0)
            return {}; // there, under a name that is not published
    }
    const bool fits = std::any_of(known.cbegin(), known.cend(), [&](const QString& name) {
        return name.compare(asked, Qt::CaseInsensitive) == 0 || asked.startsWith(name + u'_'); // slices: a100_1g.5gb
    });
    if (known.isEmpty() || fits)
        return {};
    const QString text = u"%1 has no GPUs of type %2; Slurm knows %3 there."_s.arg(
        facts.profile->title, quoted(asked), known.join(u", "_s));
    for (const BatchOption* option : facts.request.gpuOptions) {
        const qsizetype at = placeOfGpuType(option->written, asked);
        if (at < 0)
            continue;
        const QString written = QString(option->written).replace(at, asked.size(), known.first());
        if (known.size() > 1)
            return {{option->line, text}};
        return {{option->line, text, replaceOption(facts, *option, written, u"Use "_s + written)}};
    }
    return {{facts.request.gpuOptions.first()->line, text}};
}

Hits gpuSpelling(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    if (!facts.node || request.gpuOptions.size() != 1 || !request.gpusPerNode)
        return {};
    const BatchOption* option = request.gpuOptions.first();
    if (defaults(facts).gpuRequest != GpuRequest::Gres || facts.node->gpu.slurmName.isEmpty())
        return {};
    const bool typed = !request.gpuType.isEmpty();
    if ((option->name != u"gpus-per-node" && option->name != u"gres") || (option->name == u"gres" && typed))
        return {};
    QString wanted = gpuRequestText(facts, *request.gpusPerNode);
    const QStringList items = option->value.split(u',');
    for (const QString& item : items) {
        if (option->name == u"gres" && !item.trimmed().startsWith(u"gpu"))
            wanted += u',' + item.trimmed();
    }
    return {
        {option->line, u"%1 asks for GPUs with %2, type and number for each node."_s.arg(facts.profile->title, wanted),
            replaceOption(facts, *option, wanted, u"Use "_s + wanted)}};
}

Hits siteDirectives(const LintFacts& facts)
{
    if (facts.request.gpuOptions.isEmpty())
        return {};
    QStringList wanted = defaults(facts).extraDirectives;
    if (!facts.option(u"constraint"_s) && !facts.option(u"partition"_s)) {
        const auto usual = std::find_if(
            facts.profile->partitions.cbegin(), facts.profile->partitions.cend(), [](const Partition& one) {
                return !one.partitionWritten && !one.constraint.isEmpty() && one.offered == Partition::Offer::Normal;
            });
        if (usual != facts.profile->partitions.cend())
            wanted.append(u"--constraint="_s + usual->constraint);
    }
    Hits hits;
    for (const QString& directive : std::as_const(wanted)) {
        const QString name = directive.section(u'=', 0, 0).mid(2);
        const bool inStep = std::any_of(facts.starts.cbegin(), facts.starts.cend(),
            [&](const Start& start) { return start.srunOption(name) != nullptr; });
        if (!facts.option(name) && !inStep)
            hits.append({facts.request.gpuOptions.first()->line,
                u"%1 wants %2 in every GPU job."_s.arg(facts.profile->title, directive),
                addDirective(facts, directive)});
    }
    return hits;
}

Hits mail(const LintFacts& facts)
{
    const BatchOption* option
        = facts.option(u"mail-type"_s) ? facts.option(u"mail-type"_s) : facts.option(u"mail-user"_s);
    if (!option || defaults(facts).mailWorks.value_or(true))
        return {};
    return {{option->line, u"%1 sends no mail about jobs: nobody will be notified."_s.arg(facts.profile->title),
        removeOption(facts, *option)}};
}

Hits discouraged(const LintFacts& facts)
{
    static const QHash<QString, LaunchKind> starters{{u"torchrun"_s, LaunchKind::Agent},
        {u"accelerate"_s, LaunchKind::Accelerate}, {u"deepspeed"_s, LaunchKind::DeepspeedCommand},
        {u"horovod"_s, LaunchKind::Mpi}};
    Hits hits;
    for (const DiscouragedLauncher& one : defaults(facts).discouraged) {
        for (const Start& start : facts.starts) {
            if (starters.contains(one.launcher) && start.kind == starters.value(one.launcher))
                hits.append(
                    {start.line(), u"%1 advises against %2: %3"_s.arg(facts.profile->title, one.launcher, one.reason)});
        }
    }
    return hits;
}

Hits localDisk(const LintFacts& facts)
{
    static const QRegularExpression disk(u"\\$\\{?LOCAL_SCRATCH\\b"_s);
    if (!facts.node || facts.node->localDisk.gres.isEmpty() || !facts.node->localDisk.path.contains(u"LOCAL_SCRATCH"))
        return {};
    // [ -d "$LOCAL_SCRATCH" ], ${LOCAL_SCRATCH:-/tmp}: the script goes on without it
    static const QRegularExpression asked(
        u"(?:\\[|\\btest)\\s+(?:!\\s+)?-[a-z]\\s+[\"']?(?:\\$\\{?)?LOCAL_SCRATCH\\b|\\$\\{LOCAL_SCRATCH:?[-=+]"_s);
    const int line = facts.lineOf(disk);
    if (line == 0 || facts.mentions(asked) || facts.optionValue(u"gres"_s).contains(facts.node->localDisk.gres)
        || facts.sets(u"LOCAL_SCRATCH"_s))
        return {};
    const BatchOption* gres = facts.option(u"gres"_s);
    const QString written = u"--gres=%1,%2:100"_s.arg(gres ? gres->value : QString(), facts.node->localDisk.gres);
    return {{line,
        u"$LOCAL_SCRATCH exists only in jobs that ask for local disk: add %1:GIB to --gres."_s.arg(
            facts.node->localDisk.gres),
        gres ? std::optional(replaceOption(facts, *gres, written, u"Use "_s + written)) : std::nullopt}};
}

} // namespace

QList<LintRule> siteRules()
{
    const QString guide = u"the site's user guide"_s;
    const QString table = u"the site's partition table"_s;
    return {
        {{u"L37"_s, u"partition-limit"_s, Severity::Error, u"partition"_s,
             u"more nodes, GPUs or time than the partition allows"_s, table, true},
            limits},
        {{u"R310"_s, u"array-limit"_s, Severity::Warning, u"options.array"_s,
             u"an array with more tasks than a user may have jobs in the partition"_s, table, true},
            arrayLimit},
        {{u"R134"_s, u"partition-closed"_s, Severity::Error, u"partition"_s,
             u"a partition that takes no ordinary batch jobs"_s, table, true},
            closed},
        {{u"R06"_s, u"partition-unknown"_s, Severity::Error, u"partition"_s,
             u"a partition that the site does not have"_s, table, true},
            partitionUnknown},
        {{u"R101"_s, u"account-missing"_s, Severity::Error, u"account"_s,
             u"no --account where the site needs one (a hint: it may come with sbatch)"_s, guide, true},
            accountMissing},
        {{u"R102"_s, u"account-form"_s, Severity::Warning, u"account"_s,
             u"an account that is not written like the site's projects"_s, guide, true},
            accountForm},
        {{u"R170"_s, u"account-suffix"_s, Severity::Error, u"account"_s,
             u"an account of another kind of node than the job asks for"_s, guide, true},
            accountSuffix},
        {{u"R109"_s, u"cluster-retired"_s, Severity::Warning, u"cluster"_s, u"a cluster that takes no jobs any more"_s,
             u"the operator's announcement"_s, true},
            retired},
        {{u"R230"_s, u"partition-missing"_s, Severity::Hint, u"partition"_s,
             u"no --partition where the site has no default"_s, table, true},
            partitionMissing},
        {{u"R237"_s, u"qos-unknown"_s, Severity::Hint, u"options.qos"_s, u"a QoS that is not known for the site"_s,
             table, true},
            qosUnknown},
        {{u"R282"_s, u"qos-partition"_s, Severity::Warning, u"options.qos"_s, u"a QoS of another partition"_s, table,
             true},
            qosPartition},
        {{u"R231"_s, u"gpu-type"_s, Severity::Error, u"resources.gpusPerNode"_s,
             u"a GPU type that the site does not have"_s, u"the site's node table"_s, true},
            gpuType},
        {{u"R232"_s, u"gpu-spelling"_s, Severity::Hint, u"resources.gpusPerNode"_s,
             u"GPUs asked for otherwise than the site's guide does"_s, guide, true},
            gpuSpelling},
        {{u"R233"_s, u"site-directive"_s, Severity::Hint, {},
             u"a directive missing that the site wants in every GPU job"_s, guide, true},
            siteDirectives},
        {{u"R234"_s, u"mail-not-sent"_s, Severity::Hint, {}, u"mail asked for at a site that sends none"_s, guide,
             true},
            mail},
        {{u"R235"_s, u"launcher-discouraged"_s, Severity::Warning, u"launcher"_s,
             u"a launcher that the site advises against"_s, guide, true},
            discouraged},
        {{u"R236"_s, u"local-disk-missing"_s, Severity::Error, {},
             u"$LOCAL_SCRATCH used without asking for local disk"_s, guide, true},
            localDisk},
    };
}

} // namespace rankwright::inline script::lint
