// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/draftfile.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QSaveFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostWindows = 32;

QString pathOf(const QString& folder, int number)
{
    return QDir(folder).filePath(number == 1 ? u"unsaved-design.json"_s : u"unsaved-design-%1.json"_s.arg(number));
}

/// Counts how often the draft was opened without success.
QString triesOf(const QString& path) { return path + u".tries"_s; }

/// Null: another window has it. A lock whose program is gone does not count.
std::unique_ptr<QLockFile> claim(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(path + u".lock"_s);
    lock->setStaleLockTime(0); // a window may be open for days
    return lock->tryLock() ? std::move(lock) : nullptr;
}

} // namespace

DraftFile::DraftFile(const QString& dataFolder) : m_folder(dataFolder), m_path(pathOf(dataFolder, 1))
{
    claimFirst(true);
}

DraftFile::~DraftFile() = default;

void DraftFile::claimFirst(bool alsoEarlierWork)
{
    std::unique_ptr<QLockFile> taken;
    for (int number = 1; number <= mostWindows; ++number) {
        const QString path = pathOf(m_folder, number);
        const bool left = QFile::exists(path);
        if (left ? !alsoEarlierWork : taken != nullptr)
            continue;
        auto lock = claim(path);
        if (!lock)
            continue;
        taken = std::move(lock);
        m_path = path;
        m_number = number;
        m_earlier = left;
        if (left || !alsoEarlierWork)
            break; // work that somebody misses comes before a free number
    }
    m_lock = std::move(taken);
    if (!m_lock) { // more windows than there are places: a file that no other has, rather than another's
        m_number = mostWindows + 1 + int(QCoreApplication::applicationPid() % 100000);
        m_path = pathOf(m_folder, m_number);
        m_earlier = false;
    }
}

void DraftFile::leaveEarlierWork()
{
    if (!m_earlier)
        return;
    m_lock.reset(); // for the next window
    m_earlier = false;
    claimFirst(false);
}

int DraftFile::othersWaiting() const
{
    int waiting = 0;
    for (int number = 1; number <= mostWindows; ++number) {
        const QString path = pathOf(m_folder, number);
        if (number != m_number && QFile::exists(path) && claim(path))
            ++waiting;
    }
    return waiting;
}

int DraftFile::triesBefore() const
{
    QFile file(triesOf(m_path));
    return file.open(QIODevice::ReadOnly) ? file.read(16).trimmed().toInt() : 0;
}

void DraftFile::countTry() const
{
    const int before = triesBefore();
    QSaveFile file(triesOf(m_path));
    if (file.open(QIODevice::WriteOnly)) {
        file.write(QByteArray::number(before + 1));
        file.commit();
    }
}

void DraftFile::forgetTries() const { QFile::remove(triesOf(m_path)); }

QString DraftFile::setAside() const
{
    const QString when = QDateTime::currentDateTime().toString(u"yyyyMMdd-HHmmss"_s);
    for (int i = 1; i <= 100; ++i) {
        const QString name = i == 1 ? u"kept-design-%1.json"_s.arg(when) : u"kept-design-%1-%2.json"_s.arg(when).arg(i);
        const QString path = QDir(m_folder).filePath(name);
        if (QFile::exists(path))
            continue;
        if (!QFile::rename(m_path, path))
            return {};
        forgetTries();
        return path;
    }
    return {};
}

} // namespace rankwright
