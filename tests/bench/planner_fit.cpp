// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/measuredpeaks.h"
#include "tests/models/support/timedruns.h"
#include "tests/support/testbase.h"

#include "models/core/csvtable.h"
#include "models/planner/estimate/network/plannerdata.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

// Prints tests/data/planner/speeds_left_out.csv: for each source the constants of its stacks, fitted to the published
// runs of all other sources (docs/planner.md, "Where the constants come from"). What is expected of a constant before
// any run is seen stands in tests/data/planner/speed_expectations.csv. With names of sources: these alone. With
// --table: resources/planner/stacks-speed.json with all constants fitted again to all runs, from the table in use and
// not far from it (half of the widths); bands and what no published run determines stay. With --five-fold: the errors
// of each fifth of the runs by constants fitted to the others, as a table of docs/planner.md.

namespace {

constexpr qsizetype levels = 5; // all, GPU generation, kind of stack, stack, stack on that generation

/// One constant in the units of the fit: logarithms, log-odds for shares.
struct ExpectedConstant {
    QString name;
    bool odds = false;
    double mean = 0;
    std::array<double, levels> width{}; ///< standard deviation of each level
};

struct Expectations {
    QList<ExpectedConstant> constants;
    QMap<QString, QMap<qsizetype, double>> shifts; ///< of a level's name: what is expected of it against all
};

struct Run {
    TimedRun timed;
    QString kind;
    StackSpeed switches;
    std::array<QString, levels> names;
};

using Values = std::vector<double>; // one for each constant
using Fit = QMap<QString, Values>; // of a level's name: what it adds

double toUnit(double value, bool odds) { return odds ? std::log(value / (1 - value)) : std::log(value); }
double fromUnit(double value, bool odds) { return odds ? 1 / (1 + std::exp(-value)) : std::exp(value); }

Expectations readExpectations()
{
    QFile file(sourcePath(u"/tests/data/planner/speed_expectations.csv"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("tests/data/planner/speed_expectations.csv is missing");
    const auto table = parseCsv(file.readAll(), file.fileName());
    if (!table)
        qFatal("%s", qPrintable(table.error().what));
    Expectations read;
    for (const CsvTable::Row& row : table->rows) {
        const QStringList& cells = row.cells;
        if (cells.at(0) == u"all") {
            ExpectedConstant one{cells.at(1), cells.at(1).endsWith(u"Overlap"_s), 0, {}};
            one.mean = toUnit(cells.at(2).toDouble(), one.odds);
            for (qsizetype level = 0; level < levels; ++level)
                one.width[level] = cells.at(3 + level).toDouble();
            read.constants.append(one);
            continue;
        }
        for (qsizetype i = 0; i < read.constants.size(); ++i) {
            if (read.constants.at(i).name == cells.at(1))
                read.shifts[cells.at(0)][i] = std::log(cells.at(2).toDouble());
        }
    }
    return read;
}

QJsonArray levelsInUse() { return plannerData(u"stacks-speed.json"_s).value(u"levels"_s).toArray(); }

/// The same with the table in use in the place of what is expected, and narrow widths above the stacks, but for
/// constants that the runs of one sort determine alone.
Expectations tableInUse(Expectations read)
{
    constexpr double nearby = 0.5, held = 0.05; // of the widths
    constexpr size_t firstOfStack = 3;
    read.shifts.clear();
    for (ExpectedConstant& one : read.constants) {
        const bool alone = one.name.startsWith(u"convolution"_s) || one.name == u"contextLaunch";
        for (size_t level = 0; level < one.width.size(); ++level)
            one.width[level] *= alone || level >= firstOfStack ? nearby : held;
    }
    for (const QJsonValue& level : levelsInUse()) {
        const QString name = level[u"level"].toString();
        for (qsizetype i = 0; i < read.constants.size(); ++i) {
            ExpectedConstant& one = read.constants[i];
            const QJsonValue value = level[one.name];
            if (!value.isDouble())
                continue;
            if (name == u"all")
                one.mean = toUnit(value.toDouble(), one.odds);
            else
                read.shifts[name][i] = one.odds ? value.toDouble() : std::log(value.toDouble());
        }
    }
    return read;
}

QList<Run> readRuns()
{
    static const QRegularExpression year(u"-20\\d\\d$"_s);
    QList<Run> runs;
    for (const TimedRun& timed : timedRuns()) {
        const QString& stack = timed.row.stack;
        const QString& gpu = timed.gpu.gpuClass;
        const QString kind = stackKind(stack);
        runs.append({timed, kind, stackSpeed(stack, gpu),
            {u"all"_s, u"gpu "_s + gpu, u"kind "_s + kind, u"stack "_s + QString(stack).remove(year),
                u"stack "_s + stack + u" on "_s + gpu}});
    }
    return runs;
}

/// What is expected of a run's constants, and what the fit makes of them.
Values expectedOf(const Expectations& expectations, const Run& run)
{
    Values values;
    for (const ExpectedConstant& one : expectations.constants)
        values.push_back(one.mean);
    for (const QString& name : run.names) {
        const QMap<qsizetype, double> shifts = expectations.shifts.value(name);
        for (auto shift = shifts.begin(); shift != shifts.end(); ++shift)
            values[shift.key()] += *shift;
    }
    return values;
}

Values fittedOf(const Expectations& expectations, const Fit& fit, const Run& run)
{
    Values values = expectedOf(expectations, run);
    for (const QString& name : run.names) {
        const Values added = fit.value(name);
        for (size_t i = 0; i < added.size(); ++i)
            values[i] += added[i];
    }
    return values;
}

double logSeconds(const Expectations& expectations, const Run& run, const Values& values)
{
    StackSpeed speed = run.switches;
    for (qsizetype i = 0; i < expectations.constants.size(); ++i) {
        const ExpectedConstant& one = expectations.constants.at(i);
        setSpeedConstant(speed, one.name, fromUnit(values[i], one.odds));
    }
    return std::log(
        TimeModel(run.timed.row.workload, speed, run.kind, run.timed.gpu).estimate(run.timed.row.layout).seconds);
}

/// Solves A·x = b in place for a symmetric, positive definite A of n rows (Cholesky); x is left in b.
void solve(std::vector<double>& a, Values& b)
{
    const size_t n = b.size();
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = j; i < n; ++i) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; ++k)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j * n + j];
        }
    }
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < i; ++k)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; ++k)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
}

