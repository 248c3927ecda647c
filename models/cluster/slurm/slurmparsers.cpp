// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmparsers.h"

#include "models/cluster/slurm/sacctrow.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/cluster/slurm/slurmtext.h"

#include <QHash>
#include <QRegularExpression>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

Unexpected<Error> unreadable(const QString& who, const QByteArray& answer)
{
    return fail(Fault::Unreadable, u"The answer of %1 could not be read."_s.arg(who),
        QString::fromUtf8(answer.left(300)).simplified(),
        u"If it happens again, report it with Slurm's version and these details."_s);
}

/// An expected end while the job runs is the limit, not the end.
void setEndTime(JobRecord& job, const QDateTime& end) { job.ended = hasEnded(job.state) ? end : QDateTime(); }

std::optional<JobRecord> squeueRecord(const QByteArray& record)
{
    const QList<QByteArray> cells = record.split(cellMark);
    if (cells.size() != squeueCells)
        return {};
    const auto text = [&cells](int column) { return slurmCell(cells.at(column)); };
    JobRecord job;
    job.id = text(0);
    if (!isJobId(job.id))
        return {};
    job.state = jobStateFrom(text(1));
    job.reason = text(2);
    job.name = QString::fromUtf8(cells.at(3)); // a job may be called "None"
    job.user = text(4);
    job.account = text(5);
    job.partition = text(6);
    job.nodes = slurmCount(text(7));
    job.nodeList = slurmNodeList(text(8));
    job.gres = gpuPart(text(9));
    const std::optional<int> perNode = gpusIn(text(9));
    if (perNode && job.nodes)
        job.gpus = *perNode * *job.nodes;
    job.elapsed = slurmSpan(text(10));
    job.timeLimit = slurmSpan(text(11));
    job.submitted = slurmTimestamp(text(12));
    job.started = slurmTimestamp(text(13));
    setEndTime(job, slurmTimestamp(text(14)));
    job.comment = text(15);
    job.workdir = text(16);
    return job;
}

AccountedJob sacctRecord(const SacctRow& row)
{
    AccountedJob found;
    JobRecord& job = found.job;
    job.id = row.text(u"JobID"_s);
    job.name = row.text(u"JobName"_s);
    job.user = row.text(u"User"_s);
    job.account = row.text(u"Account"_s);
    job.partition = row.text(u"Partition"_s);
    job.state = jobStateFrom(row.text(u"State"_s));
    job.reason = row.text(u"Reason"_s);
    job.nodes = slurmCount(row.text(u"NNodes"_s));
    job.nodeList = slurmNodeList(row.text(u"NodeList"_s));
    for (const QString& column : {u"AllocTRES"_s, u"ReqTRES"_s}) {
        const QString resources = row.text(column);
        if (!job.gpus)
            job.gpus = gpusIn(resources);
        if (job.gres.isEmpty())
            job.gres = gpuPart(resources);
    }
    if (const auto elapsed = slurmCount(row.text(u"ElapsedRaw"_s)))
        job.elapsed = Seconds{*elapsed};
    if (const auto minutes = slurmCount(row.text(u"TimelimitRaw"_s)))
        job.timeLimit = Seconds{qint64(*minutes) * 60};
    job.submitted = slurmTimestamp(row.text(u"Submit"_s));
    job.started = slurmTimestamp(row.text(u"Start"_s));
    setEndTime(job, slurmTimestamp(row.text(u"End"_s)));
    job.comment = row.text(u"Comment"_s);
    job.workdir = row.text(u"WorkDir"_s);
    job.restarts = slurmCount(row.text(u"Restarts"_s));
    // 26.05 gives each run one in its accounting; commands and file names keep the first.
    for (const QString& column : {u"OriginalSLUID"_s, u"SLUID"_s}) {
        if (const QString sluid = row.text(column); job.sluid.isEmpty() && isSluid(sluid))
            job.sluid = sluid;
    }
    const ExitPair exit = slurmExit(row.text(u"ExitCode"_s));
    if (hasEnded(job.state)) {
        job.exitCode = exit.code;
        job.exitSignal = exit.signal;
    }
    found.submitLine = row.text(u"SubmitLine"_s);
    job.standardOutput = expandOutputPattern(row.text(u"StdOut"_s), job);
    // As it was typed: below the job's folder.
    if (!job.standardOutput.isEmpty() && !job.standardOutput.startsWith(u'/') && job.workdir.startsWith(u'/'))
        job.standardOutput.prepend(job.workdir.endsWith(u'/') ? job.workdir : job.workdir + u'/');
    return found;
}

