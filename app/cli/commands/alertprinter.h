// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands/watchjson.h"

#include <QMap>

namespace rankwright {

/// Reports the changes of a job's alerts as events: what came, what says something else now, what is over. Prints by a
/// WatchJson, which must outlive it.
class AlertPrinter final : public QObject {
    Q_OBJECT
public:
    explicit AlertPrinter(WatchJson& printer, QObject* parent = nullptr) : QObject(parent), m_printer(printer) { }

    void printAlerts(const QList<Alert>& alerts);

private:
    void printAlert(const QString& change, const Alert& alert);

    WatchJson& m_printer;
    QMap<QString, Alert> m_alerts; ///< those that stand, by what and whom they are about
};

} // namespace rankwright
