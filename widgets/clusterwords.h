// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/catalogue/clusterprofile.h"
#include "models/remote/linkinfo.h"
#include "models/tables/recordmodel.h"

namespace rankwright {

/// A billing rule in words: "GPU-hours = hours × 0.5 × the largest of: cores ÷ 8, memory in GiB ÷ 64, GCDs (each
/// rounded up)". `gpuWord`: what the site calls a GPU.
QString billingWords(const BillingRule& rule, const QString& gpuWord);
/// What files cost at one place, in words: "scratch: Storage BU = hours × 5 × TiB above 1".
QString storageWords(const StoragePrice& price);
/// "1–8", "up to 8", "at least 4"; empty when nothing is limited.
QString gpuLimits(const Partition& partition);
/// "4 × MI250X (8 GCDs)" or "4 × A100".
QString gpusOfNode(const NodeShape& node);
/// A connection's state in a word, and what it means for the eye.
QString toWords(LinkState state, bool practice = false);
Tone toneOf(LinkState state);
/// The name of the cluster that runs on this machine; it is started and stopped, not logged in to.
inline constexpr const char16_t* practiceCluster = u"practice";

} // namespace rankwright
