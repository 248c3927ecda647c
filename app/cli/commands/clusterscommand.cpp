// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/documents/clusterfile.h"
#include "models/cluster/catalogue/profilewriter.h"
#include "models/cluster/draft/clusterdraft.h"
#include "models/cluster/draft/entrycomparison.h"
#include "models/core/jsonreader.h"
#include "models/core/quantitytext.h"

#include <QDate>
#include <QFile>

#include <functional>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonValue bytesOrNull(Bytes bytes)
{
    return bytes.count > 0 ? QJsonValue(static_cast<double>(bytes.count)) : QJsonValue();
}
QJsonValue bytesOrNull(const std::optional<Bytes>& bytes) { return bytesOrNull(bytes.value_or(Bytes{})); }
QJsonValue countOrNull(int count) { return count > 0 ? QJsonValue(count) : QJsonValue(); }

QJsonObject partitionJson(const Partition& partition)
{
    QJsonArray sizes;
    for (const SizeLimit& limit : partition.sizeLimits)
        sizes.append(QJsonObject{{u"minNodes"_s, limit.minNodes}, {u"maxNodes"_s, orNull(limit.maxNodes)},
            {u"maxSeconds"_s, orNull(std::optional(limit.maxTime))}});
    QJsonArray options;
    for (const auto& [option, value] : queueOptions(partition))
        options.append(QString(u"--"_s + option + u'=' + value));
    return {
        {u"name"_s, partition.name},
        {u"node"_s, partition.node},
        {u"options"_s, options},
        {u"shared"_s, partition.shared},
        {u"nodes"_s, orNull(partition.nodes)},
        {u"minNodes"_s, orNull(partition.minNodes)},
        {u"maxNodes"_s, orNull(partition.maxNodes)},
        {u"maxSeconds"_s, orNull(partition.maxTime)},
        {u"defaultSeconds"_s, orNull(partition.defaultTime)},
        {u"sizeLimits"_s, sizes},
        {u"maxNodeHours"_s, orNull(partition.maxNodeHours)},
        {u"minGpusPerJob"_s, orNull(partition.minGpusPerJob)},
        {u"maxGpusPerJob"_s, orNull(partition.maxGpusPerJob)},
        {u"maxGpusPerUser"_s, orNull(partition.maxGpusPerUser)},
        {u"maxCoresPerJob"_s, orNull(partition.maxCoresPerJob)},
        {u"maxRunningJobs"_s, orNull(partition.maxRunningJobs)},
        {u"maxSubmittedJobs"_s, orNull(partition.maxSubmittedJobs)},
        {u"accountSuffix"_s, orNull(partition.accountSuffix)},
        {u"note"_s, orNull(partition.note)},
        {u"source"_s, orNull(partition.source)},
    };
}

QJsonObject nodeJson(const NodeShape& node)
{
    return {
        {u"name"_s, node.name},
        {u"count"_s, orNull(node.count)},
        {u"cpu"_s, orNull(node.cpu)},
        {u"architecture"_s, orNull(node.architecture)},
        {u"gpu"_s, orNull(node.gpu.model)},
        {u"gres"_s, orNull(node.gpu.slurmName)},
        {u"gpusPerNode"_s, countOrNull(node.gpus)},
        {u"gpuMemoryBytes"_s, bytesOrNull(node.gpu.memory)},
        {u"cores"_s, countOrNull(node.cores)},
        {u"usableCores"_s, countOrNull(node.usableCores)},
        {u"memoryBytes"_s, bytesOrNull(node.memory)},
        {u"coresPerGpu"_s, orNull(node.coresPerGpu)},
        {u"memoryPerGpuBytes"_s, bytesOrNull(node.memoryPerGpu)},
        {u"interfaces"_s, QJsonArray::fromStringList(node.interfaces())},
        {u"coreMapPublished"_s, !node.places.isEmpty()},
        {u"note"_s, orNull(node.note)},
        {u"source"_s, orNull(node.source)},
    };
}

