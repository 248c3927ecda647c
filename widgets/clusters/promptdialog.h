// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/loginprompt.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace rankwright {

/// Asks for passwords, one-time codes and passphrases. Headings and captions are ours; words of a server stand in
/// frames of their own, under "The server asks:", as plain text. Keeps nothing.
class PromptDialog final : public QDialog {
    Q_OBJECT
public:
    explicit PromptDialog(const LoginPrompt& prompt, QWidget* parent = nullptr);
    PromptAnswer takeAnswer(); ///< empties the fields
    /// Shows the box that has a passphrase kept in the system's key store; it is not ticked by itself.
    void offerToKeep();
    bool isToBeKept() const;

private:
    void addQuestion(const LoginPrompt& prompt, const LoginPrompt::Question& question, QVBoxLayout* column);

    QList<QLineEdit*> m_fields;
    QLabel* m_where = nullptr; ///< where the answer goes
    QCheckBox* m_keep = nullptr;
};

} // namespace rankwright
