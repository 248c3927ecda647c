// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/reconnectpolicy.h"

#include <QString>

#include <functional>

namespace rankwright {

/// A ReconnectPolicy's memory of one host on disk: a small file in the data folder, so that neither a restart nor a
/// second program begins the waits again. Holds the host's name and times, nothing secret. A file that is missing,
/// broken or cannot be locked is an empty memory: then each program counts for itself. Times in ms since 1970, UTC.
class ReconnectLedger {
public:
    /// Keeps nothing.
    ReconnectLedger() = default;
    /// `dataFolder` exists; `host` as it is logged in to, "login.example.org:22" for example.
    ReconnectLedger(const QString& dataFolder, const QString& host);

    bool isKept() const { return !m_path.isEmpty(); }
    const QString& path() const { return m_path; }
    ReconnectPolicy::Memory read() const;
    /// Reads, lets `change` write into it, writes it back as a whole; no other process writes in between.
    void update(const std::function<void(ReconnectPolicy::Memory&)>& change) const;

private:
    void write(const ReconnectPolicy::Memory& memory) const;

    QString m_path;
    QString m_host;
};

} // namespace rankwright
