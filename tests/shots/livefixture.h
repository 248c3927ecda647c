// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tables/jobmodel.h"
#include "tests/shots/alertfixture.h"
#include "widgets/live/livepage.h"

/// A made-up job on the Live page and the jobs beside it on the Jobs page.
namespace rankwright::shots {

inline void prepare(LivePage& page, const RunShape& shape, JobState state, bool failing)
{
    page.setClock([] { return now; });
    page.showJob(runningJob(shape, state));
    page.setStrategy(u"FSDP"_s);
    page.showProgress(progressAt(4440, state == JobState::Completed ? 4440 : 12000, 2.314));
    page.showLosses(lossCurve(444));
    page.appendLog(logLines(failing));
    page.setCoverage(0.98);
    page.setSamplingCost(u"Watching costs 1 channel, 2 steps of the job, 3.1 MiB received · 0.9 kB/s now · "
                         "41 s of processor time on all nodes together · recorded: 4.2 MiB"_s);
}

/// The job's two hours: warming up, two checkpoints, half an hour without a laptop, one late rank.
inline TimeOverview overviewOf(bool late, Measure measure)
{
    TimeOverview overview;
    overview.span = {now - 6'600'000, now};
    overview.measure = measure;
    overview.high = measure == Measure::Power ? 500 : 100;
    overview.gaps = {{now - 4'700'000, now - 3'100'000}};
    for (int place = 0; place < 480; ++place) {
        const qint64 from = overview.span.fromMs + overview.span.length() * place / 480;
        HistoryBucket bucket{{from, overview.span.fromMs + overview.span.length() * (place + 1) / 480}, 16, 0, 0, 0};
        const bool warming = place < 14;
        const bool saving = place % 150 > 142;
        const float mean = warming ? 6.F * float(place) : saving ? 21.F : 94.F + 3.F * float(std::sin(place * 0.7));
        bucket.mean = mean;
        bucket.least = std::max(0.F, mean - (saving ? 20.F : 9.F));
        bucket.most = std::min(100.F, mean + 6.F);
        if (from >= overview.gaps.first().fromMs && from < overview.gaps.first().toMs)
            bucket.samples = 0;
        overview.curve.append(bucket);
        overview.progress.append({from, 0.37 * place / 480.0});
    }
    overview.marks = {{TimelineMark::Kind::State, Alert::Level::Normal, overview.span.fromMs + 20'000,
                          overview.span.fromMs + 20'000, u"began to run"_s},
        {TimelineMark::Kind::Alert, Alert::Level::Hint, now - 2'500'000, now - 2'300'000,
            u"far more memory than needed"_s}};
    if (late)
        overview.marks.append(
            {TimelineMark::Kind::Alert, Alert::Level::Warning, now - 280'000, 0, u"Rank 13 is late"_s});
    return overview;
}

inline QList<JobRow> jobRows()
{
    const RunShape lumi;
    QList<JobRow> rows;
    const auto add = [&](const QString& id, const QString& name, JobState state, qint64 elapsed, bool here) {
        JobRow row;
        row.job = runningJob(lumi, state);
        row.job.id = id;
        row.job.name = name;
        row.job.elapsed = elapsed >= 0 ? std::optional(Seconds{elapsed}) : std::nullopt;
        row.job.submitted = QDateTime::fromMSecsSinceEpoch(now - (9304950 - id.toLongLong()) * 600'000);
        if (elapsed >= 0)
            row.job.started = row.job.submitted.addSecs(420);
        if (hasEnded(state))
            row.job.ended = row.job.started.addSecs(elapsed);
        row.cluster = u"lumi"_s;
        row.launchedHere = here;
        row.entryId = here ? u"entry-"_s + id : QString();
        rows.append(row);
    };
    add(u"9304947"_s, u"llama8b-long"_s, JobState::Pending, -1, true);
    rows.last().job.reason = u"Priority"_s;
    rows.last().note = u"waits for other jobs"_s;
    add(u"9304946"_s, u"llama8b"_s, JobState::Running, 6720, true);
    add(u"9304902"_s, u"gpt-imdb"_s, JobState::Completed, 2412, true);
    add(u"9304877"_s, u"gpt-imdb"_s, JobState::Failed, 96, true);
    rows.last().job.exitCode = 1;
    rows.last().note = u"Rank 3: GPU out of memory"_s;
    add(u"9304811"_s, u"scaling-4"_s, JobState::Timeout, 43200, false);
    add(u"9304790"_s, u"scaling-2"_s, JobState::Cancelled, 310, false);
    return rows;
}

} // namespace rankwright::shots
