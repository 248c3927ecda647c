// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/harmlessoutput.h"

#include "models/core/harmlesstext.h"

namespace rankwright {

HarmlessOutput::HarmlessOutput(QTextStream& target, Kind kind) : m_target(target), m_kind(kind)
{
    open(QIODevice::WriteOnly | QIODevice::Unbuffered);
}

HarmlessOutput::~HarmlessOutput()
{
    m_target << harmlessText(m_held);
    m_target.flush();
}

qint64 HarmlessOutput::writeData(const char* data, qint64 size)
{
    QString text = std::exchange(m_held, {}) + QString(m_decoder.decode(QByteArrayView(data, size)));
    if (text.endsWith(u'\r')) { // harmless only before a line feed, which may come next
        text.chop(1);
        m_held = u'\r';
    }
    m_target << (m_kind == Kind::Json ? harmlessJson(text) : harmlessText(text));
    m_target.flush();
    return size;
}

} // namespace rankwright
