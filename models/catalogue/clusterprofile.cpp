// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalogue/clusterprofile.h"

namespace rankwright {

const Partition* ClusterProfile::partition(const QString& partitionName) const
{
    for (const Partition& candidate : partitions) {
        if (candidate.name == partitionName)
            return &candidate;
    }
    return nullptr;
}

const NodeShape* ClusterProfile::nodeShape(const QString& partitionName) const
{
    QString wanted;
    if (!partitionName.isEmpty()) {
        const Partition* found = partition(partitionName);
        if (found == nullptr)
            return nullptr;
        wanted = found->node;
    } else if (!partitions.isEmpty()) {
        wanted = partitions.first().node;
    }
    for (const NodeShape& shape : nodes) {
        if (shape.name == wanted || wanted.isEmpty())
            return &shape;
    }
    return nullptr;
}

} // namespace rankwright
