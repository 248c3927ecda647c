// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/batchsolver.h"

#include <QStringList>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

// Under these bounds the product of three terms stays in range.
constexpr qint64 mostRanks = 10'000'000;
constexpr qint64 mostSolvedMicro = 100'000;
constexpr qint64 mostPasses = 1'000'000;
constexpr qint64 mostSolvedGlobal = mostRanks * mostSolvedMicro * mostPasses;

std::optional<Error> nonsense(const QString& name, const std::optional<qint64>& term, qint64 most)
{
    if (!term || (*term >= 1 && *term <= most))
        return std::nullopt;
    return Error{
        Fault::Invalid, u"The %1 is %2."_s.arg(name).arg(*term), {}, u"Give a whole number from 1 to %1."_s.arg(most)};
}

/// The nearest multiple of a step, and its neighbours when it is not the one asked for.
void fitGlobal(BatchSolution& solution, qint64 asked, qint64 step)
{
    const qint64 below = asked / step * step;
    solution.exact = below == asked;
    solution.global = solution.exact || (below > 0 && asked - below <= below + step - asked) ? below : below + step;
    if (solution.exact)
        return;
    if (below > 0)
        solution.nearest.append(below);
    solution.nearest.append(below + step);
}

/// With one term open beside the global batch: the quotient, or the nearest global batch that has one.
qint64 quotient(BatchSolution& solution, qint64 asked, qint64 rest)
{
    fitGlobal(solution, asked, rest);
    return solution.global / rest;
}

/// Global batch and two or one of the others.
void solveOthers(BatchSolution& solution, const BatchTerms& terms, qint64 global)
{
    solution.ranks = terms.ranks.value_or(1);
    solution.micro = terms.micro.value_or(1);
    solution.accumulation = terms.accumulation.value_or(1);
    if (terms.ranks && terms.micro && terms.accumulation) {
        solution.global = *terms.ranks * *terms.micro * *terms.accumulation;
        solution.exact = solution.global == global;
        if (!solution.exact)
            solution.nearest = {solution.global};
    } else if (!terms.micro && terms.ranks) {
        // One pass keeps the GPUs busiest; what does not divide becomes the nearest that does.
        solution.micro = qMin(mostSolvedMicro, quotient(solution, global, solution.ranks * solution.accumulation));
        if (!terms.accumulation && solution.micro * solution.ranks != solution.global)
            solution.accumulation = quotient(solution, global, solution.ranks * solution.micro);
    } else if (!terms.ranks) {
        solution.ranks = qMin(mostRanks, quotient(solution, global, solution.micro * solution.accumulation));
        if (solution.ranks * solution.micro * solution.accumulation != solution.global)
            fitGlobal(solution, global, solution.ranks * solution.micro * solution.accumulation);
    } else {
        solution.accumulation = quotient(solution, global, solution.ranks * solution.micro);
    }
}

QString equation(const BatchSolution& solution)
{
    return u"%1 = %2 per rank × %3 accumulation steps × %4 ranks"_s.arg(solution.global)
        .arg(solution.micro)
        .arg(solution.accumulation)
        .arg(solution.ranks);
}

} // namespace

Result<BatchSolution> solveBatch(const BatchTerms& terms)
{
    for (const auto& error : {nonsense(u"global batch"_s, terms.global, mostSolvedGlobal),
             nonsense(u"micro-batch"_s, terms.micro, mostSolvedMicro),
             nonsense(u"accumulation"_s, terms.accumulation, mostPasses),
             nonsense(u"number of data-parallel ranks"_s, terms.ranks, mostRanks)})
        if (error)
            return fail(*error);
    BatchSolution solution;
    if (terms.global) {
        solveOthers(solution, terms, *terms.global);
        const qint64 product = solution.micro * solution.accumulation * solution.ranks;
        if (product != solution.global) { // a term ran into its bound
            solution.global = product;
            solution.nearest = {product};
        }
        solution.exact = solution.global == *terms.global;
        solution.reason = solution.exact ? equation(solution) + u'.'
                                         : u"%1 cannot be split in this way; the nearest that can is %2."_s.arg(
                                             QString::number(*terms.global), equation(solution));
        return solution;
    }
    solution.micro = terms.micro.value_or(1);
    solution.accumulation = terms.accumulation.value_or(1);
    solution.ranks = terms.ranks.value_or(1);
    solution.global = solution.micro * solution.accumulation * solution.ranks;
    solution.reason = equation(solution) + u'.';
    return solution;
}

} // namespace rankwright::inline planner
