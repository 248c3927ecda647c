// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/scriptbytes.h"

#include <QStringDecoder>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

ScriptBytes ScriptBytes::read(const QByteArray& bytes)
{
    QStringDecoder decoder(
        QStringConverter::Utf8, QStringConverter::Flag::Stateless | QStringConverter::Flag::ConvertInitialBom);
    const QString text = decoder(bytes);
    const bool isUtf8 = !decoder.hasError() && text.toUtf8() == bytes;
    return {isUtf8 ? text : QString::fromLatin1(bytes), isUtf8};
}

Result<QByteArray> ScriptBytes::write(const QString& other) const
{
    if (isUtf8)
        return other.toUtf8();
    const QByteArray bytes = other.toLatin1();
    if (QString::fromLatin1(bytes) != other)
        return fail(Fault::Invalid, u"The script's file is in Latin-1, which lacks letters that were put in."_s, {},
            u"Take them out, or save it under another name as a design."_s);
    return bytes;
}

} // namespace rankwright::inline script
