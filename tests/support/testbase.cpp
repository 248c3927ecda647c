// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include <QStringBuilder>

namespace rankwright::test {

QString sourcePath(QStringView path) { return QStringLiteral(RANKWRIGHT_SOURCE_DIR) + path; }

} // namespace rankwright::test
