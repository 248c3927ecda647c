// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshroute.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

SshRoute::SshRoute(const SshEndpoint& endpoint, ssh_event event, const SshTuning& tuning,
    ClusterLink::Attendance attendance, HintSink hint)
    : m_endpoints(endpoint.jumps), m_event(event), m_tuning(tuning), m_attendance(attendance), m_hint(std::move(hint))
{
    m_endpoints << endpoint;
    m_hops.push_back(std::make_unique<SshHop>(m_endpoints.first(), event, tuning, attendance, m_hint));
}

SshRoute::~SshRoute()
{
    while (!m_hops.empty()) {
        if (m_bridges.size() == m_hops.size()) // its hop was not begun, or has just gone
            m_bridges.pop_back();
        m_hops.pop_back();
    }
}

bool SshRoute::advanceBridges()
{
    for (std::size_t i = 0; i < m_bridges.size(); ++i) {
        if (m_bridges[i]->advance() != SshBridge::Step::Failed)
            continue;
        const auto hop = static_cast<qsizetype>(i);
        m_error = {Fault::Offline,
            u"The jump host %1 cannot reach %2."_s.arg(m_endpoints[hop].host, m_endpoints[hop + 1].host),
            m_bridges[i]->failure(), u"Check the name as the jump host knows it."_s};
        return false;
    }
    return true;
}

/// What is behind a jump host that is gone would wait for answers that cannot come.
bool SshRoute::areJumpsAlive()
{
    for (std::size_t i = 0; i < m_bridges.size(); ++i) {
        if (m_hops[i]->isAlive())
            continue;
        m_error = {Fault::Offline, u"The connection to the jump host %1 was lost."_s.arg(m_hops[i]->endpoint().host),
            libraryText(m_hops[i]->session()), u"Connect again."_s};
        return false;
    }
    return true;
}

SshHop::Step SshRoute::advance(qint64 now)
{
    while (true) {
        if (!areJumpsAlive() || !advanceBridges())
            return SshHop::Step::Failed;
        if (m_bridges.size() == m_hops.size()) { // the last bridge still waits for its hop
            if (!m_bridges.back()->isOpen())
                return SshHop::Step::Busy;
            m_hops.push_back(std::make_unique<SshHop>(
                m_endpoints[static_cast<qsizetype>(m_hops.size())], m_event, m_tuning, m_attendance, m_hint));
            current().startOver(m_bridges.back()->takeFarEnd());
        }
        const SshHop::Step step = current().advance(now);
        if (step == SshHop::Step::Failed) {
            m_error = isComplete() ? current().error()
                                   : current().error().within(u"Jump host %1"_s.arg(current().endpoint().host));
            return step;
        }
        if (step != SshHop::Step::Online || isComplete())
            return step;
        const SshEndpoint& next = m_endpoints[static_cast<qsizetype>(m_hops.size())];
        m_bridges.push_back(std::make_unique<SshBridge>(current().session(), m_event, next.host, next.port));
    }
}

std::optional<std::pair<QString, QString>> SshRoute::takeBanner()
{
    for (const auto& hop : m_hops) {
        if (const QString banner = hop->takeBanner(); !banner.isEmpty())
            return std::pair(hop->endpoint().label(), banner);
    }
    return std::nullopt;
}

bool SshRoute::tookPerson() const
{
    return std::any_of(m_hops.cbegin(), m_hops.cend(), [](const auto& hop) { return hop->tookPerson(); });
}

qint64 SshRoute::due() const { return current().due(); }

std::optional<Error> SshRoute::broken() const
{
    for (const auto& hop : m_hops) {
        if (hop->isAlive())
            continue;
        return Error{Fault::Offline, u"The connection to %1 was lost."_s.arg(hop->endpoint().host),
            libraryText(hop->session()), u"Connect again."_s};
    }
    return std::nullopt;
}

quint64 SshRoute::pulse() const
{
    quint64 sum = 0;
    for (const auto& hop : m_hops)
        sum += hop->pulse();
    return sum;
}

} // namespace rankwright