/// Values of scontrol's one-line form, where text is unquoted: "JobName=a b UserId=...".
QString scontrolValue(const QByteArray& line, const QString& key)
{
    const QString text = QString::fromUtf8(line);
    const QRegularExpression form(
        u"(?:^| )"_s + QRegularExpression::escape(key) + uR"(=(.*?)(?= [A-Za-z][\w:/]*=|\s*$))"_s);
    return slurmCell(form.match(text).captured(1).toUtf8());
}

std::optional<qint64> nanoseconds(const QByteArray& text)
{
    bool fine = false;
    const qint64 value = text.trimmed().toLongLong(&fine);
    return fine ? std::optional<qint64>(value) : std::nullopt; // a date(1) without %N answers "1700000000N"
}

/// sinfo groups nodes of a partition by what differs: one entry each.
void addPartition(QList<ClusterFacts::PartitionFact>& partitions, const QByteArray& line)
{
    const QList<QByteArray> cells = line.split(cellMark);
    if (cells.size() != 5 || slurmCell(cells.at(0)).isEmpty())
        return;
    const QStringList counts = slurmCell(cells.at(2)).split(u'/'); // allocated/idle/other/total
    const auto idle = slurmCount(counts.value(1));
    const auto total = slurmCount(counts.value(3));
    const QString name = slurmCell(cells.at(0));
    for (ClusterFacts::PartitionFact& known : partitions) {
        if (known.name != name)
            continue;
        if (known.nodes && total)
            known.nodes = *known.nodes + *total;
        if (known.idleNodes && idle)
            known.idleNodes = *known.idleNodes + *idle;
        const QString gres = slurmCell(cells.at(4));
        if (!gres.isEmpty() && !known.gres.split(u' ').contains(gres))
            known.gres = known.gres.isEmpty() ? gres : known.gres + u' ' + gres;
        return;
    }
    partitions.append({name, slurmCell(cells.at(1)), total, idle, slurmSpan(slurmCell(cells.at(3))),
        slurmCell(cells.at(4)), std::nullopt, std::nullopt, std::nullopt});
}

struct QosLimits {
    std::optional<int> gpusPerUser;
    std::optional<int> gpusPerJob;
    std::optional<int> gpus() const
    {
        return gpusPerUser && gpusPerJob ? qMin(gpusPerUser, gpusPerJob) : gpusPerUser ? gpusPerUser : gpusPerJob;
    }
};

/// Rows of sacctmgr show qos: name, limit of a user, of a job.
QHash<QString, QosLimits> qosLimits(const QByteArray& answer)
{
    QHash<QString, QosLimits> limits;
    for (const QByteArray& line : answer.split('\n')) {
        const QStringList cells = QString::fromUtf8(line).trimmed().split(u'|');
        if (!cells.first().isEmpty())
            limits.insert(cells.first(), {gpusIn(cells.value(1)), gpusIn(cells.value(2))});
    }
    return limits;
}

/// What a partition and its QoS allow: lines of scontrol show partition.
void addLimits(
    QList<ClusterFacts::PartitionFact>& partitions, const QByteArray& answer, const QHash<QString, QosLimits>& qos)
{
    for (const QByteArray& line : answer.split('\n')) {
        const QString name = scontrolValue(line, u"PartitionName"_s);
        for (ClusterFacts::PartitionFact& one : partitions) {
            if (name.isEmpty() || one.name != name)
                continue;
            one.maxNodes = slurmCount(scontrolValue(line, u"MaxNodes"_s)); // UNLIMITED is not a number
            const QosLimits own = qos.value(scontrolValue(line, u"QoS"_s));
            one.maxGpusPerUser = own.gpusPerUser;
            one.maxGpusPerJob = own.gpusPerJob;
        }
    }
}

/// By the default QoS of the user's associations, third in the rows of sacctmgr show assoc.
std::optional<int> defaultQosGpus(const QByteArray& associations, const QHash<QString, QosLimits>& qos)
{
    std::optional<int> loosest;
    for (const QByteArray& row : associations.split('\n')) {
        const QString line = QString::fromUtf8(row).trimmed();
        if (line.section(u'|', 0, 0).isEmpty())
            continue;
        const auto gpus = qos.value(line.section(u'|', 2, 2)).gpus();
        if (!gpus)
            return {};
        loosest = qMax(loosest.value_or(0), *gpus);
    }
    return loosest;
}

} // namespace

