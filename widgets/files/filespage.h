// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/transfer/transferplan.h"
#include "widgets/files/transferlist.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace rankwright::inline cluster {
class RemoteFileModel;
} // namespace rankwright::inline cluster

namespace rankwright {

class FileTree;

/// Files of one cluster: its places with what is left of quotas, the tree of a place, transfers. Lists and copies
/// nothing itself.
class FilesPage final : public QWidget {
    Q_OBJECT
public:
    enum class UploadChoice { Files, Folder };

    explicit FilesPage(QWidget* parent = nullptr);

    RemoteFileModel& model() const { return *m_model; }
    TransferList& transfers() const { return *m_transfers; }
    /// Places to look at; the first is shown. Empty: they are not known, and home is shown.
    void setRooms(const QList<StorageRoom>& rooms);
    /// This folder, also once the places are known; absolute.
    void showFolder(const QByteArray& folder);
    /// Nothing can be asked for without a connection.
    void setOnline(bool online);
    void showNote(const QString& text);

signals:
    /// Local files are chosen by whoever listens when `paths` is empty, or a folder.
    void uploadRequested(
        const QStringList& paths, const QByteArray& folder, rankwright::FilesPage::UploadChoice choice);
    /// `names` lie in `folder`.
    void downloadRequested(const QByteArray& folder, const QList<QByteArray>& names);

private:
    void choosePlace();
    void download();
    void refresh();

    RemoteFileModel* m_model = nullptr;
    QList<StorageRoom> m_rooms;
    QByteArray m_wanted; ///< a folder to show as soon as the places are known
    QComboBox* m_place = nullptr;
    QPushButton* m_again = nullptr;
    QLabel* m_room = nullptr;
    QLabel* m_note = nullptr;
    FileTree* m_tree = nullptr;
    QPushButton* m_uploadFiles = nullptr;
    QPushButton* m_uploadFolder = nullptr;
    QPushButton* m_download = nullptr;
    TransferList* m_transfers = nullptr;
    bool m_isOnline = true;
};

/// "12 GiB of 20 GiB used, 1200 of 100000 files; 3 TiB free for everybody": unknown is said to be.
QString roomSentence(const StorageRoom& room);

} // namespace rankwright
