// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/profilereader.h"

namespace rankwright::inline cluster {

/// The partitions of a cluster file with their limits; the reader keeps the first fault.
QList<Partition> readPartitions(ProfileReader& document);

} // namespace rankwright::inline cluster
