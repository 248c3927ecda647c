// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

#include <QDialog>

namespace rankwright {

/// The parts of a script that was read for which the form has no field, by line, and what became of each.
class ImportDialog final : public QDialog {
    Q_OBJECT
public:
    /// `title` names the script.
    ImportDialog(const QString& title, const QList<NotUnderstood>& parts, QWidget* parent = nullptr);
};

} // namespace rankwright
