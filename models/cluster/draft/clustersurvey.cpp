// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/draft/clustersurvey.h"

#include "models/cluster/remote/remoteprogram.h"
#include "models/cluster/slurm/slurmparsers.h"
#include "models/cluster/slurm/slurmtext.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

const QStringList qosColumns{
    u"Name"_s, u"MaxWall"_s, u"MaxTRES"_s, u"MaxTRESPU"_s, u"MaxJobsPU"_s, u"MaxSubmitPU"_s, u"MinTRES"_s};
// partition, nodes, gres, CPUs, MiB, sockets, cores of a socket, threads of a core, features
constexpr int sinfoCells = 9;

QStringList linesOf(const QByteArray& bytes) { return QString::fromUtf8(bytes).split(u'\n', Qt::SkipEmptyParts); }

int countOf(const QString& text) { return qMax(0, slurmCount(text).value_or(0)); }

/// "gpu:a100:4(S:0-1),nvme:3500" -> type and number of GPUs; several types: the first, all counted.
void readGres(const QString& gres, SurveyedNodes& node)
{
    const QString part = gpuPart(gres);
    node.gpus = gpusIn(gres).value_or(0);
    static const QRegularExpression typed(u"(?:^|:)gpu:([A-Za-z][\\w.-]*):\\d+"_s);
    node.gpuType = typed.match(part).captured(1);
    for (const QString& cell : gres.split(u',', Qt::SkipEmptyParts)) { // "nvme:3500", "tmpdisk:900G(S:0)"
        const QString name = cell.section(u':', 0, 0);
        if (!name.isEmpty() && name != u"gpu" && name != u"shard" && name != u"mps")
            node.otherGres.append(cell.section(u'(', 0, 0));
    }
}

SurveyedNodes nodeFrom(const SlurmCells& cells)
{
    SurveyedNodes node;
    readGres(cells.value(u"Gres"_s), node);
    node.sockets = qMax(1, countOf(cells.value(u"Sockets"_s)));
    node.coresPerSocket = countOf(cells.value(u"CoresPerSocket"_s));
    node.threadsPerCore = qMax(1, countOf(cells.value(u"ThreadsPerCore"_s)));
    node.cpus = countOf(cells.value(u"CPUTot"_s));
    // CPUEfctv came with 22.05; before it the reserved cores are reported separately.
    node.usableCpus = countOf(cells.value(u"CPUEfctv"_s));
    const int perCore = node.cpus > node.sockets * node.coresPerSocket ? node.threadsPerCore : 1;
    if (node.usableCpus == 0)
        node.usableCpus = qMax(0, node.cpus - countOf(cells.value(u"CoreSpecCount"_s)) * perCore);
    node.memoryMib = countOf(cells.value(u"RealMemory"_s)) - countOf(cells.value(u"MemSpecLimit"_s));
    node.largestMemoryMib = node.memoryMib;
    node.architecture = cells.value(u"Arch"_s);
    node.features = node.anyFeatures = cells.value(u"AvailableFeatures"_s).split(u',', Qt::SkipEmptyParts);
    node.partitions = cells.value(u"Partitions"_s).split(u',', Qt::SkipEmptyParts);
    return node;
}

SurveyedNodes nodeFromSinfo(const QStringList& cells)
{
    SurveyedNodes node;
    node.partitions = {cells.at(0)};
    node.count = qMax(1, countOf(cells.at(1)));
    readGres(cells.at(2), node);
    node.cpus = node.usableCpus = countOf(QString(cells.at(3)).remove(u'+'));
    node.memoryMib = node.largestMemoryMib = countOf(QString(cells.at(4)).remove(u'+'));
    node.sockets = qMax(1, countOf(cells.at(5)));
    node.coresPerSocket = countOf(cells.at(6));
    node.threadsPerCore = qMax(1, countOf(cells.at(7)));
    node.features = node.anyFeatures = slurmCell(cells.at(8).toUtf8()).split(u',', Qt::SkipEmptyParts);
    return node;
}

