// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/remotefilemodel.h"

#include "models/cluster/transfer/filenames.h"
#include "models/core/harmlesstext.h"
#include "models/core/units.h"

#include <QDateTime>

#include <algorithm>
#include <vector>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

struct RemoteFileModel::Node {
    Node* parent = nullptr;
    FileEntry entry; ///< path: the name alone
    QString note; ///< stands in place of children: empty, why not
    std::vector<std::unique_ptr<Node>> children;
    int row = 0;
    bool isListed = false;
    bool isAsked = false;
    bool isNote = false;
};

RemoteFileModel::RemoteFileModel(QObject* parent) : QAbstractItemModel(parent), m_top(std::make_unique<Node>())
{
    m_top->entry.kind = FileEntry::Kind::Folder;
}

RemoteFileModel::~RemoteFileModel() = default;

void RemoteFileModel::setRoot(const QByteArray& folder)
{
    beginResetModel();
    m_root = folder;
    m_top = std::make_unique<Node>();
    m_top->entry.kind = FileEntry::Kind::Folder;
    endResetModel();
    refresh();
}

void RemoteFileModel::refresh(const QModelIndex& folder)
{
    Node* node = nodeAt(folder);
    if (node->entry.kind != FileEntry::Kind::Folder)
        node = node->parent;
    node->isAsked = true;
    emit folderWanted(pathOf(indexOf(node)));
}

RemoteFileModel::Node* RemoteFileModel::nodeAt(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : m_top.get();
}

QModelIndex RemoteFileModel::indexOf(Node* node) const
{
    return node == m_top.get() ? QModelIndex() : createIndex(node->row, 0, node);
}

QByteArray RemoteFileModel::pathOf(const QModelIndex& index) const
{
    QByteArray path;
    for (const Node* node = nodeAt(index); node != m_top.get(); node = node->parent)
        path = path.isEmpty() ? node->entry.path : node->entry.path + '/' + path;
    if (path.isEmpty())
        return m_root;
    return (m_root.isEmpty() || m_root.endsWith('/') ? m_root : QByteArray(m_root + '/')) + path;
}

FileEntry::Kind RemoteFileModel::kindOf(const QModelIndex& index) const
{
    const Node* node = nodeAt(index);
    return node->isNote ? FileEntry::Kind::Other : node->entry.kind;
}

QByteArray RemoteFileModel::folderAt(const QModelIndex& index) const
{
    return pathOf(!index.isValid() || kindOf(index) == FileEntry::Kind::Folder ? index : index.parent());
}

RemoteFileModel::Node* RemoteFileModel::find(const QByteArray& folder) const
{
    if (folder == m_root)
        return m_top.get();
    const QByteArray prefix = m_root.isEmpty() || m_root.endsWith('/') ? m_root : QByteArray(m_root + '/');
    if (!folder.startsWith(prefix))
        return nullptr;
    Node* node = m_top.get();
    for (const QByteArray& name : folder.mid(prefix.size()).split('/')) {
        const auto found = std::find_if(node->children.begin(), node->children.end(),
            [&name](const std::unique_ptr<Node>& child) { return !child->isNote && child->entry.path == name; });
        if (found == node->children.end())
            return nullptr;
        node = found->get();
    }
    return node;
}

void RemoteFileModel::setListing(const QByteArray& folder, const FileListing& listing)
{
    Node* const node = find(folder);
    if (!node)
        return;
    QList<FileEntry> entries;
    for (const FileEntry& entry : listing.entries) {
        if (!entry.path.contains('/'))
            entries.append(entry);
    }
    std::sort(entries.begin(), entries.end(), [](const FileEntry& a, const FileEntry& b) {
        const bool isFirst = a.kind == FileEntry::Kind::Folder;
        return isFirst != (b.kind == FileEntry::Kind::Folder) ? isFirst : a.path < b.path;
    });
    const QString note = listing.root.isEmpty() ? u"There is no such folder."_s
        : listing.isCut                         ? u"… and more, which are not listed"_s
        : entries.isEmpty()                     ? u"empty"_s
                                                : QString();
    replaceChildren(*node, entries, note);
}

