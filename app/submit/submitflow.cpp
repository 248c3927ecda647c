// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/submitflow.h"

#include "app/store/processmark.h"
#include "app/submit/dryrun.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/cluster/slurm/rehearsal.h"
#include "models/cluster/slurm/slurmtext.h"
#include "models/core/logging.h"
#include "models/insight/telemetry/sampling/jobsamplerscript.h"
#include "models/script/batch/batchtext.h"
#include "models/script/write/jobsampler.h"

#include <QCryptographicHash>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Script and job side by side.
struct Comparison {
    BatchText script;
    QStringList differences = {};

    QString asked(const QString& option) const
    {
        const BatchOption* found = script.option(option);
        return found ? found->value : QString();
    }
    void differs(const QString& what, const QString& has, const QString& wanted)
    {
        differences.append(u"Slurm has %1 %2, the script says %3."_s.arg(what, has, wanted));
    }
    /// Slurm keeps accounts in small letters, and takes one of several partitions.
    void compareName(const QString& option, const QString& what, const QString& has)
    {
        const QString wanted = asked(option);
        const QStringList any = wanted.toLower().split(u',', Qt::SkipEmptyParts);
        const QStringList those = has.toLower().split(u',', Qt::SkipEmptyParts);
        const bool fits
            = std::any_of(those.begin(), those.end(), [&any](const QString& one) { return any.contains(one); });
        if (!any.isEmpty() && !those.isEmpty() && !fits)
            differs(what, has, wanted);
    }
};

void compareTime(Comparison& both, const JobRecord& job)
{
    const QString wanted = both.asked(u"time"_s);
    bool isMinutes = false;
    const int minutes = wanted.toInt(&isMinutes);
    const auto limit = isMinutes ? std::optional(Seconds{qint64(minutes) * 60}) : slurmSpan(wanted);
    if (!limit || !job.timeLimit || limit->count <= 0)
        return;
    const qint64 whole = (limit->count + 59) / 60 * 60; // Slurm counts whole minutes
    if (job.timeLimit->count != whole && job.timeLimit->count != limit->count)
        both.differs(u"the time limit"_s, slurmTime(*job.timeLimit), wanted);
}

void compareSize(Comparison& both, const JobRecord& job)
{
    const QString wanted = both.asked(u"nodes"_s);
    bool isNumber = false;
    const int least = wanted.section(u'-', 0, 0).toInt(&isNumber);
    if (!isNumber)
        return;
    const int most = wanted.contains(u'-') ? wanted.section(u'-', 1).toInt() : least;
    if (job.nodes && (*job.nodes < least || *job.nodes > most))
        both.differs(u"a number of nodes of"_s, QString::number(*job.nodes), wanted);
    // More GPUs than asked for come with whole nodes; fewer are another job.
    const int gpus = both.asked(u"gpus-per-node"_s).section(u':', -1).toInt();
    if (gpus > 0 && job.gpus && *job.gpus < gpus * least)
        both.differs(u"a number of GPUs of"_s, QString::number(*job.gpus), QString::number(gpus * least));
}

/// What Slurm has of a job that differs from its script's directives: account, partition, quality of service,
/// reservation, time limit, nodes, GPUs, name. A sentence each; what one of them leaves open does not differ.
QStringList submittedDifferences(const QByteArray& script, const JobRecord& job)
{
    Comparison both{parseBatch(QString::fromUtf8(script))};
    both.compareName(u"account"_s, u"the account"_s, job.account);
    both.compareName(u"partition"_s, u"the partition"_s, job.partition);
    both.compareName(u"qos"_s, u"the quality of service"_s, job.qos);
    both.compareName(u"reservation"_s, u"the reservation"_s, job.reservation);
    both.compareName(u"job-name"_s, u"the name"_s, job.name);
    compareTime(both, job);
    compareSize(both, job);
    if (both.script.option(u"array"_s) == nullptr && job.id.contains(u'_'))
        both.differences.append(u"Slurm made an array of it, which the script does not ask for."_s);
    return both.differences;
}

constexpr int resolveEveryMs = 250;
constexpr int settlePatience
    = 3; // times the patience with a lost answer: an entry of another machine is left alone for 2 min

QString timeOf(const JobLogEntry& entry) { return entry.created.toLocalTime().toString(u"HH:mm:ss"_s); }

