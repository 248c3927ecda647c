// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/login/keyfile.h"
#include "models/cluster/login/loginsteps.h"
#include "models/core/secret.h"
#include "widgets/clusters/connectdialog.h"

#include <QDialog>

#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace rankwright {

class KeyPanel;
class LightList;
class MistakeList;

/// The first login to a cluster, for somebody who never used SSH: name, key, the site's page, then each step with its
/// light and what to do about it. Shows and asks; what is tested and made happens elsewhere.
class FirstLoginDialog final : public QDialog {
    Q_OBJECT
public:
    FirstLoginDialog(const ClusterProfile& profile, const ConnectForm& form, QWidget* parent = nullptr);

    ConnectForm form() const;
    KeyPanel& keys() { return *m_keys; }
    /// `current`: the step being tested, empty while nothing is.
    enum class Test { Running, Over };
    void showSteps(const LoginSteps& steps, std::optional<LoginStepKind> current, Test test);
    /// What to do now ("Touch your security key now."); empty: nothing.
    void showHint(const QString& text);
    void showBanner(const QString& host, const QString& text);

signals:
    void testRequested();
    void stopRequested();
    void connectRequested();

private:
    QWidget* buildForm(const ConnectForm& form, QWidget* page);
    void buildButtons();
    void check();
    void scrollTo(LoginStepKind kind);

    QLineEdit* m_host = nullptr;
    QLineEdit* m_port = nullptr;
    QLineEdit* m_user = nullptr;
    QLineEdit* m_jump = nullptr;
    KeyPanel* m_keys = nullptr;
    QScrollArea* m_area = nullptr;
    LightList* m_lights = nullptr;
    MistakeList* m_mistakes = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_hint = nullptr;
    QLabel* m_banner = nullptr;
    QPushButton* m_test = nullptr;
    QPushButton* m_connect = nullptr;
    bool m_running = false;
};

} // namespace rankwright
