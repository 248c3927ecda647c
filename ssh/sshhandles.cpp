// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshhandles.h"

#include "models/core/harmlesstext.h"

#include <QString>

#include <chrono>

namespace rankwright {

using namespace Qt::StringLiterals;

qint64 steadyNow()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

double steadyMs()
{
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

QString libraryText(ssh_session session)
{
    const QString text = printableLine(ssh_get_error(session));
    if (!text.startsWith("Received SSH_MSG_DISCONNECT"_L1))
        return text;
    // The peer's own words without the wrapping. Asked for only now: without a farewell the call replaces the error.
    const QString farewell = printableLine(ssh_get_disconnect_message(session));
    if (!farewell.isEmpty())
        return farewell;
    return text;
}

QString systemText(int number)
{
    return qt_error_string(number); // unlike strerror() safe in any thread
}

namespace {

enum class LineBreaks { Blanks, Kept };

QString printable(const char* text, LineBreaks breaks, qsizetype limit)
{
    if (!text)
        return {};
    QString read = QString::fromUtf8(text);
    if (read.contains(QChar::ReplacementCharacter))
        read = QString::fromLatin1(text);
    QString kept;
    for (const QChar c : std::as_const(read)) {
        if (kept.size() >= limit)
            break;
        const bool layout = breaks == LineBreaks::Kept && (c == u'\n' || c == u'\t');
        if (layout || !(isHarmful(c) || c.category() == QChar::Other_Surrogate))
            kept += c;
        else if (breaks == LineBreaks::Blanks && c.isSpace())
            kept += u' ';
    }
    return kept.trimmed();
}

} // namespace

QString printableLine(const char* text, qsizetype limit) { return printable(text, LineBreaks::Blanks, limit); }

QString printableText(const char* text, qsizetype limit) { return printable(text, LineBreaks::Kept, limit); }

QString fingerprint(ssh_key key)
{
    unsigned char* hash = nullptr;
    size_t length = 0;
    if (!key || ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &length) != SSH_OK)
        return {};
    const SshTextHandle text(ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, length));
    ssh_clean_pubkey_hash(&hash);
    return QString::fromLatin1(text.get());
}

QByteArray publicBlob(ssh_key key)
{
    char* base64 = nullptr;
    if (!key || ssh_pki_export_pubkey_base64(key, &base64) != SSH_OK)
        return {};
    const SshTextHandle text(base64);
    return QByteArray::fromBase64(QByteArray(text.get()));
}

QString keyTypeName(ssh_key key) { return QString::fromLatin1(ssh_key_type_to_char(ssh_key_type(key))); }

QByteArray readLeftovers(ssh_channel channel, ProcessStream stream)
{
    const int number = stream == ProcessStream::Errors ? 1 : 0;
    const int held = ssh_channel_poll(channel, number);
    if (held <= 0)
        return {};
    QByteArray all(held, Qt::Uninitialized);
    const int taken = ssh_channel_read_nonblocking(channel, all.data(), static_cast<uint32_t>(held), number);
    all.resize(qMax(0, taken));
    return all;
}

} // namespace rankwright
