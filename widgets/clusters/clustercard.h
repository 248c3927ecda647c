// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "widgets/clusters/linkcard.h"

#include <QScrollArea>

namespace rankwright {

class Card;

/// Everything the catalogue knows of one cluster: connection, hardware, partitions, billing, software, things to know,
/// sources. What is not published is said to be so. Built once per profile; `profile` must outlive it.
class ClusterCard final : public QScrollArea {
    Q_OBJECT
public:
    explicit ClusterCard(const ClusterProfile& profile, QWidget* parent = nullptr);
    LinkCard* link() const { return m_link; }

private:
    Card* buildHardware(const NodeShape& node);
    Card* buildPartitions();
    Card* buildBilling();
    Card* buildSoftware();
    Card* buildQuirks();
    QString gpuWord() const;

    const ClusterProfile& m_profile;
    LinkCard* m_link = nullptr;
};

} // namespace rankwright