QJsonObject loginJson(const LoginRule& login)
{
    QJsonArray others;
    for (const LoginHost& other : login.others)
        others.append(QJsonObject{{u"host"_s, other.host}, {u"purpose"_s, orNull(other.purpose)}});
    return {
        {u"host"_s, orNull(login.host)},
        {u"port"_s, orNull(login.port)},
        {u"jump"_s, orNull(login.jump)},
        {u"others"_s, others},
        {u"method"_s, orNull(login.method)},
        {u"takesKeys"_s, login.takesKeys ? QJsonValue(*login.takesKeys) : QJsonValue()},
        {u"keyRegistration"_s,
            login.keyRegistration.title.isEmpty()
                ? QJsonValue()
                : QJsonValue(QJsonObject{{u"title"_s, login.keyRegistration.title},
                    {u"url"_s, orNull(login.keyRegistration.url)}, {u"delay"_s, orNull(login.keyRegistration.delay)}})},
        {u"secondFactor"_s, orNull(login.secondFactor)},
        {u"fingerprints"_s, QJsonArray::fromStringList(login.fingerprints)},
        {u"jumpFingerprints"_s, QJsonArray::fromStringList(login.jumpFingerprints)},
        {u"source"_s, orNull(login.source)},
    };
}

QJsonObject clusterJson(const ClusterProfile& profile)
{
    const NodeShape* node = profile.nodeShape({});
    QJsonArray partitions;
    for (const Partition& partition : profile.partitions)
        partitions.append(partitionJson(partition));
    QJsonArray nodes;
    for (const NodeShape& kind : profile.nodes)
        nodes.append(nodeJson(kind));
    QJsonArray billing;
    for (const BillingRule& rule : profile.billing)
        billing.append(QJsonObject{{u"partitions"_s, QJsonArray::fromStringList(rule.partitions)},
            {u"unit"_s, rule.unit}, {u"source"_s, orNull(rule.source)}});
    QJsonArray checked;
    for (const ReadSource& one : profile.checked)
        checked.append(QJsonObject{{u"source"_s, one.source}, {u"state"_s, orNull(one.state)}, {u"on"_s, one.readOn},
            {u"byOperator"_s, one.byOperator}});
    return {
        {u"name"_s, profile.name},
        {u"title"_s, orNull(profile.title)},
        {u"operator"_s, orNull(profile.operatorName)},
        {u"status"_s, orNull(profile.status)},
        {u"acceptsJobs"_s, profile.acceptsJobs},
        {u"retiredSince"_s, orNull(profile.retiredSince)},
        {u"replacedBy"_s, orNull(profile.replacedBy)},
        {u"gpu"_s, node != nullptr ? orNull(node->gpu.model) : QJsonValue()},
        {u"gpusPerNode"_s, node != nullptr ? countOrNull(node->gpus) : QJsonValue()},
        {u"gpuMemoryBytes"_s, node != nullptr ? bytesOrNull(node->gpu.memory) : QJsonValue()},
        {u"login"_s, loginJson(profile.login)},
        {u"nodes"_s, nodes},
        {u"partitions"_s, partitions},
        {u"billing"_s, billing},
        {u"sources"_s, QJsonArray::fromStringList(profile.sources)},
        {u"checked"_s, checked},
    };
}

QString limitText(const Partition& partition)
{
    QStringList parts;
    if (partition.minNodes)
        parts.append(u"from "_s + nodesText(*partition.minNodes));
    if (partition.maxNodes)
        parts.append(nodesText(*partition.maxNodes));
    if (partition.maxGpusPerJob)
        parts.append(gpusText(*partition.maxGpusPerJob, u"GPU"_s));
    if (partition.maxTime)
        parts.append(humanDuration(*partition.maxTime) + (partition.sizeLimits.isEmpty() ? QString() : u" by size"_s));
    if (partition.maxNodeHours)
        parts.append(u"%1 node-hours"_s.arg(humanNumber(*partition.maxNodeHours)));
    return parts.isEmpty() ? u"not published"_s : parts.join(u", "_s);
}

void addRows(TextTable& table, const ClusterProfile& profile)
{
    QString name = profile.name;
    QString status = profile.status;
    for (const Partition& partition : profile.partitions) {
        const NodeShape* node = profile.nodeShape(partition.name);
        const QString gpus = node != nullptr ? u"%1 x %2"_s.arg(node->gpus).arg(node->gpu.model) : u"not published"_s;
        table.add(
            {name, gpus, partition.name, partition.shared ? u"shared"_s : u"whole"_s, limitText(partition), status});
        name.clear();
        status.clear();
    }
    if (name.isEmpty())
        return;
    const NodeShape* node = profile.nodeShape({});
    table.add({name, node != nullptr ? u"%1 x %2"_s.arg(node->gpus).arg(node->gpu.model) : u"not published"_s,
        u"not published"_s, {}, {}, status});
}

QJsonObject draftJson(const ClusterDraft& draft, const QString& path)
{
    QJsonArray doubts;
    for (const DraftDoubt& doubt : draft.doubts)
        doubts.append(QJsonObject{{u"place"_s, doubt.place}, {u"text"_s, doubt.text}});
    return {
        {u"entry"_s, *parseJsonObject(writeClusterProfile(draft.profile), u"entry"_s)},
        {u"uncertain"_s, doubts},
        {u"savedAs"_s, orNull(path)},
    };
}

