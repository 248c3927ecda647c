// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a request costs and gives: questions of LUMI's AI workshops (2024, 2025) and of many help desks.
#include "models/teaching/learn/question.h"

#include "models/core/quantitytext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

using F = const LearnFigures&;

/// A part of a node as one may ask for it: of the design's queue, or of the first one that shares its nodes.
struct Piece {
    const Partition* partition = nullptr;
    const NodeShape* node = nullptr;
    int cores = 0; ///< share of one GPU; 0: not known
    Bytes memory; ///< share of one GPU; 0: not known

    /// Billed units per hour by the first billing account; empty: no formula.
    std::optional<double> price(F f, int gpus, int coreCount, Bytes size, QString* unit = nullptr) const
    {
        const CostQuote quote = quoteCost(f.site, partition->name, 1, gpus, coreCount, size, 1);
        if (!quote.billingAccounts || quote.billingAccounts->isEmpty())
            return std::nullopt;
        if (unit != nullptr)
            *unit = quote.billingAccounts->first().unit;
        return quote.billingAccounts->first().perHour;
    }
};

std::optional<Piece> sharedPiece(F f)
{
    Piece piece;
    if (f.resolved.partitionInfo.shared)
        piece.partition = f.site.partition(f.resolved.partition);
    if (piece.partition == nullptr) {
        const auto shared = [](const Partition& one) { return one.shared && one.offered == Partition::Offer::Normal; };
        const auto found = std::find_if(f.site.partitions.cbegin(), f.site.partitions.cend(), shared);
        if (found == f.site.partitions.cend())
            return std::nullopt;
        piece.partition = &*found;
    }
    piece.node = f.site.nodeShape(piece.partition->name);
    if (piece.node == nullptr || piece.node->gpus < 1)
        return std::nullopt;
    piece.cores = piece.node->coresPerGpu.value_or(piece.node->usableCores / piece.node->gpus);
    piece.memory = piece.node->memoryPerGpu.value_or(Bytes{piece.node->memory.count / piece.node->gpus});
    return piece;
}

QString coreWord(const NodeShape& node) { return node.cpusAreThreads ? u"hardware thread"_s : u"core"_s; }

QString noFormula(F f)
{
    return u"%1 publishes no billing formula, so what a job costs there is not known. "_s.arg(f.siteName());
}

QString wholeNodesOnly(F f)
{
    if (f.site.partitions.isEmpty())
        return u"The partitions of %1 are not described here, so this is not known."_s.arg(f.siteName());
    const QString price = f.price();
    return u"On %1 a job gets whole nodes, so all %2 of a node count, however few cores you use.%3"_s.arg(
        f.siteName(), f.words(), price.isEmpty() ? QString() : u" This design costs %1."_s.arg(price));
}

/// Compares the price of one GPU's share with one where `what` is doubled.
QString doubledAnswer(F f, const Piece& piece, bool cores)
{
    const QString word = piece.node->gpu.word;
    const int doubled = 2 * piece.cores;
    const Bytes more{2 * piece.memory.count};
    QString unit;
    const auto usual = piece.price(f, 1, piece.cores, piece.memory, &unit);
    const auto dearer = piece.price(f, 1, cores ? doubled : piece.cores, cores ? piece.memory : more);
    const auto two = piece.price(f, 2, doubled, more);
    const QString fair = cores ? counted(piece.cores, coreWord(*piece.node)) : humanBytes(piece.memory);
    const QString asked = cores ? counted(doubled, coreWord(*piece.node)) : humanBytes(more);
    if (!usual || !dearer || !two)
        return noFormula(f) + u"The share of one %1 is %2."_s.arg(word, fair);
    const QString start = u"On %1 one %2 with its share of %3 costs %4 for each hour"_s.arg(
        piece.partition->name, word, fair, amountText(*usual, unit));
    if (qFuzzyCompare(*usual, *dearer))
        return u"Yes. %1, and with %2 the same: that is not billed there."_s.arg(start, asked);
    const QString twice = qFuzzyCompare(*dearer, *two) ? u", as much as %1"_s.arg(gpusText(2, word)) : QString();
    return u"No. %1; with %2 it costs %3%4."_s.arg(start, asked, amountText(*dearer, unit), twice);
}

/// Where the design goes to another partition than the one that the price is compared on.
QString whereItGoes(F f, const Piece& piece)
{
    if (f.resolved.partitionInfo.shared || f.resolved.partition.isEmpty()
        || f.resolved.partition == piece.partition->name)
        return {};
    return u" On %1, where this design goes, whole nodes count, whatever is asked for of them."_s.arg(
        f.resolved.partition);
}

