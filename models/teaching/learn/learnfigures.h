// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"

#include <QString>

namespace rankwright::inline teaching {

/// What terms and answers ask of a design: its figures in the words of its site. Lives for one call; owns nothing.
class LearnFigures {
public:
    explicit LearnFigures(const Derived& of)
        : derived(of), resolved(of.resolved), site(*of.profile), node(of.resolved.node)
    { }

    const Derived& derived;
    const ResolvedSpec& resolved;
    const ClusterProfile& site;
    const NodeShape& node;

    /// Are the nodes of this site described at all?
    bool knowsNode() const { return !node.name.isEmpty(); }
    bool isAmd() const { return node.gpu.vendor == GpuVendor::Amd; }
    /// "GCD" or "GPU", as the site says; many: "GCDs".
    QString word() const { return node.gpu.word; }
    QString words() const;
    QString gpus(qint64 count) const; ///< "8 GCDs"
    QString siteName() const; ///< "LUMI"; of one that nothing is known of "this cluster"
    QString size() const; ///< "16 GCDs on 2 nodes", "1 GCD on 1 node"
    QString partition() const; ///< the queue's name; "an open partition" if none is chosen
    QString ranks() const; ///< "16 ranks"
    bool startsRanksBySrun() const; ///< srun starts every rank; else an agent on each node does
    QString launcher() const; ///< "torchrun"
    QString visibleVariable() const; ///< "ROCR_VISIBLE_DEVICES" or "CUDA_VISIBLE_DEVICES"
    QString library() const; ///< "RCCL" or "NCCL"
    QString scriptValue(const QString& variable) const; ///< what the script sets it to; empty: it does not
    const DesignEstimate* estimate() const; ///< null: no model is named, or it cannot be split so
    QString parameters() const; ///< "8.03 billion"; empty: no model is named
    /// Why the design cannot be estimated, as a whole sentence.
    QString noEstimate() const;
    /// The site's bill of this design: "4 GPU-hours for each hour"; empty: no formula is published.
    QString price() const;
    bool usesFullSharding() const; ///< weights are shared out: FSDP, HSDP, ZeRO-3

    /// {gpu} and {gpus} of a text become the site's word.
    QString inWords(QString text) const;
};

/// "41.3 GiB"; what is less than a tenth of one in MiB, never as 0.
QString memoryText(double bytes);
/// A reason of others as a sentence: with its stop.
QString asSentence(QString text);
/// "A GH200", "An A100": as the name is read aloud.
QString withArticle(const QString& name);

/// The same without a site: "GPU".
QString inUsualWords(QString text);

} // namespace rankwright::inline teaching