/// Log seconds of the runs as a linear function of the constants at the present fit.
struct Linear {
    std::vector<Values> slopes;
    Values target; ///< measured, less what is expected
    Values variance; ///< Student-t weights, scale 8 %; a stack on a generation counts as at most 150 runs
};

Linear linearised(const Expectations& expectations, const QList<Run>& runs, const Fit& fit)
{
    constexpr double step = 0.02, scale = 0.08, freedom = 3, most = 150;
    QMap<QString, int> counts;
    for (const Run& run : runs)
        ++counts[run.names.back()];
    Linear linear;
    for (const Run& run : runs) {
        const Values values = fittedOf(expectations, fit, run);
        const Values expected = expectedOf(expectations, run);
        const double here = logSeconds(expectations, run, values);
        const double residual = std::log(run.timed.measuredSeconds) - here;
        Values slopes;
        double target = residual;
        for (size_t i = 0; i < values.size(); ++i) {
            Values moved = values;
            moved[i] += step;
            slopes.push_back((logSeconds(expectations, run, moved) - here) / step);
            target += slopes.back() * (values[i] - expected[i]);
        }
        linear.slopes.push_back(slopes);
        linear.target.push_back(target);
        const double share = std::min(1.0, most / counts.value(run.names.back()));
        linear.variance.push_back(
            scale * scale * (freedom + residual * residual / (scale * scale)) / (freedom + 1) / share);
    }
    return linear;
}

double covariance(
    const Expectations& expectations, const Run& a, const Values& slopesA, const Run& b, const Values& slopesB)
{
    double sum = 0;
    for (size_t level = 0; level < size_t(levels); ++level) {
        if (a.names[level] != b.names[level])
            continue;
        for (size_t i = 0; i < slopesA.size(); ++i) {
            const double width = expectations.constants.at(qsizetype(i)).width[level];
            sum += width * width * slopesA[i] * slopesB[i];
        }
    }
    return sum;
}

