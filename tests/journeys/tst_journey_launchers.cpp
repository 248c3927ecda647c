// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/shellquote.h"
#include "models/insight/text/rankreport.h"
#include "tests/journeys/support/practicebench.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Scripts of every launcher that PyTorch alone can run, through a real sbatch on several nodes: the ranks meet, count
/// each other, and get their words as given.
class JourneyLaunchersTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup() { m_bench.cancelAll(); }

    void ranksMeet_data();
    void ranksMeet();

    /// A chain: the second task of the array is asked to continue, the first is not.
    void aChainContinues();

private:
    // One write for the line: an unbuffered print() writes piece by piece, and eight ranks share the log.
    const QString meeting = u"import sys, torch, torch.distributed as d; d.init_process_group(\"gloo\"); "
                            "t = torch.ones(1); d.all_reduce(t); "
                            "sys.stdout.write(f\"world {d.get_world_size()} sum {int(t)} words {sys.argv[1:]}\\n\"); "
                            "d.barrier()"_s;

    JobSpec specOf(int nodes, int gpus) const
    {
        JobSpec spec = m_bench.spec(60);
        spec.name = u"launchers"_s;
        spec.partition = u"small-g"_s;
        spec.reservation.reset();
        spec.resources = {nodes, gpus, {}, {}};
        spec.parallel.strategy = Strategy::Ddp;
        spec.environment.container = u"none"_s;
        spec.program = {}; // those of the workshop's program
        return spec;
    }

    /// Queues the design's script, waits for its end, and wants it COMPLETED.
    void submit(const JobSpec& spec)
    {
        const Derived derived = derive(spec, *m_catalogue.find(spec.cluster));
        const QString text = QString::fromLatin1(derived.script.text().toUtf8().toBase64());
        const QString answer
            = m_bench.remote(u"cd %1 && echo %2 | base64 -d | sbatch --parsable 2>&1"_s.arg(*spec.workdir, text))
                  .trimmed();
        static const QRegularExpression id(u"^\\d+$"_s);
        QVERIFY2(id.match(answer).hasMatch(), qPrintable(answer + u'\n' + derived.script.text()));
        QVERIFY2(waitUntil([&] { return m_bench.remote(u"squeue -h -j %1"_s.arg(answer)).trimmed().isEmpty(); }),
            qPrintable(m_bench.remote(u"squeue -j %1"_s.arg(answer))));
        QString states;
        (void)waitUntil([&] { // the accounting follows some seconds later
            states = m_bench.remote(u"sacct -X -n -P -o State -j %1 | sort -u"_s.arg(answer)).trimmed();
            return !states.isEmpty() && !states.contains(u"RUNNING"_s) && !states.contains(u"PENDING"_s);
        });
        const QString folder = *spec.workdir;
        QVERIFY2(states == u"COMPLETED", qPrintable(states + m_bench.remote(u"cat %1/rw-*.out"_s.arg(folder))));
    }

    QString run(JobSpec spec)
    {
        spec.options.output = u"rw-launchers.out"_s;
        (void)m_bench.remote(u"rm -f %1/rw-launchers.out"_s.arg(*spec.workdir));
        submit(spec);
        return m_bench.remote(u"cat %1/rw-launchers.out"_s.arg(*spec.workdir));
    }

    PracticeBench m_bench;
    Catalogue m_catalogue = loadCatalogue();
};

void JourneyLaunchersTest::initTestCase()
{
    const QString missing = m_bench.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void JourneyLaunchersTest::ranksMeet_data()
{
    QTest::addColumn<int>("launcher");
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::newRow("torchrun, two nodes") << int(Launcher::Torchrun) << 2 << 2;
    QTest::newRow("torchrun, whole node, bound") << int(Launcher::Torchrun) << 1 << 8;
    QTest::newRow("srun, two nodes") << int(Launcher::Srun) << 2 << 2;
    QTest::newRow("srun, whole node, masks") << int(Launcher::Srun) << 1 << 8;
}

void JourneyLaunchersTest::ranksMeet()
{
    QFETCH(int, launcher);
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    JobSpec spec = specOf(nodes, gpus);
    spec.launcher = static_cast<Launcher>(launcher);
    spec.command = u"-c "_s + shellQuote(meeting) + u" 'a b' : '$HOME' \"it's\""_s;
    spec.options.config = u"none"_s; // this program has no use for DeepSpeed's
    const QString log = run(spec);
    const int world = nodes * gpus;
    QCOMPARE(log.count(u"world %1 sum %1 words ['a b', ':', '$HOME', \"it's\"]\n"_s.arg(world)), world);
}

void JourneyLaunchersTest::aChainContinues()
{
    JobSpec spec = specOf(1, 1);
    spec.parallel.strategy = Strategy::Single;
    spec.launcher = Launcher::Srun;
    spec.command = u"-c 'import sys; print(\"words\", sys.argv[1:])' first"_s;
    spec.options.array = u"1-2%1"_s;
    spec.options.resumeArguments = u"--resume 'last one'"_s;
    spec.options.output = u"rw-chain-%a.out"_s;
    (void)m_bench.remote(u"rm -f %1/rw-chain-*"_s.arg(*spec.workdir));
    submit(spec);
    const QString log = m_bench.remote(u"cat %1/rw-chain-1.out %1/rw-chain-2.out"_s.arg(*spec.workdir));
    QStringList words = log.split(u'\n', Qt::SkipEmptyParts);
    words.removeIf([](const QString& line) { return readRankReport(line).has_value(); });
    QCOMPARE(words, (QStringList{u"words ['first']"_s, u"words ['first', '--resume', 'last one']"_s}));
}

RANKWRIGHT_TEST_MAIN(JourneyLaunchersTest)
#include "tst_journey_launchers.moc"
