// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/controlpath.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSysInfo>

#include <optional>

#include <unistd.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString connectionHash(const ControlPathNames& names)
{
    const QString text = QSysInfo::machineHostName() + names.host + QString::number(names.port) + names.user;
    return QString::fromLatin1(QCryptographicHash::hash(text.toLocal8Bit(), QCryptographicHash::Sha1).toHex());
}

/// Empty: a token that is not known here.
std::optional<QString> valueOf(QChar token, const ControlPathNames& names)
{
    switch (token.unicode()) {
    case '%': return u"%"_s;
    case 'C': return connectionHash(names);
    case 'd': return QDir::homePath();
    case 'h': return names.host;
    case 'i': return QString::number(::getuid());
    case 'j': return names.jumps;
    case 'k': return names.alias.isEmpty() ? names.typed : names.alias;
    case 'L': return QSysInfo::machineHostName().section(u'.', 0, 0);
    case 'l': return QSysInfo::machineHostName();
    case 'n': return names.typed;
    case 'p': return QString::number(names.port);
    case 'r': return names.user;
    case 'u': {
        const QString user = qEnvironmentVariable("USER");
        return user.isEmpty() ? qEnvironmentVariable("LOGNAME") : user;
    }
    default: return std::nullopt;
    }
}

} // namespace

QString expandControlPath(const QString& printed, const ControlPathNames& names)
{
    static const QRegularExpression token(u"%(.?)|\\$\\{([^}]*)\\}"_s);
    const QString path = printed.startsWith(u"~/"_s) ? QString(QDir::homePath() + printed.mid(1)) : printed;
    if (path.isEmpty() || QFileInfo::exists(path))
        return path;
    QString expanded;
    qsizetype at = 0;
    for (auto each = token.globalMatch(path); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        expanded += path.mid(at, match.capturedStart() - at);
        at = match.capturedEnd();
        const QByteArray variable = match.captured(2).toLocal8Bit();
        std::optional<QString> value;
        if (!variable.isEmpty() && qEnvironmentVariableIsSet(variable.constData()))
            value = qEnvironmentVariable(variable.constData());
        else if (!match.captured(1).isEmpty())
            value = valueOf(match.captured(1).at(0), names);
        if (!value)
            return {};
        expanded += *value;
    }
    return expanded + path.mid(at);
}

} // namespace rankwright
