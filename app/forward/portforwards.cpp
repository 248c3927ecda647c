// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/portforwards.h"

namespace rankwright {

using namespace Qt::StringLiterals;

PortForwards::PortForwards(RemoteShell& shell, QObject* parent) : QObject(parent), m_shell(shell) { }

PortForwards::~PortForwards()
{
    for (const Kept& kept : m_all)
        kept.forward->disconnect(this);
}

Result<quint64> PortForwards::start(const JobRecord& job, const QString& node, int port, int wanted)
{
    const auto step = stepOn(job, node);
    if (!step)
        return fail(step.error());
    for (const Kept& kept : m_all) {
        if (kept.forward->isActive() && kept.forward->step() == *step && kept.forward->port() == port)
            return kept.id;
    }
    auto made = std::make_unique<PortForward>(m_shell, *step, port);
    connect(made.get(), &PortForward::changed, this, &PortForwards::changed);
    if (const auto local = made->start(wanted > 0 ? wanted : port); !local)
        return fail(local.error());
    m_all.push_back({++m_lastId, job.id, std::move(made)});
    emit changed();
    return m_lastId;
}

void PortForwards::stop(quint64 id)
{
    if (PortForward* forward = find(id))
        forward->stop();
}

void PortForwards::removeEnded()
{
    const auto ended = [](const Kept& kept) { return !kept.forward->isActive(); };
    for (Kept& kept : m_all) {
        if (ended(kept))
            kept.forward->disconnect(this);
    }
    for (auto each = m_all.begin(); each != m_all.end();) {
        if (!ended(*each)) {
            ++each;
            continue;
        }
        each->forward.release()->deleteLater(); // we may be inside its signal
        each = m_all.erase(each);
    }
    emit changed();
}

void PortForwards::update(const JobId& job, const std::optional<JobRecord>& record)
{
    QString why;
    if (!record)
        why = u"Job %1 has ended."_s.arg(job);
    else if (record->state != JobState::Running && record->state != JobState::Unknown)
        why = u"Job %1 is no longer running: %2."_s.arg(job, toText(record->state).toLower());
    for (size_t i = 0; i < m_all.size(); ++i) {
        PortForward& forward = *m_all.at(i).forward;
        if (m_all.at(i).job != job || !forward.isActive())
            continue;
        QString its = why;
        if (its.isEmpty() && record && !record->nodeList.isEmpty()
            && !record->nodeList.names().contains(forward.step().node))
            its = u"Job %1 runs on other nodes now."_s.arg(job);
        if (!its.isEmpty())
            forward.stop(its);
    }
}

void PortForwards::update(const QList<JobRecord>& queue)
{
    QStringList jobs;
    for (const Kept& kept : m_all) {
        if (kept.forward->isActive() && !jobs.contains(kept.job))
            jobs.append(kept.job);
    }
    for (const JobId& job : std::as_const(jobs)) {
        const auto found
            = std::find_if(queue.begin(), queue.end(), [&job](const JobRecord& each) { return each.id == job; });
        update(job, found == queue.end() ? std::nullopt : std::optional(*found));
    }
}

void PortForwards::stopAll(const QString& why)
{
    for (size_t i = 0; i < m_all.size(); ++i)
        m_all.at(i).forward->stop(why);
}

QList<PortForwards::Entry> PortForwards::entries() const
{
    QList<Entry> all;
    for (const Kept& kept : m_all)
        all.append({kept.id, kept.job, kept.forward.get()});
    return all;
}

PortForward* PortForwards::find(quint64 id) const
{
    for (const Kept& kept : m_all) {
        if (kept.id == id)
            return kept.forward.get();
    }
    return nullptr;
}

Result<int> portOf(const QString& text)
{
    bool good = false;
    const int port = text.trimmed().toInt(&good);
    if (!good || port < 1 || port > 65535)
        return fail(Fault::Invalid, u"\"%1\" is not a port."_s.arg(text.left(40)), {}, u"Give 1 to 65535."_s);
    return port;
}

} // namespace rankwright
