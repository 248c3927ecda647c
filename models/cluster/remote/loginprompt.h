// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/secret.h"

#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>

namespace rankwright::inline cluster {

/// A question that a connection asks before it can go on. Travels as a value; no thread waits on a lock for the answer.
/// Texts of the server stand in `title`, `instruction` and, of keyboard-interactive, the questions: views mark them as
/// the server's. Everything else is ours.
struct LoginPrompt {
    enum class Kind { HostKey, Password, KeyboardInteractive, Passphrase };
    struct Question {
        QString text;
        bool echo = false;
        bool operator==(const Question&) const = default;
    };
    quint64 id = 0;
    Kind kind = Kind::Password;
    QString host; ///< "user@host:port" that asks
    bool isJump = false; ///< that host is one on the way, not the cluster
    QString notice; ///< ours: what became of the last answer; may be empty
    QString title; ///< server's name of the round; may be empty
    QString instruction; ///< server's text, control characters removed
    QString banner; ///< server's words to everybody who logs in, made harmless; may be empty
    QList<Question> questions;
    // HostKey only:
    QString keyType; ///< "ssh-ed25519"
    QString fingerprint; ///< "SHA256:..."
    QStringList published; ///< fingerprints shipped with the catalogue; empty: none published
    QString knownHostsFile; ///< where an accepted key is written
    /// A passphrase stays here; what else is typed goes to the host.
    bool staysHere() const { return kind == Kind::Passphrase; }
    bool hasServerTexts() const { return kind == Kind::KeyboardInteractive; }
    bool operator==(const LoginPrompt&) const = default;
};

struct PromptAnswer {
    bool accepted = false;
    QList<Secret> answers; ///< one per question
};

} // namespace rankwright::inline cluster
