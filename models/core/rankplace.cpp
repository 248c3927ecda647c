// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/rankplace.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline core {

QString toText(GroupKind kind)
{
    switch (kind) {
    case GroupKind::Tensor: return u"tensor group"_s;
    case GroupKind::Stage: return u"pipeline stage"_s;
    case GroupKind::Data: return u"data group"_s;
    case GroupKind::Shard: return u"shard group"_s;
    }
    return {};
}

std::optional<int> RankPlace::groupOf(GroupKind kind) const
{
    switch (kind) {
    case GroupKind::Tensor: return tensorGroup;
    case GroupKind::Stage: return stage;
    case GroupKind::Data: return dataGroup;
    case GroupKind::Shard: return shardGroup;
    }
    return {};
}

} // namespace rankwright::inline core
