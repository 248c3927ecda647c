// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline cluster {

/// A web service that a job's output says runs on one of its nodes.
struct FoundService {
    QString name; ///< "TensorBoard", "Jupyter"; empty: an address alone
    QString node; ///< of the job; empty: the address does not say which
    int port = 0;
    QString path; ///< behind the port, with a slash, without what is secret
    QString token; ///< of Jupyter; a secret: never shown, kept in memory only
    bool isSecure = false; ///< https
    bool operator==(const FoundService&) const = default;
};

/// Reads addresses of services from a job's output, line by line: those with a port, on the machine itself
/// ("localhost", "0.0.0.0"), on a node of the job or on a private address. The newest of each port stays, at most 16.
class ServiceFinder {
public:
    void setNodes(const QStringList& nodes) { m_nodes = nodes; }
    /// True: it brought something new.
    bool read(const QString& line);
    const QList<FoundService>& services() const { return m_found; }
    void clear() { m_found.clear(); }

private:
    std::optional<FoundService> serviceOf(const QString& line, qsizetype from) const;

    QStringList m_nodes;
    QList<FoundService> m_found;
    QString m_before; ///< the line before: Jupyter puts addresses on lines of their own
    QString m_lastName; ///< of the addresses of the lines before
};

/// The lines of a job's output that may speak of services, from its beginning and its end.
RemoteCommand serviceQuestion(const QString& outputPath);

/// "http://127.0.0.1:PORT/path": what a browser here is given.
QString localAddress(const FoundService& service, int localPort);
/// The same with the service's token, if it has one: for the clipboard.
QString localAddressWithToken(const FoundService& service, int localPort);

} // namespace rankwright::inline cluster
