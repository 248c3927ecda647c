// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"

namespace rankwright::inline teaching {

/// The plain sentences "what this class will do", for a person to read before anything happens: the host is the
/// catalogue's, never the file's. Error sentence first where the catalogue does not know the cluster.
QStringList classEffects(const ClassFile& file, const Catalogue& catalogue);

/// A link "rankwright://class?url=https%3A%2F%2F..." or "?file=/path". Nothing is fetched or opened by reading it.
struct ClassAddress {
    QString url; ///< https; to be shown, and fetched by the person
    QString file; ///< absolute path on this machine
    bool operator==(const ClassAddress&) const = default;
};
/// Error: another scheme or action, both or none of the two, no https, a relative path, harmful characters.
Result<ClassAddress> readClassAddress(const QString& link);

} // namespace rankwright::inline teaching
