// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"

namespace rankwright::inline teaching {

/// A class that comes with the program.
struct ShippedClass {
    QString name; ///< "lumi-ai-course-practice"
    ClassFile file;
};
/// All of ":/classes"; trusted because they are part of the program. A file that cannot be read is left out.
QList<ShippedClass> shippedClasses();
/// The same by name and title.
QList<std::pair<QString, QString>> shippedClassTitles();

} // namespace rankwright::inline teaching