QString coresAnswer(F f)
{
    const auto piece = sharedPiece(f);
    if (!piece)
        return wholeNodesOnly(f);
    if (piece->cores < 1)
        return u"The share of cores of one %1 of %2 is not published, so this is not known."_s.arg(
            f.word(), f.siteName());
    QString answer = doubledAnswer(f, *piece, true);
    if (piece->partition->exactCoresPerGpu)
        answer += u" And %1 takes exactly %2 for each %3, any other number is refused."_s.arg(piece->partition->name,
            counted(*piece->partition->exactCoresPerGpu, coreWord(*piece->node)), piece->node->gpu.word);
    else if (piece->node->maxCoresPerGpu && *piece->node->maxCoresPerGpu < 2 * piece->cores)
        answer += u" And more than %1 for each %2 is against the rules there."_s.arg(
            counted(*piece->node->maxCoresPerGpu, coreWord(*piece->node)), piece->node->gpu.word);
    return answer + whereItGoes(f, *piece);
}

QString memoryBillAnswer(F f)
{
    const auto piece = sharedPiece(f);
    if (!piece)
        return wholeNodesOnly(f);
    if (piece->node->memoryFollowsGpus)
        return u"There is nothing to ask for: %1 gives memory with each %2%3."_s.arg(f.siteName(),
            piece->node->gpu.word, piece->memory.count > 0 ? u", %1"_s.arg(humanBytes(piece->memory)) : QString());
    if (piece->memory.count <= 0)
        return u"The share of memory of one %1 of %2 is not published, so this is not known."_s.arg(
            f.word(), f.siteName());
    return doubledAnswer(f, *piece, false) + whereItGoes(f, *piece);
}

QString memAnswer(F f)
{
    const QString rule = u"Per node: Slurm gives that much on each node of the job."_s;
    if (f.node.memoryFollowsGpus)
        return rule + u" On %1 you need not write it at all, memory comes with each %2."_s.arg(f.siteName(), f.word());
    const auto asked = f.resolved.memoryPerNode;
    if (!asked)
        return rule + u" This design writes none; what %1 gives then is not published here."_s.arg(f.siteName());
    const Bytes all{asked->count * f.resolved.nodes};
    return rule
        + u" This design asks for --mem=%1 and has %2: %3 in all. With more nodes the line stays as it is."_s.arg(
            slurmMemory(*asked), nodesText(f.resolved.nodes), humanBytes(all));
}

QString costAnswer(F f)
{
    const auto& accounts = f.derived.cost.billingAccounts;
    if (!accounts || accounts->isEmpty())
        return noFormula(f) + u"This design takes %1 for up to %2."_s.arg(f.size(), humanDuration(f.resolved.time));
    const CostQuote::BillingAccount& bill = accounts->first();
    QString answer
        = u"%1 for each hour, at most %2 for the time limit of %3: only the time that the job really runs counts."_s
              .arg(amountText(bill.perHour, bill.unit), amountText(bill.amount, bill.unit),
                  humanDuration(f.resolved.time));
    if (f.derived.cost.cheaper)
        answer += u' ' + asSentence(f.derived.cost.cheaper->text);
    return answer;
}

QString unusedTimeAnswer(F f)
{
    QString answer
        = u"No: sites bill the time that the job really runs, so a time limit that is too long costs nothing. It "
          u"only lets the job wait longer."_s;
    const auto& accounts = f.derived.cost.billingAccounts;
    if (accounts && !accounts->isEmpty()) {
        const CostQuote::BillingAccount& bill = accounts->first();
        answer += u" This design asks for %1; if it ends after half of it, it costs %2 instead of %3."_s.arg(
            humanDuration(f.resolved.time), amountText(bill.amount / 2, bill.unit), amountText(bill.amount, bill.unit));
    }
    return answer;
}

QString sliceAnswer(F f)
{
    for (const Partition& partition : f.site.partitions) {
        const NodeShape* node = f.site.nodeShape(partition.name);
        if (node != nullptr && node->gpu.isSlice())
            return u"Yes, on %1: partition %2 offers the %3%4."_s.arg(f.siteName(), partition.name, node->gpu.model,
                node->gpu.memory.count > 0 ? u", each with %1"_s.arg(humanBytes(node->gpu.memory)) : QString());
    }
    if (!f.knowsNode())
        return u"The nodes of %1 are not described here, so this is not known."_s.arg(f.siteName());
    return u"No, as far as the catalogue knows: one %1%2 is the smallest piece of a node of %3. If a program cannot fill it, "
           u"start several small trainings on it from one task."_s.arg(f.word(),
               f.node.gpu.memory.count > 0 ? u" with %1"_s.arg(humanBytes(f.node.gpu.memory)) : QString(),
               f.siteName());
}

