// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/mux/muxguest.h"

#include <QList>

namespace rankwright {

/// Lets OpenSSH's programs use a connection of ours: a control socket (ssh_config(5), ControlPath) that speaks as a
/// ControlMaster does, so that `ssh`, `scp`, `sftp` and `rsync` need no login of their own. The socket has mode 0600 in
/// a folder that only its owner may change; other users are not served. Lives on the GUI thread; `link` must outlive
/// it.
class MuxServer final : public QObject {
    Q_OBJECT
public:
    explicit MuxServer(ClusterLink& link, QObject* parent = nullptr);
    ~MuxServer() override;

    /// Whether a socket could be made there. Fault::Invalid: the path is none for a socket, its folder may be changed
    /// by others, something else stands there, or a connection is shared there already. A socket without a listener
    /// does not count.
    static Result<void> check(const QString& path);
    /// As check(); a socket without a listener is replaced.
    Result<void> listen(const QString& path);
    qsizetype guests() const { return m_guests.size(); }
    /// The size of a terminal has changed, of whichever guest.
    void updateSizes();

signals:
    void exitAsked();
    void guestsChanged();

private:
    void accept();

    ClusterLink& m_link;
    QString m_path;
    Descriptor m_socket;
    std::unique_ptr<QSocketNotifier> m_arriving;
    QList<MuxGuest*> m_guests;
};

} // namespace rankwright
