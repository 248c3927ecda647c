// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/files/filespage.h"

#include "models/cluster/transfer/filenames.h"
#include "models/cluster/transfer/remotefilemodel.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/files/filetree.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QPushButton>
#include <QSplitter>

namespace rankwright {

using namespace Qt::StringLiterals;

QString roomSentence(const StorageRoom& room)
{
    QStringList parts;
    if (room.usedBytes)
        parts.append(room.limitBytes ? FilesPage::tr("%1 of %2 used")
                                           .arg(humanBytes(Bytes{*room.usedBytes}), humanBytes(Bytes{*room.limitBytes}))
                                     : FilesPage::tr("%1 used, no limit").arg(humanBytes(Bytes{*room.usedBytes})));
    if (room.usedFiles)
        parts.append(room.limitFiles
                ? FilesPage::tr("%1 of %2")
                      .arg(humanNumber(double(*room.usedFiles), 0), counted(*room.limitFiles, u"file"_s))
                : counted(*room.usedFiles, u"file"_s));
    if (parts.isEmpty())
        parts.append(FilesPage::tr("quota not known"));
    if (room.freeBytes)
        parts.append(FilesPage::tr("%1 free for everybody").arg(humanBytes(Bytes{*room.freeBytes})));
    return parts.join(u", "_s);
}

FilesPage::FilesPage(QWidget* parent)
    : QWidget(parent), m_model(new RemoteFileModel(this)), m_place(new QComboBox(this)),
      m_again(new QPushButton(tr("List again"), this)), m_room(makeText({}, "caption", this)),
      m_note(makeText({}, "plain", this)), m_tree(new FileTree(*m_model, this)),
      m_uploadFiles(new QPushButton(tr("Upload files…"), this)),
      m_uploadFolder(new QPushButton(tr("Upload a folder…"), this)), m_download(new QPushButton(tr("Download…"), this)),
      m_transfers(new TransferList(this))
{
    m_place->setAccessibleName(tr("Place"));
    m_place->setEditable(true);
    m_place->setInsertPolicy(QComboBox::NoInsert);
    m_place->setToolTip(tr("A place of the cluster, or any folder: type its path and press Enter"));
    auto* upper = new QWidget(this);
    auto* column = new QVBoxLayout(upper);
    column->setContentsMargins(0, 0, 0, 0);
    auto* top = new QHBoxLayout;
    top->addWidget(m_place, 1);
    top->addWidget(m_again);
    column->addLayout(top);
    column->addWidget(m_room);
    column->addWidget(m_note);
    column->addWidget(m_tree, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_uploadFiles);
    buttons->addWidget(m_uploadFolder);
    buttons->addStretch(1);
    buttons->addWidget(m_download);
    column->addLayout(buttons);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setChildrenCollapsible(false);
    split->addWidget(upper);
    split->addWidget(m_transfers);
    split->setStretchFactor(0, 1);
    split->setSizes({2000, 1000}); // in proportion; the least sizes hold
    auto* whole = new QVBoxLayout(this);
    whole->addWidget(split);
    connect(m_place, &QComboBox::activated, this, &FilesPage::choosePlace);
    connect(m_place->lineEdit(), &QLineEdit::returnPressed, this, &FilesPage::choosePlace);
    connect(m_again, &QPushButton::clicked, this, [this] { m_model->refresh(m_tree->currentIndex()); });
    const auto upload
        = [this](UploadChoice choice) { emit uploadRequested({}, m_model->folderAt(m_tree->currentIndex()), choice); };
    connect(m_uploadFiles, &QPushButton::clicked, this, [upload] { upload(UploadChoice::Files); });
    connect(m_uploadFolder, &QPushButton::clicked, this, [upload] { upload(UploadChoice::Folder); });
    connect(m_download, &QPushButton::clicked, this, &FilesPage::download);
    m_transfers->setSource(m_tree->dragId());
    connect(m_transfers, &TransferList::remoteFilesDropped, this, [this] {
        if (m_isOnline)
            download();
    });
    connect(m_tree, &FileTree::chosenChanged, this, &FilesPage::refresh);
    connect(m_tree, &FileTree::filesDropped, this, [this](const QStringList& paths, const QByteArray& folder) {
        emit uploadRequested(paths, folder, UploadChoice::Files);
    });
    m_note->hide();
    refresh();
}

void FilesPage::setRooms(const QList<StorageRoom>& rooms)
{
    m_rooms = rooms;
    m_place->clear();
    for (const StorageRoom& room : rooms)
        m_place->addItem(tr("%1: %2").arg(room.place, shownName(room.path)), room.path);
    if (rooms.isEmpty())
        m_place->addItem(tr("home"), QByteArray());
    m_place->setCurrentIndex(0);
    if (const QByteArray folder = std::exchange(m_wanted, {}); !folder.isEmpty())
        showFolder(folder);
    else
        choosePlace();
}

void FilesPage::showFolder(const QByteArray& folder)
{
    if (m_place->count() == 0) {
        m_wanted = folder;
        return;
    }
    const int known = m_place->findData(folder);
    if (known >= 0)
        m_place->setCurrentIndex(known);
    else
        m_place->setEditText(QString::fromUtf8(folder));
    choosePlace();
}

void FilesPage::choosePlace()
{
    const QString typed = m_place->currentText();
    const int known = m_place->findText(typed);
    const QByteArray folder = known >= 0 ? m_place->itemData(known).toByteArray() : typed.trimmed().toUtf8();
    m_room->clear();
    for (const StorageRoom& room : std::as_const(m_rooms)) {
        if (folder == room.path || folder.startsWith(QByteArray(room.path + '/')))
            m_room->setText(roomSentence(room));
    }
    if (m_room->text().isEmpty())
        m_room->setText(tr("Quota not known here"));
    m_model->setRoot(folder);
}

void FilesPage::download()
{
    QMap<QByteArray, QList<QByteArray>> folders; // of several folders, each is a transfer
    for (const QModelIndex& index : m_tree->chosen())
        folders[m_model->pathOf(index.parent())].append(baseOf(m_model->pathOf(index)));
    for (auto folder = folders.cbegin(); folder != folders.cend(); ++folder)
        emit downloadRequested(folder.key(), folder.value());
}

void FilesPage::setOnline(bool online)
{
    m_isOnline = online;
    refresh();
}

void FilesPage::showNote(const QString& text)
{
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

void FilesPage::refresh()
{
    for (QWidget* each : {static_cast<QWidget*>(m_uploadFiles), static_cast<QWidget*>(m_uploadFolder),
             static_cast<QWidget*>(m_again), static_cast<QWidget*>(m_place)})
        each->setEnabled(m_isOnline);
    m_download->setEnabled(m_isOnline && !m_tree->chosen().isEmpty());
}

} // namespace rankwright
