// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <memory>

class QLockFile;

namespace rankwright {

/// The file in the data folder that one window keeps its unsaved work in. It is this window's as long as the object
/// lives: several windows on one data folder have a file each, and what a window left behind that ended without
/// clearing up goes to the next one that starts. Remembers how often that was tried: work that brings the program down
/// must not be opened for ever.
class DraftFile final {
public:
    explicit DraftFile(const QString& dataFolder);
    ~DraftFile();
    DraftFile(const DraftFile&) = delete;
    DraftFile& operator=(const DraftFile&) = delete;

    const QString& path() const { return m_path; }
    /// 1 for the first window; what belongs to the draft elsewhere is kept by it.
    int number() const { return m_number; }

    /// It holds unsaved work of an earlier window that no window has adopted yet.
    bool holdsEarlierWork() const { return m_earlier; }
    /// The earlier work is this window's from now on.
    void adopt() { m_earlier = false; }
    /// Leaves the earlier work to the next window, and takes a file of its own.
    void leaveEarlierWork();
    /// Work of other windows that ended without clearing up, and that no window has.
    int othersWaiting() const;

    /// How often the earlier work was opened by a program that then ended abruptly.
    int triesBefore() const;
    /// To be called before it is opened once more.
    void countTry() const;
    /// The program got on with it.
    void forgetTries() const;
    /// Moves the file out of the way, under a name with the time. Empty: it could not be moved.
    QString setAside() const;

private:
    void claimFirst(bool alsoEarlierWork);

    QString m_folder;
    QString m_path;
    int m_number = 1;
    bool m_earlier = false;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace rankwright
