// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journeys/support/practicebench.h"

#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"

#include <QDeadlineTimer>
#include <QProcess>

namespace rankwright::test {

using namespace Qt::StringLiterals;

PracticeBench::PracticeBench() : m_catalogue(loadCatalogue()) { }

QByteArray PracticeBench::script(const QStringList& words, int& exitCode) const
{
    QProcess process;
    process.start(u"/usr/bin/python3"_s, QStringList{PracticeCluster::scriptPath()} + words);
    const bool ended = process.waitForFinished(longWaitMs);
    exitCode = ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    return process.readAllStandardOutput();
}

QString PracticeBench::prepare()
{
    int exitCode = 0;
    const auto asked = readPracticeStatus(script({u"status"_s}, exitCode));
    if (!asked || !asked->running)
        return u"the practice cluster is not running: Slurm or PyTorch is missing here, or start it with practice.py up"_s;
    m_status = *asked;
    if (!m_status.json.value(u"healthy"_s).toBool(true) && !up())
        return u"the practice cluster could not be repaired"_s;
    freshLog();
    return {};
}

void PracticeBench::freshLog()
{
    m_log.reset();
    m_database.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    reopenLog();
}

void PracticeBench::reopenLog()
{
    m_log.reset();
    m_database.reset();
    auto opened = Database::open(m_folder->path());
    if (!opened)
        qFatal("%s", qPrintable(opened.error().oneLine()));
    m_database = std::move(*opened);
    m_log = std::make_unique<JobLog>(*m_database);
}

std::unique_ptr<ClusterSession> PracticeBench::session(quint16 port)
{
    SshRequest request = requestFor(m_status, {});
    if (port != 0) {
        // Another port is another host to OpenSSH's file: it gets one of its own.
        request.port = port;
        request.knownHosts = m_folder->filePath(u"known_hosts"_s);
    }
    const auto endpoint = resolveEndpoint(request);
    if (!endpoint)
        qFatal("%s", qPrintable(endpoint.error().oneLine()));
    auto made = makeSshSession(*m_catalogue.find(QString::fromUtf16(practiceName)), *endpoint, *m_log);
    ClusterSession* session = made.get();
    QObject::connect(session, &ClusterSession::promptRaised, session, [this, session](const LoginPrompt& prompt) {
        PromptAnswer answer;
        answer.accepted
            = prompt.kind == LoginPrompt::Kind::HostKey && m_status.fingerprints.contains(prompt.fingerprint);
        session->answer(prompt.id, answer);
    });
    return made;
}

JobSpec PracticeBench::spec(int seconds) const
{
    JobSpec made = workshopDesign(seconds);
    made.monitor = {}; // suites count the steps that watching starts
    fillFromPractice(made, m_status);
    return made;
}

SubmitOrder PracticeBench::order(int seconds) const
{
    const JobSpec made = spec(seconds);
    return submitOrder(made, derive(made, *m_catalogue.find(made.cluster)), SubmitPurpose::Submission);
}

QByteArray PracticeBench::designFile(int seconds) const { return writeDesign(spec(seconds)); }

JobId PracticeBench::submitted(const char* script) const
{
    const QString text = QString::fromUtf8(script).arg(m_status.account);
    return remote(
        u"cd '%1' && sbatch --parsable <<'END'\n"_s.arg(spec(1).workdir.value_or(QString())) + text + u"END\n"_s)
        .trimmed();
}

QString PracticeBench::remote(const QString& line) const
{
    QProcess client;
    client.start(u"ssh"_s,
        {u"-F"_s, u"none"_s, u"-i"_s, m_status.identity, u"-p"_s, QString::number(m_status.port), u"-o"_s,
            u"UserKnownHostsFile="_s + m_status.knownHosts, u"-o"_s, u"BatchMode=yes"_s, u"-o"_s,
            u"ConnectTimeout=10"_s, m_status.user + u'@' + m_status.host, line});
    client.waitForFinished(longWaitMs);
    return QString::fromUtf8(client.readAllStandardOutput());
}

QStringList PracticeBench::jobsWith(const SubmissionToken& token) const
{
    // The accounting knows a job only seconds after sbatch: asked until the answer stays the same for some seconds.
    QStringList ids;
    for (int calm = 0; calm < 8; ++calm) {
        const QString reported = remote(
            u"squeue -h -t all -u \"$(id -un)\" -o '%i %k'; sacct -X -P -n -S now-1days -o JobID,Comment,SubmitLine"_s);
        QStringList now;
        for (const QString& line : reported.split(u'\n', Qt::SkipEmptyParts)) {
            const QString id = line.section(QRegularExpression(u"[ |]"_s), 0, 0);
            if (line.contains(token) && !now.contains(id))
                now.append(id);
        }
        now.sort();
        if (now != ids) {
            ids = now;
            calm = 0;
        }
        QTest::qWait(500);
    }
    return ids;
}

int PracticeBench::jobsOfLog()
{
    int count = 0;
    const auto entries = m_log->newest({}, 100);
    for (const JobLogEntry& entry : entries ? *entries : QList<JobLogEntry>())
        count += int(jobsWith(entry.token).size());
    return count;
}

QString PracticeBench::everythingOf(const JobId& job) const
{
    return remote(u"squeue -h -j %1; scontrol -o show job %1; sacct -D -P -n -j %1 -o "
                  "JobID,JobName,State,Submit,Comment,SubmitLine"_s.arg(job));
}

QString PracticeBench::nodeStates() const
{
    return remote(
        u"sinfo -N -a -o '%N %P %T %c %G %E'; scontrol ping; scontrol -o show nodes | tr -s ' '; squeue -a"_s);
}

QStringList PracticeBench::oldSteps(int seconds) const
{
    // Our monitoring steps are the ones called bash; the training's step has the launcher's name.
    QStringList old;
    const QString reported = remote(
        u"squeue -s -h -u \"$(id -un)\" -o '%i %j %M'; ps -eo etimes=,args= | grep '[s]run --overlap' | cut -c1-80"_s);
    for (const QString& line : reported.split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList words = line.simplified().split(u' ');
        if (line.contains(u"srun --overlap"_s)) {
            if (words.first().toInt() > seconds)
                old.append(line);
        } else if (words.size() == 3 && words.at(1) == u"bash"_s) {
            const auto age = parseSlurmTime(words.at(2));
            if (age && age->count > seconds)
                old.append(line);
        }
    }
    return old;
}

void PracticeBench::cancelAll() const
{
    remote(
        u"scancel -u \"$(id -un)\"; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do [ -z \"$(squeue -h -u $(id -un))\" ] && break; sleep 0.5; done"_s);
    // A task that could not be killed in time costs its node: Slurm drains it, and the next row would be refused.
    const QString drained = remote(u"sinfo -h -N -t drain,down -o '%N %T %E' | sort -u"_s).trimmed();
    if (drained.isEmpty())
        return;
    qInfo("Slurm took out of service: %s", qPrintable(drained));
    up();
}

bool PracticeBench::fault(const QString& what) const
{
    int exitCode = 0;
    script({u"fault"_s, what}, exitCode);
    return exitCode == 0;
}

bool PracticeBench::up() const
{
    int exitCode = 0;
    script({u"up"_s}, exitCode);
    return exitCode == 0;
}

bool waitUntil(const std::function<bool()>& done)
{
    // Asking may take longer than the pause between two questions, so this one looks at the clock.
    const QDeadlineTimer end(2 * longWaitMs);
    while (!done()) {
        if (end.hasExpired())
            return false;
        QTest::qWait(20);
    }
    return true;
}

} // namespace rankwright::test