/// A submission without a reported answer, and that this one may be the second try of: not one that another program
/// is about to report, nor one that ended long ago.
bool concernsUs(const JobLogEntry& entry)
{
    constexpr qint64 dayMs = 24 * 3600 * 1000;
    const bool isOld = entry.created.msecsTo(QDateTime::currentDateTimeUtc()) > dayMs;
    return !isAwaited(entry) && !(isOld && hasEnded(entry.state));
}

} // namespace

bool isAmbiguousRefusal(const Error& error)
{
    if (error.fault != Fault::RemoteExit)
        return true;
    // Words of Slurm's slurm_strerror() for communication errors after the request may have left; -1 stands for a
    // command that ended without a status.
    static const QStringList openEnds{u"timed out"_s, u"Zero Bytes"_s, u"Unexpected message"_s,
        u"Communication connection failure"_s, u"Message receive failure"_s, u"Message send failure"_s,
        u"response error"_s, u"killed by signal"_s, u"exit status -1"_s};
    const QString all = error.what + u' ' + error.detail;
    return std::any_of(openEnds.cbegin(), openEnds.cend(),
        [&all](const QString& words) { return all.contains(words, Qt::CaseInsensitive); });
}

SubmitFlow::SubmitFlow(RemoteShell& shell, SlurmClient& client, JobLog& log, SubmitRecovery& recovery, QObject* parent)
    : QObject(parent), m_shell(shell), m_client(client), m_log(log), m_recovery(recovery)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(60000);
    connect(&m_patience, &QTimer::timeout, this, &SubmitFlow::giveUpWaiting);
    connect(&m_recovery, &SubmitRecovery::submissionDecided, this, &SubmitFlow::handleDecided);
    connect(&m_recovery, &SubmitRecovery::recoveryFailed, this, [this](const Error& why) { m_trouble = why; });
    // Another program may decide it as well, so the log is polled and no signal awaited.
    m_resolveTimer.setInterval(resolveEveryMs);
    connect(&m_resolveTimer, &QTimer::timeout, this, &SubmitFlow::resolveEarlier);
}

SubmitFlow::~SubmitFlow()
{
    if (m_state.stage != SubmitState::Stage::Sending)
        return;
    // The session goes while sbatch has not answered: said in the log, so that the next connection searches at once.
    const auto marked
        = m_log.markUnknown(m_entryId, {Fault::Cancelled, u"The connection was closed before the answer."_s, {}, {}});
    if (!marked)
        qCWarning(logApp) << "job log:" << marked.error().oneLine();
}

bool SubmitFlow::start(const SubmitOrder& order)
{
    if (m_state.isBusy())
        return false;
    m_patience.stop();
    m_order = order;
    m_token = newSubmissionToken();
    m_entryId.clear();
    m_reported.clear();
    m_lost.clear();
    m_note.clear();
    m_trouble = {};
    m_state = {};
    m_asked = order.asked ? *order.asked : m_log.lastEvent().valueOr(0);
    enterStage(SubmitState::Stage::Checking, u"Checking the design …"_s);
    if (stoppedByFindings())
        return true;
    if (m_shell.state() != LinkState::Online) {
        enterRefused({Fault::Offline, u"Not connected to %1; nothing was sent."_s.arg(order.cluster), {},
            u"Connect, then launch."_s});
        return true;
    }
    if (order.rehearseOnly)
        rehearse();
    else
        resolveEarlier();
    return true;
}

void SubmitFlow::stop()
{
    if (m_state.stage == SubmitState::Stage::Rehearsing) {
        ++m_run;
        enterRefused({Fault::Cancelled, u"Stopped; nothing was sent."_s, {}, {}});
    } else if (m_resolveTimer.isActive()) {
        enterRefused({Fault::Cancelled, u"Stopped; nothing was sent."_s, {}, {}});
    } else if (m_state.stage == SubmitState::Stage::Recovering) {
        giveUpWaiting();
    }
}

void SubmitFlow::giveUpWaiting()
{
    m_patience.stop();
    enterStage(SubmitState::Stage::Unknown,
        u"Not known yet whether the job was submitted. It will be searched for whenever the cluster is connected; do not submit it again before that."_s);
}

