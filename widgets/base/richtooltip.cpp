// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/richtooltip.h"

#include "models/core/harmlesstext.h"

using namespace Qt::StringLiterals;

namespace rankwright {

/// Texts of servers and logs come this way.
static QString shown(const QString& text) { return harmlessText(text.left(8000)); }

QString richToolTip(const QString& text)
{
    if (text.isEmpty())
        return {}; // no empty box
    return u"<p>"_s + shown(text).toHtmlEscaped().replace(u'\n', u"</p><p>"_s) + u"</p>"_s;
}

QString unfoldedToolTip(const QString& text)
{
    return u"<p style='white-space:pre'>"_s + shown(text).toHtmlEscaped() + u"</p>"_s;
}

} // namespace rankwright
