// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"
#include "tests/bench/benchreport.h"

#include <cstdlib>
#include <ctime>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// A long script as people write them: directives, variables, folders that are made, checks, functions, and one command
/// that trains with the variables as its arguments.
QString scriptOf(int lines)
{
    QString text
        = u"#!/bin/bash\n#SBATCH --job-name=bench\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gres=gpu:a100:4\n"
          "#SBATCH --time=08:00:00\n#SBATCH --account=acc\nset -euo pipefail\nmodule load python/3.12 cuda/12\nLR=3e-4\n"_s;
    const QString end
        = u"srun singularity exec --nv /site/image.sif python train.py --lr $LR --epochs 3 --data $DATA_1 \\\n    --save /out\n"_s;
    for (int at = static_cast<int>(text.count(u'\n') + end.count(u'\n')), block = 1; at < lines; at += 8, ++block) {
        text += u"# part %1: where its data is\nexport DATA_%1=/scratch/data/%1\nif [ ! -d \"$DATA_%1\" ]; then\n"
                "    mkdir -p \"$DATA_%1\"\nfi\nCOUNT_%1=$(ls \"$DATA_%1\" | wc -l)\n"
                "echo \"part %1: ${COUNT_%1} files of ${SLURM_JOB_ID}\"\n\n"_s.arg(block);
    }
    return text + end;
}

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
        const QString text = scriptOf(lines);
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
