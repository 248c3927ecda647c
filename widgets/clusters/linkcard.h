// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/remote/linkinfo.h"

#include <QFrame>

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace rankwright {

class FactGrid;

/// The head of a cluster's page: what it is, how one logs in, the connection with its activity and its error, and the
/// buttons. The practice cluster is started and stopped instead of connected to.
class LinkCard final : public QFrame {
    Q_OBJECT
public:
    LinkCard(const ClusterProfile& profile, QWidget* parent = nullptr);
    void showLink(const LinkInfo& link);
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void connectClicked();
    void disconnectClicked();
    void startClicked();
    void stopClicked();
    void useClicked();
    void draftClicked();
    void compareClicked();
    void helpClicked();

private:
    void buildHead();
    void arrangeHead();
    void buildFacts(const ClusterProfile& profile);
    void showError(const LinkInfo& link);
    void showBanners(const LinkInfo& link);

    QString m_title;
    QBoxLayout* m_head = nullptr; ///< name and state, then the buttons: beside them, or below if space is short
    QBoxLayout* m_names = nullptr;
    QBoxLayout* m_buttons = nullptr;
    bool m_practice = false;
    bool m_acceptsJobs = true;
    QLabel* m_state = nullptr;
    QLabel* m_figures = nullptr;
    QPushButton* m_on = nullptr;
    QPushButton* m_off = nullptr;
    QPushButton* m_help = nullptr; ///< while not connected
    QPushButton* m_use = nullptr;
    QPushButton* m_draft = nullptr; ///< while connected
    QPushButton* m_compare = nullptr; ///< while connected
    QWidget* m_activity = nullptr;
    QLabel* m_activityText = nullptr;
    QProgressBar* m_activityBar = nullptr;
    QLabel* m_error = nullptr;
    QLabel* m_banner = nullptr;
    QLabel* m_hint = nullptr; ///< what the login waits for
    QLabel* m_remedy = nullptr;
};

} // namespace rankwright
