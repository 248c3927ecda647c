// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/batch/batchtext.h"
#include "models/script/checks/designchecks.h"
#include "models/script/lint/lint.h"
#include "models/script/write/scriptwriter.h"
#include "tests/bench/benchreport.h"

#include <QElapsedTimer>
#include <QJsonObject>

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

/// The same job with a named model: its check also asks whether the model fits and, where not, for cures.
JobSpec sampleWithModel(int nodes, Launcher launcher, const QString& preset, Strategy strategy)
{
    JobSpec spec = sample(nodes, launcher);
    spec.model = QJsonObject{{u"preset"_s, preset}};
    spec.training.sequence = 4096;
    spec.training.microBatch = 1;
    spec.parallel.strategy = strategy;
    return spec;
}

void measure(const ClusterProfile& profile, const JobSpec& spec, const QString& job)
{
    const QString what = u"%1 nodes x 8 GCDs, %2: "_s.arg(*spec.resources.nodes).arg(job);
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
    report(u"write, check and lint", timed([&] {
        const ResolvedSpec resolved = resolve(spec, profile);
        const QString written = writeScript(resolved, profile).text();
        characters += check(resolved, profile).size() + lintScript(parseBatch(written), &profile).findings.size();
    }));
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
            measure(*profile, sample(nodes, launcher), toText(launcher));
    }
    const auto withModel = [&](int nodes, const QString& preset, Strategy strategy, const QString& job) {
        measure(*profile, sampleWithModel(nodes, Launcher::Srun, preset, strategy), job);
    };
    for (const int nodes : {2, 1024}) {
        withModel(nodes, u"llama-3-8b"_s, Strategy::Fsdp, u"srun, a model that fits"_s);
        withModel(nodes, u"llama-3-70b"_s, Strategy::Ddp, u"srun, a model that does not fit"_s);
    }
    return 0;
}
