// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/measuredruns.h"

#include "app/store/database.h"

#include <QSqlQuery>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QVariant variantOrNull(const std::optional<double>& value) { return value ? QVariant(*value) : QVariant(); }

std::optional<double> figure(const QVariant& value)
{
    return value.isNull() ? std::nullopt : std::optional(value.toDouble());
}

/// The columns of the bands are NOT NULL: 0 stands for a band that was not kept.
std::optional<double> knownSpread(const QVariant& value)
{
    const double spread = value.toDouble();
    return spread != 0 ? std::optional(spread) : std::nullopt;
}

/// Qt binds a null QString as NULL; the columns are NOT NULL.

} // namespace

MeasuredRuns::MeasuredRuns(Database& database) : m_database(database) { }

Result<CalibrationTable> MeasuredRuns::load() const
{
    auto rows = m_database.run(
        u"SELECT cluster, family, stack, job, time, predicted_bytes, measured_bytes, predicted_seconds, "
        "measured_seconds, time_spread, memory_spread, exact_bytes, gpu_bytes, shortest_seconds FROM measured_runs "
        "ORDER BY time, number"_s);
    if (!rows)
        return fail(rows.error());
    CalibrationTable table;
    while (rows->next()) {
        MeasuredRun run;
        run.cluster = rows->value(0).toString();
        run.family = rows->value(1).toString();
        run.stack = rows->value(2).toString();
        run.job = rows->value(3).toString();
        run.when = QDateTime::fromMSecsSinceEpoch(rows->value(4).toLongLong(), Qt::UTC);
        run.predictedBytes = rows->value(5).toDouble();
        run.measuredBytes = figure(rows->value(6));
        run.predictedSeconds = rows->value(7).toDouble();
        run.measuredSeconds = figure(rows->value(8));
        run.timeSpread = knownSpread(rows->value(9));
        run.memorySpread = knownSpread(rows->value(10));
        run.exactBytes = figure(rows->value(11));
        run.gpuBytes = figure(rows->value(12));
        run.shortestSeconds = figure(rows->value(13));
        table.runs.append(run);
    }
    return table;
}

Result<void> MeasuredRuns::add(const MeasuredRun& run)
{
    return m_database.transact([&]() -> Result<void> {
        // The same job measured again, with less to see: what was measured before stays.
        auto before = m_database.run(
            u"SELECT measured_bytes, measured_seconds FROM measured_runs WHERE cluster = ? AND job = ?"_s,
            {sqlText(run.cluster), sqlText(run.job)});
        if (!before)
            return fail(before.error());
        const bool any = before->next();
        const QVariant bytes
            = run.measuredBytes || !any ? variantOrNull(run.measuredBytes) : QVariant(before->value(0));
        const QVariant seconds
            = run.measuredSeconds || !any ? variantOrNull(run.measuredSeconds) : QVariant(before->value(1));
        before->finish();
        if (const auto gone = m_database.run(
                u"DELETE FROM measured_runs WHERE cluster = ? AND job = ?"_s, {sqlText(run.cluster), sqlText(run.job)});
            !gone)
            return fail(gone.error());
        const auto written = m_database.run(
            u"INSERT INTO measured_runs (cluster, family, stack, job, time, predicted_bytes, measured_bytes, "
            "predicted_seconds, measured_seconds, time_spread, memory_spread, exact_bytes, gpu_bytes, "
            "shortest_seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"_s,
            {sqlText(run.cluster), sqlText(run.family), sqlText(run.stack), sqlText(run.job),
                run.when.toMSecsSinceEpoch(), run.predictedBytes, bytes, run.predictedSeconds, seconds,
                run.timeSpread.value_or(0), run.memorySpread.value_or(0), variantOrNull(run.exactBytes),
                variantOrNull(run.gpuBytes), variantOrNull(run.shortestSeconds)});
        return written ? Result<void>() : fail(written.error());
    });
}

Result<void> MeasuredRuns::clear()
{
    const auto gone = m_database.run(u"DELETE FROM measured_runs"_s);
    return gone ? Result<void>() : fail(gone.error());
}

} // namespace rankwright