bool SubmitFlow::stoppedByFindings()
{
    const auto isError = [](const Finding& finding) { return finding.severity == Severity::Error; };
    const auto first = std::find_if(m_order.findings.cbegin(), m_order.findings.cend(), isError);
    if (first == m_order.findings.cend())
        return false;
    const auto count = std::count_if(m_order.findings.cbegin(), m_order.findings.cend(), isError);
    enterRefused({Fault::Invalid, first->text, count > 1 ? u"and %1 more"_s.arg(count - 1) : QString(),
        first->fixLabels().isEmpty() ? u"Correct the design, then launch."_s : first->fixLabels().join(u", or: "_s)});
    return true;
}

QString SubmitFlow::scriptHash() const
{
    return QString::fromLatin1(QCryptographicHash::hash(m_order.script, QCryptographicHash::Sha256).toHex());
}

Result<SubmitFlow::Earlier> SubmitFlow::earlier() const
{
    const QString hash = scriptHash();
    const auto open = m_log.unresolved(m_order.cluster);
    const auto unanswered = m_log.unanswered(m_order.cluster, hash);
    const auto meanwhile = m_log.knownSince(m_order.cluster, hash, m_asked);
    if (!open || !unanswered || !meanwhile)
        return fail(!open ? open.error() : !unanswered ? unanswered.error() : meanwhile.error());
    Earlier earlier;
    const auto same = std::find_if(
        open->cbegin(), open->cend(), [&hash](const JobLogEntry& entry) { return entry.scriptHash == hash; });
    if (same != open->cend())
        earlier.undecided = *same;
    std::copy_if(unanswered->cbegin(), unanswered->cend(), std::back_inserter(earlier.found), concernsUs);
    // What was waited for is the answer, whoever decided it and was told of it meanwhile.
    QList<JobLogEntry> others = *meanwhile;
    for (const QString& id : m_lost) {
        if (const auto decided = m_log.find(id); decided && decided->stage == EntryStage::Known)
            others.append(*decided);
    }
    for (const JobLogEntry& entry : std::as_const(others)) {
        const bool isThere = std::any_of(earlier.found.cbegin(), earlier.found.cend(),
            [&entry](const JobLogEntry& one) { return one.id == entry.id; });
        if (!isThere)
            earlier.found.append(entry);
    }
    return earlier;
}

/// Hands over to the search what has lost its program since the search has read the log.
void SubmitFlow::noteLost()
{
    const auto open = m_log.unresolved(m_order.cluster);
    const qsizetype before = m_lost.size();
    for (const JobLogEntry& entry : open.valueOr({})) {
        if (entry.scriptHash == scriptHash() && !m_recovery.leavesAlone(entry) && !m_lost.contains(entry.id))
            m_lost.append(entry.id);
    }
    if (m_lost.size() > before)
        m_recovery.checkAgain();
}

void SubmitFlow::resolveEarlier()
{
    noteLost();
    const auto now = earlier();
    if (!now)
        enterRefused(now.error());
    else if (now->undecided)
        waitFor(*now->undecided);
    else if (now->found.isEmpty())
        rehearse();
    else
        reportFound(now->found);
}

void SubmitFlow::waitFor(const JobLogEntry& earlier)
{
    if (!m_resolveTimer.isActive()) {
        m_settling.start();
        m_resolveTimer.start();
        enterStage(SubmitState::Stage::Recovering,
            m_recovery.leavesAlone(earlier)
                ? u"Another program or window has been submitting the same script since %1. Waiting for its job; it is not submitted twice."_s
                      .arg(timeOf(earlier))
                : u"The same script was sent at %1 and its answer was lost. Slurm is asked for that job first; this takes some 20 s where it is not found."_s
                      .arg(timeOf(earlier)));
    } else if (m_settling.elapsed() >= settlePatience * m_patience.interval()) {
        enterRefused(undecided(earlier));
    } else if (m_shell.state() == LinkState::Offline) {
        enterRefused({Fault::Offline, u"The connection ended before that was decided; nothing was sent."_s, {},
            u"Connect, then launch: it is searched for again."_s});
    }
}

