// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/checks/designchecks.h"
#include "models/script/document/designjson.h"
#include "models/script/read/scriptedit.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QRandomGenerator>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Text typed into a script goes into the design and comes back as typed; scripts of our own are read back to their
/// design.
class ScriptEditTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void goldensComeBack_data();
    void goldensComeBack();
    void randomDesignsComeBack();
    void editsBecomeFields_data();
    void editsBecomeFields();
    void wordsOfTheCommand_data();
    void wordsOfTheCommand();
    void untouchedLinesFollow();
    void unknownTextIsKept();
    void anyTextIsKept_data() { goldensComeBack_data(); }
    void anyTextIsKept();
    void anyLinesAreKept();
    void overridesSurviveOtherEdits();
    void contradictionsAreSaid();
    void linesHaveKeys();

private:
    QString scriptOf(const JobSpec& spec) const;
    JobSpec golden(const QString& name) const;
    const ClusterProfile& profileOf(const JobSpec& spec) const { return *m_catalogue.find(spec.cluster); }
    JobSpec readBack(const JobSpec& spec) const;
    Catalogue m_catalogue;
};

void ScriptEditTest::initTestCase() { m_catalogue = loadCatalogue({}); }

QString ScriptEditTest::scriptOf(const JobSpec& spec) const
{
    return writeScript(resolve(spec, profileOf(spec)), profileOf(spec)).text();
}

JobSpec ScriptEditTest::golden(const QString& name) const
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/scripts/") + name + u".json"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const auto read = readDesign(file.readAll(), name);
    return read ? read->spec : JobSpec();
}

JobSpec ScriptEditTest::readBack(const JobSpec& spec) const
{
    const BatchText batch = parseBatch(scriptOf(spec));
    return designOf(readScript(batch, profileOf(spec)), batch, profileOf(spec));
}

void ScriptEditTest::goldensComeBack_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(rankwright::test::sourcePath(u"/tests/data/scripts"));
    for (const QString& file : folder.entryList({u"*.json"_s}))
        QTest::newRow(qPrintable(file)) << file.chopped(5);
}

/// What can be compared of two designs that come from one another through a script.
static QStringList facts(const JobSpec& spec, const ClusterProfile& profile)
{
    const ResolvedSpec r = resolve(spec, profile);
    const auto& o = spec.options;
    QStringList words = splitShellWords(r.command).value();
    if (words.value(0) == u"python3")
        words.removeFirst();
    QStringList variables;
    for (auto it = spec.environment.variables.cbegin(); it != spec.environment.variables.cend(); ++it)
        variables.append(it.key() + u'=' + *it);
    return {u"partition "_s + (profile.launch.partitionRequired ? r.partition : QString()), u"account "_s + r.account,
        u"time %1"_s.arg(r.time.count), u"nodes %1"_s.arg(r.nodes), u"gpus %1"_s.arg(r.gpusPerNode),
        u"cores %1"_s.arg(r.cpusPerGpu), u"memory %1"_s.arg(r.memoryPerNode.value_or(Bytes{0}).count),
        u"strategy "_s + toText(r.strategy), u"tasks %1"_s.arg(r.tasksPerNode()), u"container "_s + r.container,
        u"variables "_s + variables.join(u','), u"array "_s + o.array.value_or(QString()),
        u"dependency "_s + o.dependency.value_or(QString()), u"workdir "_s + spec.workdir.value_or(QString()),
        u"binds "_s + spec.environment.binds.join(u','), u"command "_s + words.join(u'|')};
}

void ScriptEditTest::goldensComeBack()
{
    QFETCH(QString, name);
    const JobSpec spec = golden(name);
    QVERIFY(!spec.cluster.isEmpty());
    const JobSpec back = readBack(spec);
    QStringList got = facts(back, profileOf(spec)), wanted = facts(spec, profileOf(spec));
    QVERIFY2(got.last().startsWith(wanted.last()), qPrintable(got.last())); // Megatron's figures are in the command
    got.removeLast();
    wanted.removeLast();
    QCOMPARE(got, wanted);
}

