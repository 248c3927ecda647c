// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/harmlessoutput.h"

#include "models/core/harmlesstext.h"

#include <QFileDevice>

#include <unistd.h>

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

void HarmlessOutput::passExactly(const QByteArray& bytes)
{
    m_target.flush();
    const auto* file = qobject_cast<QFileDevice*>(m_target.device());
    if (file == nullptr || isatty(file->handle()) != 0)
        write(bytes);
    else
        m_target.device()->write(bytes);
}

void writeExactly(QTextStream& out, const QByteArray& bytes)
{
    out.flush();
    if (auto* harmless = qobject_cast<HarmlessOutput*>(out.device()))
        harmless->passExactly(bytes);
    else
        out << QString::fromUtf8(bytes);
}

} // namespace rankwright
