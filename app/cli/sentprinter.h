// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/sentlog.h"

#include <QTextStream>

namespace rankwright {

/// --show-commands: each command that is sent to a cluster, a line when it begins and one when it has ended, with the
/// secrets that are known as such left out. `err` must outlive it.
class SentPrinter final : public QObject {
    Q_OBJECT
public:
    explicit SentPrinter(QTextStream& err, QObject* parent = nullptr);
    SentLog& log() { return m_log; }

private:
    void print(const QString& line);

    QTextStream& m_err;
    SentLog m_log;
};

} // namespace rankwright
