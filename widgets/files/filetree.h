// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

namespace rankwright::inline cluster {
class RemoteFileModel;
} // namespace rankwright::inline cluster

namespace rankwright {

/// The tree of a cluster's folders; files of this machine can be dropped on it, and its own dragged to the transfers.
class FileTree final : public QTreeView {
    Q_OBJECT
public:
    explicit FileTree(RemoteFileModel& model, QWidget* parent = nullptr);

    /// Rows, one index each; none of them below another.
    QList<QModelIndex> chosen() const;
    /// By which a drop knows that the drag began in this very tree.
    const QByteArray& dragId() const { return m_dragId; }
    /// What a drag of the chosen rows carries; null: none can be fetched.
    QMimeData* dragData() const;

signals:
    void filesDropped(const QStringList& paths, const QByteArray& folder);
    void chosenChanged();

protected:
    void startDrag(Qt::DropActions actions) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    RemoteFileModel& m_model;
    QByteArray m_dragId;
};

} // namespace rankwright
