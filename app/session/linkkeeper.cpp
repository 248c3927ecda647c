// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/linkkeeper.h"

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/logging.h"

#include <QDateTime>
#include <QRandomGenerator>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int meterMs = 2000;
constexpr qint64 rateMs = 60000; // commands come in bursts: only a whole minute gives a rate

constexpr qint64 longestMs = 60 * 60 * 1000; // then it is checked again
constexpr qint64 hastenEveryMs = 10000; // networks come and go in bursts

QString inWords(qint64 ms)
{
    return ms <= 120'000 ? u"connecting again in %1 s"_s.arg(std::max<qint64>(1, (ms + 999) / 1000))
                         : u"connecting again in %1 min"_s.arg((ms + 59'999) / 60'000);
}

Error needsPerson(const Error& why)
{
    return {Fault::LoginRefused, u"The connection was lost, and logging in again needs you."_s, why.what,
        u"Connect again when you can answer: until then neither you nor your phone is asked for anything."_s};
}

Error lostTooOften(const Error& why)
{
    return {Fault::Offline, u"The connection was lost too often today to be opened again by itself."_s, why.what,
        u"Connect again; if it goes on, ask the site's help desk."_s};
}

} // namespace

LinkKeeper::LinkKeeper(
    ClusterLink& link, const QString& cluster, const QString& title, RetryPolicy retry, QObject* parent)
    : QObject(parent), m_link(link), m_retry(retry), m_base(QDateTime::currentMSecsSinceEpoch())
{
    m_info.cluster = cluster;
    m_info.title = title;
    m_clock.start();
    m_reconnect.setSingleShot(true);
    m_reconnect.setTimerType(Qt::PreciseTimer); // a coarse one may be early, by half a minute in ten
    m_meter.setInterval(meterMs);
    m_countdown.setInterval(1000);
    connect(&m_countdown, &QTimer::timeout, this, [this] {
        if (!m_reconnect.isActive()) {
            m_countdown.stop();
            return;
        }
        if (const QString words = waitWords(); words != m_info.activity) {
            m_info.activity = words;
            publishInfo();
        }
    });
    connect(&m_link, &RemoteShell::stateChanged, this, &LinkKeeper::handleState);
    connect(&m_link, &ClusterLink::promptRaised, this, &LinkKeeper::handlePrompt);
    connect(&m_link, &ClusterLink::bannerArrived, this, [this](const QString& host, const QString& text) {
        if (m_automatic) // was read already
            return;
        m_info.banners.append({host, text});
        publishInfo();
    });
    connect(&m_link, &ClusterLink::hintArrived, this, [this](const QString& text) {
        m_info.hint = text;
        publishInfo();
    });
    connect(&m_reconnect, &QTimer::timeout, this, &LinkKeeper::reconnect);
    connect(&m_meter, &QTimer::timeout, this, &LinkKeeper::publishInfo);
}

void LinkKeeper::open()
{
    if (m_automatic && m_link.state() == LinkState::Connecting) { // a try of ours may ask nothing: a person's may
        m_wanted = false;
        m_link.close();
    }
    m_wanted = true;
    m_automatic = false;
    m_reconnect.stop();
    // A click says that something has changed; a program that starts knows nothing of the kind.
    if (std::exchange(m_wasOpened, true))
        withPolicy([](ReconnectPolicy& policy) { policy.begin(); });
    m_info.error.reset();
    m_info.waitsForPerson = false;
    m_info.banners.clear();
    m_info.hint.clear();
    m_link.open();
    publishInfo();
}

void LinkKeeper::close()
{
    m_wanted = false;
    m_reconnect.stop();
    m_meter.stop();
    m_link.close();
    m_info.error.reset();
    m_info.waitsForPerson = false;
    m_info.activity.clear();
    publishInfo();
}

void LinkKeeper::setFacts(const ClusterFacts& facts)
{
    m_info.user = facts.user;
    m_info.slurmVersion = facts.slurmVersion;
    if (facts.latencySeconds && !m_info.latencyMs)
        m_info.latencyMs = *facts.latencySeconds * 1000.0;
    // Of several, the design chooses.
    m_info.account = facts.accounts.size() == 1 ? facts.accounts.first() : QString();
    publishInfo();
}

void LinkKeeper::setLineRate(std::optional<double> bytesPerSecond)
{
    m_info.lineBytesPerSecond = bytesPerSecond;
    publishInfo();
}

void LinkKeeper::handlePrompt(const LoginPrompt& prompt)
{
    if (!m_automatic) {
        emit promptRaised(prompt);
        return;
    }
    // A connection that is lost without a person present causes no request of a second factor and no dialog.
    m_link.answer(prompt.id, {});
    const Error before = m_info.error.value_or(Error());
    m_wanted = false;
    m_link.close();
    waitForPerson(needsPerson(before));
    publishInfo();
}

/// Nothing is tried until somebody asks for it.
void LinkKeeper::waitForPerson(const Error& why)
{
    m_wanted = false;
    m_reconnect.stop();
    m_info.activity.clear();
    m_info.waitsForPerson = true;
    m_info.error = why;
}

void LinkKeeper::handleState(LinkState state)
{
    if (state == LinkState::Online)
        handleOnline();
    else if (state == LinkState::Offline || state == LinkState::Lost)
        handleLoss();
    publishInfo();
}

void LinkKeeper::handleOnline()
{
    qCInfo(logApp) << "online:" << m_info.cluster;
    m_wasOnline = true;
    const auto wish = m_automatic ? ReconnectPolicy::Wish::Program : ReconnectPolicy::Wish::Person;
    m_automatic = false;
    withPolicy([this, wish](ReconnectPolicy& policy) { policy.noteLogin(now(), wish); });
    m_info.error.reset();
    m_info.waitsForPerson = false;
    m_info.activity.clear();
    m_meter.start();
}

