// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/wordlistedit.h"

namespace rankwright::inline script {

/// What another number of nodes, GPUs, tasks or processes changes in a script.
struct CountEdit {
    QList<TextChange> changes;
    bool needsDirective = false; ///< the field itself stands nowhere
    QStringList notes;
};

bool isCountField(const QString& path);

/// Tasks and processes of the job go with the nodes, those of a node with its GPUs, where the script has them so now:
/// 16 tasks on 2 nodes become 32 on 4; --nproc_per_node=8 with 8 GPUs becomes 4 with 4. What the script has otherwise
/// stays, with a note. Error: a number that cannot be reached.
Result<CountEdit> countEdit(const BoundScript& bound, const QString& path, qint64 number);

} // namespace rankwright::inline script
