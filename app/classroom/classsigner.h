// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"

namespace rankwright {

/// What is known of who made a class file.
enum class ClassTrust {
    Shipped, ///< part of the program
    KnownKey, ///< signed, by the key that this author's class had before
    NewKey, ///< signed, key not seen before: shown, and remembered on acceptance (rememberClassKey)
    ChangedKey, ///< signed by another key than the remembered one: refused
    Unsigned, ///< refused, but for a teacher's preview
    Broken ///< the signature does not belong to these bytes, or its key proves nothing (classKeyFault): refused
};
struct ClassVerdict {
    ClassTrust trust = ClassTrust::Unsigned;
    QString fingerprint; ///< "SHA256:..."; empty: no key
    QString knownFingerprint; ///< ChangedKey: the remembered one
    Error why; ///< ChangedKey, Unsigned, Broken: as a person is told it
    bool isUsable() const
    {
        return trust == ClassTrust::Shipped || trust == ClassTrust::KnownKey || trust == ClassTrust::NewKey;
    }
};

// All of these start ssh-keygen and wait for it (10 s at most), so they are for the pool, not for the window's thread.

/// Verifies the signature and compares the key with the one remembered in `dataFolder`. Error: ssh-keygen is missing
/// or does not answer.
Result<ClassVerdict> verifyClass(const ClassFile& file, const QString& dataFolder);
/// The file signed with a private key file. A key with a passphrase is signed with by ssh-agent alone.
Result<ClassFile> signClass(const ClassFile& file, const QString& keyFile);
/// The teacher's own key in the data folder, made (ed25519, no passphrase, mode 0600) when missing; its path.
Result<QString> teacherKey(const QString& dataFolder);

/// Pinning: title and author -> fingerprint, in classkeys.json of the data folder. Forgetting is a deliberate act.
Result<void> rememberClassKey(const ClassFile& file, const QString& fingerprint, const QString& dataFolder);
Result<void> forgetClassKey(const ClassFile& file, const QString& dataFolder);

} // namespace rankwright
