// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/longscript.h"

#include <cstdlib>
#include <ctime>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QList<double> timed(int runs, const auto& work)
{
    QList<double> times;
    for (int run = 0; run < runs; ++run) {
        const std::clock_t start = std::clock(); // processor time: other programs do not count
        work();
        times.append(double(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
    }
    return times;
}

} // namespace

int main()
{
    for (const int lines : {250, 500, 1000, 2000, 4000, 8000, 16000}) {
        const QString text = bench::longScript(lines);
        const int runs = lines > 4000 ? 5 : 15;
        qsizetype used = 0; // so that nothing is optimised away
        const auto edit = [&](const QString& path, const QString& value) {
            const auto edited = setFields(text, {{path, value, false}});
            if (!edited)
                std::abort();
            used += edited->text.size();
        };
        const auto report = [&](const QString& what, const QList<double>& times) {
            bench::report(qPrintable(u"%1 lines: %2"_s.arg(lines).arg(what)), times, "ms");
        };
        report(u"read the fields"_s, timed(runs, [&] { used += bindScript(text).fields.size(); }));
        report(u"set the time"_s, timed(runs, [&] { edit(u"time"_s, u"02:00:00"_s); }));
        report(u"set the nodes"_s, timed(runs, [&] { edit(u"resources.nodes"_s, u"4"_s); }));
        report(u"set an argument"_s, timed(runs, [&] { edit(u"arguments.--lr"_s, u"1e-4"_s); }));
        if (used == 0)
            std::abort();
    }
    return 0;
}