void LinkKeeper::handleLoss()
{
    if (m_meter.isActive()) // it was up; a failed attempt is not a loss
        withPolicy([this](ReconnectPolicy& policy) { policy.noteLoss(now()); });
    m_meter.stop();
    if (!m_wanted)
        return;
    m_info.error = m_link.lastError();
    // A first attempt that fails is reported at once: most likely something is mistyped.
    if (!m_wasOnline || !m_info.error || (!m_automatic && !worthRetrying(*m_info.error))) {
        m_info.activity.clear();
        return;
    }
    const Error why = *m_info.error;
    if (why.fault == Fault::HostKeyRefused) // its own words say best what to do
        waitForPerson(why);
    else if (m_link.loginTookPerson() || !worthRetrying(why))
        // Another factor, or what a telephone would be asked for, is never begun by the program itself.
        waitForPerson(needsPerson(why));
    else
        waitAndReconnect(why);
}

void LinkKeeper::waitAndReconnect(const Error& why)
{
    const qint64 least = why.fault == Fault::TurnedAway ? ReconnectPolicy::turnedAwayMs : 0;
    std::optional<qint64> delay;
    withPolicy([&](ReconnectPolicy& policy) {
        delay = policy.nextDelayMs(now(), QRandomGenerator::global()->generateDouble(), least);
    });
    if (!delay) {
        waitForPerson(lostTooOften(why));
        return;
    }
    waitFor(*delay);
}

void LinkKeeper::waitFor(qint64 ms)
{
    m_reconnect.start(int(double(std::min(ms, longestMs)) / m_haste));
    m_countdown.start();
    m_info.activity = waitWords();
}

/// What hindered may be gone: the wait is cut short, but for a server that wants to be left alone.
void LinkKeeper::reconnectSooner()
{
    if (!m_reconnect.isActive() || !m_info.error || m_info.error->fault == Fault::TurnedAway
        || now() - m_hastenedAt < hastenEveryMs)
        return;
    m_hastenedAt = now();
    m_reconnect.stop();
    withPolicy([](ReconnectPolicy& policy) { policy.hasten(); });
    waitAndReconnect(Error(*m_info.error));
    publishInfo();
}

void LinkKeeper::noteNetwork(bool hasNetwork)
{
    m_hasNetwork = hasNetwork;
    if (m_link.state() == LinkState::Online) {
        if (hasNetwork) // without one the same line may yet come back, and a login by code is worth the wait
            m_link.probe();
    } else if (hasNetwork) {
        reconnectSooner();
    } else if (m_reconnect.isActive()) {
        m_info.activity = waitWords();
        publishInfo();
    }
}

void LinkKeeper::noteWake()
{
    if (m_haste == 1.0) // the clock stood still meanwhile
        m_base = std::max(m_base, QDateTime::currentMSecsSinceEpoch() - m_clock.elapsed());
    if (m_link.state() == LinkState::Online)
        m_link.probe();
    else
        reconnectSooner();
}

qint64 LinkKeeper::now() const { return m_base + qint64(double(m_clock.elapsed()) * m_haste); }

QString LinkKeeper::waitWords() const
{
    const QString words = inWords(qint64(double(m_reconnect.remainingTime()) * m_haste));
    if (!m_hasNetwork)
        return u"no network here; %1"_s.arg(words);
    if (m_info.error && m_info.error->fault == Fault::TurnedAway)
        return u"refused for now; %1"_s.arg(words);
    return words;
}

void LinkKeeper::withPolicy(const std::function<void(ReconnectPolicy&)>& use)
{
    if (!m_ledger.isKept()) {
        use(m_retry);
        return;
    }
    m_ledger.update([this, &use](ReconnectPolicy::Memory& memory) {
        m_retry.setMemory(memory, now());
        use(m_retry);
        memory = m_retry.memory();
    });
}

void LinkKeeper::reconnect()
{
    if (!m_wanted || m_link.state() == LinkState::Online || m_link.state() == LinkState::Connecting)
        return;
    qint64 held = 0; // another program may have logged in meanwhile
    withPolicy([&](const ReconnectPolicy& policy) { held = policy.heldMs(now()); });
    if (held > 0) {
        waitFor(held);
        publishInfo();
        return;
    }
    m_automatic = true;
    m_info.activity = u"connecting again"_s;
    m_link.open(ClusterLink::Attendance::Nobody);
    publishInfo();
}

void LinkKeeper::publishInfo()
{
    m_info.state = m_link.state();
    m_info.way = m_link.way();
    if (m_info.state != LinkState::Online) {
        m_info.openChannels = 0;
        m_info.bytesPerSecond.reset();
        m_info.commandsPerMinute.reset();
    } else if (const auto traffic = m_link.traffic()) {
        readTraffic(*traffic);
    }
    emit changed(m_info);
}

void LinkKeeper::readTraffic(const LinkTraffic& traffic)
{
    constexpr double seconds = meterMs / 1000.0;
    m_info.openChannels = traffic.openChannels;
    m_info.bytesPerSecond = double(std::max<qint64>(0, traffic.bytesIn - m_lastTraffic.bytesIn)) / seconds;
    if (traffic.roundTripMs)
        m_info.latencyMs = traffic.roundTripMs;
    m_lastTraffic = traffic;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (!m_commandCounts.isEmpty() && m_commandCounts.last().second > traffic.commands)
        m_commandCounts.clear(); // another connection
    m_commandCounts.append({now, traffic.commands});
    while (m_commandCounts.first().first < now - rateMs)
        m_commandCounts.removeFirst();
    m_info.commandsPerMinute = double(traffic.commands - m_commandCounts.first().second);
}

} // namespace rankwright