Result<QList<JobRecord>> parseSqueue(const QByteArray& answer)
{
    QList<JobRecord> jobs;
    const QList<QByteArray> records = answer.split(recordMark);
    if (records.size() == 1 && !answer.trimmed().isEmpty())
        return unreadable(u"squeue"_s, answer);
    for (qsizetype i = 1; i < records.size(); ++i) {
        if (!records.at(i).endsWith('\n'))
            continue;
        QByteArray record = records.at(i);
        record.chop(1);
        if (const auto job = squeueRecord(record))
            jobs.append(*job);
    }
    return jobs;
}

Result<QList<AccountedJob>> parseSacct(const QByteArray& answer)
{
    QList<AccountedJob> jobs;
    const qsizetype whole = answer.lastIndexOf('\n');
    if (whole < 0)
        return answer.trimmed().isEmpty() ? Result<QList<AccountedJob>>(jobs) : unreadable(u"sacct"_s, answer);
    SacctRow table(answer.left(answer.indexOf('\n')));
    if (!table.has(u"JobID"_s) || !table.has(u"State"_s))
        return unreadable(u"sacct"_s, answer);
    QHash<QString, qsizetype> rows;
    for (const QByteArray& row : sacctRows(answer)) {
        table.setRow(row);
        const QString id = table.text(u"JobID"_s);
        if (!table.rowIsWhole() || id.isEmpty())
            continue;
        const qsizetype dot = id.indexOf(u'.');
        if (dot < 0 && isJobId(id)) {
            rows.insert(id, jobs.size());
            jobs.append(sacctRecord(table));
        } else if (dot > 0 && rows.contains(id.left(dot))
            && jobStateFrom(table.text(u"State"_s)) == JobState::OutOfMemory) {
            jobs[rows.value(id.left(dot))].job.stepState = JobState::OutOfMemory;
        }
    }
    return jobs;
}

JobRecord mergeScontrol(JobRecord job, const QByteArray& line)
{
    const auto value = [&line](QStringView key) { return scontrolValue(line, key.toString()); };
    if (job.state == JobState::Unknown)
        job.state = jobStateFrom(value(u"JobState"));
    if (job.id.contains(u'_')) // "JobId=220 ArrayJobId=219 ArrayTaskId=1"; only the number has a step
        job.stepJob = value(u"JobId");
    job.restarts = slurmCount(value(u"Restarts"));
    if (const QString sluid = value(u"SLUID"); isSluid(sluid))
        job.sluid = sluid;
    job.qos = slurmCell(value(u"QOS").toUtf8());
    job.reservation = slurmCell(value(u"Reservation").toUtf8());
    job.standardOutput = expandOutputPattern(value(u"StdOut"), job);
    // AllocTRES since 23.02, TRES before
    for (QStringView key : {u"AllocTRES", u"TRES", u"ReqTRES"}) {
        const QString resources = value(key);
        if (const auto gpus = gpusIn(resources)) {
            job.gpus = gpus;
            job.gres = gpuPart(resources);
            break;
        }
    }
    if (hasEnded(job.state)) {
        const ExitPair exit = slurmExit(value(u"ExitCode"));
        job.exitCode = exit.code;
        job.exitSignal = exit.signal;
        if (!job.ended.isValid())
            job.ended = slurmTimestamp(value(u"EndTime"));
    }
    if (job.comment.isEmpty())
        job.comment = value(u"Comment");
    return job;
}

QString standardErrorOf(const QByteArray& line, const JobRecord& job)
{
    return expandOutputPattern(scontrolValue(line, u"StdErr"_s), job);
}

Result<JobId> parseSubmitted(const QByteArray& answer)
{
    for (const QByteArray& line : answer.split('\n')) {
        const QString id = QString::fromUtf8(line).trimmed().section(u';', 0, 0);
        if (isJobId(id))
            return id;
    }
    return unreadable(u"sbatch"_s, answer);
}

StartForecast parseForecast(const QByteArray& errorOutput)
{
    static const QRegularExpression start(uR"(\bto start at ([^\s,;]+))"_s);
    static const QRegularExpression place(uR"(\bprocessors on (?:nodes )?(\S+))"_s);
    for (const QByteArray& raw : errorOutput.split('\n')) {
        const QString line = QString::fromUtf8(raw).trimmed();
        const auto when = start.match(line);
        if (!when.hasMatch())
            continue;
        StartForecast forecast;
        forecast.start = slurmTimestamp(when.captured(1));
        forecast.nodes = slurmNodes(place.match(line).captured(1));
        if (!forecast.start.isValid() && forecast.nodes.isEmpty())
            continue; // a site's sentence with these words
        forecast.text = line;
        return forecast;
    }
    return {};
}