/// One step of Gauss-Newton for all levels at once, in the space of the runs: there are fewer runs than constants.
Fit improved(const Expectations& expectations, const QList<Run>& runs, const Fit& fit)
{
    const Linear linear = linearised(expectations, runs, fit);
    const size_t n = linear.target.size();
    std::vector<double> matrix(n * n);
    for (size_t a = 0; a < n; ++a) {
        for (size_t b = 0; b <= a; ++b)
            matrix[a * n + b] = covariance(
                expectations, runs.at(qsizetype(a)), linear.slopes[a], runs.at(qsizetype(b)), linear.slopes[b]);
        matrix[a * n + a] += linear.variance[a];
    }
    Values weights = linear.target;
    solve(matrix, weights);
    const size_t constants = size_t(expectations.constants.size());
    Fit next;
    for (size_t a = 0; a < n; ++a) {
        for (size_t level = 0; level < size_t(levels); ++level) {
            Values& added = next[runs.at(qsizetype(a)).names[level]];
            added.resize(constants);
            for (size_t i = 0; i < constants; ++i) {
                const double width = expectations.constants.at(qsizetype(i)).width[level];
                added[i] += width * width * linear.slopes[a][i] * weights[a];
            }
        }
    }
    constexpr double damping = 0.9, furthest = 0.4;
    for (auto level = next.begin(); level != next.end(); ++level) {
        Values before = fit.value(level.key());
        before.resize(constants);
        for (size_t i = 0; i < constants; ++i)
            (*level)[i] = before[i] + std::clamp(damping * ((*level)[i] - before[i]), -furthest, furthest);
    }
    return next;
}

void printSource(const Expectations& expectations, const QList<Run>& runs, const QString& family, Fit fit)
{
    constexpr int steps = 5; // from the fit of all runs
    QList<Run> others;
    for (const Run& run : runs) {
        if (run.timed.family != family)
            others.append(run);
    }
    for (int i = 0; i < steps; ++i)
        fit = improved(expectations, others, fit);
    QSet<QString> seen;
    for (const Run& run : runs) {
        if (run.timed.family != family || seen.contains(run.names.back()))
            continue;
        seen.insert(run.names.back());
        QString line = u'"' + QString(family).replace(u'"', u"\"\""_s) + u"\","_s + run.timed.row.stack + u','
            + run.timed.gpu.gpuClass;
        const Values values = fittedOf(expectations, fit, run);
        for (qsizetype i = 0; i < expectations.constants.size(); ++i)
            line += u',' + QString::number(fromUnit(values[i], expectations.constants.at(i).odds), 'g', 5);
        std::printf("%s\n", qPrintable(line));
    }
}

/// Each fifth run by constants that were fitted to the others, from the fit of all runs.
void printFiveFold(const Expectations& expectations, const QList<Run>& runs, const Fit& all)
{
    constexpr qsizetype folds = 5;
    constexpr int steps = 5;
    QMap<QString, QList<double>> errors; // of a stack on a GPU generation
    QList<double> every;
    for (qsizetype fold = 0; fold < folds; ++fold) {
        QList<Run> others;
        for (qsizetype i = 0; i < runs.size(); ++i) {
            if (i % folds != fold)
                others.append(runs.at(i));
        }
        Fit fit = all;
        for (int i = 0; i < steps; ++i)
            fit = improved(expectations, others, fit);
        for (qsizetype i = fold; i < runs.size(); i += folds) {
            const Run& run = runs.at(i);
            const double predicted = logSeconds(expectations, run, fittedOf(expectations, fit, run));
            every.append(std::abs(std::exp(predicted) / run.timed.measuredSeconds - 1));
            errors[run.timed.row.stack + u" on "_s + run.timed.gpu.gpuClass].append(every.constLast());
        }
    }
    const auto print = [](const QString& what, const QList<double>& some) {
        std::printf("| %s | %lld | %.1f %% | %.1f %% |\n", qPrintable(what), static_cast<long long>(some.size()),
            100 * percentile(some, 0.5), 100 * percentile(some, 0.9));
    };
    std::printf("| runs | speeds | median error | 90th percentile |\n|---|---|---|---|\n");
    print(u"all"_s, every);
    for (auto one = errors.cbegin(); one != errors.cend(); ++one)
        print(one.key(), one.value());
}

