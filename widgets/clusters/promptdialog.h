// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/remote/loginprompt.h"

#include <QDialog>

class QLineEdit;
class QVBoxLayout;

namespace rankwright {

/// Asks for passwords, one-time codes and passphrases. Headings and captions are ours; words of a server stand in
/// frames of their own, under "The server asks:", as plain text. Keeps nothing.
class PromptDialog final : public QDialog {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(PromptDialog)
public:
    explicit PromptDialog(const LoginPrompt& prompt, QWidget* parent = nullptr);
    PromptAnswer takeAnswer(); ///< empties the fields

private:
    void addQuestion(const LoginPrompt& prompt, const LoginPrompt::Question& question, QVBoxLayout* column);

    QList<QLineEdit*> m_fields;
};

} // namespace rankwright
