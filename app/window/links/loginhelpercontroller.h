// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/login/keymaker.h"
#include "app/login/logincheck.h"
#include "app/window/links/connections.h"
#include "widgets/login/firstlogindialog.h"

namespace rankwright {

/// “Help me log in”: one dialog at a time, with a test of each step and a key that is made on request. What was typed
/// is remembered as the cluster's login when it is connected to from there. Lives on the GUI thread.
class LoginHelperController final : public QObject {
    Q_OBJECT
public:
    LoginHelperController(const Catalogue& catalogue, Connections& connections, Settings& settings, QWidget* window,
        QObject* parent = nullptr);
    ~LoginHelperController() override;

    /// Opens the dialog for a cluster, or brings it to the front. A name that is not known, or the practice cluster,
    /// whose key is its own, does nothing.
    void show(const QString& cluster);
    /// Null: it is not open.
    FirstLoginDialog* dialog() const { return m_dialog; }

private:
    SavedLogin typed() const;
    void begin(const ClusterProfile& profile);
    void testLogin();
    void makeKey(const QString& path, const Secret& passphrase);
    void readKeys(const QString& chosen);
    void connectNow();

    const Catalogue& m_catalogue;
    Connections& m_connections;
    Settings& m_settings;
    QPointer<QWidget> m_window;
    PromptBroker m_prompts;
    KeyMaker m_maker;
    QString m_cluster;
    std::unique_ptr<LoginCheck> m_check;
    QPointer<FirstLoginDialog> m_dialog;
};

} // namespace rankwright
