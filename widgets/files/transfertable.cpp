// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/files/transfertable.h"

#include <QDrag>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

namespace rankwright {

using namespace Qt::StringLiterals;

const QString& TransferTable::remoteFilesType()
{
    static const QString type = u"application/x-rankwright-remote-files"_s;
    return type;
}

QStringList TransferTable::mimeTypes() const { return {u"text/uri-list"_s}; }

QMimeData* TransferTable::mimeData(const QList<QTreeWidgetItem*>& items) const
{
    QList<QUrl> urls;
    for (const QTreeWidgetItem* item : items) {
        for (const QString& path : item->data(0, pathsRole).toStringList()) {
            if (QFileInfo::exists(path)) // it may have been moved away since
                urls.append(QUrl::fromLocalFile(path));
        }
    }
    if (urls.isEmpty())
        return nullptr;
    auto* carried = new QMimeData;
    carried->setUrls(urls);
    return carried;
}

void TransferTable::startDrag(Qt::DropActions)
{
    QMimeData* carried = mimeData(selectedItems());
    if (!carried)
        return;
    auto* drag = new QDrag(this);
    drag->setMimeData(carried);
    drag->exec(Qt::CopyAction); // a move would take the row with it
}

bool TransferTable::isOurs(const QDropEvent& event) const
{
    return !m_source.isEmpty() && event.mimeData()->data(remoteFilesType()) == m_source;
}

void TransferTable::dragEnterEvent(QDragEnterEvent* event)
{
    if (isOurs(*event))
        event->acceptProposedAction();
}

void TransferTable::dragMoveEvent(QDragMoveEvent* event)
{
    if (isOurs(*event))
        event->acceptProposedAction();
}

void TransferTable::dropEvent(QDropEvent* event)
{
    if (!isOurs(*event))
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    emit remoteFilesDropped();
}

} // namespace rankwright
