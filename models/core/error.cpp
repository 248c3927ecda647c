// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/error.h"

namespace rankwright {

QString Error::oneLine() const
{
    QString line = what;
    if (!detail.isEmpty())
        line += QStringLiteral(" (") + detail.simplified() + QStringLiteral(")");
    if (!remedy.isEmpty())
        line += QStringLiteral(" ") + remedy;
    return line;
}

} // namespace rankwright
