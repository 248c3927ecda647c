// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/codec/levelcodec.h"

#include "models/insight/telemetry/history/bucketfiller.h"

#include <cmath>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr char levelKind = 'L';
constexpr double hundredths = 100;
constexpr double mibPerGib = 1024;

/// Figures as they are kept: few decimal places pack well, and no tool reports more.
double kept(float value, Measure measure)
{
    if (measure == Measure::Memory)
        return std::round(double(value) * mibPerGib);
    return std::round(double(value) * hundredths) / hundredths;
}

float reported(double value, Measure measure) { return float(measure == Measure::Memory ? value / mibPerGib : value); }

} // namespace

qint64 levelBlockStart(std::size_t level, qint64 ms)
{
    const qint64 block = levelBlockMs(level);
    const qint64 rest = ms % block;
    return ms - (rest < 0 ? rest + block : rest);
}

Result<LevelBlock> LevelBlock::open(const QByteArray& blob)
{
    const auto payload = unpackBlob(levelKind, blob);
    if (!payload)
        return fail(payload.error());
    return openPayload(*payload);
}

Result<LevelBlock> LevelBlock::openPayload(const QByteArray& payload)
{
    LevelBlock block;
    block.m_payload = payload;
    if (!block.read())
        return fail(Fault::Unreadable, u"A piece of the recording is damaged."_s, u"Its sums are inconsistent."_s,
            u"The rest of the recording can still be read."_s);
    return block;
}

bool LevelBlock::read()
{
    ColumnReader reader(m_payload);
    m_fromMs = reader.signedNumber();
    m_bucketMs = reader.count(int(levelBucketMs.back()));
    m_gpus = reader.count(TelemetrySeries::maxGpusPerNode);
    if (reader.failed() || m_bucketMs < 1)
        return false;
    for (std::size_t i = 0; i < std::size_t(m_gpus) * allMeasures.size(); ++i) {
        Columns columns;
        if (reader.count(1)) {
            for (QByteArrayView* column : {&columns.samples, &columns.least, &columns.mean, &columns.most}) {
                *column = reader.column();
                if (reader.failed() || !isWhole(*column, bucketsPerBlock))
                    return false;
            }
        }
        m_columns.push_back(columns);
    }
    return !reader.failed();
}

void LevelBlock::forEachBucket(int gpu, Measure measure, const std::function<void(const HistoryBucket&)>& take) const
{
    const auto at = std::size_t(gpu) * allMeasures.size() + std::size_t(measure);
    if (gpu < 0 || gpu >= m_gpus || m_columns[at].samples.isEmpty())
        return;
    ColumnCursor samples(m_columns[at].samples, bucketsPerBlock);
    ColumnCursor least(m_columns[at].least, bucketsPerBlock);
    ColumnCursor mean(m_columns[at].mean, bucketsPerBlock);
    ColumnCursor most(m_columns[at].most, bucketsPerBlock);
    for (int i = 0; i < bucketsPerBlock; ++i) {
        if (!samples.next() || !least.next() || !mean.next() || !most.next())
            return;
        if (!samples.isKnown() || samples.whole() < 1)
            continue;
        const qint64 from = m_fromMs + i * m_bucketMs;
        take({{from, from + m_bucketMs}, int(qMin<qint64>(samples.whole(), 1 << 30)), reported(least.real(), measure),
            reported(mean.real(), measure), reported(most.real(), measure)});
    }
}

BucketFiller& LevelSums::filler(int gpu, std::size_t measure)
{
    const TimeSpan span{m_fromMs, m_fromMs + m_bucketMs * bucketsPerBlock};
    while (m_fillers.size() < (std::size_t(gpu) + 1) * allMeasures.size())
        m_fillers.emplace_back(span, bucketsPerBlock);
    return m_fillers[std::size_t(gpu) * allMeasures.size() + measure];
}

void LevelSums::add(const TickChunk& chunk)
{
    const int gpus = qMin(chunk.largestGpu() + 1, TelemetrySeries::maxGpusPerNode);
    for (int gpu = 0; gpu < gpus; ++gpu) {
        for (std::size_t measure = 0; measure < allMeasures.size(); ++measure) {
            BucketFiller& sums = filler(gpu, measure);
            chunk.forEachValue(gpu, allMeasures[measure], [&sums](qint64 ms, float value) { sums.add(ms, value); });
        }
    }
}

void LevelSums::add(const LevelBlock& finer)
{
    for (int gpu = 0; gpu < finer.gpus(); ++gpu) {
        for (std::size_t measure = 0; measure < allMeasures.size(); ++measure) {
            BucketFiller& sums = filler(gpu, measure);
            finer.forEachBucket(gpu, allMeasures[measure], [&sums](const HistoryBucket& part) { sums.add(part); });
        }
    }
}

QByteArray LevelSums::pack() const
{
    ColumnWriter out;
    out.signedNumber(m_fromMs);
    out.number(quint64(m_bucketMs));
    out.number(m_fillers.size() / allMeasures.size());
    for (std::size_t i = 0; i < m_fillers.size(); ++i) {
        const Measure measure = allMeasures[i % allMeasures.size()];
        std::vector<std::optional<qint64>> samples;
        std::vector<std::optional<double>> least, mean, most;
        bool any = false;
        for (const HistoryBucket& bucket : m_fillers[i].buckets()) {
            const bool known = bucket.samples > 0;
            any = any || known;
            samples.push_back(known ? std::optional<qint64>(bucket.samples) : std::nullopt);
            least.push_back(known ? std::optional<double>(kept(bucket.least, measure)) : std::nullopt);
            mean.push_back(known ? std::optional<double>(kept(bucket.mean, measure)) : std::nullopt);
            most.push_back(known ? std::optional<double>(kept(bucket.most, measure)) : std::nullopt);
        }
        out.number(any ? 1 : 0);
        if (!any)
            continue;
        out.column(samples);
        for (const auto* column : {&least, &mean, &most})
            out.column(*column);
    }
    return packBlob(levelKind, out.bytes());
}

} // namespace rankwright::inline insight
