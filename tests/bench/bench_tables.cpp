// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/recordmodel.h"
#include "tests/bench/benchreport.h"

#include <QElapsedTimer>

#include <cstdlib>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int runs = 11;
constexpr int rows = 20'000;

struct Job {
    QString id;
    int minutes = 0;
    bool operator==(const Job&) const = default;
};

QList<Job> jobs(int first, int minutes)
{
    QList<Job> all;
    for (int i = 0; i < rows; ++i)
        all.append({QString::number(4'000'000 + first + i), i % 10 == 0 ? minutes : 0});
    return all;
}

/// One answer of the accounting: a hundred jobs have gone, a hundred come, a tenth differ.
void measureAssign()
{
    RecordModel<Job>::Column id;
    id.title = u"Job"_s;
    id.text = [](const Job& job) { return job.id; };
    RecordModel<Job> model({id}, [](const Job& job) { return job.id; });
    QList<double> first, again, thinned;
    for (int run = 0; run < runs; ++run) {
        model.assign({});
        const QList<Job> before = jobs(0, run), after = jobs(100, run + 1);
        QElapsedTimer timer;
        timer.start();
        model.assign(before);
        first.append(double(timer.nsecsElapsed()) / 1e6);
        timer.start();
        model.assign(after);
        again.append(double(timer.nsecsElapsed()) / 1e6);
        if (model.rowCount() != rows)
            std::abort();
        QList<Job> every;
        for (int i = 0; i < rows; i += 2)
            every.append(after.at(i));
        timer.start();
        model.assign(every);
        thinned.append(double(timer.nsecsElapsed()) / 1e6);
    }
    bench::report("a table of 20,000 jobs, filled", first, "ms");
    bench::report("the same, the next answer of sacct", again, "ms");
    bench::report("the same, every second row goes", thinned, "ms");
}

} // namespace

int main()
{
    measureAssign();
    return 0;
}
