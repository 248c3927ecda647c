// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"

#include <QIcon>
#include <QPixmap>

class QToolButton;
class QWidget;

namespace rankwright {

/// Makes ":/icons" readable; called by Theme. A static library's resources are linked only when asked for by name.
void loadIconResources();

/// A line icon of resources/icons by name ("design", "play"): inked by the theme whenever it is painted, so that it
/// follows a change of theme by itself. Checked and selected: accent; disabled: third text colour.
QIcon lineIcon(const QString& name);
/// One picture of it in a colour of one's own.
QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio);
/// The brand mark, in its own colours.
QIcon brandIcon();
/// A small button with a line icon alone; its name is tool tip and accessible name.
QToolButton* iconButton(const QString& icon, const QString& name, QWidget* parent);

} // namespace rankwright
