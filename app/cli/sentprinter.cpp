// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sentprinter.h"

#include "models/cluster/remote/senttext.h"

using namespace Qt::StringLiterals;

namespace rankwright {

SentPrinter::SentPrinter(QTextStream& err, QObject* parent) : QObject(parent), m_err(err)
{
    connect(
        &m_log, &SentLog::commandBegan, this, [this](const SentCommand& command) { print(sentBeginLine(command)); });
    connect(&m_log, &SentLog::ended, this, [this](const SentCommand& command) { print(sentEndLine(command)); });
}

void SentPrinter::print(const QString& line)
{
    m_err << u"sent "_s << line << u'\n';
    m_err.flush();
}

} // namespace rankwright
