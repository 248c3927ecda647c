// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/pythonstack.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

struct RankEvidence;

/// The last place known of a rank that cannot be asked where it is: one that is stopped, or gone.
struct LastOperation {
    enum class Knowledge {
        Called, ///< the newest operation in the rank's own record
        TookPart ///< it has ended on another member of the group, which it cannot without this rank
    };
    Knowledge knowledge = Knowledge::Called;
    QString operation; ///< "all_reduce"
    QString group; ///< "fsdp", "default"; empty: without a name
    std::optional<qint64> sequence;
    std::optional<PythonFrame> call; ///< of the user's code; of TookPart: where that member called it
    int teller = 0; ///< rank whose record says it
    bool operator==(const LastOperation&) const = default;
};

/// Of the rank's own record. Empty: it has none, or an empty one.
std::optional<LastOperation> lastCalled(const RankEvidence& rank);
/// Of the others' records, for each of the accused ranks: the newest operation that ended and that needs all members of
/// its group, the rank among them: an all-reduce, a barrier, an all-gather; not a broadcast. Not there: none is known.
/// Each record is gone through once, whatever the number of the accused.
QHash<int, LastOperation> lastTookPart(const QSet<int>& accused, const QList<RankEvidence>& ranks);

/// "called all_reduce 9 of group fsdp at train.py:52", "took part in barrier 3 (others called it at train.py:80)".
QString lastText(const LastOperation& last);

} // namespace rankwright::inline insight
