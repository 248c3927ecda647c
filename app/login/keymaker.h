// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/login/keyfile.h"
#include "models/core/error.h"
#include "models/core/secret.h"

#include <QPointer>
#include <QProcess>

#include <memory>

namespace rankwright {

/// Makes an ed25519 key with a passphrase by ssh-keygen. The passphrase goes through the program's standard input: it
/// is on no command line, in no environment and in no file. Nothing that exists is overwritten. Lives on the GUI
/// thread.
class KeyMaker final : public QObject {
    Q_OBJECT
public:
    explicit KeyMaker(QObject* parent = nullptr);
    ~KeyMaker() override;

    /// The keys of the usual names in ~/.ssh, and one file.
    static QList<KeyFile> ownKeys();
    static std::optional<KeyFile> read(const QString& path);
    /// Where a new key goes: ~/.ssh/id_ed25519, or with the cluster's name behind it where that is taken.
    static QString freePath(const QString& cluster);
    /// Makes a key at `path`, in a folder of mode 0700 that is made where it is missing. One at a time.
    void make(const QString& path, const Secret& passphrase, QObject* guard, const Then<KeyFile>& then);
    bool isBusy() const { return m_process != nullptr; }

private:
    void finish(const Result<KeyFile>& outcome);
    Result<KeyFile> inspect() const;

    QString m_path;
    QPointer<QObject> m_guard;
    Then<KeyFile> m_then;
    std::unique_ptr<QProcess> m_process;
};

} // namespace rankwright
