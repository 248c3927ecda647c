// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/remote/loginprompt.h"

#include <QDialog>

class QLineEdit;

namespace rankwright {

/// Asks for passwords, one-time codes and passphrases; shows the server's texts as plain text. Keeps nothing.
class PromptDialog final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PromptDialog)
public:
    explicit PromptDialog(const LoginPrompt& prompt, QWidget* parent = nullptr);
    PromptAnswer takeAnswer(); ///< empties the fields

private:
    QList<QLineEdit*> m_fields;
};

} // namespace rankwright
