// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <memory>

class QLockFile;

namespace rankwright {

/// The file in the data folder that one window keeps its unsaved work in. It is this window's as long as the object
/// lives: several windows on one data folder have a file each, and what a window left behind that ended without
/// clearing up goes to the next one that starts.
class DraftFile final {
public:
    explicit DraftFile(const QString& dataFolder);
    ~DraftFile();
    DraftFile(const DraftFile&) = delete;
    DraftFile& operator=(const DraftFile&) = delete;

    const QString& path() const { return m_path; }
    /// 1 for the first window; what belongs to the draft elsewhere is kept by it.
    int number() const { return m_number; }

private:
    QString m_path;
    int m_number = 1;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace rankwright