Error SubmitFlow::undecided(const JobLogEntry& earlier) const
{
    const QString what
        = u"The same script was sent at %1, and whether Slurm has it could not be decided; nothing was sent now."_s.arg(
            timeOf(earlier));
    if (isAwaited(earlier))
        return {Fault::TimedOut, what, u"process %1 is still submitting it"_s.arg(earlier.owner.section(u'/', 1, 1)),
            u"Let that program end, then launch: it is searched for again."_s};
    return {Fault::TimedOut, what, m_trouble.oneLine(),
        u"Launch when Slurm answers: it is searched for again, and never sent twice."_s};
}

void SubmitFlow::reportFound(const QList<JobLogEntry>& found)
{
    const JobLogEntry& newest = found.first();
    m_entryId = newest.id;
    m_token = newest.token;
    QStringList jobs;
    for (const JobLogEntry& entry : found) {
        m_reported.append(entry.id);
        jobs.append(entry.job);
    }
    m_state.wasFound = true;
    const auto meanwhile = m_log.knownSince(m_order.cluster, newest.scriptHash, m_asked).valueOr({});
    const bool isOfNow = std::any_of(
        meanwhile.cbegin(), meanwhile.cend(), [&newest](const JobLogEntry& entry) { return entry.id == newest.id; });
    const bool wasLost = !isOfNow || newest.answerLost || m_lost.contains(newest.id);
    submitted(newest.job,
        (wasLost
                ? u"This script was submitted at %1 as job %2; the answer was lost then, and is found now. Nothing was sent again."_s
                : u"This script was submitted at %1 as job %2, by another program or window at the same moment. Nothing was sent again; submit it again for another job."_s)
            .arg(timeOf(newest), jobs.join(u", "_s)));
}

void SubmitFlow::acknowledge()
{
    if (m_state.stage != SubmitState::Stage::Submitted)
        return;
    for (const QString& entry : m_reported.isEmpty() ? QStringList{m_entryId} : m_reported) {
        if (const auto marked = m_log.markAnswered(entry); !marked)
            qCWarning(logApp) << "job log:" << marked.error().oneLine();
    }
}

void SubmitFlow::rehearse()
{
    m_resolveTimer.stop();
    enterStage(SubmitState::Stage::Rehearsing, u"Asking the scheduler, without queueing …"_s);
    askDryRun(
        m_client, m_log.dataFolder(), m_order, this, [this, run = ++m_run](const Result<StartForecast>& forecast) {
            if (run != m_run)
                return;
            if (!forecast) {
                enterRefused(forecast.error());
                return;
            }
            m_state.forecast = *forecast;
            if (m_order.rehearseOnly) {
                enterStage(SubmitState::Stage::Rehearsed, rehearsalText(*forecast));
                return;
            }
            if (forecast->answer != StartForecast::Answer::Accepted)
                m_note += u' ' + forecast->note;
            if (m_order.recordsItself)
                placeSampler();
            else
                send();
        });
}

void SubmitFlow::placeSampler()
{
    const RemoteCommand place = placeSamplerCommand(samplerFileName, m_order.workdir);
    m_shell.run(place, this, [this, place, run = m_run](const Result<CommandOutcome>& outcome) {
        if (run != m_run)
            return;
        if (!outcome || !outcome->succeeded()) {
            const Error why = outcome ? outcome->toError(place) : outcome.error();
            m_note += u' ' + u"It will not record its GPUs by itself: the sampler could not be put into its folder."_s;
            qCInfo(logApp) << "sampler:" << why.oneLine();
        }
        send();
    });
}

void SubmitFlow::send()
{
    enterStage(SubmitState::Stage::Recording, u"Writing to the job log …"_s);
    // Others have had the whole rehearsal to submit the same script.
    const auto entry
        = m_log.recordIf({m_token, m_order.cluster, m_order.name, m_order.design, m_order.script, m_order.workdir},
            [this]() -> Result<bool> {
                const auto now = earlier();
                return now ? Result<bool>(now->isNone()) : Result<bool>(fail(now.error()));
            });
    if (!entry) {
        enterRefused(entry.error());
        return;
    }
    if (!*entry) {
        resolveEarlier();
        return;
    }
    m_entryId = (*entry)->id;
    if (const auto marked = m_log.markSending(m_entryId); !marked) {
        // Whatever is in the log now, nothing has left this program.
        if (const auto closed = m_log.markAbsent(m_entryId, u"Not submitted: the job log could not be written."_s);
            !closed)
            qCWarning(logApp) << "job log:" << closed.error().oneLine();
        enterRefused(marked.error());
        return;
    }
    enterStage(SubmitState::Stage::Sending, u"Submitting …"_s);
    m_client.submit({m_order.script, m_token, m_order.workdir, m_order.options}, this,
        [this](const Result<JobId>& reply) { handleReply(reply); });
}

