// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/core/palette/paletteindex.h"
#include "models/planner/templates/designsummary.h"
#include "models/planner/templates/designtemplates.h"
#include "tests/bench/benchreport.h"

#include <QElapsedTimer>

#include <cstdlib>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int runs = 11;

/// Words of the trade, put together.
QList<PaletteEntry> manyEntries()
{
    const QStringList words{u"Connect"_s, u"Train"_s, u"Llama"_s, u"Watch"_s, u"Report"_s, u"batch"_s, u"script"_s,
        u"global"_s, u"pipeline"_s, u"LUMI"_s, u"Leonardo"_s, u"nodes"_s};
    QList<PaletteEntry> entries;
    for (int i = 0; i < 10000; ++i)
        entries.append({.id = QString::number(i),
            .title = u"%1 %2 %3 %4"_s.arg(words.at(i % 12), words.at(i / 12 % 12), words.at(i / 144 % 12)).arg(i),
            .section = words.at(i % 7),
            .keywords = u"resources gpus per node"_s});
    return entries;
}

void measureQueries()
{
    const QList<PaletteEntry> entries = manyEntries();
    QList<double> making;
    for (int run = 0; run < runs; ++run) {
        QElapsedTimer timer;
        timer.start();
        if (PaletteIndex(entries).entries().size() != 10000)
            std::abort();
        making.append(double(timer.nsecsElapsed()) / 1e6);
    }
    bench::report("palette: index of 10 000 entries", making, "ms");
    const PaletteIndex index(entries);
    for (const QString& query : {u"l"_s, u"train llama"_s, u"piepline"_s, u"zzzzz"_s}) {
        QList<double> times;
        for (int run = 0; run < runs; ++run) {
            QElapsedTimer timer;
            timer.start();
            if (index.search(query).size() > 60)
                std::abort();
            times.append(double(timer.nsecsElapsed()) / 1e6);
        }
        bench::report(qPrintable(u"palette: “%1” among 10 000 entries"_s.arg(query)), times, "ms");
    }
}

void measureTemplates(const Catalogue& catalogue)
{
    for (const QString& cluster : {u"lumi"_s, u"raven"_s}) {
        QList<double> times;
        JobSpec spec;
        for (int run = 0; run < runs; ++run) {
            QElapsedTimer timer;
            timer.start();
            const QList<DesignTemplate> all = designTemplates(*catalogue.find(cluster));
            times.append(double(timer.nsecsElapsed()) / 1e6);
            spec = all.value(4).spec;
        }
        bench::report(qPrintable(u"all templates for %1"_s.arg(cluster)), times, "ms");
        QList<double> cards;
        for (int run = 0; run < runs; ++run) {
            QElapsedTimer timer;
            timer.start();
            if (summarise(spec, catalogue).nodes == 0)
                std::abort();
            cards.append(double(timer.nsecsElapsed()) / 1e3);
        }
        bench::report(qPrintable(u"summary of a design for %1"_s.arg(cluster)), cards, "us");
    }
}

} // namespace

int main()
{
    const Catalogue catalogue = loadCatalogue();
    measureQueries();
    measureTemplates(catalogue);
    return 0;
}