void ScriptEditTest::randomDesignsComeBack()
{
    QRandomGenerator random(11);
    const auto pick = [&](const auto& list) { return list.at(random.bounded(int(list.size()))); };
    const QStringList clusters{u"lumi"_s, u"mahti"_s, u"raven"_s, u"practice"_s};
    const QList<Strategy> strategies{Strategy::Ddp, Strategy::Fsdp, Strategy::Single, Strategy::Zero3};
    const QStringList words{u"train.py"_s, u"-m pkg.train"_s, u"src/run.py"_s};
    const QStringList arguments{u""_s, u" --epochs 4"_s, u" 'two words' --x='$HOME'"_s, u" --a=\"q'uote\""_s};
    for (int i = 0; i < 300; ++i) {
        JobSpec spec;
        spec.cluster = pick(clusters);
        spec.name = u"job-%1"_s.arg(i);
        spec.account = u"project_465000001"_s;
        spec.parallel.strategy = pick(strategies);
        const bool single = spec.parallel.strategy == Strategy::Single;
        spec.resources.nodes = single ? 1 : 1 + random.bounded(4);
        const NodeShape* node = profileOf(spec).nodeShape({});
        spec.resources.gpusPerNode = single ? 1 : 1 + random.bounded(node->gpus);
        if (*spec.resources.nodes * *spec.resources.gpusPerNode == 1)
            spec.parallel.strategy = Strategy::Single;
        spec.launcher = random.bounded(2) == 0 ? Launcher::Torchrun : Launcher::Srun;
        spec.time = Seconds{60 * (1 + random.bounded(2000))};
        spec.command = pick(words) + pick(arguments);
        if (random.bounded(3) == 0)
            spec.environment.variables.insert(u"MY_NOTE"_s, u"it's $5 \"now\""_s);
        if (random.bounded(3) == 0)
            spec.workdir = u"/scratch/my folder"_s;
        const JobSpec back = readBack(spec);
        const QStringList wanted = facts(spec, profileOf(spec)), got = facts(back, profileOf(spec));
        if (got.mid(0, 15) != wanted.mid(0, 15))
            QFAIL(qPrintable(got.join(u'\n') + u"\n--- wanted\n"_s + wanted.join(u'\n') + u"\n"_s + scriptOf(spec)));
    }
}

void ScriptEditTest::editsBecomeFields_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("field");
    QTest::newRow("nodes") << u"--nodes=4"_s << u"--nodes=2"_s << u"resources.nodes"_s;
    QTest::newRow("time") << u"--time=1-12:00:00"_s << u"--time=02:00:00"_s << u"time"_s;
    QTest::newRow("account") << u"--account=project_462000265"_s << u"--account=project_465000001"_s << u"account"_s;
    QTest::newRow("name") << u"--job-name=llm"_s << u"--job-name=other"_s << u"name"_s;
    QTest::newRow("reservation gone") << u"#SBATCH --reservation=course\n"_s << u""_s << u"reservation"_s;
    QTest::newRow("variable") << u"export WANDB_MODE=offline"_s << u"export WANDB_MODE=online"_s
                              << u"environment.variables"_s;
    QTest::newRow("new variable") << u"export WANDB_MODE=offline"_s << u"export WANDB_MODE=offline\nexport NEW=1"_s
                                  << u"environment.variables"_s;
    QTest::newRow("command") << u"--steps 1000"_s << u"--steps 2000"_s << u"command"_s;
    QTest::newRow("partition") << u"--partition=standard-g"_s << u"--partition=dev-g"_s << u"partition"_s;
    QTest::newRow("signal") << u"#SBATCH --mem=480G"_s << u"#SBATCH --mem=480G\n#SBATCH --signal=TERM@300"_s
                            << u"options.signal"_s;
}

