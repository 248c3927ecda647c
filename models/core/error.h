// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/expected.h"

#include <QMetaType>
#include <QString>

#include <functional>

namespace rankwright::inline core {

/// What kind of thing went wrong: for deciding (retry? ask? stop?), never for showing. TurnedAway: a server that is
/// there takes no connection now (too many at once, or this address is blocked): wait, a second try makes it worse.
enum class Fault {
    Cancelled,
    TimedOut,
    Offline,
    HostKeyRefused,
    LoginRefused,
    RemoteExit,
    Unreadable,
    Invalid,
    Io,
    TurnedAway
};

/// An error as a value: what happened, the evidence, and what to do next.
struct Error {
    Fault fault = Fault::Invalid;
    QString what; ///< one sentence for the user
    QString detail; ///< evidence: stderr tail, JSON path, library text; may be empty
    QString remedy; ///< what to try; may be empty

    bool operator==(const Error&) const = default;

    /// The same error seen from one level up: "context: what".
    Error within(const QString& context) const
    {
        return {fault, context + QStringLiteral(": ") + what, detail, remedy};
    }
    /// One line for a terminal: what, detail in brackets, remedy.
    QString oneLine() const;
};

template <typename T>
using Result = Expected<T, Error>;

/// A continuation: called once with the outcome, on the thread that asked, unless its guard died before.
template <typename T>
using Then = std::function<void(Result<T>)>;

inline Unexpected<Error> fail(Fault fault, const QString& what, const QString& detail = {}, const QString& remedy = {})
{
    return {Error{fault, what, detail, remedy}};
}
inline Unexpected<Error> fail(const Error& error) { return {error}; }

} // namespace rankwright::inline core
