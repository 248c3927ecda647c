// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/richtooltip.h"

using namespace Qt::StringLiterals;

namespace rankwright {

QString richToolTip(const QString& text)
{
    return u"<p>"_s + text.toHtmlEscaped().replace(u'\n', u"</p><p>"_s) + u"</p>"_s;
}

QString unfoldedToolTip(const QString& text)
{
    return u"<p style='white-space:pre'>"_s + text.toHtmlEscaped() + u"</p>"_s;
}

} // namespace rankwright