/// Levels of stacks some of whose runs have a term that the table was not fitted with.
QSet<QString> levelsOfTouchedStacks(const QList<Run>& runs)
{
    constexpr qsizetype stack = 3, pair = 4;
    QSet<QString> stacks, touched;
    for (const Run& run : runs) {
        const Workload& workload = run.timed.row.workload;
        if (workload.deterministic || workload.shape.family == ModelFamily::Convolution
            || run.timed.gpu.hostLaunch != 1)
            stacks.insert(run.names[stack]);
    }
    for (const Run& run : runs) {
        if (stacks.contains(run.names[stack]))
            touched << run.names[stack] << run.names[pair];
    }
    return touched;
}

/// One line of the table, a level, with what the fit adds to its constants; others stand as they are.
QString tableLine(QString line, const Expectations& table, const Fit& fit)
{
    static const QRegularExpression named(u"^\\s*\\{\"level\": \"([^\"]+)\""_s);
    const QString level = named.match(line).captured(1);
    const Values added = fit.value(level);
    if (added.empty())
        return line;
    for (qsizetype i = 0; i < table.constants.size(); ++i) {
        const ExpectedConstant& one = table.constants.at(i);
        const QRegularExpression member(u"\"%1\": [-+.0-9e]+"_s.arg(one.name));
        const bool all = level == u"all";
        const double before = all ? one.mean : table.shifts.value(level).value(i);
        const double after = before + added[size_t(i)];
        const double value = all ? fromUnit(after, one.odds) : one.odds ? after : std::exp(after);
        const QString text = u"\"%1\": %2"_s.arg(one.name).arg(value, 0, 'g', 4);
        constexpr double least = 0.004; // what is less is not written
        if (member.match(line).hasMatch())
            line.replace(member, text);
        else if (std::abs(added[size_t(i)]) > least)
            line.insert(line.lastIndexOf(u'}'), u", "_s + text);
    }
    return line;
}

void printTable(const Expectations& table, const QList<Run>& runs)
{
    constexpr int steps = 14;
    Fit fit;
    for (int i = 0; i < steps; ++i)
        fit = improved(table, runs, fit);
    QFile file(sourcePath(u"/resources/planner/stacks-speed.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("resources/planner/stacks-speed.json is missing");
    const QStringList lines = QString::fromUtf8(file.readAll()).trimmed().split(u'\n');
    const QSet<QString> touched = levelsOfTouchedStacks(runs);
    for (auto level = fit.begin(); level != fit.end();)
        level = level.key().startsWith(u"stack ") && !touched.contains(level.key()) ? fit.erase(level) : ++level;
    for (const QString& line : lines)
        std::printf("%s\n", qPrintable(tableLine(line, table, fit)));
}

} // namespace

int main(int argc, char** argv)
{
    const Expectations expectations = readExpectations();
    const QList<Run> runs = readRuns();
    if (argc == 2 && qstrcmp(argv[1], "--table") == 0) {
        printTable(tableInUse(expectations), runs);
        return 0;
    }
    constexpr int steps = 14; // from what is expected; the last ones change nothing
    Fit all;
    for (int i = 0; i < steps; ++i)
        all = improved(expectations, runs, all);
    QList<double> errors;
    QSet<QString> families;
    for (const Run& run : runs) {
        const double predicted = logSeconds(expectations, run, fittedOf(expectations, all, run));
        errors.append(std::abs(std::exp(predicted) / run.timed.measuredSeconds - 1));
        families.insert(run.timed.family);
    }
    std::fprintf(stderr, "fitted to all %lld runs: median %.1f %%, 90th percentile %.1f %%\n",
        static_cast<long long>(runs.size()), 100 * percentile(errors, 0.5), 100 * percentile(errors, 0.9));
    if (argc == 2 && qstrcmp(argv[1], "--five-fold") == 0) {
        printFiveFold(expectations, runs, all);
        return 0;
    }
    QStringList columns{u"source"_s, u"stack"_s, u"gpu"_s};
    for (const ExpectedConstant& one : expectations.constants)
        columns.append(one.name);
    std::printf("%s\n", qPrintable(columns.join(u',')));
    QStringList sorted(families.begin(), families.end());
    sorted.sort();
    for (const QString& family : sorted) {
        const bool asked = argc == 1
            || std::any_of(argv + 1, argv + argc, [&](const char* name) { return family == QString::fromUtf8(name); });
        if (asked)
            printSource(expectations, runs, family, all);
    }
    return 0;
}
