// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/alertprinter.h"

#include "models/insight/alerts/alertjson.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QString nameOf(const Alert& alert)
{
    QString name = alert.rule.text() + u' ' + alert.kind + u' ' + alert.nodes.join(u',');
    if (alert.rank)
        name += u' ' + QString::number(*alert.rank);
    else if (!alert.gpus.isEmpty())
        name += u" %1.%2"_s.arg(alert.gpus.first().node).arg(alert.gpus.first().gpu);
    return name;
}

bool saysTheSame(const Alert& one, const Alert& two)
{
    return one.level == two.level && one.title == two.title && one.gpus == two.gpus && one.advice == two.advice;
}

} // namespace

void AlertPrinter::printAlert(const QString& change, const Alert& alert)
{
    QJsonObject fields = alertJson(alert);
    fields.insert(u"change"_s, change);
    m_printer.printEvent(u"alert"_s, fields);
}

void AlertPrinter::printAlerts(const QList<Alert>& alerts)
{
    QMap<QString, Alert> now;
    for (const Alert& alert : alerts) {
        const auto before = m_alerts.constFind(nameOf(alert));
        if (before == m_alerts.constEnd())
            printAlert(u"raised"_s, alert);
        else if (!saysTheSame(*before, alert))
            printAlert(u"changed"_s, alert);
        now.insert(nameOf(alert), alert);
    }
    for (auto old = m_alerts.constBegin(); old != m_alerts.constEnd(); ++old) {
        if (!now.contains(old.key()))
            printAlert(u"cleared"_s, *old);
    }
    m_alerts = now;
}

} // namespace rankwright