/// Memory differs a little between nodes that are alike in all else: within an eighth they are one kind.
bool alike(const SurveyedNodes& a, const SurveyedNodes& b)
{
    const qint64 apart = qAbs(a.memoryMib - b.memoryMib);
    return a.gpuType == b.gpuType && a.gpus == b.gpus && a.cpus == b.cpus && a.sockets == b.sockets
        && a.coresPerSocket == b.coresPerSocket && a.threadsPerCore == b.threadsPerCore
        && a.architecture == b.architecture && apart * 8 <= qMax(a.memoryMib, b.memoryMib);
}

void join(QList<SurveyedNodes>& kinds, const SurveyedNodes& node)
{
    const auto same
        = std::find_if(kinds.begin(), kinds.end(), [&](const SurveyedNodes& kind) { return alike(kind, node); });
    if (same == kinds.end()) {
        kinds.append(node);
        return;
    }
    same->count += node.count;
    same->memoryMib = qMin(same->memoryMib, node.memoryMib);
    same->largestMemoryMib = qMax(same->largestMemoryMib, node.largestMemoryMib);
    same->usableCpus = qMin(same->usableCpus, node.usableCpus);
    same->features.removeIf([&](const QString& feature) { return !node.features.contains(feature); });
    for (const QString& feature : node.anyFeatures) {
        if (!same->anyFeatures.contains(feature))
            same->anyFeatures.append(feature);
    }
    for (const QString& partition : node.partitions) {
        if (!same->partitions.contains(partition))
            same->partitions.append(partition);
    }
}

void readNodes(const QHash<QString, QByteArray>& parts, ClusterSurvey& survey)
{
    for (const QString& line : linesOf(parts.value(u"nodes"_s))) {
        const SlurmCells cells = slurmCells(line);
        if (cells.contains(u"NodeName"_s))
            join(survey.nodes, nodeFrom(cells));
    }
    survey.nodesFromSinfo = survey.nodes.isEmpty();
    if (!survey.nodesFromSinfo)
        return;
    for (const QString& line : linesOf(parts.value(u"sinfo"_s))) {
        const QStringList cells = line.split(QChar::fromLatin1(cellMark));
        if (cells.size() == sinfoCells)
            join(survey.nodes, nodeFromSinfo(cells));
    }
}

/// Accounts whose resources are used up go behind the others: none of their jobs starts any more.
void readShares(const QByteArray& answer, ClusterSurvey& survey)
{
    const auto amounts = [](const QString& text) {
        QMap<QString, double> each;
        for (const QString& cell : text.split(u',', Qt::SkipEmptyParts))
            each.insert(cell.section(u'=', 0, 0), cell.section(u'=', 1).toDouble());
        return each;
    };
    for (const QString& line : linesOf(answer)) {
        const QStringList cells = line.trimmed().split(u'|');
        const QMap<QString, double> used = amounts(cells.value(2));
        const QMap<QString, double> limits = amounts(cells.value(1));
        for (auto limit = limits.cbegin(); limit != limits.cend(); ++limit) {
            if (used.value(limit.key()) >= limit.value() && survey.accounts.contains(cells.first())
                && !survey.spentAccounts.contains(cells.first()))
                survey.spentAccounts.append(cells.first());
        }
    }
    std::stable_partition(survey.accounts.begin(), survey.accounts.end(),
        [&survey](const QString& account) { return !survey.spentAccounts.contains(account); });
}

/// "pytorch/2.4(default)", "rocm/6.3.3:" ...: names only; paths of module trees end in a colon.
QStringList readModules(const QByteArray& answer)
{
    static const QRegularExpression name(u"^[A-Za-z0-9][\\w.+-]*(/[\\w.+-]+)*$"_s);
    QStringList modules;
    for (QString line : linesOf(answer)) {
        line = line.section(u'(', 0, 0).trimmed();
        if (name.match(line).hasMatch())
            modules.append(line);
    }
    return modules;
}

SlurmCells readConfig(const QByteArray& answer)
{
    SlurmCells config;
    for (const QString& line : linesOf(answer)) {
        const qsizetype equals = line.indexOf(u'=');
        if (equals > 0)
            config.insert(line.left(equals).trimmed(), slurmCell(line.mid(equals + 1).trimmed().toUtf8()));
    }
    return config;
}

} // namespace

