// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace rankwright::inline cluster {

/// One of the mistakes that most first logins fail on, explained for people who are new to SSH.
struct LoginMistake {
    QString id; ///< "wrong_user"
    QString title;
    QString why; ///< what is behind it, two or three sentences
    QString remedy;
    bool operator==(const LoginMistake&) const = default;
};

/// The ten most common mistakes, the most common first.
const QList<LoginMistake>& loginMistakes();
/// Null: no such id.
const LoginMistake* loginMistake(const QString& id);

} // namespace rankwright::inline cluster