QHash<QString, QByteArray> splitSections(const QByteArray& answer)
{
    QHash<QString, QByteArray> sections;
    const QList<QByteArray> parts = answer.split(sectionMark);
    for (qsizetype i = 1; i < parts.size(); ++i) {
        const qsizetype end = parts.at(i).indexOf('\n');
        if (end > 0)
            sections.insert(QString::fromUtf8(parts.at(i).left(end)), parts.at(i).mid(end + 1));
    }
    return sections;
}

Result<ClusterFacts> parseDiscovery(const QByteArray& answer, double elapsedSeconds)
{
    const auto sections = splitSections(answer);
    ClusterFacts facts;
    const auto line = [&sections](const QString& name) { return QString::fromUtf8(sections.value(name)).trimmed(); };
    facts.user = line(u"user"_s);
    facts.host = line(u"host"_s);
    facts.slurmVersion = line(u"version"_s).section(u' ', -1); // "slurm 23.02.7", Debian: "slurm-wlm 22.05.8"
    if (facts.slurmVersion.isEmpty() || !facts.slurmVersion.at(0).isDigit())
        return unreadable(u"sinfo --version"_s, answer);
    facts.clusterName = line(u"cluster"_s);
    for (const QByteArray& row : sections.value(u"accounts"_s).split('\n')) {
        const QString account = QString::fromUtf8(row).section(u'|', 0, 0).trimmed();
        if (!account.isEmpty() && !facts.accounts.contains(account))
            facts.accounts.append(account);
    }
    for (const QByteArray& row : sections.value(u"partitions"_s).split('\n'))
        addPartition(facts.partitions, row);
    const auto qos = qosLimits(sections.value(u"qos"_s));
    addLimits(facts.partitions, sections.value(u"limits"_s), qos);
    facts.defaultQosGpus = defaultQosGpus(sections.value(u"accounts"_s), qos);
    const auto began = nanoseconds(sections.value(u"began"_s));
    const auto ended = nanoseconds(sections.value(u"ended"_s));
    if (began && ended && *ended >= *began && elapsedSeconds > 0) {
        const double away = elapsedSeconds - double(*ended - *began) * 1e-9;
        if (away > 0)
            facts.latencySeconds = away;
    }
    return facts;
}

QString expandOutputPattern(const QString& path, const JobRecord& job)
{
    if (path.contains(u'\\')) // a backslash anywhere switches all patterns off, and goes itself
        return QString(path).remove(u'\\');
    static const QRegularExpression pattern(uR"((%%)|%(\d*)([AabJjNnrSstux]))"_s);
    const QString master = job.id.contains(u'+') ? QString() : job.id.section(u'_', 0, 0);
    const QString task = job.id.section(u'_', 1, 1);
    bool isTask = false;
    const int index = task.toInt(&isTask);
    // An array's task has a number of its own after %j.
    const QString own = task.isEmpty() ? master : job.stepJob;
    QString expanded;
    qsizetype done = 0;
    for (auto matches = pattern.globalMatch(path); matches.hasNext();) {
        const auto match = matches.next();
        expanded += path.mid(done, match.capturedStart() - done);
        done = match.capturedEnd();
        if (match.hasCaptured(1)) {
            expanded += u'%';
            continue;
        }
        QString text, number; // a width pads numbers alone
        switch (match.captured(3).at(0).unicode()) {
        case u'j':
        case u'J': number = own; break; // of a batch script: without a step
        case u'A': number = master; break;
        case u'a': number = isTask ? task : QString(); break;
        case u'b': number = isTask ? QString::number(index % 10) : QString(); break;
        case u'n': // the batch script is task 0 of node 0
        case u't': number = u"0"_s; break;
        case u'r': number = job.restarts ? QString::number(*job.restarts) : QString(); break;
        case u'S': text = job.sluid; break;
        case u's': text = u"batch"_s; break;
        case u'x': text = job.name; break;
        case u'u': text = job.user; break;
        default: text = job.nodeList.value(0).section(u'.', 0, 0); break;
        }
        const int width = int(qMin<qint64>(match.captured(2).toLongLong(), 10));
        const QString value = text + number.rightJustified(number.isEmpty() ? 0 : width, u'0');
        expanded += value.isEmpty() ? match.captured(0) : value;
    }
    return expanded + path.mid(done);
}

} // namespace rankwright::inline cluster
