// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshchannels.h"

#include <QString>

#include <algorithm>
#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostRefusals = 3;
constexpr int retryMs = 500;
/// OpenSSH's server frees the place of a closed channel only after it has handled everything that came in one read: a
/// close and an open that arrive together meet the old count.
constexpr int gapMs = 40;
constexpr int limitMs = 30000;
constexpr int roomMs = 15000; ///< OpenSSH keeps the place of a closed session until its process has ended

bool isStream(const ProcessRequest& request) { return request.deadline == 0; }

QString fewAtOnce(int limit)
{
    return limit == 1 ? u"The server allows one command at a time on a connection"_s
                      : u"The server allows %1 commands at a time on a connection"_s.arg(limit);
}

} // namespace

SshChannels::SshChannels(const SshTuning& tuning, News news, Ended ended)
    : m_tuning(tuning), m_news(std::move(news)), m_ended(std::move(ended)), m_limit(tuning.openChannels)
{ }

void SshChannels::start(ProcessRequest request)
{
    if (!request.host.isEmpty()) {
        m_toDial.push_back(std::move(request));
        return;
    }
    // Behind others of its kind: a cancel must not overtake the submit it belongs to.
    const auto rank = [](const ProcessRequest& each) { return each.urgent ? 0 : isStream(each) ? 2 : 1; };
    const auto place = std::find_if(
        m_waiting.begin(), m_waiting.end(), [&](const ProcessRequest& each) { return rank(each) > rank(request); });
    m_waiting.insert(place, std::move(request));
}

ProcessRequest* SshChannels::waiting(quint64 id)
{
    for (auto* requests : {&m_waiting, &m_toDial}) {
        const auto found = std::find_if(
            requests->begin(), requests->end(), [id](const ProcessRequest& each) { return each.id == id; });
        if (found != requests->end())
            return &*found;
    }
    return nullptr;
}

SshChannel* SshChannels::channel(quint64 id)
{
    for (auto* channels : {&m_open, &m_dialled}) {
        if (const auto found = channels->find(id); found != channels->end())
            return found->second.get();
    }
    return nullptr;
}

void SshChannels::write(quint64 id, const QByteArray& input)
{
    if (SshChannel* open = channel(id))
        open->write(input);
    else if (ProcessRequest* request = waiting(id); request && request->keepInputOpen)
        request->input += input;
}

void SshChannels::closeInput(quint64 id)
{
    if (SshChannel* open = channel(id))
        open->closeInput();
    else if (ProcessRequest* request = waiting(id))
        request->keepInputOpen = false;
}

void SshChannels::resize(quint64 id, const TerminalSize& size)
{
    if (SshChannel* open = channel(id))
        open->resize(size);
    else if (ProcessRequest* request = waiting(id); request && request->terminal)
        request->terminal->size = size;
}

void SshChannels::cancel(quint64 id)
{
    if (SshChannel* open = channel(id))
        open->cancel();
    m_since.erase(id);
    for (auto* requests : {&m_waiting, &m_toDial})
        std::erase_if(*requests, [id](const ProcessRequest& each) { return each.id == id; });
}

bool SshChannels::advance(ssh_session session, qint64 now)
{
    expire(now);
    openWaiting(session, now);
    makeRoom(now);
    dial(session);
    bool freed = advanceDialled();
    for (auto each = m_open.begin(); each != m_open.end();) {
        SshChannel& channel = *each->second;
        const bool wasOpen = channel.openedAfter().has_value();
        const SshChannel::Step step = channel.advance();
        if (channel.openedAfter())
            m_lastOpenMs = channel.openedAfter();
        if (!wasOpen && channel.openedAfter())
            m_roomUntil = 0; // the server has taken somebody
        if (channel.consumeNews() && !channel.isCancelled() && channel.request().pipe->announce())
            m_news(channel.request().id);
        const quint64 id = channel.request().id;
        const bool done = handleStep(channel, step, now);
        if (done)
            m_since.erase(id);
        each = done ? m_open.erase(each) : std::next(each);
        freed = freed || done;
    }
    return freed;
}

void SshChannels::dial(ssh_session session)
{
    for (ProcessRequest& request : m_toDial) {
        const quint64 id = request.id;
        m_dialled.emplace(id, std::make_unique<SshChannel>(session, std::move(request)));
    }
    m_toDial.clear();
}

bool SshChannels::advanceDialled()
{
    bool ended = false;
    for (auto each = m_dialled.begin(); each != m_dialled.end();) {
        SshChannel& channel = *each->second;
        const quint64 id = each->first;
        const SshChannel::Step step = channel.advance();
        if (channel.consumeNews() && !channel.isCancelled() && channel.request().pipe->announce())
            m_news(id);
        if (step == SshChannel::Step::Busy) {
            ++each;
            continue;
        }
        if (step == SshChannel::Step::Ended)
            m_ended(id, channel.ending());
        else if (step != SshChannel::Step::Gone)
            m_ended(id, fail(channel.error()));
        each = m_dialled.erase(each);
        ended = true;
    }
    return ended;
}

