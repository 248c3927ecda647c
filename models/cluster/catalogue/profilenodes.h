// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/profilereader.h"

namespace rankwright::inline cluster {

/// The node kinds of a cluster file; the reader keeps the first fault.
QList<NodeShape> readNodeShapes(ProfileReader& document);

} // namespace rankwright::inline cluster
