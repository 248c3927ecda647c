// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/telemetry/gputext.h"

namespace rankwright {

/// `nvidia-smi --query-gpu=... --format=csv[,noheader][,nounits]` of drivers 450 to 610. Columns come from the header,
/// else from the command line. Not recognised: an empty tool name, all lines ignored.
GpuOutput readNvidiaSmi(const QByteArray& text, const QString& node, const QString& commandLine);

} // namespace rankwright
