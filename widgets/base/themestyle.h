// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace rankwright {

/// Fusion with our icons in the place of the desktop's, which are drawn for a light window: what Qt puts into fields,
/// messages and dialogs by itself follows the theme.
class ThemeStyle final : public QProxyStyle {
    Q_OBJECT
public:
    ThemeStyle();
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const override;
    QPixmap standardPixmap(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(
        StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const override;
};

} // namespace rankwright
