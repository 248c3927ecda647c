// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QToolButton;
class QWidget;

namespace rankwright {

/// A small button with a line icon alone; its name is tool tip and accessible name.
QToolButton* iconButton(const QString& icon, const QString& name, QWidget* parent);

} // namespace rankwright
