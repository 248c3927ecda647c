// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/clusternames.h"

#include "models/cluster/slurm/slurmparsers.h"
#include "models/cluster/slurm/slurmtext.h"

#include <QRegularExpression>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostNames = 5000; // a large module tree; a longer list helps no reader

QString namesSection(const QString& name) { return u"printf '\\035%s\\n' "_s + name + u"; "_s; }

QStringList plainNames(const QByteArray& text, const QString& separators)
{
    static const QRegularExpression form(uR"(^[\w][\w.+@/:=-]*\z)"_s);
    QStringList names;
    QString line = QString::fromUtf8(text);
    for (const QChar separator : separators)
        line.replace(separator, u'\n');
    for (const QString& part : line.split(u'\n', Qt::SkipEmptyParts)) {
        const QString name = slurmCell(part.trimmed().toUtf8());
        if (form.match(name).hasMatch() && names.size() < mostNames)
            names.append(name);
    }
    names.removeDuplicates();
    return names;
}

/// "NAME=value" of scontrol's one-line form.
QString reported(const QString& line, const QString& key)
{
    const QRegularExpression form(u"(?:^| )"_s + key + u"=(\\S*)"_s);
    return slurmCell(form.match(line).captured(1).toUtf8());
}

ClusterNames::Reservation reservationOf(const QString& line)
{
    ClusterNames::Reservation reservation{reported(line, u"ReservationName"_s), {}};
    QStringList parts;
    for (const QString& key : {u"State"_s, u"Users"_s, u"Accounts"_s, u"EndTime"_s}) {
        const QString value = reported(line, key);
        if (!value.isEmpty())
            parts.append(
                key == u"State" ? value.toLower() : key.toLower().replace(u"endtime"_s, u"until"_s) + u' ' + value);
    }
    reservation.note = parts.join(u", "_s).left(200);
    return reservation;
}

} // namespace

RemoteCommand namesCommand()
{
    QString line = u"export LC_ALL=C TZ=UTC0 SLURM_TIME_FORMAT=standard; "_s;
    line += namesSection(u"features"_s) + u"sinfo -a -h -o %f 2>/dev/null; "_s;
    // One accounting serves many clusters: of the associations only those of this one.
    line += namesSection(u"qos"_s)
        + u"c=$(scontrol show config 2>/dev/null | sed -n 's/^ClusterName *= *//p'); "
          u"sacctmgr -nP show assoc user=\"$(id -un)\" ${c:+cluster=\"$c\"} format=qos 2>/dev/null; "_s;
    line += namesSection(u"reservations"_s) + u"scontrol -o show reservation 2>/dev/null; "_s;
    // Modules come with the login shell of a site; a slow file system must not hold us.
    line += namesSection(u"modules"_s)
        + u"timeout 15 bash -lc 'module -t avail 2>&1 || true' </dev/null 2>/dev/null | head -n 5000; exit 0"_s;
    return RemoteCommand::shell(line).withPurpose(u"Asks for names to complete scripts with: features, QoS, modules"_s);
}

ClusterNames parseNames(const QByteArray& answer)
{
    const auto sections = splitSections(answer);
    ClusterNames names;
    names.features = plainNames(sections.value(u"features"_s), u","_s);
    names.qos = plainNames(sections.value(u"qos"_s), u",|"_s);
    for (const QByteArray& row : sections.value(u"reservations"_s).split('\n')) {
        const auto reservation = reservationOf(QString::fromUtf8(row));
        if (!reservation.name.isEmpty())
            names.reservations.append(reservation);
    }
    // "/path:" heads a folder, "name/1.2(default)" and "name/" mark defaults and groups.
    static const QRegularExpression mark(uR"(\((?:default|D|L|[A-Z])\)|@$)"_s);
    for (const QByteArray& row : sections.value(u"modules"_s).split('\n')) {
        const QString line = QString::fromUtf8(row).trimmed().remove(mark);
        if (!line.startsWith(u'/') && !line.endsWith(u':') && !line.endsWith(u'/') && !line.contains(u' '))
            names.modules += plainNames(line.toUtf8(), {});
    }
    names.modules.removeDuplicates();
    return names;
}

} // namespace rankwright::inline cluster
