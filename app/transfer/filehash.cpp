// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/filehash.h"

#ifdef RANKWRIGHT_OPENSSL
#include <openssl/evp.h>
#else
#include <QCryptographicHash>
#endif

namespace rankwright {

#ifdef RANKWRIGHT_OPENSSL

struct FileHash::State {
    struct Free {
        void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

FileHash::FileHash() : m_state(std::make_unique<State>())
{
    if (EVP_DigestInit_ex(m_state->context.get(), EVP_sha256(), nullptr) != 1)
        qFatal("OpenSSL has no SHA-256.");
}

void FileHash::addData(QByteArrayView bytes)
{
    EVP_DigestUpdate(m_state->context.get(), bytes.data(), size_t(bytes.size()));
}

QByteArray FileHash::hex() const
{
    const State copy;
    QByteArray digest(EVP_MAX_MD_SIZE, '\0');
    unsigned int size = 0;
    EVP_MD_CTX_copy_ex(copy.context.get(), m_state->context.get());
    EVP_DigestFinal_ex(copy.context.get(), reinterpret_cast<unsigned char*>(digest.data()), &size);
    return digest.left(size).toHex();
}

#else

struct FileHash::State {
    QCryptographicHash hash{QCryptographicHash::Sha256};
};

FileHash::FileHash() : m_state(std::make_unique<State>()) { }

void FileHash::addData(QByteArrayView bytes) { m_state->hash.addData(bytes); }

QByteArray FileHash::hex() const { return m_state->hash.result().toHex(); }

#endif

FileHash::~FileHash() = default;

} // namespace rankwright
