// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

namespace rankwright::inline script {

/// The text of a batch script and the encoding that gives its file back byte for byte: UTF-8, also with a byte order
/// mark, else Latin-1, in which every byte is a letter.
struct ScriptBytes {
    QString text;
    bool isUtf8 = true;

    static ScriptBytes read(const QByteArray& bytes);
    /// Another text in the same encoding. Error: it has letters that the encoding lacks.
    Result<QByteArray> write(const QString& other) const;
};

} // namespace rankwright::inline script
