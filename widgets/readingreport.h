// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/scriptreader.h"

#include <QDialog>

namespace rankwright {

/// The parts of a script that was read for which the form has no field, by line, and what became of each.
class ReadingReport final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ReadingReport)
public:
    /// `title` names the script.
    ReadingReport(const QString& title, const QList<NotUnderstood>& parts, QWidget* parent = nullptr);
};

} // namespace rankwright