void printDraft(const CliContext& context, const ClusterDraft& draft, const QString& path)
{
    context.out << QString::fromUtf8(writeClusterProfile(draft.profile));
    context.err << u"What is uncertain:\n"_s;
    for (const DraftDoubt& doubt : draft.doubts)
        context.err << u"  "_s << doubt.place << u": "_s << doubt.text << u'\n';
    if (path.isEmpty())
        context.err << u"Nothing is saved; --save writes it into "_s << context.userCatalogue << u".\n"_s;
    else
        context.err << u"Saved as "_s << path << u"; correct it there.\n"_s;
}

/// How this connection is made, for the entry: the catalogue's own words where they are known.
LoginRule loginOf(const CliContext& context, const ClusterProfile* known, const CliLogin& login)
{
    LoginRule rule = known != nullptr ? known->login : LoginRule();
    if (const QString host = context.option(u"host"_s); !host.isEmpty() && host != rule.host) {
        rule = LoginRule();
        rule.host = host;
    }
    if (login.practice()) {
        rule.host = login.practice()->host;
        rule.port = login.practice()->port;
    }
    if (context.has(u"port"_s))
        rule.port = context.option(u"port"_s).toInt();
    if (context.has(u"jump"_s))
        rule.jump = context.option(u"jump"_s);
    if (rule.port == 22)
        rule.port.reset();
    return rule;
}

int finishDraft(CliLogin& login, const CliContext& context, const ClusterSurvey& survey, const DraftRequest& request)
{
    const ClusterDraft draft = draftCluster(survey, request, context.catalogue.clusters);
    QString path;
    if (context.has(u"save"_s)) {
        const auto saved = saveClusterFile(context.userCatalogue, draft.profile);
        if (!saved)
            return report(login.context(), saved.error(), ExitNo);
        path = *saved;
    }
    if (context.json)
        printJson(context.out, draftJson(draft, path));
    else
        printDraft(context, draft, path);
    return ExitDone;
}

/// Asks the connected cluster's Slurm and finishes with what `then` makes of the answer.
int surveyThen(CliLogin& login, const std::function<int(const ClusterSurvey&)>& then)
{
    const RemoteCommand command = surveyCommand();
    login.session().shell().run(command, &login, [&login, &then, command](const Result<CommandOutcome>& outcome) {
        if (!outcome) {
            login.finish(outcome.error());
            return;
        }
        const auto survey = readSurvey(outcome->output);
        if (survey)
            login.finish(then(*survey));
        else
            login.finish(outcome->succeeded() ? survey.error() : outcome->toError(command));
    });
    return login.wait();
}

int runClusterDraft(const CliContext& context)
{
    const QString asked = context.option(u"draft"_s);
    const QString name = context.option(u"as"_s, asked);
    if (!isClusterName(name))
        return report(context,
            {Fault::Invalid, u"“%1” cannot be the name of a cluster."_s.arg(name.left(60)), {},
                u"Use lower-case letters, digits, '-', '_' and '.', for instance --draft my-cluster."_s});
    const ClusterProfile* known = context.catalogue.find(asked);
    if (known == nullptr && !context.has(u"host"_s))
        return report(context,
            {Fault::Invalid, u"“%1” is not in the catalogue, so its login host is not known."_s.arg(asked), {},
                u"Give --host HOST, and --user, --port, --jump where they are needed."_s});
    if (context.has(u"save"_s) && QFile::exists(clusterFilePath(context.userCatalogue, name)))
        return report(context,
            {Fault::Invalid, clusterFilePath(context.userCatalogue, name) + u" exists already and is not replaced."_s,
                {}, u"Give another name with --as NAME, or move the file away."_s});
    ClusterProfile bare;
    bare.name = name;
    bare.title = name;
    bare.login.host = context.option(u"host"_s);
    CliLogin login(context);
    if (const auto failed = login.connectTo(known != nullptr ? *known : bare))
        return *failed;
    const DraftRequest request{name, loginOf(context, known, login), QDate::currentDate().toString(Qt::ISODate)};
    return surveyThen(login, [&](const ClusterSurvey& survey) { return finishDraft(login, context, survey, request); });
}