void ScriptEditTest::editsBecomeFields()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, field);
    const JobSpec spec = golden(u"lumi-4node-torchrun"_s);
    QString text = scriptOf(spec);
    QVERIFY2(text.contains(from), qPrintable(text));
    text.replace(from, to);
    const ScriptEdit edit = applyScriptEdit(spec, profileOf(spec), text);
    QCOMPARE(edit.changed, QList<FieldPath>{field});
    QCOMPARE(scriptOf(edit.exact), text);
    // typed lines are in the script that follows the fields, too
    for (const QString& line : to.split(u'\n', Qt::SkipEmptyParts))
        QVERIFY2(scriptOf(edit.followed).contains(line), qPrintable(line));
    // and back again
    const ScriptEdit undone = applyScriptEdit(edit.exact, profileOf(spec), scriptOf(spec));
    QCOMPARE(scriptOf(undone.exact), scriptOf(spec));
}

void ScriptEditTest::wordsOfTheCommand_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QStringList>("changed");
    const QString command = u"pretrain_gpt.py --data-path corpus --bf16"_s;
    QTest::newRow("a figure") << u"--micro-batch-size=1 "_s << u"--micro-batch-size=2 "_s << command
                              << QStringList{field::microBatch};
    QTest::newRow("a figure, spelled otherwise")
        << u"--micro-batch-size=1 "_s << u"--micro-batch-size 2 "_s << command << QStringList{field::microBatch};
    QTest::newRow("a part of the layout")
        << u"--tensor-model-parallel-size=4 "_s << u"--tensor-model-parallel-size=2 "_s << command
        << QStringList{field::tensor};
    QTest::newRow("a switch of a field") << u"         --sequence-parallel \\\n"_s << QString() << command
                                         << QStringList{field::sequenceParallel};
    QTest::newRow("an argument of the command")
        << u"--data-path corpus"_s << u"--data-path pile"_s << u"pretrain_gpt.py --data-path pile --bf16"_s
        << QStringList{field::command};
    QTest::newRow("one more of it") << u"corpus --bf16"_s << u"corpus --lr 0.1 --bf16"_s
                                    << u"pretrain_gpt.py --data-path corpus --lr 0.1 --bf16"_s
                                    << QStringList{field::command};
    QTest::newRow("one less") << u"corpus --bf16"_s << u"corpus"_s << u"pretrain_gpt.py --data-path corpus"_s
                              << QStringList{field::command};
    QTest::newRow("both") << u"corpus --bf16 \\\n         --tensor-model-parallel-size=4 "_s
                          << u"pile --bf16 \\\n         --tensor-model-parallel-size=2 "_s
                          << u"pretrain_gpt.py --data-path pile --bf16"_s << QStringList{field::tensor, field::command};
}

/// The launch holds the command and behind it arguments that other fields write: these do not become the command's.
void ScriptEditTest::wordsOfTheCommand()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, command);
    QFETCH(QStringList, changed);
    const JobSpec spec = golden(u"lumi-4node-megatron"_s);
    QString text = scriptOf(spec);
    QVERIFY2(text.contains(from), qPrintable(text));
    text.replace(from, to);
    const ScriptEdit edit = applyScriptEdit(spec, profileOf(spec), text);
    QCOMPARE(edit.exact.command, command);
    QStringList paths = edit.changed;
    paths.sort();
    changed.sort();
    QCOMPARE(paths.join(u' '), changed.join(u' '));
    QCOMPARE(scriptOf(edit.exact), text);
    const ScriptEdit undone = applyScriptEdit(edit.exact, profileOf(spec), scriptOf(spec));
    QCOMPARE(undone.exact.command, spec.command);
    QCOMPARE(scriptOf(undone.exact), scriptOf(spec));
}

void ScriptEditTest::untouchedLinesFollow()
{
    const JobSpec spec = golden(u"lumi-4node-torchrun"_s);
    QString text = scriptOf(spec);
    text.replace(u"#SBATCH --nodes=4"_s, u"#SBATCH --nodes=2"_s);
    const ScriptEdit edit = applyScriptEdit(spec, profileOf(spec), text);
    QCOMPARE(edit.followed.resources.nodes, 2);
    QVERIFY(edit.followed.overrides.isEmpty());
    JobSpec direct = spec;
    direct.resources.nodes = 2;
    QCOMPARE(scriptOf(edit.followed), scriptOf(direct));
    QVERIFY(!edit.exact.overrides.isEmpty());
    // half a value while typing changes nothing but the text
    text.replace(u"#SBATCH --nodes=2"_s, u"#SBATCH --nodes="_s);
    const ScriptEdit half = applyScriptEdit(spec, profileOf(spec), text);
    QVERIFY(half.changed.isEmpty());
    QCOMPARE(half.followed.resources.nodes, 4);
    QCOMPARE(scriptOf(half.followed), text);
}

