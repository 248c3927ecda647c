// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classfile.h"

namespace rankwright::inline teaching {

int ClassFile::exerciseIndex(const QString& id) const
{
    for (int i = 0; i < int(exercises.size()); ++i)
        if (exercises.at(i).id == id)
            return i;
    return -1;
}

} // namespace rankwright::inline teaching
