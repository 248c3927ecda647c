// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/mux/masterlink.h"

namespace rankwright {

/// A ClusterLink that is opened over the user's own ssh connection where that lives, and else as another link; looked
/// at again each time that it is opened. Commands stay with the connection that they were begun on: none is sent again
/// over the other one. Lives on the GUI thread.
class MasterFirstLink final : public ClusterLink {
    Q_OBJECT
public:
    MasterFirstLink(std::unique_ptr<MasterLink> master, std::unique_ptr<ClusterLink> own, QObject* parent = nullptr);
    ~MasterFirstLink() override;

    LinkState state() const override { return m_state; }
    std::optional<Error> lastError() const override { return m_current->lastError(); }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override { return m_current->start(command); }
    std::unique_ptr<RemoteProcess> launchDial(const QString& host, int port) override
    {
        return m_current->dial(host, port);
    }

    using ClusterLink::open;
    void open(Attendance attendance) override;
    bool loginTookPerson() const override { return m_current->loginTookPerson(); }
    void close() override;
    void probe() override { m_current->probe(); }
    void answer(quint64 promptId, const PromptAnswer& answer) override { m_current->answer(promptId, answer); }
    std::optional<LinkTraffic> traffic() const override { return m_current->traffic(); }
    QString way() const override { return m_current->way(); }

private:
    void handleState(const ClusterLink* link, LinkState state);
    void change(LinkState state);

    std::unique_ptr<MasterLink> m_master;
    std::unique_ptr<ClusterLink> m_own;
    ClusterLink* m_current; ///< one of the two
    Attendance m_attendance = Attendance::Person;
    LinkState m_state = LinkState::Offline;
    bool m_closing = false;
};

} // namespace rankwright
