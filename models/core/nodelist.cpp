// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/nodelist.h"

#include "models/core/hostlist.h"

namespace rankwright::inline core {

NodeList::NodeList(const QStringList& names) : m_folded(foldHostlist(names)), m_count(int(names.size()))
{
    if (this->names() != names) // several prefixes by turns: in their order
        m_folded = names.join(u',');
    // Names that cannot be read back (a comma in one) are not Slurm's; nothing is kept of them.
    if (const auto count = countHostlist(m_folded); !count || *count != m_count)
        *this = NodeList();
}

NodeList NodeList::fromSlurm(const QString& text)
{
    NodeList list;
    if (const auto count = countHostlist(text)) {
        list.m_folded = text.trimmed();
        list.m_count = *count;
    }
    return list;
}

QStringList NodeList::names() const { return expandHostlist(m_folded).valueOr({}); }

bool NodeList::operator==(const NodeList& other) const
{
    return m_count == other.m_count && (m_folded == other.m_folded || names() == other.names());
}

} // namespace rankwright::inline core
