// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/draftfile.h"

#include <QDir>
#include <QFile>
#include <QLockFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostWindows = 32;

QString pathOf(const QString& folder, int number)
{
    return QDir(folder).filePath(number == 1 ? u"unsaved-design.json"_s : u"unsaved-design-%1.json"_s.arg(number));
}

/// Null: another window has it. A lock whose program is gone does not count.
std::unique_ptr<QLockFile> claim(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(path + u".lock"_s);
    lock->setStaleLockTime(0); // a window may be open for days
    return lock->tryLock() ? std::move(lock) : nullptr;
}

} // namespace

DraftFile::DraftFile(const QString& dataFolder) : m_path(pathOf(dataFolder, 1))
{
    for (int number = 1; number <= mostWindows; ++number) {
        const QString path = pathOf(dataFolder, number);
        const bool left = QFile::exists(path);
        if (m_lock && !left)
            continue;
        auto lock = claim(path);
        if (!lock)
            continue;
        m_lock = std::move(lock);
        m_path = path;
        m_number = number;
        if (left)
            return; // work that somebody misses comes before a free number
    }
}

DraftFile::~DraftFile() = default;

} // namespace rankwright
