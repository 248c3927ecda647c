// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/linkinfo.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;

namespace rankwright {

/// Why a connection failed and what to do, below the chip where one connects: over the page, which stays where it is.
/// Stays until it is dismissed, tried again, or the cluster is connected.
class ConnectionNote final : public QFrame {
    Q_OBJECT
public:
    /// `anchor`: a widget of the same window, below which it stands.
    ConnectionNote(QWidget& anchor, QWidget* parent);

    /// Shows the failure of `link`; hides what it said of the same cluster when there is none any more.
    void showLink(const LinkInfo& link);
    QString cluster() const { return m_cluster; }
    QString text() const;

signals:
    void retryClicked(const QString& cluster);
    void clustersClicked(const QString& cluster);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void placeNote();

    QPointer<QWidget> m_anchor;
    QString m_cluster;
    QLabel* m_title = nullptr;
    QLabel* m_what = nullptr;
    QLabel* m_remedy = nullptr;
    QLabel* m_detail = nullptr;
    QPushButton* m_retry = nullptr;
};

} // namespace rankwright
