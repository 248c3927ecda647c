// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/read/scriptreader.h"

namespace rankwright {

/// The design whose script says what the read one says: fields where there are fields, the rest as overrides.
JobSpec designOf(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile);

/// Takes from `reading` what it says of lines that the writer puts into this design's script by itself: they are not
/// the user's, so nothing about them is left open.
void dropOwnLines(ScriptReading& reading, const JobSpec& spec, const ClusterProfile& profile);

} // namespace rankwright