void RemoteFileModel::setFailure(const QByteArray& folder, const Error& why)
{
    if (Node* const node = find(folder))
        replaceChildren(*node, {}, why.what);
}

void RemoteFileModel::replaceChildren(Node& node, const QList<FileEntry>& entries, const QString& note)
{
    const QModelIndex parent = indexOf(&node);
    if (!node.children.empty()) {
        beginRemoveRows(parent, 0, int(node.children.size()) - 1);
        node.children.clear();
        endRemoveRows();
    }
    node.isListed = true;
    node.isAsked = false;
    const int count = int(entries.size()) + (note.isEmpty() ? 0 : 1);
    if (count > 0) {
        beginInsertRows(parent, 0, count - 1);
        for (const FileEntry& entry : entries) {
            auto child = std::make_unique<Node>();
            child->entry = entry;
            node.children.push_back(std::move(child));
        }
        if (!note.isEmpty()) {
            auto child = std::make_unique<Node>();
            child->note = harmlessLine(note);
            child->isNote = true;
            node.children.push_back(std::move(child));
        }
        for (std::size_t row = 0; row < node.children.size(); ++row) {
            node.children[row]->parent = &node;
            node.children[row]->row = int(row);
        }
        endInsertRows();
    }
    if (&node == m_top.get())
        emit rootListed();
}

QModelIndex RemoteFileModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, nodeAt(parent)->children[std::size_t(row)].get());
}

QModelIndex RemoteFileModel::parent(const QModelIndex& child) const
{
    Node* const node = nodeAt(child);
    return node == m_top.get() || node->parent == m_top.get() ? QModelIndex() : indexOf(node->parent);
}

int RemoteFileModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : int(nodeAt(parent)->children.size());
}

int RemoteFileModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant RemoteFileModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Node* node = nodeAt(index);
    if (role == Qt::TextAlignmentRole && index.column() == SizeColumn)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    if (node->isNote)
        return index.column() == NameColumn ? node->note : QVariant();
    const FileEntry& entry = node->entry;
    switch (index.column()) {
    case NameColumn:
        if (entry.kind == FileEntry::Kind::Folder)
            return QString(shownName(entry.path) + u'/');
        if (entry.kind == FileEntry::Kind::Link)
            return QString(shownName(entry.path) + u" → "_s + shownName(entry.target));
        return shownName(entry.path);
    case SizeColumn: return entry.kind == FileEntry::Kind::File ? humanBytes(Bytes{entry.size}) : QString();
    case ChangedColumn: return QDateTime::fromSecsSinceEpoch(entry.modified).toString(u"yyyy-MM-dd hh:mm"_s);
    default: return {};
    }
}

QVariant RemoteFileModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? u"Name"_s : section == SizeColumn ? u"Size"_s : u"Changed"_s;
}

Qt::ItemFlags RemoteFileModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled;
    if (nodeAt(index)->isNote)
        return Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled
        | (kindOf(index) == FileEntry::Kind::Folder ? Qt::ItemIsDropEnabled : Qt::ItemNeverHasChildren);
}

bool RemoteFileModel::hasChildren(const QModelIndex& parent) const
{
    const Node* node = nodeAt(parent);
    return parent.column() <= 0 && node->entry.kind == FileEntry::Kind::Folder && !node->isNote
        && (!node->isListed || !node->children.empty());
}

bool RemoteFileModel::canFetchMore(const QModelIndex& parent) const
{
    const Node* node = nodeAt(parent);
    return node != m_top.get() && node->entry.kind == FileEntry::Kind::Folder && !node->isNote && !node->isListed
        && !node->isAsked;
}

void RemoteFileModel::fetchMore(const QModelIndex& parent)
{
    if (canFetchMore(parent))
        refresh(parent);
}

} // namespace rankwright::inline cluster
