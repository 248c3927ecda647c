// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/masterfirstlink.h"

namespace rankwright {

MasterFirstLink::MasterFirstLink(std::unique_ptr<MasterLink> master, std::unique_ptr<ClusterLink> own, QObject* parent)
    : ClusterLink(parent), m_master(std::move(master)), m_own(std::move(own)), m_current(m_own.get())
{
    for (ClusterLink* link : {static_cast<ClusterLink*>(m_master.get()), m_own.get()}) {
        connect(link, &RemoteShell::stateChanged, this, [this, link](LinkState state) { handleState(link, state); });
        connect(link, &ClusterLink::promptRaised, this, &ClusterLink::promptRaised);
        connect(link, &ClusterLink::bannerArrived, this, &ClusterLink::bannerArrived);
        connect(link, &ClusterLink::hintArrived, this, &ClusterLink::hintArrived);
    }
}

MasterFirstLink::~MasterFirstLink()
{
    m_master->disconnect(this);
    m_own->disconnect(this);
}

void MasterFirstLink::open(Attendance attendance)
{
    if (m_state != LinkState::Offline && m_state != LinkState::Lost)
        return;
    m_attendance = attendance;
    m_current = m_master.get();
    m_master->open(attendance);
}

void MasterFirstLink::close()
{
    m_closing = true;
    m_current->close();
    m_closing = false;
}

void MasterFirstLink::handleState(const ClusterLink* link, LinkState state)
{
    if (link != m_current)
        return;
    // No master any more, and nothing was begun over it: the other way is opened in its place.
    if (link == m_master.get() && state == LinkState::Offline && m_state == LinkState::Connecting && !m_closing) {
        m_current = m_own.get();
        m_own->open(m_attendance);
        return;
    }
    change(state);
}

void MasterFirstLink::change(LinkState state)
{
    if (state == m_state)
        return;
    m_state = state;
    emit stateChanged(state);
}

} // namespace rankwright
