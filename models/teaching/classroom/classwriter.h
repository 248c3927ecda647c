// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"

namespace rankwright::inline teaching {

inline constexpr QLatin1StringView classFormat{"rankwright-class"}; ///< member "format" of every class file

/// The file's text: signed as it was read, else as the value says. Reading it again gives the same value.
QByteArray writeClass(const ClassFile& file);
/// What is signed: deterministic JSON (sorted members, no blanks) without the signature.
QByteArray classBytes(const ClassFile& file);
/// After an edit: the signature and the bytes it was made for no longer hold.
ClassFile unsignedClass(ClassFile file);

} // namespace rankwright::inline teaching
