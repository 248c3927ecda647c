// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/iconbutton.h"

#include "widgets/base/icons.h"

#include <QToolButton>

namespace rankwright {

QToolButton* iconButton(const QString& icon, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    if (!icon.isEmpty())
        button->setIcon(lineIcon(icon));
    button->setIconSize(QSize(16, 16));
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace rankwright
