// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/profilereader.h"

namespace rankwright::inline cluster {

// What a cluster file says of prices, and of binding where it has a formula; the reader keeps the first fault.
QList<BillingRule> readBilling(ProfileReader& document);
QList<StoragePrice> readStorage(ProfileReader& document);
BindingDefaults readBinding(ProfileReader& reader);

} // namespace rankwright::inline cluster
