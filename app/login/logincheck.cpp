// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/login/logincheck.h"

#include "app/base/whendone.h"
#include "ssh/sshscout.h"
#include "ssh/sshshell.h"

#include <QtConcurrentRun>

using namespace Qt::StringLiterals;

namespace rankwright {

LoginCheck::LoginCheck(const ClusterProfile& profile, QObject* parent)
    : QObject(parent), m_profile(profile),
      m_makeLink([](const SshEndpoint& endpoint) { return std::make_unique<SshShell>(endpoint); })
{ }

LoginCheck::~LoginCheck() { stop(); }

void LoginCheck::stop()
{
    ++m_epoch;
    if (m_attempt)
        m_attempt.release()->deleteLater(); // an answer of its own may be what stops it
    if (m_link) {
        m_link->disconnect(this);
        m_link->close();
        m_link.release()->deleteLater(); // it may be the sender of what stops it
    }
    m_running = false;
    m_current.reset();
}

void LoginCheck::start(const SshRequest& request)
{
    stop();
    m_steps = {};
    m_keys.clear();
    m_accounts.clear();
    m_endpoint.reset();
    m_wasOnline = false;
    m_running = true;
    m_current = LoginStepKind::Key;
    m_attempt = std::make_unique<QObject>();
    emit changed();
    whenDone(QtConcurrent::run([request] { return scout(request); }), m_attempt.get(),
        [this, epoch = m_epoch](const Scouted& scouted) {
            if (epoch == m_epoch)
                handleScouted(scouted);
        });
}

LoginCheck::Scouted LoginCheck::scout(const SshRequest& request)
{
    Scouted scouted;
    scouted.endpoint = resolveEndpoint(request);
    if (!scouted.endpoint)
        return scouted;
    scouted.keys = keyFilesFor(*scouted.endpoint);
    scouted.agentKeys = agentKeyCount(*scouted.endpoint);
    scouted.seen = scoutHost(*scouted.endpoint);
    return scouted;
}

void LoginCheck::set(LoginStepKind kind, const StepOutcome& outcome)
{
    m_steps.set(kind, outcome);
    emit changed();
}

void LoginCheck::handleScouted(const Scouted& scouted)
{
    if (!scouted.endpoint) {
        const Error& why = scouted.endpoint.error();
        set(LoginStepKind::Name,
            {Light::Failed, QStringList{why.what, why.detail}.join(u'\n').trimmed(), why.remedy, {}});
        end();
        return;
    }
    m_endpoint = *scouted.endpoint;
    m_keys = scouted.keys;
    const HostScouting& seen = scouted.seen;
    const bool hasKey = !m_keys.isEmpty() || scouted.agentKeys.value_or(0) > 0;
    m_steps.set(
        LoginStepKind::Key, readKeys(m_keys, scouted.agentKeys, m_profile.login, QDateTime::currentDateTimeUtc()));
    m_steps.set(LoginStepKind::Name, readName(seen));
    m_steps.set(LoginStepKind::Port, readPort(seen));
    m_steps.set(LoginStepKind::HostKey, readHostKey(seen));
    m_steps.set(LoginStepKind::Method, readMethods(seen, hasKey ? OwnKeys::Some : OwnKeys::None));
    emit changed();
    for (const LoginStepKind kind :
        {LoginStepKind::Name, LoginStepKind::Port, LoginStepKind::HostKey, LoginStepKind::Method}) {
        if (m_steps.outcome(kind).light == Light::Failed) {
            end();
            return;
        }
    }
    logIn();
}

void LoginCheck::logIn()
{
    m_current = LoginStepKind::Login;
    m_link = m_makeLink(*m_endpoint);
    m_link->noteIn(m_sentLog, m_profile.name);
    connect(m_link.get(), &ClusterLink::promptRaised, this, &LoginCheck::promptRaised);
    connect(m_link.get(), &ClusterLink::bannerArrived, this, &LoginCheck::bannerArrived);
    connect(m_link.get(), &ClusterLink::hintArrived, this, &LoginCheck::hintArrived);
    connect(m_link.get(), &RemoteShell::stateChanged, this, &LoginCheck::handleState);
    emit changed();
    m_link->open(ClusterLink::Attendance::Person);
}

void LoginCheck::answer(quint64 promptId, const PromptAnswer& answer)
{
    if (m_link)
        m_link->answer(promptId, answer);
}

void LoginCheck::handleState(LinkState state)
{
    if (!m_running)
        return;
    if (state == LinkState::Online && !m_wasOnline) {
        m_wasOnline = true;
        if (const StepOutcome& key = m_steps.outcome(LoginStepKind::HostKey); key.light != Light::Ok)
            m_steps.set(LoginStepKind::HostKey,
                {Light::Ok,
                    QStringList{key.evidence, u"It was accepted, and is on record now."_s}.join(u'\n').trimmed(), {},
                    {}});
        set(LoginStepKind::Login, loginWorked(m_endpoint->user, m_endpoint->host));
        probe(LoginStepKind::StartUp);
        return;
    }
    if (state != LinkState::Offline && state != LinkState::Lost)
        return;
    const Error why = m_link->lastError().value_or(Error{Fault::Offline, u"The connection ended."_s, {}, {}});
    if (m_wasOnline)
        set(*m_current, {Light::Unknown, why.what, why.remedy, {}});
    else
        set(stepOf(why), readLoginFailure(why, m_profile.login));
    end();
}

RemoteCommand LoginCheck::commandOf(LoginStepKind kind) const
{
    switch (kind) {
    case LoginStepKind::Slurm: return slurmProbe();
    case LoginStepKind::Account: return accountProbe();
    case LoginStepKind::Scratch: return scratchProbe(m_profile.scratch, m_accounts);
    case LoginStepKind::Software: return softwareProbe(m_profile);
    default: return startUpProbe();
    }
}

void LoginCheck::probe(LoginStepKind kind)
{
    m_current = kind;
    emit changed();
    m_link->run(commandOf(kind), m_attempt.get(), [this, kind, epoch = m_epoch](const Result<CommandOutcome>& answer) {
        if (epoch == m_epoch)
            handleAnswer(kind, answer);
    });
}

void LoginCheck::handleAnswer(LoginStepKind kind, const Result<CommandOutcome>& answer)
{
    StepOutcome outcome;
    if (!answer)
        outcome = {Light::Unknown, answer.error().what, answer.error().remedy, {}};
    else if (kind == LoginStepKind::StartUp)
        outcome = readStartUp(*answer);
    else if (kind == LoginStepKind::Slurm)
        outcome = readSlurm(*answer);
    else if (kind == LoginStepKind::Account)
        outcome = readAccounts(*answer, &m_accounts);
    else if (kind == LoginStepKind::Scratch)
        outcome = readScratch(*answer);
    else
        outcome = readSoftware(*answer, m_profile);
    set(kind, outcome);
    if (kind == LoginStepKind::Software)
        end();
    else
        probe(static_cast<LoginStepKind>(static_cast<int>(kind) + 1));
}

void LoginCheck::end()
{
    stop();
    emit changed();
    emit finished();
}

} // namespace rankwright
