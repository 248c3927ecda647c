// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/question.h"
#include "models/teaching/learn/scripthelp.h"
#include "models/teaching/learn/term.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What F1 explains in a batch script, by where the cursor stands: | in the line.
class ScriptHelpTest final : public test::Suite {
    Q_OBJECT
private slots:
    void explainsWhatIsThere_data();
    void explainsWhatIsThere();
    void everyWordLeadsSomewhere();
    void anyPlaceOfAnyLine();
};

void ScriptHelpTest::explainsWhatIsThere_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* line, const char* id) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(id);
    };
    row("#SBATCH --m|em=64G", "mem");
    row("#SBATCH --mem=6|4G", "mem");
    row("#SBATCH --mem 64G|", "mem");
    row("#SBATCH |--gpus-per-node=8", "gpu");
    row("#SBATCH -N |2", "node");
    row("#SBATCH -N2|", "node");
    row("#SB|ATCH --time=00:10:00", "sbatch");
    row("#SBATCH --time=00:10|:00", "time-limit");
    row("#SBATCH --gpus-per-t|ask=1", "gpus-per-task");
    row("#SBATCH --comment=|mine", "");
    row("export ROCR_VISIBLE|_DEVICES=0", "visible-devices");
    row("export ROCR_VISIBLE_DEVICES=|0", "visible-devices");
    row("export NCCL_SOCKET_|IFNAME=hsn0", "network");
    row("export NCCL_DEB|UG=INFO", "nccl");
    row("export MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODE|LIST\" | head -n 1)", "node");
    row("srun --export=ALL,ROCR_VISIBLE_DEV|ICES=$SLURM_LOCALID python train.py", "visible-devices");
    row("srun --export=ALL,ROCR_VISIBLE_DEVICES=$SLURM_LOC|ALID python train.py", "local-rank");
    row("sr|un --cpu-bind=mask_cpu:fe python train.py", "srun");
    row("srun --cpu-bind=mask_|cpu:fe python train.py", "cpu-binding");
    row("srun -|n 8 python train.py", "task");
    row("srun --overlap pyth|on train.py", "");
    row("echo -|n 8", "");
    row("torch|run --standalone --nproc_per_node=8 train.py", "torchrun");
    row("torchrun --stand|alone --nproc_per_node=8 train.py", "rendezvous");
    row("torchrun --standalone --nproc_per_node=|8 train.py", "local-rank");
    row("torchrun --rdzv-end|point=$MASTER_ADDR:29500 train.py", "rendezvous");
    row("torchrun --rdzv-endpoint=$MASTER|_ADDR:29500 train.py", "master-addr");
    row("python train.py --micro-batch=|4", "micro-batch");
    row("|", "");
    row("    |", "");
    row("cd |/scratch", "");
}

void ScriptHelpTest::explainsWhatIsThere()
{
    QFETCH(QString, line);
    QFETCH(QString, id);
    const auto column = int(line.indexOf(u'|'));
    line.remove(column, 1);
    const auto hit = scriptHelp(line, column);
    QCOMPARE(hit ? hit->id : QString(), id);
}

void ScriptHelpTest::everyWordLeadsSomewhere()
{
    for (const QString& word : scriptHelpWords()) {
        const QString line = u"srun "_s + word;
        const auto hit = scriptHelp(word.startsWith(u'#') ? word : line, word.startsWith(u'#') ? 1 : 6);
        QVERIFY2(hit, qPrintable(word));
        if (hit->kind == LearnHit::Kind::Question) {
            QVERIFY2(findQuestion(hit->id), qPrintable(hit->id));
        } else {
            const Term* term = findTerm(hit->id);
            QVERIFY2(term && term->id == hit->id, qPrintable(hit->id));
        }
    }
}

void ScriptHelpTest::anyPlaceOfAnyLine()
{
    const QStringList lines{u"#SBATCH"_s, u"=-=-"_s, u"\"'--\t-"_s, u"-"_s, u"#SBATCH - -= ="_s, QString(20'000, u'-'),
        QString(QChar(0xd83d)) + u"--mem"_s};
    for (const QString& line : lines) {
        for (int column = -2; column <= qMin<qsizetype>(line.size() + 2, 40); ++column)
            (void)scriptHelp(line, column);
    }
}

RANKWRIGHT_TEST_MAIN(ScriptHelpTest)
#include "tst_scripthelp.moc"
