// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

#include <QDialog>

namespace rankwright {

/// Asks whether an author's script is to be rewritten as a design: both texts side by side, and what of the start the
/// new one would not repeat. Changes nothing; accepted() means yes.
class RewriteDialog final : public QDialog {
    Q_OBJECT
public:
    struct Texts {
        QString author;
        QString rewritten;
    };
    /// `title` names the script.
    RewriteDialog(
        const QString& title, const Texts& texts, const QList<NotUnderstood>& losses, QWidget* parent = nullptr);
};

} // namespace rankwright