/// A sentence on jobs of the same script that go on, as last reported: pressed twice, or meant. Empty: none does.
QString SubmitFlow::besides() const
{
    const auto own = m_log.find(m_entryId);
    const auto open = m_log.unended(m_order.cluster);
    QStringList jobs;
    for (const JobLogEntry& entry : open.valueOr({})) {
        if (own && entry.id != m_entryId && entry.scriptHash == own->scriptHash && !entry.job.isEmpty())
            jobs.append(entry.job);
    }
    if (jobs.isEmpty())
        return {};
    return jobs.size() == 1
        ? u" Job %1 runs the same script and had not ended when last reported: cancel one of them if only one was "
          u"meant."_s.arg(jobs.first())
        : u" Jobs %1 run the same script and had not ended when last reported: cancel those that were not meant."_s.arg(
            jobs.join(u", "_s));
}

void SubmitFlow::handleReply(const Result<JobId>& reply)
{
    if (reply) {
        if (const auto marked = m_log.markKnown(m_entryId, *reply); !marked)
            qCWarning(logApp) << "job log:" << marked.error().oneLine();
        submitted(*reply, u"Submitted as job %1.%2"_s.arg(*reply, besides()));
        return;
    }
    if (isAmbiguousRefusal(reply.error())) {
        recover(reply.error());
        return;
    }
    if (const auto marked = m_log.markRefused(m_entryId, reply.error()); !marked)
        qCWarning(logApp) << "job log:" << marked.error().oneLine();
    enterRefused(reply.error());
}

void SubmitFlow::recover(const Error& why)
{
    if (const auto marked = m_log.markUnknown(m_entryId, why); !marked)
        qCWarning(logApp) << "job log:" << marked.error().oneLine();
    m_state.error = why;
    enterStage(SubmitState::Stage::Recovering,
        u"The answer was lost. Searching for the job by its token; it is not sent again."_s);
    m_patience.start();
    m_recovery.add(m_entryId);
}

void SubmitFlow::handleDecided(const QString& entryId, EntryStage stage)
{
    if (entryId != m_entryId
        || (m_state.stage != SubmitState::Stage::Recovering && m_state.stage != SubmitState::Stage::Unknown))
        return;
    m_patience.stop();
    const auto entry = m_log.find(entryId);
    if (stage == EntryStage::Known && entry)
        submitted(entry->job, u"Submitted as job %1; found again after the link was lost."_s.arg(entry->job));
    else
        enterRefused({Fault::Offline, u"The job was not submitted: neither the queue nor the accounting knows it."_s,
            m_state.error.oneLine(), u"Launch again."_s});
}

void SubmitFlow::submitted(const JobId& job, const QString& text)
{
    m_resolveTimer.stop();
    m_state.job = job;
    m_state.error = {};
    enterStage(SubmitState::Stage::Submitted, text + m_note);
    compare();
}

/// A submit filter of the site, or a variable of the user, may have changed what the script asks for.
void SubmitFlow::compare()
{
    m_client.job(m_state.job, this, [this, run = m_run, job = m_state.job](const Result<JobRecord>& record) {
        if (run != m_run || m_state.stage != SubmitState::Stage::Submitted || m_state.job != job)
            return;
        m_state.wasCompared = record.hasValue();
        if (record)
            m_state.differences = submittedDifferences(m_order.script, *record);
        m_state.text = (QStringList{m_state.text} + m_state.differences).join(u' ');
        emit jobCompared(m_state);
    });
}

void SubmitFlow::enterRefused(const Error& why)
{
    m_resolveTimer.stop();
    m_state.error = why;
    enterStage(SubmitState::Stage::Refused, why.what);
}

void SubmitFlow::enterStage(SubmitState::Stage stage, const QString& text)
{
    m_state.stage = stage;
    m_state.text = text;
    emit stateChanged(m_state);
}

} // namespace rankwright
