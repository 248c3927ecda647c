// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/harmlessoutput.h"

#include "models/core/harmlesstext.h"

namespace rankwright {

HarmlessOutput::HarmlessOutput(QTextStream& target, Kind kind) : m_target(target), m_kind(kind)
{
    open(QIODevice::WriteOnly | QIODevice::Unbuffered);
}

qint64 HarmlessOutput::writeData(const char* data, qint64 size)
{
    const QString text = m_decoder.decode(QByteArrayView(data, size));
    m_target << (m_kind == Kind::Json ? harmlessJson(text) : harmlessText(text));
    m_target.flush();
    return size;
}

} // namespace rankwright
