// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/alertprinter.h"

#include "app/cli/clioutput.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QString levelText(Alert::Level level)
{
    switch (level) {
    case Alert::Level::Normal: return u"normal"_s;
    case Alert::Level::Hint: return u"hint"_s;
    case Alert::Level::Warning: return u"warning"_s;
    case Alert::Level::Failure: break;
    }
    return u"failure"_s;
}

QString nameOf(const Alert& alert)
{
    QString name = alert.rule + u' ' + alert.kind + u' ' + alert.nodes.join(u',');
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
    QJsonArray gpus;
    for (const GpuAddress gpu : alert.gpus)
        gpus.append(QJsonObject{{u"row"_s, gpu.node}, {u"index"_s, gpu.gpu}});
    const QJsonValue since = alert.sinceMs > 0
        ? QJsonValue(QDateTime::fromMSecsSinceEpoch(alert.sinceMs, Qt::UTC).toString(Qt::ISODateWithMs))
        : QJsonValue();
    m_printer.printEvent(u"alert"_s,
        {{u"change"_s, change}, {u"kind"_s, alert.kind}, {u"rule"_s, alert.rule}, {u"level"_s, levelText(alert.level)},
            {u"title"_s, alert.title}, {u"seen"_s, alert.seen}, {u"since"_s, since}, {u"meaning"_s, alert.meaning},
            {u"advice"_s, alert.advice}, {u"field"_s, orNull(alert.field)}, {u"source"_s, alert.source},
            {u"rank"_s, orNull(alert.rank)}, {u"nodes"_s, QJsonArray::fromStringList(alert.nodes)}, {u"gpus"_s, gpus}});
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
