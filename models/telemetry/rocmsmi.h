// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/gputext.h"

namespace rankwright {

/// rocm-smi of ROCm 3.9 to 7.0 (key names of its rocm_smi.py): CSV, JSON, the "GPU[0] : key: value" lines and the table
/// without options. Not recognised: an empty tool name, all lines ignored.
GpuOutput readRocmSmi(const QByteArray& text, const QString& node, const QString& commandLine);

} // namespace rankwright
