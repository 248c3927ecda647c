// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

namespace rankwright {

/// The rows of transfers. Downloads that have arrived can be dragged from it into a file manager or an editor; files of
/// the cluster's tree can be dropped on it. Files that are still on the cluster cannot be dragged out of the window: a
/// file manager wants the names of files when the drag passes over it and waits for them without limit, or fetches a
/// sftp address by a login of its own.
class TransferTable final : public QTreeWidget {
    Q_OBJECT
public:
    explicit TransferTable(QWidget* parent = nullptr) : QTreeWidget(parent)
    {
        setAcceptDrops(true);
        setDragEnabled(true);
        setDropIndicatorShown(false);
    }
    /// Files of this tree may be dropped (FileTree::dragId()).
    void setSource(const QByteArray& dragId) { m_source = dragId; }

    /// Of an item, column 0: QStringList of the files and folders of this machine that it left; empty: none (yet).
    static constexpr int pathsRole = Qt::UserRole + 2;
    /// What a FileTree gives a drag: its dragId().
    static const QString& remoteFilesType();

signals:
    /// Files of the tree were dropped: its chosen ones are meant.
    void remoteFilesDropped();

protected:
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override;
    void startDrag(Qt::DropActions actions) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    bool isOurs(const QDropEvent& event) const;

    QByteArray m_source;
};

} // namespace rankwright