void ScriptEditTest::unknownTextIsKept()
{
    const JobSpec spec = golden(u"lumi-8gcd-srun-masks"_s);
    QString text = scriptOf(spec);
    text.replace(u"#SBATCH --mem=480G\n"_s, u"#SBATCH --mem=480G\n#SBATCH --hint=nomultithread\n"_s);
    text.replace(u"set -euo pipefail\n"_s, u"set -euo pipefail\nulimit -c 0 # mine\n"_s);
    text += u"echo done\n"_s;
    const ScriptEdit edit = applyScriptEdit(spec, profileOf(spec), text);
    QVERIFY(edit.changed.isEmpty());
    QCOMPARE(edit.exact.overrides.size(), 3);
    QCOMPARE(scriptOf(edit.exact), text);
    QCOMPARE(edit.followed, edit.exact);
    const ScriptDocument document = writeScript(resolve(edit.exact, profileOf(spec)), profileOf(spec));
    QCOMPARE(document.linesOf(field::overrides).size(), 3);
}

/// Random edits of a script, small and large: the text always comes back, also through the design file.
void ScriptEditTest::anyTextIsKept()
{
    QFETCH(QString, name);
    const JobSpec spec = golden(name);
    const ClusterProfile& profile = profileOf(spec);
    const QString original = scriptOf(spec);
    const QStringList snippets{u"\n"_s, u"#SBATCH --nodes=3\n"_s, u"'"_s, u"\""_s, u"$("_s, u"export A=1\n"_s,
        u"#SBATCH "_s, u"x"_s, u" "_s, u"\r\n"_s, u"srun python a.py\n"_s, u"module load x\n"_s, u"<<EOF\n"_s,
        u"\\\n"_s, u"\u00e4\u2028"_s, u"for i in 1; do\n"_s, u"\t"_s, u"#SBATCH --time=1\n"_s,
        u"set -euo pipefail\n"_s};
    QRandomGenerator random(quint32(qHash(name)));
    JobSpec current = spec;
    for (int round = 0; round < 12; ++round) {
        QString text = round % 5 == 0 ? original : scriptOf(current);
        for (int i = random.bounded(4); i >= 0; --i) {
            const qsizetype at = random.bounded(int(text.size()) + 1);
            if (random.bounded(3) == 0)
                text.remove(at, random.bounded(60));
            else
                text.insert(at, snippets.at(random.bounded(int(snippets.size()))));
        }
        const ScriptEdit edit = applyScriptEdit(current, profile, text);
        QCOMPARE(scriptOf(edit.exact), text);
        const Result<ReadDesign> again = readDesign(writeDesign(edit.exact), name);
        QVERIFY_RESULT(again);
        QCOMPARE(scriptOf(again->spec), text);
        current = edit.exact;
    }
    for (const QString& text :
        QStringList{u""_s, u"\n"_s, u"x"_s, u"\n\n"_s, original.chopped(1), original + u'\n', original + original})
        QCOMPARE(scriptOf(applyScriptEdit(spec, profile, text).exact), text);
}

/// Short texts of few lines, so that lines are often the same: all are made of the generated script and blocks, with
/// and without a last newline.
void ScriptEditTest::anyLinesAreKept()
{
    const QStringList alphabet{u""_s, u"a"_s, u"b 1"_s, u"b 2"_s, u"#SBATCH --nodes=1"_s, u"#SBATCH --nodes=2"_s,
        u"export A=1"_s, u"\r"_s, u"# x Written by Rankwright."_s};
    QRandomGenerator random(5);
    const auto lines = [&] {
        QStringList some;
        for (int i = random.bounded(7); i > 0; --i)
            some.append(alphabet.at(random.bounded(int(alphabet.size()))));
        return some;
    };
    for (int round = 0; round < 20000; ++round) {
        ScriptDocument generated;
        for (const QString& line : lines())
            generated.lines.append({line, {}, {}, {}});
        const QString text = lines().join(u'\n') + (random.bounded(3) == 0 ? QString() : u"\n"_s);
        const QList<OverrideBlock> blocks = overridesFor(generated, text);
        if (applyOverrides(generated, blocks).document.text() != text)
            QFAIL(qPrintable(u"%1\n--- from\n%2"_s.arg(text, generated.text())));
    }
}