RemoteCommand surveyCommand()
{
    QMap<QString, QString> values;
    for (const QString& name : {u"host"_s, u"config"_s, u"partitions"_s, u"nodes"_s, u"sinfo"_s, u"qos"_s,
             u"accounts"_s, u"defaultaccount"_s, u"shares"_s, u"reservations"_s, u"scratch"_s, u"modules"_s})
        values.insert(name.toUpper(), QChar::fromLatin1(sectionMark) + name);
    const QStringList columns{
        u"%R"_s, u"%D"_s, u"%G"_s, u"%c"_s, u"%m"_s, u"%X"_s, u"%Y"_s, u"%Z"_s, u"%f"_s}; // sinfoCells of them
    values.insert(u"NODE_FORMAT"_s, columns.join(QChar::fromLatin1(cellMark)));
    values.insert(u"QOS_COLUMNS"_s, qosColumns.join(u','));
    RemoteCommand command = RemoteCommand::shell(remoteProgram(u"survey.sh"_s, values));
    command.purpose = u"Asks Slurm for all that describes the cluster"_s;
    command.deadlineSeconds = 90;
    return command;
}

SlurmCells slurmCells(const QString& line)
{
    static const QRegularExpression key(u"(?:^|\\s)([A-Za-z][A-Za-z0-9_:]*)="_s);
    SlurmCells cells;
    QString name;
    qsizetype from = 0;
    const auto take = [&](qsizetype until) {
        // On a draw the first wins: a node's Comment or Reason may hold anything.
        if (!name.isEmpty() && !cells.contains(name))
            cells.insert(name, slurmCell(line.mid(from, until - from).trimmed().toUtf8()));
    };
    auto match = key.globalMatch(line);
    while (match.hasNext()) {
        const auto found = match.next();
        take(found.capturedStart());
        name = found.captured(1);
        from = found.capturedEnd();
    }
    take(line.size());
    return cells;
}

Result<ClusterSurvey> readSurvey(const QByteArray& answer)
{
    const QHash<QString, QByteArray> parts = splitSections(answer);
    ClusterSurvey survey;
    survey.host = QString::fromUtf8(parts.value(u"host"_s)).trimmed();
    survey.config = readConfig(parts.value(u"config"_s));
    survey.clusterName = survey.config.value(u"ClusterName"_s);
    survey.version = survey.config.value(u"SLURM_VERSION"_s);
    for (const QString& line : linesOf(parts.value(u"partitions"_s))) {
        const SlurmCells cells = slurmCells(line);
        if (!cells.value(u"PartitionName"_s).isEmpty())
            survey.partitions.append(cells);
    }
    readNodes(parts, survey);
    for (const QString& line : linesOf(parts.value(u"qos"_s))) {
        const QStringList cells = line.split(u'|');
        SlurmCells qos;
        for (qsizetype i = 0; i < qMin(cells.size(), qosColumns.size()); ++i)
            qos.insert(qosColumns.at(i), slurmCell(cells.at(i).toUtf8()));
        if (!qos.value(u"Name"_s).isEmpty())
            survey.qos.append(qos);
    }
    survey.accounts = linesOf(parts.value(u"accounts"_s));
    survey.accounts.removeDuplicates();
    survey.defaultAccount = linesOf(parts.value(u"defaultaccount"_s)).value(0).trimmed();
    readShares(parts.value(u"shares"_s), survey);
    for (const QString& line : linesOf(parts.value(u"reservations"_s))) {
        const SlurmCells cells = slurmCells(line);
        if (!cells.value(u"ReservationName"_s).isEmpty())
            survey.reservations.append(cells);
    }
    survey.modules = readModules(parts.value(u"modules"_s));
    survey.hasScratch = !parts.value(u"scratch"_s).trimmed().isEmpty();
    if (survey.partitions.isEmpty()) {
        return fail(Fault::Unreadable, u"The cluster reported no partition."_s,
            QString::fromUtf8(answer.left(300)).simplified(),
            u"Check on the cluster that “scontrol show partition” answers."_s);
    }
    return survey;
}

} // namespace rankwright::inline cluster
