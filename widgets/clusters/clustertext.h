// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/remote/linkinfo.h"
#include "models/core/tone.h"

namespace rankwright {

/// A billing rule in words: "GPU-hours = hours × 0.5 × the largest of: cores ÷ 8, memory in GiB ÷ 64, GCDs (each
/// rounded up)". `gpuWord`: what the site calls a GPU.
QString billingWords(const BillingRule& rule, const QString& gpuWord);
/// What files cost at one place, in words: "scratch: Storage BU = hours × 5 × TiB above 1".
QString storageWords(const StoragePrice& price);
/// "1–8", "up to 8", "at least 4"; empty when nothing is limited.
QString gpuLimits(const Partition& partition);
/// "up to 20", "65–256"; empty when nothing is limited.
QString nodeLimits(const Partition& partition);
/// "2 days", "12 h, by size", "1.5 node-hours"; empty when not published.
QString timeLimits(const Partition& partition);
/// What is beside a partition's row: its options where they are not its name alone, further limits, its note.
QString partitionWords(const Partition& partition);
/// "56 for jobs, of 64, 2 threads each"; empty when not published.
QString coresWords(const NodeShape& node);
/// "480 GiB for jobs, of 512 GiB"; empty when not published.
QString memoryWords(const NodeShape& node);
/// "4 × MI250X (8 GCDs)" or "4 × A100".
QString gpusOfNode(const NodeShape& node);
/// A connection's state in a word, and its tone.
QString toWords(LinkState state);
QString practiceWords(LinkState state); ///< of the practice cluster, which is started and not connected
Tone toneOf(LinkState state);

} // namespace rankwright
