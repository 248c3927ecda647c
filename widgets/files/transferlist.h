// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/transfer/transferpace.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidgetItem;

namespace rankwright {

class TransferTable;

/// One transfer as it is shown.
struct TransferRow {
    enum class State { Looking, Running, Waiting, Done, Failed };
    int id = 0;
    QString title; ///< "↑ project to /scratch/me"
    State state = State::Looking;
    QString text; ///< how far it is, or why it ended
    double share = 0; ///< 0..1
    QStringList localPaths = {}; ///< what a download has left on this machine, once it is done
};

/// Transfers with their progress; the chosen one can be cancelled or gone on with.
class TransferList final : public QWidget {
    Q_OBJECT
public:
    explicit TransferList(QWidget* parent = nullptr);

    /// Adds it or brings it up to date.
    void show(const TransferRow& row);
    using QWidget::show;
    void remove(int id);
    /// Files of this tree may be dropped here to be downloaded (FileTree::dragId()).
    void setSource(const QByteArray& dragId);

signals:
    void remoteFilesDropped();
    void cancelRequested(int id);
    void resumeRequested(int id);

private:
    QTreeWidgetItem* itemOf(int id) const;
    void refresh();

    TransferTable* m_list = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_resume = nullptr;
    QLabel* m_whole = nullptr; ///< how far the chosen one is, or why it failed, in full
};

} // namespace rankwright
