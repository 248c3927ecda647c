// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright {

/// Sets name and version of the program, the same for window and command line; call it before anything asks for a
/// folder.
void setProgramIdentity();

/// The folder of the user's own cluster files, beside the built-in catalogue; it need not exist.
QString userCatalogueFolder();

} // namespace rankwright
