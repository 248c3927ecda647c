// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/transfer/fileentry.h"

#include <QAbstractItemModel>

#include <memory>

namespace rankwright::inline cluster {

/// Folders of a cluster as a tree that is listed where somebody looks: it asks by folderWanted(), and is answered by
/// setListing() or setFailure(). Columns: name, size, changed. Names are shown harmlessly; pathOf() has the bytes.
class RemoteFileModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { NameColumn, SizeColumn, ChangedColumn, ColumnCount };
    explicit RemoteFileModel(QObject* parent = nullptr);
    ~RemoteFileModel() override;

    /// Begins again at an absolute folder (empty: home).
    void setRoot(const QByteArray& folder);
    const QByteArray& root() const { return m_root; }
    /// Asks for a folder again; an invalid index: the root.
    void refresh(const QModelIndex& folder = {});
    void setListing(const QByteArray& folder, const FileListing& listing);
    void setFailure(const QByteArray& folder, const Error& why);

    QByteArray pathOf(const QModelIndex& index) const; ///< absolute; of an invalid index the root
    FileEntry::Kind kindOf(const QModelIndex& index) const;
    /// The folder that an index is, or lies in.
    QByteArray folderAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

signals:
    void folderWanted(const QByteArray& folder);
    void rootListed(); ///< also when it failed

private:
    struct Node;
    Node* nodeAt(const QModelIndex& index) const;
    Node* find(const QByteArray& folder) const;
    QModelIndex indexOf(Node* node) const;
    void replaceChildren(Node& node, const QList<FileEntry>& entries, const QString& note);

    QByteArray m_root;
    std::unique_ptr<Node> m_top;
};

} // namespace rankwright::inline cluster
