// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::bench {

/// A long script as people write them: directives, variables, folders that are made, checks, functions, and one command
/// that trains with the variables as its arguments.
inline QString longScript(int lines)
{
    using namespace Qt::StringLiterals;
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

} // namespace rankwright::bench
