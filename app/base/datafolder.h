// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

namespace rankwright {

/// Where the program keeps what must survive it (job log, settings, unsaved design): `named` if given, else
/// $RANKWRIGHT_DATA_DIR, else the user's data folder (~/.local/share/rankwright). Makes nothing.
QString dataFolderPath(const QString& named = {});
/// The same folder, made when missing: readable by the user alone, since scripts and designs may hold what others
/// should not read.
Result<QString> prepareDataFolder(const QString& named = {});

} // namespace rankwright
