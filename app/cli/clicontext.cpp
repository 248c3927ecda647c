// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clicontext.h"

using namespace Qt::StringLiterals;

namespace rankwright {

int report(const CliContext& context, const Error& error, int code)
{
    QString line = u"rankwright-cli: "_s + error.oneLine();
    line.replace(u'\n', u' ');
    context.err << line << u'\n';
    return code;
}

} // namespace rankwright
