// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalogue/catalogue.h"
#include "models/document/rules.h"
#include "models/script/batchtext.h"
#include "models/script/scriptwriter.h"
#include "tests/bench/benchreport.h"

#include <QElapsedTimer>

#include <cstdlib>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int warmUps = 20;
constexpr int runs = 200;

JobSpec sample(int nodes, Launcher launcher)
{
    JobSpec spec;
    spec.name = u"bench"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = 8;
    spec.training.globalBatch = 8192;
    spec.launcher = launcher;
    spec.command = u"train.py --epochs 50"_s;
    return spec;
}

/// Milliseconds of each run of `work`, after some that do not count.
template <typename Work>
QList<double> timed(const Work& work)
{
    QList<double> times;
    for (int run = 0; run < warmUps + runs; ++run) {
        QElapsedTimer timer;
        timer.start();
        work();
        if (run >= warmUps)
            times.append(double(timer.nsecsElapsed()) / 1e6);
    }
    return times;
}

void measure(const ClusterProfile& profile, int nodes, Launcher launcher)
{
    const JobSpec spec = sample(nodes, launcher);
    const QString what = u"%1 nodes x 8 GCDs, %2: "_s.arg(nodes).arg(toText(launcher));
    const auto report = [&](const char16_t* step, const QList<double>& times) {
        bench::report(qPrintable(what + QString::fromUtf16(step)), times, "ms");
    };
    qsizetype characters = 0; // used, so that nothing is optimised away
    const QList<double> together = timed([&] {
        const ResolvedSpec resolved = resolve(spec, profile);
        characters += writeScript(resolved, profile).text().size();
        characters += check(resolved, profile).size();
    });
    report(u"write and check", together);
    const ResolvedSpec resolved = resolve(spec, profile);
    report(u"write", timed([&] { characters += writeScript(resolved, profile).text().size(); }));
    report(u"check", timed([&] { characters += check(resolved, profile).size(); }));
    const QString text = writeScript(resolved, profile).text();
    report(u"take the text apart", timed([&] { characters += parseBatch(text).options.size(); }));
    if (characters == 0)
        std::abort();
}

} // namespace

int main()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile* profile = catalogue.find(u"lumi"_s);
    if (profile == nullptr)
        return 1;
    for (const Launcher launcher : {Launcher::Srun, Launcher::Torchrun}) {
        for (const int nodes : {2, 1024})
            measure(*profile, nodes, launcher);
    }
    return 0;
}