void SshChannels::openWaiting(ssh_session session, qint64 now)
{
    if (now >= m_limitEnds)
        m_limit = m_tuning.openChannels;
    while (!m_waiting.empty() && now >= m_holdUntil && openCount() < m_limit) {
        ProcessRequest request = std::move(m_waiting.front());
        m_waiting.pop_front();
        const quint64 id = request.id;
        if (isStream(request) && !request.keepsPlace)
            m_since[id] = now;
        m_open.emplace(id, std::make_unique<SshChannel>(session, std::move(request)));
    }
}

std::map<quint64, qint64>::const_iterator SshChannels::longestStream() const
{
    return std::min_element(
        m_since.begin(), m_since.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
}

/// When a stream must make room; an urgent command waits for no turn.
qint64 SshChannels::roomDue() const
{
    if (m_waiting.empty() || !isShort() || openCount() < m_limit || m_since.empty())
        return std::numeric_limits<qint64>::max();
    return qMax(m_roomUntil, m_waiting.front().urgent ? 0 : longestStream()->second + m_tuning.turnMs);
}

/// For what waits where the server takes no more: the stream that had its turn the longest ends.
void SshChannels::makeRoom(qint64 now)
{
    if (now < roomDue())
        return;
    const quint64 id = longestStream()->first;
    m_since.erase(id);
    m_roomUntil = now + roomMs;
    m_open.at(id)->cancel();
    m_ended(id,
        fail(Fault::Cancelled, fewAtOnce(m_limit) + u": samples, output and questions take turns."_s, {},
            u"The job is not affected. The operators can allow more (MaxSessions in sshd_config)."_s));
}

/// As many as the server took before it refused one, so that the second try of a refused one does not meet the limit
/// again. For a while only: processes that outlive their channel take places, too.
void SshChannels::learnLimit(qint64 now)
{
    const auto accepted = std::count_if(
        m_open.begin(), m_open.end(), [](const auto& each) { return each.second->openedAfter().has_value(); });
    m_limit = qBound(1, static_cast<int>(accepted), m_tuning.openChannels);
    if (m_limit == 1) { // then no stream keeps a place for itself
        for (const auto& [id, channel] : m_open) {
            if (channel->request().keepsPlace)
                m_since[id] = now;
        }
    }
    m_limitEnds = now + limitMs;
    m_holdUntil = now + retryMs;
}

bool SshChannels::handleStep(SshChannel& channel, SshChannel::Step step, qint64 now)
{
    const quint64 id = channel.request().id;
    switch (step) {
    case SshChannel::Step::Busy: return false;
    case SshChannel::Step::Refused:
        learnLimit(now);
        if (now >= m_roomUntil && channel.request().refusals + 1 >= mostRefusals) {
            m_ended(id, fail(channel.error()));
        } else {
            ProcessRequest again = channel.takeBack();
            if (now < m_roomUntil)
                --again.refusals;
            m_waiting.push_front(std::move(again));
        }
        return true;
    case SshChannel::Step::Ended: m_ended(id, channel.ending()); break;
    case SshChannel::Step::Failed: m_ended(id, fail(channel.error())); break;
    case SshChannel::Step::Gone: break;
    }
    m_holdUntil = m_limit < m_tuning.openChannels ? now + gapMs : 0;
    return true;
}

void SshChannels::expire(qint64 now)
{
    const auto late = [this](const ProcessRequest& request, bool waited) {
        m_ended(request.id,
            fail(Fault::TimedOut,
                waited ? u"The command waited too long for its turn."_s : u"The command did not end in time."_s,
                waited && isShort() ? fewAtOnce(m_limit) : QString(),
                u"The cluster may be slow just now; try again."_s));
    };
    for (auto each = m_waiting.begin(); each != m_waiting.end();) {
        if (each->deadline == 0 || each->deadline > now) {
            ++each;
            continue;
        }
        late(*each, true);
        each = m_waiting.erase(each);
    }
    for (const auto& [id, channel] : m_open) {
        const qint64 deadline = channel->request().deadline;
        if (deadline == 0 || deadline > now || channel->isCancelled())
            continue;
        channel->cancel();
        late(channel->request(), false);
    }
}

qint64 SshChannels::due() const
{
    qint64 nearest = std::numeric_limits<qint64>::max();
    if (!m_waiting.empty() && m_holdUntil != 0 && openCount() < m_limit)
        nearest = m_holdUntil;
    nearest = qMin(nearest, roomDue());
    for (const ProcessRequest& request : m_waiting) {
        if (request.deadline != 0)
            nearest = qMin(nearest, request.deadline);
    }
    for (const auto& [id, channel] : m_open) {
        if (channel->request().deadline != 0 && !channel->isCancelled())
            nearest = qMin(nearest, channel->request().deadline);
    }
    return nearest;
}

void SshChannels::abandon()
{
    m_open.clear();
    m_dialled.clear();
    m_toDial.clear();
    m_since.clear();
    m_waiting.clear();
}

} // namespace rankwright
