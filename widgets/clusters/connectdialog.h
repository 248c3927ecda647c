// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QDialog>

class QLabel;
class QLineEdit;

namespace rankwright {

/// What one needs to log in, as typed.
struct ConnectForm {
    QString host;
    int port = 22;
    QString user;
    QString identity; ///< path of a private key; empty: agent and default keys
    QString jump;
    bool operator==(const ConnectForm&) const = default;
};

/// Host, user, key, jump host of a cluster; remembers nothing itself.
class ConnectDialog final : public QDialog {
    Q_OBJECT
public:
    ConnectDialog(const QString& clusterTitle, const ConnectForm& form, QWidget* parent = nullptr);
    ConnectForm form() const;
    /// Why the attempt before this one failed, above the fields.
    void showFailure(const Error& why);

private:
    QLineEdit* m_host = nullptr;
    QLineEdit* m_port = nullptr;
    QLineEdit* m_user = nullptr;
    QLineEdit* m_identity = nullptr;
    QLineEdit* m_jump = nullptr;
    QLabel* m_failure = nullptr;
};

} // namespace rankwright
