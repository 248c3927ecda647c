// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Sources of the words: sbatch(1), srun(1), the manuals of torchrun and of Megatron-LM.
#include "models/teaching/learn/scripthelp.h"

#include "models/teaching/learn/question.h"
#include "models/teaching/learn/term.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestLine = 10'000;

struct Row {
    QLatin1StringView id; ///< of a term or, where there is none of this id, of a question
    QLatin1StringView words; ///< blanks between them; with * at the end: whatever begins so
};

// clang-format off
constexpr Row rows[] = {
    {"mem"_L1, "--mem --mem-per-gpu --mem-per-cpu SLURM_MEM_PER_NODE"_L1},
    {"time-limit"_L1, "--time -t"_L1},
    {"node"_L1, "--nodes -N --nodelist -w --exclude -x --nnodes SLURM_NNODES SLURM_JOB_NUM_NODES SLURM_JOB_NODELIST"_L1},
    {"task"_L1, "--ntasks -n --ntasks-per-node --tasks-per-node SLURM_NTASKS_PER_NODE"_L1},
    {"gpu"_L1, "--gpus-per-node --gpus -G --gres SLURM_GPUS_ON_NODE SLURM_GPUS_PER_NODE"_L1},
    {"gpus-per-task"_L1, "--gpus-per-task --gpu-bind --ntasks-per-gpu"_L1},
    {"cores-of-a-node"_L1, "--cpus-per-task -c --cpus-per-gpu --threads-per-core SLURM_CPUS_PER_TASK"_L1},
    {"cpu-binding"_L1, "--cpu-bind --mem-bind --hint OMP_PLACES OMP_PROC_BIND taskset"_L1},
    {"numa"_L1, "numactl"_L1},
    {"whole-node"_L1, "--exclusive"_L1},
    {"partition"_L1, "--partition -p SLURM_JOB_PARTITION"_L1},
    {"account"_L1, "--account -A"_L1},
    {"qos"_L1, "--qos -q"_L1},
    {"reservation"_L1, "--reservation"_L1},
    {"job-array"_L1, "--array -a SLURM_ARRAY_*"_L1},
    {"requeue"_L1, "--requeue --no-requeue SLURM_RESTART_COUNT"_L1},
    {"checkpoint"_L1, "--signal"_L1},
    {"dry-run"_L1, "--test-only"_L1},
    {"look-inside"_L1, "--overlap"_L1},
    {"name-of-the-log"_L1, "--output -o --error -e"_L1},
    {"log-is-empty"_L1, "PYTHONUNBUFFERED --unbuffered"_L1},
    {"notify-me"_L1, "--mail-type --mail-user"_L1},
    {"job"_L1, "--job-name -J SLURM_JOB_ID SLURM_JOBID"_L1},
    {"sbatch"_L1, "#SBATCH sbatch"_L1},
    {"srun"_L1, "srun"_L1},
    {"torchrun"_L1, "torchrun --max-restarts --max_restarts --monitor-interval --monitor_interval"_L1},
    {"launcher"_L1, "accelerate deepspeed mpirun mpiexec"_L1},
    {"local-rank"_L1, "--nproc-per-node --nproc_per_node LOCAL_RANK SLURM_LOCALID LOCAL_WORLD_SIZE"_L1},
    {"rank"_L1, "RANK SLURM_PROCID --node-rank --node_rank"_L1},
    {"world-size"_L1, "WORLD_SIZE SLURM_NTASKS SLURM_NPROCS"_L1},
    {"rendezvous"_L1, "--standalone --rdzv*"_L1},
    {"master-addr"_L1, "MASTER_ADDR MASTER_PORT --master-addr --master_addr --master-port --master_port"_L1},
    {"visible-devices"_L1, "ROCR_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES GPU_DEVICE_ORDINAL"_L1},
    {"nccl"_L1, "NCCL_* RCCL_* TORCH_NCCL_*"_L1},
    {"network"_L1, "NCCL_SOCKET_IFNAME NCCL_IB_HCA FI_* UCX_*"_L1},
    {"gpu-memory"_L1, "PYTORCH_CUDA_ALLOC_CONF PYTORCH_HIP_ALLOC_CONF PYTORCH_ALLOC_CONF"_L1},
    {"module"_L1, "module"_L1},
    {"container"_L1, "singularity apptainer --container-image SINGULARITY* APPTAINER*"_L1},
    {"tensor-parallel"_L1, "--tensor-model-parallel-size --tensor-parallel-size"_L1},
    {"pipeline-parallel"_L1, "--pipeline-model-parallel-size --num-layers-per-virtual-pipeline-stage"_L1},
    {"context-parallel"_L1, "--context-parallel-size"_L1},
    {"expert-parallel"_L1, "--expert-model-parallel-size"_L1},
    {"zero"_L1, "--use-distributed-optimizer"_L1},
    {"recomputation"_L1, "--recompute* --gradient-checkpointing"_L1},
    {"micro-batch"_L1, "--micro-batch-size --micro-batch --per-device-train-batch-size --per_device_train_batch_size"_L1},
    {"global-batch"_L1, "--global-batch-size --global-batch"_L1},
    {"accumulation"_L1, "--gradient-accumulation-steps --gradient_accumulation_steps --accumulation"_L1},
    {"sequence"_L1, "--seq-length --max-position-embeddings"_L1},
    {"precision"_L1, "--bf16 --fp16 --mixed_precision --mixed-precision"_L1},
    {"learning-rate"_L1, "--lr --learning-rate --learning_rate"_L1},
    {"seed"_L1, "--seed"_L1},
};
// clang-format on

