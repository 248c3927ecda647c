// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/login/keyfile.h"
#include "models/core/secret.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace rankwright {

/// The key to log in with: one that is there, or a new one with a passphrase; the public half to be copied, and the
/// site's page that it is pasted into. Keeps no passphrase: it is handed out once and the fields are emptied.
class KeyPanel final : public QWidget {
    Q_OBJECT
public:
    explicit KeyPanel(const LoginRule& login, QWidget* parent = nullptr);

    /// `path`: the one to choose; a file that is not among them stays choosable by its name.
    void showKeys(const QList<KeyFile>& keys, const QString& path);
    /// Where a new key would go.
    void setNewPath(const QString& path);
    /// Of the chosen key; empty: agent and default keys.
    QString identity() const;
    void showMakingFailed(const QString& why);
    /// A key is being made: nothing can be pressed twice.
    void setBusy(bool busy);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void makeRequested(const QString& path, const rankwright::Secret& passphrase);
    void pageRequested(const QString& url);

private:
    void buildMaking();
    void showChosen();
    void makeKey();
    const KeyFile* chosen() const;

    LoginRule m_login;
    QList<KeyFile> m_keys;
    QString m_newPath;
    QComboBox* m_choice = nullptr;
    QLabel* m_about = nullptr;
    QWidget* m_public = nullptr; ///< the public half with its buttons
    QLineEdit* m_line = nullptr;
    QLabel* m_where = nullptr;
    QPushButton* m_page = nullptr;
    QPushButton* m_new = nullptr;
    QWidget* m_making = nullptr;
    QLabel* m_target = nullptr;
    QLineEdit* m_passphrase = nullptr;
    QLineEdit* m_again = nullptr;
    QPushButton* m_make = nullptr;
    QLabel* m_failure = nullptr;
};

} // namespace rankwright
