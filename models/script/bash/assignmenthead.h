// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

namespace rankwright::inline script {

/// After "NAME=", "NAME+=" or "NAME[index]=" that begins at `begin` (bash(1), assignment statements); -1: there is
/// none.
qsizetype endOfAssignmentHead(QStringView text, qsizetype begin);

} // namespace rankwright::inline script