QJsonObject comparisonJson(
    const ClusterProfile& entry, const ClusterSurvey& survey, const EntryComparison& comparison, const QString& day)
{
    QJsonArray differences;
    for (const EntryDifference& one : comparison.differences)
        differences.append(QJsonObject{{u"place"_s, one.place}, {u"subject"_s, one.subject},
            {u"entry"_s, orNull(one.entry)}, {u"cluster"_s, orNull(one.cluster)}});
    return {
        {u"name"_s, entry.name},
        {u"host"_s, orNull(survey.host)},
        {u"slurmVersion"_s, orNull(survey.version)},
        {u"askedOn"_s, day},
        {u"same"_s, comparison.differences.isEmpty()},
        {u"differences"_s, differences},
        {u"notCompared"_s, QJsonArray::fromStringList(comparison.notCompared)},
        {u"accounts"_s, QJsonArray::fromStringList(survey.accounts)},
        {u"defaultAccount"_s, orNull(survey.defaultAccount)},
    };
}

void printComparison(const CliContext& context, const ClusterProfile& entry, const EntryComparison& comparison)
{
    const auto shown = [](const QString& text) { return text.isEmpty() ? u"–"_s : text; };
    if (comparison.differences.isEmpty()) {
        context.out << u"The entry of "_s << entry.name << u" agrees with what its Slurm reports.\n"_s;
    } else {
        TextTable table({u"what"_s, u"entry"_s, u"cluster"_s, u"place in the file"_s});
        for (const EntryDifference& one : comparison.differences)
            table.add({one.subject, shown(one.entry), shown(one.cluster), one.place});
        table.print(context.out);
    }
    for (const QString& sentence : comparison.notCompared)
        context.err << sentence << u'\n';
}

int runComparison(const CliContext& context)
{
    const QString name = context.positional.value(0);
    const ClusterProfile* entry = context.catalogue.find(name);
    if (entry == nullptr)
        return report(context,
            {Fault::Invalid,
                name.isEmpty() ? u"--compare needs a cluster."_s : u"“%1” is not in the catalogue."_s.arg(name), {},
                u"Give one of "_s + context.catalogue.names().join(u", "_s)});
    CliLogin login(context);
    if (const auto failed = login.connectTo(*entry))
        return *failed;
    return surveyThen(login, [&](const ClusterSurvey& survey) {
        const EntryComparison comparison = compareEntry(*entry, survey);
        if (context.json)
            printJson(
                context.out, comparisonJson(*entry, survey, comparison, QDate::currentDate().toString(Qt::ISODate)));
        else
            printComparison(context, *entry, comparison);
        return comparison.differences.isEmpty() ? ExitDone : ExitNo;
    });
}

int runClusters(const CliContext& context)
{
    if (context.has(u"draft"_s))
        return runClusterDraft(context);
    for (const QString& ofDraft : {u"as"_s, u"save"_s}) {
        if (context.has(ofDraft))
            return report(context,
                {Fault::Invalid, u"--%1 belongs to --draft NAME."_s.arg(ofDraft), {}, u"Give --draft NAME as well."_s});
    }
    if (context.has(u"compare"_s))
        return runComparison(context);
    if (!context.options.isEmpty())
        return report(context,
            {Fault::Invalid, u"--%1 belongs to --draft NAME or --compare."_s.arg(context.options.firstKey()), {},
                u"Give one of them as well."_s});
    QList<ClusterProfile> shown = context.catalogue.clusters;
    if (const QString name = context.positional.value(0); !name.isEmpty()) {
        const ClusterProfile* profile = context.catalogue.find(name);
        if (profile == nullptr)
            return report(context,
                {Fault::Invalid, u"“%1” is not in the catalogue."_s.arg(name), {},
                    u"Choose one of "_s + context.catalogue.names().join(u", "_s)});
        shown = {*profile};
    }
    const TextTable table(
        {u"cluster"_s, u"GPUs of a node"_s, u"partition"_s, u"nodes are"_s, u"limits of a job"_s, u"status"_s});
    printRecords(context, shown, clusterJson, table, addRows);
    return ExitDone;
}

} // namespace

CliCommand clustersCommand()
{
    return {
        .name = "clusters",
        .summary = "List the clusters of the catalogue; --draft and --compare ask a live cluster",
        .words = "[CLUSTER]",
        .run = runClusters,
        .options = loginOptions({
            {.name = "draft",
                .value = "NAME",
                .text = "log in to NAME, or to --host, ask Slurm, and draft a cluster file"},
            {.name = "as", .value = "NAME", .text = "the name of that entry"},
            {.name = "save", .text = "write it into the user's folder; replaces no file"},
            {.name = "compare", .text = "log in to CLUSTER and compare its entry with what Slurm reports"},
        }),
        .maximumWords = 1,
    };
}

} // namespace rankwright
