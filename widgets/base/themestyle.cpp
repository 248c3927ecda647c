// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/themestyle.h"

#include "widgets/base/icons.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Of icons.h; empty: Qt's own is drawn with the palette.
QString ourNameOf(QStyle::StandardPixmap pixmap)
{
    switch (pixmap) {
    case QStyle::SP_LineEditClearButton: return u"close"_s;
    case QStyle::SP_MessageBoxInformation:
    case QStyle::SP_MessageBoxQuestion: return u"hint"_s;
    case QStyle::SP_MessageBoxWarning: return u"warning"_s;
    case QStyle::SP_MessageBoxCritical: return u"error"_s;
    default: return {};
    }
}

} // namespace

ThemeStyle::ThemeStyle() : QProxyStyle(u"Fusion"_s) { }

QIcon ThemeStyle::standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const
{
    const QString name = ourNameOf(pixmap);
    return name.isEmpty() ? QProxyStyle::standardIcon(pixmap, option, widget) : lineIcon(name);
}

QPixmap ThemeStyle::standardPixmap(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const
{
    const QString name = ourNameOf(pixmap);
    return name.isEmpty() ? QProxyStyle::standardPixmap(pixmap, option, widget) : lineIcon(name).pixmap(16);
}

/// The words of a dialog's buttons say it all.
int ThemeStyle::styleHint(
    StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const
{
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, answer);
}

} // namespace rankwright
