// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/tinypicture.h"

#include "models/core/quantitytext.h"
#include "models/script/document/design.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

PictureFigures pictureFigures(const Derived& derived)
{
    const ResolvedSpec& resolved = derived.resolved;
    PictureFigures figures;
    figures.word = resolved.node.gpu.word;
    if (!resolved.node.name.isEmpty() && resolved.node.gpus > 0)
        figures.gpusOfNode = resolved.node.gpus;
    figures.gpusUsed = resolved.gpusPerNode;
    figures.perPackage = qMax(1, resolved.node.gpu.perPackage);
    figures.nodes = resolved.nodes;
    figures.ranks = resolved.worldSize();
    figures.tensor = resolved.tensor;
    figures.stages = resolved.pipeline;
    figures.accumulation = int(qBound(qint64(1), derived.batch.gradientAccumulation, qint64(1'000'000)));
    return figures;
}

QString pictureText(TinyPicture picture, const PictureFigures& figures)
{
    const QString word = figures.word;
    const QString words = pluralOf(word);
    switch (picture) {
    case TinyPicture::Package:
        return figures.perPackage > 1
            ? u"A package with %1 inside, joined to each other."_s.arg(gpusText(figures.perPackage, word))
            : u"A package with one %1 inside."_s.arg(word);
    case TinyPicture::Node:
        return figures.gpusOfNode ? u"A node with %1, of which the design takes %2."_s.arg(
                   gpusText(*figures.gpusOfNode, word), QString::number(figures.gpusUsed))
                                  : u"A node with several %1."_s.arg(words);
    case TinyPicture::Nodes:
        return u"A row of nodes, of which the design takes %1."_s.arg(QString::number(figures.nodes));
    case TinyPicture::Cores: return u"Groups of cores, each beside its %1."_s.arg(word);
    case TinyPicture::Network: return u"Nodes that are joined by a network."_s;
    case TinyPicture::Project: return u"A purse from which jobs take."_s;
    case TinyPicture::Bill: return u"Three shares of a request side by side; the largest one is billed."_s;
    case TinyPicture::Queue: return u"Jobs that wait in a row behind one that runs."_s;
    case TinyPicture::Gap: return u"A small job in the gap before a large one."_s;
    case TinyPicture::Script: return u"A script with marked lines at its top."_s;
    case TinyPicture::Tree: return u"One starter with a line to each process."_s;
    case TinyPicture::Meeting: return u"Processes that all point to one meeting point."_s;
    case TinyPicture::Ranks:
        return u"Numbered ranks from 0 to %1, the first one marked."_s.arg(QString::number(qMax(0, figures.ranks - 1)));
    case TinyPicture::Ring: return u"Ranks in a ring; each sends to the next one."_s;
    case TinyPicture::Gather: return u"Pieces from all ranks become the whole on each rank."_s;
    case TinyPicture::Scatter: return u"The sum of all ranks; each rank keeps another piece of it."_s;
    case TinyPicture::Replicas: return u"Each rank holds a whole copy of all layers."_s;
    case TinyPicture::Shards: return u"Each rank holds another piece of every layer."_s;
    case TinyPicture::Split: return u"One layer, cut into columns for several %1."_s.arg(words);
    case TinyPicture::Stages: return u"Layers in a row of stages; each hands on to the next."_s;
    case TinyPicture::Bubble: return u"A timetable of stages with idle time at both ends."_s;
    case TinyPicture::Experts: return u"A token that goes to two of many experts."_s;
    case TinyPicture::Sequence: return u"One long text, cut into pieces."_s;
    case TinyPicture::Batch: return u"A grid of samples: a row for each rank."_s;
    case TinyPicture::Accumulate:
        return figures.accumulation > 1 ? u"%1 that add up before one step."_s.arg(
                   counted(figures.accumulation, u"micro-batch"_s, u"micro-batches"_s))
                                        : u"Micro-batches that add up before one step."_s;
    case TinyPicture::Bits:
        return u"The sixteen bits of a bf16 number: sign, eight for the range, seven for the digits."_s;
    case TinyPicture::Memory: return u"A bar of memory with its parts."_s;
    case TinyPicture::Adapter: return u"A large frozen block with a small trained one beside it."_s;
    case TinyPicture::Recompute: return u"Layers of which only every second one is kept."_s;
    case TinyPicture::Loader: return u"Workers that hand samples to a %1."_s.arg(word);
    case TinyPicture::Curve: return u"A curve that rises and then flattens."_s;
    case TinyPicture::Clock: return u"A span of time that ends at a line."_s;
    case TinyPicture::Loop: return u"An arrow that leads back to its beginning."_s;
    case TinyPicture::Stack: return u"Several jobs one after the other, from one script."_s;
    case TinyPicture::Box: return u"A program inside a box with its libraries."_s;
    case TinyPicture::Gauge: return u"A dial below its maximum."_s;
    case TinyPicture::Power: return u"A bar of power for each package, with its limit."_s;
    case TinyPicture::Straggler: return u"Bars of ranks, one longer than the others."_s;
    case TinyPicture::Step:
        return u"Two ranks, each with three phases in a row: 1 forward, 2 backward, where arrows lead to the other rank, "
               "and 3 the optimiser's step."_s;
    }
    return u"A sketch."_s;
}

} // namespace rankwright::inline teaching
