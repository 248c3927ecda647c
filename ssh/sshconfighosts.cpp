// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshconfighosts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int deepestInclude = 16; // as OpenSSH
constexpr qint64 mostBytes = 4 << 20;

QStringList includedFiles(const QString& word)
{
    QString pattern = word;
    if (pattern.startsWith(u"~/"_s))
        pattern = QDir::homePath() + pattern.mid(1);
    else if (!pattern.startsWith(u'/'))
        pattern = QDir::homePath() + u"/.ssh/"_s + pattern; // ssh_config(5), Include
    const QFileInfo info(pattern);
    QStringList files;
    for (const QFileInfo& each : QDir(info.path()).entryInfoList({info.fileName()}, QDir::Files | QDir::Hidden))
        files << each.filePath();
    return files;
}

bool isNamedIn(const QString& path, const QString& name, int depth)
{
    static const QRegularExpression form(
        u"^\\s*(host|include)(?:\\s*=\\s*|\\s+)(.*)$"_s, QRegularExpression::CaseInsensitiveOption);
    QFile file(path);
    if (depth > deepestInclude || !QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray& raw : file.read(mostBytes).split('\n')) {
        const auto match = form.match(QString::fromLocal8Bit(raw));
        if (!match.hasMatch())
            continue;
        const bool isHost = match.captured(1).compare(u"host"_s, Qt::CaseInsensitive) == 0;
        for (QString word : match.captured(2).simplified().split(u' ', Qt::SkipEmptyParts)) {
            word.remove(u'"');
            if (word.startsWith(u'#'))
                break;
            if (isHost && word == name)
                return true;
            if (isHost)
                continue;
            for (const QString& included : includedFiles(word)) {
                if (isNamedIn(included, name, depth + 1))
                    return true;
            }
        }
    }
    return false;
}

} // namespace

bool isConfiguredHost(const QString& name, const QString& configFile)
{
    if (name.isEmpty() || name.startsWith(u'-') || name.contains(u'*') || name.contains(u'?'))
        return false;
    return isNamedIn(configFile.isEmpty() ? QString(QDir::homePath() + u"/.ssh/config"_s) : configFile, name, 0);
}

} // namespace rankwright
