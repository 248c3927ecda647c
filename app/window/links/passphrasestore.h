// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/secret.h"

#include <QObject>

#include <functional>
#include <optional>

namespace rankwright {

/// Passphrases of key files that somebody asked to be kept, in the system's key store (Secret Service, KWallet, macOS'
/// Keychain, by QtKeychain; never in a file of ours, nor where the store is not encrypted). A program that was built
/// without QtKeychain keeps none. Lives on the GUI thread.
class PassphraseStore final : public QObject {
    Q_OBJECT
public:
    using Read = std::function<void(const std::optional<Secret>& passphrase)>;

    explicit PassphraseStore(QObject* parent = nullptr);
    /// Is there a way to keep one?
    static bool isAvailable();
    /// `then` is called once, later, unless `guard` dies before; empty: none is kept, or the store does not open.
    void read(const QString& keyFile, QObject* guard, const Read& then);
    void store(const QString& keyFile, const Secret& passphrase);
    void forget(const QString& keyFile);
};

} // namespace rankwright
