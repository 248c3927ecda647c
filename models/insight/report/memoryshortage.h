// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/memorymessage.h"

#include <QList>
#include <QStringList>

namespace rankwright::inline insight {

/// What took the memory of a GPU when it ran out: the message's own figures and, where the job's design is known, what
/// was planned beside them. Bytes on one GPU.
struct MemoryShortage {
    struct Part {
        QString key; ///< stable: "weights", "gradients", "optimizer", "activations", "temporary", "overhead"
        QString label;
        double bytes = 0;
        bool operator==(const Part&) const = default;
    };
    struct Plan {
        QList<Part> parts;
        double totalBytes = 0;
        double usableBytes = 0;
        double fixedBytes = 0; ///< of weights, gradients and optimiser states: the batch does not change them
        double passingBytes = 0; ///< of activations and what a step holds for a while
        bool operator==(const Plan&) const = default;
    };
    MemoryMessage said;
    std::optional<Plan> plan; ///< empty: no design, or no estimate of it
    QStringList unpassed; ///< what the plan counts on and nothing hands to the program: "micro-batch 4"
    bool operator==(const MemoryShortage&) const = default;

    /// By how much more than planned it needed, 1.2: a fifth more. Empty: not known, or not more.
    std::optional<double> excess() const;
    /// What activations and the like took at least, if the rest was as planned; empty: not known, or as planned.
    std::optional<double> passingBytes() const;
    /// The allocator held enough, in pieces that were too small.
    bool isFragmented() const;
};

/// One sentence each: what the message says, why, what was planned. `gpuWord`: what the site calls a GPU.
QStringList statementsOf(const MemoryShortage& shortage, const QString& gpuWord);

} // namespace rankwright::inline insight