void ScriptEditTest::overridesSurviveOtherEdits()
{
    const JobSpec spec = golden(u"lumi-4node-torchrun"_s);
    QString text = scriptOf(spec);
    text.replace(u"#SBATCH --mem=480G\n"_s, u"#SBATCH --mem=480G\n#SBATCH --hint=nomultithread\n"_s);
    text.replace(u"# Launch"_s, u"ulimit -c 0\n# Launch"_s);
    JobSpec edited = applyScriptEdit(spec, profileOf(spec), text).exact;
    edited.resources.nodes = 1;
    edited.launcher = Launcher::Srun;
    edited.environment.variables.insert(u"MORE"_s, u"1"_s);
    const QString after = scriptOf(edited);
    QVERIFY(after.contains(u"#SBATCH --mem=480G\n#SBATCH --hint=nomultithread\n"_s));
    QVERIFY(after.contains(u"ulimit -c 0\n"_s));
    QVERIFY(after.indexOf(u"ulimit -c 0"_s) < after.indexOf(u"\nsrun "_s));
}

void ScriptEditTest::contradictionsAreSaid()
{
    const JobSpec spec = golden(u"lumi-4node-torchrun"_s);
    QString text = scriptOf(spec);
    text.replace(u"#SBATCH --mem=480G"_s, u"#SBATCH --mem=  480G"_s);
    JobSpec edited = applyScriptEdit(spec, profileOf(spec), text).exact;
    QCOMPARE(edited.overrides.size(), 1);
    const auto findings = [&](const JobSpec& design) {
        QStringList slugs;
        for (const Finding& finding : check(resolve(design, profileOf(design)), profileOf(design)))
            slugs.append(finding.slug);
        return slugs;
    };
    QVERIFY(!findings(edited).contains(u"override-contradicts"_s));
    edited.resources.memoryPerNode = Bytes::gib(240);
    QVERIFY(findings(edited).contains(u"override-contradicts"_s));
    JobSpec twice = spec;
    twice.overrides = {{u"#SBATCH --mem"_s, 0, {}, {u"#SBATCH --nodes=8"_s}, false}};
    QVERIFY(findings(twice).contains(u"override-twice"_s));
    JobSpec lost = spec;
    lost.overrides = {{u"no such line"_s, 0, {}, {u"echo mine"_s}, false}};
    QVERIFY(findings(lost).contains(u"override-displaced"_s));
    QVERIFY(scriptOf(lost).contains(u"echo mine\n"_s));
    // the fix gives the generated line back
    for (const Finding& finding : check(resolve(twice, profileOf(twice)), profileOf(twice))) {
        if (finding.slug == u"override-twice") {
            QVERIFY(finding.fix.has_value());
            JobSpec fixed = twice;
            finding.fix->apply(fixed);
            QVERIFY(fixed.overrides.isEmpty());
        }
    }
}

void ScriptEditTest::linesHaveKeys()
{
    QCOMPARE(scriptLineKey(u"#SBATCH --nodes=4"_s), scriptLineKey(u"#SBATCH --nodes=16"_s));
    QVERIFY(scriptLineKey(u"#SBATCH --nodes=4"_s) != scriptLineKey(u"#SBATCH --ntasks=4"_s));
    QCOMPARE(scriptLineKey(u"export A=\"x\""_s), u"export A="_s);
    QCOMPARE(scriptLineKey(u"[[ ${SLURM_NTASKS:-0} == 32 ]]"_s), scriptLineKey(u"[[ ${SLURM_NTASKS:-0} == 8 ]]"_s));
}

RANKWRIGHT_TEST_MAIN(ScriptEditTest)
#include "tst_scriptedit.moc"