QString coresOfNodeAnswer(F f)
{
    if (!f.node.knowsCores() || !f.knowsNode())
        return u"How many cores a job gets of a node of %1 is not published."_s.arg(f.siteName());
    const QString word = coreWord(f.node);
    if (f.node.cores > f.node.usableCores && !f.node.cpusAreThreads)
        return u"A node of %1 has %2 cores, of which the system keeps %3 for itself, so that it does not disturb yours: %4 remain, "
               u"%5 for each %6. A job that asks for all never starts."_s.arg(f.siteName(),
                   QString::number(f.node.cores), QString::number(f.node.cores - f.node.usableCores),
                   QString::number(f.node.usableCores),
                   QString::number(f.node.coresPerGpu.value_or(f.node.usableCores / qMax(1, f.node.gpus))), f.word());
    return u"On %1 a job can have all: %2 of a node, %3 for each %4."_s.arg(f.siteName(),
        counted(f.node.usableCores, word),
        QString::number(f.node.coresPerGpu.value_or(f.node.usableCores / qMax(1, f.node.gpus))), f.word());
}

QString projectAnswer(F f)
{
    QString answer = u"It comes with your access: from the head of your project, or from the teacher of a course."_s;
    const QString example = f.site.launch.accountExample;
    if (!f.resolved.account.isEmpty())
        answer += u" This design uses %1."_s.arg(f.resolved.account);
    else if (!example.isEmpty())
        answer += u" On %1 it looks like %2."_s.arg(f.siteName(), example);
    answer += u" Once you are connected, the form lists the accounts that Slurm knows of you."_s;
    return answer;
}

QString fewGpusAnswer(F f)
{
    const int all = f.node.gpus;
    if (!f.knowsNode() || all < 1)
        return u"The nodes of %1 are not described here, so this is not known."_s.arg(f.siteName());
    if (f.resolved.partitionInfo.shared && !f.resolved.wholeNodes)
        return u"%1 shares its nodes: this design takes %2 of a node's %3, and others may use the rest."_s.arg(
            f.partition(), f.gpus(f.resolved.gpusPerNode), QString::number(all));
    if (f.resolved.gpusPerNode < all)
        return u"%1 gives whole nodes: this design uses %2 of %3 on each, and the others stay idle and are billed."_s
            .arg(f.partition(), QString::number(f.resolved.gpusPerNode), f.gpus(all));
    return u"This design takes all %1 of each node, so nothing of a node stays idle and nobody else is on it."_s.arg(
        f.gpus(all));
}

} // namespace

QList<Question> resourceQuestions()
{
    return {
        {u"billed-for-cores"_s, u"Am I billed for one {gpu} if I ask for more cores than its share?"_s,
            {u"billed"_s, u"14 cores"_s, u"one GCD and 14 CPU cores"_s, u"cores"_s, u"cpus"_s, u"billing"_s},
            TinyPicture::Bill, {u"billing-unit"_s, u"cpu-binding"_s, u"account"_s}, coresAnswer},
        {u"billed-for-memory"_s, u"Am I billed for one {gpu} if I ask for more memory than its share?"_s,
            {u"billed"_s, u"memory"_s, u"128 GB"_s, u"--mem"_s, u"billing"_s}, TinyPicture::Bill,
            {u"billing-unit"_s, u"mem"_s}, memoryBillAnswer},
        {u"mem-per-node"_s, u"Is --mem per node or per job?"_s, {u"memory"_s, u"--mem"_s, u"two nodes"_s, u"RAM"_s},
            TinyPicture::Memory, {u"mem"_s, u"node"_s}, memAnswer},
        {u"what-it-costs"_s, u"What does my job cost?"_s,
            {u"price"_s, u"budget"_s, u"GPU-hours"_s, u"units"_s, u"billing"_s, u"expensive"_s}, TinyPicture::Bill,
            {u"billing-unit"_s, u"account"_s}, costAnswer},
        {u"unused-time"_s, u"Do I pay for time that my job does not use?"_s,
            {u"time limit"_s, u"too long"_s, u"ends earlier"_s, u"billed"_s, u"wall time"_s}, TinyPicture::Clock,
            {u"time-limit"_s, u"billing-unit"_s, u"backfill"_s}, unusedTimeAnswer},
        {u"whole-node"_s, u"What happens with the {gpus} of a node that I do not ask for?"_s,
            {u"whole node"_s, u"exclusive"_s, u"shared"_s, u"idle"_s, u"billed"_s}, TinyPicture::Node,
            {u"partition"_s, u"node"_s, u"billing-unit"_s}, fewGpusAnswer},
        {u"half-a-gpu"_s, u"Can I ask for a part of a {gpu}?"_s, {u"slice"_s, u"MIG"_s, u"half"_s, u"smaller"_s},
            TinyPicture::Package, {u"gpu"_s, u"gcd"_s}, sliceAnswer},
        {u"cores-of-a-node"_s, u"How many cores of a node can I have?"_s,
            {u"56"_s, u"64"_s, u"63"_s, u"reserved cores"_s, u"low noise"_s, u"cpus"_s}, TinyPicture::Cores,
            {u"cpu-binding"_s, u"numa"_s}, coresOfNodeAnswer},
        {u"project-number"_s, u"Where do I get a project number?"_s,
            {u"account"_s, u"--account"_s, u"project"_s, u"invalid account"_s}, TinyPicture::Project, {u"account"_s},
            projectAnswer},
    };
}

} // namespace rankwright::inline teaching