struct Table {
    QHash<QString, QLatin1StringView> words;
    QList<std::pair<QString, QLatin1StringView>> beginnings;
};

const Table& termTable()
{
    static const Table made = [] {
        Table all;
        for (const Row& row : rows) {
            for (const QString& word : QString(row.words).split(u' ')) {
                if (word.endsWith(u'*'))
                    all.beginnings.append({word.chopped(1), row.id});
                else
                    all.words.insert(word, row.id);
            }
        }
        return all;
    }();
    return made;
}

std::optional<LearnHit> hitOf(const QString& word)
{
    QString id = termTable().words.value(word);
    if (id.isEmpty()) {
        for (const auto& [beginning, of] : termTable().beginnings) {
            if (word.startsWith(beginning)) {
                id = of;
                break;
            }
        }
    }
    if (id.isEmpty())
        return std::nullopt;
    const bool isTerm
        = std::any_of(terms().cbegin(), terms().cend(), [&id](const Term& term) { return term.id == id; });
    return LearnHit{isTerm ? LearnHit::Kind::Term : LearnHit::Kind::Question, id, 100};
}

bool isShort(const QString& option) { return option.startsWith(u'-') && !option.startsWith(u"--"); }

/// A short option means what sbatch and srun say only where they read it.
bool isSlurms(const QString& line, qsizetype at)
{
    static const QRegularExpression reader(uR"(^\s*#SBATCH\b|(^|[\s;&|(])(srun|sbatch|salloc)\s)"_s);
    const auto match = reader.match(line);
    return match.hasMatch() && match.capturedStart() < at;
}

/// The name of the variable at the column: letters, digits and underscores.
QString nameAt(const QString& line, qsizetype column)
{
    const auto isOf = [&line](qsizetype at) {
        return at >= 0 && at < line.size() && (line.at(at).isLetterOrNumber() || line.at(at) == u'_');
    };
    qsizetype from = column;
    while (isOf(from - 1))
        --from;
    qsizetype to = column;
    while (isOf(to))
        ++to;
    return line.mid(from, to - from);
}

struct ScriptPiece {
    qsizetype from = 0;
    QString text;
    qsizetype to() const { return from + text.size(); }
};

QList<ScriptPiece> pieces(const QString& line)
{
    static const QRegularExpression dark(uR"([^\s"']+)"_s);
    QList<ScriptPiece> found;
    for (auto each = dark.globalMatch(line); each.hasNext();) {
        const auto match = each.next();
        found.append({match.capturedStart(), match.captured()});
    }
    return found;
}

std::optional<LearnHit> hitOfOption(const QString& line, const ScriptPiece& piece)
{
    QString name = piece.text.section(u'=', 0, 0);
    if (isShort(name)) {
        if (!isSlurms(line, piece.from))
            return std::nullopt;
        name = name.first(qMin<qsizetype>(2, name.size())); // -N2
    }
    return hitOf(name);
}

} // namespace

std::optional<LearnHit> scriptHelp(const QString& line, int column)
{
    if (line.size() > longestLine || column < 0 || column > line.size())
        return std::nullopt;
    const QList<ScriptPiece> all = pieces(line);
    const auto at = std::find_if(all.cbegin(), all.cend(),
        [column](const ScriptPiece& piece) { return piece.from <= column && column <= piece.to(); });
    const bool isDirective = !all.isEmpty() && all.first().text == u"#SBATCH"_s;
    if (at == all.cend())
        return std::nullopt;
    const bool isOption = at->text.startsWith(u'-');
    const qsizetype equals = at->text.indexOf(u'=');
    if (!isOption || (equals >= 0 && column > at->from + equals)) {
        // A word inside, which may be a variable in the value of an option.
        if (const auto hit = hitOf(nameAt(line, column)))
            return hit;
        if (const auto hit = hitOf(at->text))
            return hit;
    }
    if (isOption)
        return hitOfOption(line, *at);
    if (isDirective && at != all.cbegin() && std::prev(at)->text.startsWith(u'-'))
        return hitOfOption(line, *std::prev(at)); // "-N 2", "--mem 64G"
    return equals > 0 ? hitOf(at->text.first(equals)) : std::nullopt; // NAME=value
}

QStringList scriptHelpWords()
{
    QStringList words = termTable().words.keys();
    for (const auto& [beginning, id] : termTable().beginnings)
        words.append(beginning + u"X"_s);
    words.sort();
    return words;
}

} // namespace rankwright::inline teaching
