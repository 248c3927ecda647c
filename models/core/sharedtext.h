// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonValue>
#include <QString>

namespace rankwright::inline core {

/// Does a variable, option or member of this name hold a secret: HF_TOKEN, --api-key, "password"? Not those of
/// tokenizers (pad_token, max_tokens) and not names of files (TOKEN_PATH).
bool isSecretName(const QString& name);

/// Makes texts fit to be given to others: values of variables, options and members whose names say that they are
/// secret, tokens that are known by their form (hf_..., ghp_..., AKIA..., JSON web tokens), passwords in addresses and
/// private keys become "(left out)"; a user's name as a part of a path becomes "user". References ($HF_TOKEN) stay:
/// they reveal nothing. Not every secret can be recognised: people should look through the result before they share it.
/// Costs in proportion to the text. Value type.
class SharedText {
public:
    /// `user`: whose name is removed from paths; empty: no name.
    explicit SharedText(const QString& user = {});

    QString text(const QString& text);
    /// UTF-8 in and out; invalid UTF-8 becomes U+FFFD.
    QByteArray bytes(const QByteArray& text);
    /// Each text of it, and values of secret members.
    QJsonValue json(const QJsonValue& value);
    /// How many secrets were left out so far.
    int secretsLeftOut() const { return m_leftOut; }

private:
    QString withoutNamedValues(const QString& text);
    QString withoutForms(const QString& text);

    QString m_user;
    int m_leftOut = 0;
};

} // namespace rankwright::inline core
