// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline core {

/// What of a watched job can be in trouble, each at most one at a time. In the order in which people are reported.
enum class TroubleSource { SamplerRecord, Output, Recording, Scheduler, Telemetry };

/// As recordings and the command line name it: "telemetry", "job's record".
QString toText(TroubleSource source);

} // namespace rankwright::inline core
