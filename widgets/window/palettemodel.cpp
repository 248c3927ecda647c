// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/palettemodel.h"

#include <algorithm>

namespace rankwright {

namespace {
constexpr int mostHits = 60;
constexpr int mostLately = 6;
} // namespace

void PaletteModel::setEntries(const QList<PaletteEntry>& entries, const QStringList& recent)
{
    m_index = PaletteIndex(entries);
    m_recent = recent;
    setQuery({});
}

void PaletteModel::setQuery(const QString& query)
{
    beginResetModel();
    m_rows.clear();
    const bool open = query.trimmed().isEmpty();
    const QList<PaletteHit> hits = m_index.search(query, m_recent, open ? int(m_index.entries().size()) : mostHits);
    QStringList headings;
    QHash<QString, QList<Row>> sections;
    int lately = 0;
    for (const PaletteHit& hit : hits) {
        const PaletteEntry& entry = m_index.entries().at(hit.entry);
        const bool isLate = open && lately < mostLately && m_recent.contains(entry.id);
        lately += isLate ? 1 : 0;
        const QString heading = isLate ? tr("Used lately") : entry.section;
        if (!sections.contains(heading))
            headings.append(heading);
        sections[heading].append(Row{hit.entry, {}, hit.matched});
    }
    for (const QString& heading : std::as_const(headings)) {
        m_rows.append(Row{{}, heading, {}});
        m_rows += sections.value(heading);
    }
    endResetModel();
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const Row& row = m_rows.at(index.row());
    if (!row.entry) {
        if (role == HeadingRole)
            return true;
        return role == Qt::DisplayRole || role == Qt::AccessibleTextRole ? QVariant(row.heading) : QVariant();
    }
    const PaletteEntry& entry = m_index.entries().at(*row.entry);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return entry.title;
    case Qt::AccessibleDescriptionRole: return entry.enabled ? entry.section : entry.reason;
    case IdRole: return entry.id;
    case HeadingRole: return false;
    case ShortcutRole: return entry.shortcut;
    case ReasonRole: return entry.reason;
    case OffRole: return !entry.enabled;
    case MatchedRole: return QVariant::fromValue(row.matched);
    default: return {};
    }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= m_rows.size() || !m_rows.at(index.row()).entry)
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren; // one that is off can be asked why
}

int PaletteModel::entryFrom(int row, int step) const
{
    for (int at = row; at >= 0 && at < int(m_rows.size()); at += step) {
        if (m_rows.at(at).entry)
            return at;
    }
    return -1;
}

int PaletteModel::entries() const
{
    return int(std::count_if(m_rows.cbegin(), m_rows.cend(), [](const Row& row) { return row.entry.has_value(); }));
}

} // namespace rankwright
