// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/passphrasestore.h"

#include "models/core/logging.h"

#ifdef RANKWRIGHT_HAS_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

using namespace Qt::StringLiterals;

namespace rankwright {

PassphraseStore::PassphraseStore(QObject* parent) : QObject(parent) { }

#ifdef RANKWRIGHT_HAS_KEYCHAIN

namespace {

const QString service = u"Rankwright key files"_s;

void begin(QKeychain::Job* job, const QString& keyFile)
{
    job->setInsecureFallback(false); // rather nothing than plain text
    job->setKey(keyFile);
    QObject::connect(job, &QKeychain::Job::finished, job, [](const QKeychain::Job* ended) {
        if (ended->error() != QKeychain::NoError && ended->error() != QKeychain::EntryNotFound)
            qCInfo(logApp) << "the system's key store:" << ended->errorString();
    });
    job->start();
}

} // namespace

bool PassphraseStore::isAvailable() { return true; }

void PassphraseStore::read(const QString& keyFile, QObject* guard, const Read& then)
{
    auto* job = new QKeychain::ReadPasswordJob(service);
    connect(job, &QKeychain::Job::finished, guard, [job, then] {
        QByteArray bytes = job->error() == QKeychain::NoError ? job->binaryData() : QByteArray();
        then(bytes.isEmpty() ? std::nullopt : std::optional(Secret(bytes)));
        bytes.fill('\0');
    });
    begin(job, keyFile);
}

void PassphraseStore::store(const QString& keyFile, const Secret& passphrase)
{
    auto* job = new QKeychain::WritePasswordJob(service);
    job->setBinaryData(QByteArray(passphrase.c_str()));
    begin(job, keyFile);
}

void PassphraseStore::forget(const QString& keyFile) { begin(new QKeychain::DeletePasswordJob(service), keyFile); }

#else

bool PassphraseStore::isAvailable() { return false; }

void PassphraseStore::read(const QString&, QObject* guard, const Read& then)
{
    QMetaObject::invokeMethod(
        guard, [then] { then(std::nullopt); }, Qt::QueuedConnection);
}

void PassphraseStore::store(const QString&, const Secret&) { }

void PassphraseStore::forget(const QString&) { }

#endif

} // namespace rankwright
