// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/reconnectledger.h"

#include "models/core/jsonreader.h"
#include "models/core/logging.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QSaveFile>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int version = 1;
constexpr qint64 largestFile = 64 * 1024;
constexpr qsizetype mostTimes = 4 * ReconnectPolicy::mostADay;
constexpr int lockMs = 200; // its holder writes some hundred bytes

} // namespace

ReconnectLedger::ReconnectLedger(const QString& dataFolder, const QString& host) : m_host(host)
{
    // Host names of configuration files may hold anything; the file's name must not.
    const QByteArray hash = QCryptographicHash::hash(host.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    m_path = u"%1/reconnects/%2.json"_s.arg(dataFolder, QString::fromLatin1(hash));
}

ReconnectPolicy::Memory ReconnectLedger::read() const
{
    ReconnectPolicy::Memory memory;
    QFile file(m_path);
    if (!isKept() || !QFileInfo(m_path).isFile() || !file.open(QIODevice::ReadOnly) || file.size() > largestFile)
        return memory;
    const Result<QJsonObject> read = parseJsonObject(file.readAll(), m_path);
    const QJsonObject json = read ? *read : QJsonObject(); // one that cannot be read remembers nothing
    if (json.value("version"_L1).toInt() != version)
        return memory;
    const QJsonArray times = json.value("logins"_L1).toArray();
    for (const QJsonValue& time : times) {
        if (const qint64 at = time.toInteger(); at > 0 && memory.logins.size() < mostTimes)
            memory.logins.append(at);
    }
    std::sort(memory.logins.begin(), memory.logins.end());
    memory.failures = std::max(0, json.value("failures"_L1).toInt());
    memory.failedAt = std::max<qint64>(0, json.value("failedAt"_L1).toInteger());
    return memory;
}

void ReconnectLedger::update(const std::function<void(ReconnectPolicy::Memory&)>& change) const
{
    ReconnectPolicy::Memory memory;
    if (!isKept()) {
        change(memory);
        return;
    }
    QDir().mkpath(QFileInfo(m_path).path());
    QLockFile lock(m_path + u".lock"_s);
    lock.setStaleLockTime(5000);
    const bool locked = lock.tryLock(lockMs);
    memory = read();
    const ReconnectPolicy::Memory before = memory;
    change(memory);
    if (locked && memory != before)
        write(memory);
    else if (!locked)
        qCInfo(logApp) << "tries to connect are not noted:" << m_path << "is locked or cannot be written";
}

void ReconnectLedger::write(const ReconnectPolicy::Memory& memory) const
{
    QJsonArray times;
    for (const qint64 at : memory.logins)
        times.append(at);
    const QJsonObject json{{u"version"_s, version}, {u"host"_s, m_host}, {u"logins"_s, times},
        {u"failures"_s, memory.failures}, {u"failedAt"_s, memory.failedAt}};
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly)) {
        qCInfo(logApp) << "tries to connect are not noted:" << file.errorString();
        return;
    }
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(QJsonDocument(json).toJson(QJsonDocument::Compact));
    if (!file.commit())
        qCInfo(logApp) << "tries to connect are not noted:" << file.errorString();
}

} // namespace rankwright
