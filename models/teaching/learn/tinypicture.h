// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace rankwright::inline script {
struct Derived;
} // namespace rankwright::inline script

namespace rankwright::inline teaching {

/// What is drawn beside a term: a sketch of the idea, with the design's own counts where it counts something.
enum class TinyPicture {
    Package, ///< dies of one package
    Node, ///< a node with its GPUs
    Nodes, ///< several nodes in a row
    Cores, ///< cores beside each GPU
    Network, ///< nodes joined by a network
    Project, ///< a purse that jobs take from
    Bill, ///< shares of a request, the largest one counts
    Queue, ///< jobs that wait, one that runs
    Gap, ///< a short job in a gap of the plan
    Script, ///< a text with directives
    Tree, ///< one starter, many processes
    Meeting, ///< processes that meet at one place
    Ranks, ///< numbered processes
    Ring, ///< all-reduce: everyone sends, everyone has the sum
    Gather, ///< everyone gets all pieces
    Scatter, ///< everyone keeps the sum of one piece
    Replicas, ///< a whole copy for each rank
    Shards, ///< a piece for each rank
    Split, ///< one layer cut into columns
    Stages, ///< layers in a row of ranks
    Bubble, ///< a pipeline's schedule with idle time
    Experts, ///< a router and few of many experts
    Sequence, ///< one long text cut into pieces
    Batch, ///< samples in a grid: ranks times micro-batch
    Accumulate, ///< passes that add up before one step
    Bits, ///< bits of a number
    Memory, ///< a bar of memory parts
    Adapter, ///< a small trained part beside a frozen one
    Recompute, ///< kept and recomputed layers
    Loader, ///< workers that carry samples
    Curve, ///< a learning-rate or loss curve
    Clock, ///< a span of time with an end
    Loop, ///< a job that starts again from a file
    Stack, ///< several jobs from one script
    Box, ///< a program with its own world around it
    Gauge, ///< a share of what is possible
    Power, ///< watts of packages
    Straggler, ///< one bar longer than the others
    Step ///< forward, backward with the exchange, and the optimiser's step of some ranks
};

/// The counts that pictures show.
struct PictureFigures {
    QString word = QStringLiteral("GPU");
    std::optional<int> gpusOfNode; ///< empty: not known, the picture draws a usual number
    int gpusUsed = 0; ///< of a node
    int perPackage = 1;
    int nodes = 1;
    int ranks = 1;
    int tensor = 1;
    int stages = 1;
    int accumulation = 1;
    bool operator==(const PictureFigures&) const = default;
};

PictureFigures pictureFigures(const Derived& derived);
/// One sentence that says what the picture shows, for those who cannot see it.
QString pictureText(TinyPicture picture, const PictureFigures& figures);

} // namespace rankwright::inline teaching
