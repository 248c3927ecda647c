// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/stack/trainingstack.h"

#include <QHash>

namespace rankwright::inline planner {

const TrainingStack* trainingStack(const QString& name)
{
    static const QHash<QString, TrainingStack> known = [] {
        QHash<QString, TrainingStack> stacks;
        for (const QString& stack : memoryStacks())
            stacks.insert(stack, {stack, stackMemory(stack)});
        return stacks;
    }();
    const auto found = known.constFind(name);
    return found == known.constEnd() ? nullptr : &*found;
}

} // namespace rankwright::inline planner
