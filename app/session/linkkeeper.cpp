// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/linkkeeper.h"

#include "models/core/logging.h"
#include "models/slurm/jobrecord.h"

#include <QDateTime>
#include <QRandomGenerator>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int meterMs = 2000;
constexpr qint64 rateMs = 60000; // commands come in bursts: only a whole minute gives a rate

QString waitWords(qint64 ms)
{
    return ms <= 120'000 ? u"connecting again in %1 s"_s.arg(std::max<qint64>(1, (ms + 999) / 1000))
                         : u"connecting again in %1 min"_s.arg((ms + 59'999) / 60'000);
}

} // namespace

LinkKeeper::LinkKeeper(
    ClusterLink& link, const QString& cluster, const QString& title, RetryPolicy retry, QObject* parent)
    : QObject(parent), m_link(link), m_retry(retry)
{
    m_info.cluster = cluster;
    m_info.title = title;
    m_clock.start();
    m_reconnect.setSingleShot(true);
    m_meter.setInterval(meterMs);
    m_countdown.setInterval(1000);
    connect(&m_countdown, &QTimer::timeout, this, [this] {
        if (!m_reconnect.isActive()) {
            m_countdown.stop();
            return;
        }
        m_info.activity = waitWords(m_reconnect.remainingTime());
        report();
    });
    connect(&m_link, &RemoteShell::stateChanged, this, &LinkKeeper::handleState);
    connect(&m_link, &ClusterLink::promptRaised, this, &LinkKeeper::handlePrompt);
    connect(&m_link, &ClusterLink::bannerArrived, this, [this](const QString& host, const QString& text) {
        if (m_automatic) // was read already
            return;
        m_info.banners.append({host, text});
        report();
    });
    connect(&m_reconnect, &QTimer::timeout, this, &LinkKeeper::reconnect);
    connect(&m_meter, &QTimer::timeout, this, &LinkKeeper::report);
}

void LinkKeeper::open()
{
    m_wanted = true;
    m_automatic = false;
    m_reconnect.stop();
    m_retry.begin();
    m_info.error.reset();
    m_info.waitsForPerson = false;
    m_info.banners.clear();
    m_link.open();
    report();
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
    report();
}

void LinkKeeper::setFacts(const ClusterFacts& facts)
{
    m_info.user = facts.user;
    m_info.slurmVersion = facts.slurmVersion;
    if (facts.latencySeconds && !m_info.latencyMs)
        m_info.latencyMs = *facts.latencySeconds * 1000.0;
    // Of several, the design chooses.
    m_info.account = facts.accounts.size() == 1 ? facts.accounts.first() : QString();
    report();
}

void LinkKeeper::setLineRate(std::optional<double> bytesPerSecond)
{
    m_info.lineBytesPerSecond = bytesPerSecond;
    report();
}

void LinkKeeper::handlePrompt(const LoginPrompt& prompt)
{
    if (!m_automatic) {
        emit promptRaised(prompt);
        return;
    }
    // No second factor fires, and no dialog pops up, because of a connection that was lost while nobody looked.
    m_link.answer(prompt.id, {});
    const Error before = m_info.error.value_or(Error());
    m_wanted = false;
    m_link.close();
    waitForPerson(before);
    report();
}

/// Nothing is tried until somebody asks for it.
void LinkKeeper::waitForPerson(const Error& why)
{
    m_wanted = false;
    m_reconnect.stop();
    m_info.activity.clear();
    m_info.waitsForPerson = true;
    m_info.error = Error{Fault::LoginRefused, u"The connection was lost, and logging in again needs you."_s, why.what,
        u"Connect again."_s};
}

void LinkKeeper::handleState(LinkState state)
{
    if (state == LinkState::Online)
        handleOnline();
    else if (state == LinkState::Offline || state == LinkState::Lost)
        handleLoss();
    report();
}

void LinkKeeper::handleOnline()
{
    qCInfo(logApp) << "online:" << m_info.cluster;
    m_wasOnline = true;
    m_automatic = false;
    m_retry.noteLogin(m_clock.elapsed());
    m_info.error.reset();
    m_info.waitsForPerson = false;
    m_info.activity.clear();
    m_meter.start();
}

void LinkKeeper::handleLoss()
{
    if (m_meter.isActive()) // it was up; a try that failed is no loss
        m_retry.noteLoss(m_clock.elapsed());
    m_meter.stop();
    if (!m_wanted)
        return;
    m_info.error = m_link.lastError();
    // A first attempt that fails is reported at once: most likely something is mistyped.
    if (!m_wasOnline || !m_info.error || (!m_automatic && !worthRetrying(*m_info.error))) {
        m_info.activity.clear();
        return;
    }
    const auto delay = m_retry.nextDelayMs(m_clock.elapsed(), QRandomGenerator::global()->generateDouble());
    // Another factor, or what a telephone would be asked for, is never begun by the program itself.
    if (m_link.loginTookPerson() || !delay || !worthRetrying(*m_info.error)) {
        waitForPerson(*m_info.error);
        return;
    }
    m_info.activity = waitWords(*delay);
    m_reconnect.start(int(*delay));
    m_countdown.start();
}

void LinkKeeper::reconnect()
{
    if (!m_wanted || m_link.state() == LinkState::Online || m_link.state() == LinkState::Connecting)
        return;
    m_automatic = true;
    m_info.activity = u"connecting again"_s;
    m_link.open(ClusterLink::Attendance::Nobody);
    report();
}

void LinkKeeper::report()
{
    m_info.state = m_link.state();
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
