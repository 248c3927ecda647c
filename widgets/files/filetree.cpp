// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/files/filetree.h"

#include "models/cluster/transfer/remotefilemodel.h"
#include "widgets/files/transfertable.h"

#include <QDrag>
#include <QDropEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QMimeData>
#include <QUuid>

namespace rankwright {

namespace {

QStringList localFiles(const QMimeData* data)
{
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile())
            paths.append(url.toLocalFile());
    }
    return paths;
}

} // namespace

FileTree::FileTree(RemoteFileModel& model, QWidget* parent)
    : QTreeView(parent), m_model(model), m_dragId(QUuid::createUuid().toByteArray())
{
    setModel(&model);
    setAccessibleName(tr("Files on the cluster"));
    setUniformRowHeights(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAcceptDrops(true);
    setDragEnabled(true);
    setDropIndicatorShown(true);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(RemoteFileModel::NameColumn, QHeaderView::Stretch);
    header()->setSectionResizeMode(RemoteFileModel::SizeColumn, QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(RemoteFileModel::ChangedColumn, QHeaderView::ResizeToContents);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &FileTree::chosenChanged);
    connect(&model, &QAbstractItemModel::modelReset, this, &FileTree::chosenChanged);
}

QList<QModelIndex> FileTree::chosen() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    QList<QModelIndex> chosen;
    for (const QModelIndex& row : rows) {
        bool isBelow = m_model.kindOf(row) == FileEntry::Kind::Other;
        for (QModelIndex above = row.parent(); above.isValid(); above = above.parent())
            isBelow = isBelow || rows.contains(above);
        if (!isBelow)
            chosen.append(row);
    }
    return chosen;
}

QMimeData* FileTree::dragData() const
{
    if (chosen().isEmpty())
        return nullptr;
    auto* carried = new QMimeData;
    carried->setData(TransferTable::remoteFilesType(), m_dragId);
    return carried;
}

void FileTree::startDrag(Qt::DropActions)
{
    QMimeData* carried = dragData();
    if (!carried)
        return;
    auto* drag = new QDrag(this);
    drag->setMimeData(carried);
    drag->exec(Qt::CopyAction);
}

void FileTree::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void FileTree::dragMoveEvent(QDragMoveEvent* event)
{
    if (!localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void FileTree::dropEvent(QDropEvent* event)
{
    const QStringList paths = localFiles(event->mimeData());
    if (paths.isEmpty())
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    emit filesDropped(paths, m_model.folderAt(indexAt(event->position().toPoint())));
}

} // namespace rankwright
